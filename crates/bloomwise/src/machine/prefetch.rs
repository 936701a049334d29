//! Prefetching: memory is requested before it is needed.
//!
//! A query on a large filter mostly waits for memory. A batch hides the wait: before it handles a key, it prefetches the cache lines of a
//! later key ([`rolling`]). So there are always some lines in flight. Fetching a group of keys and then handling the group takes up to
//! twice as long, because no lines are in flight while the group is handled.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "prefetching has no safe form")
)]

/// How many keys ahead memory is prefetched. A core keeps 12 to 48 cache lines in flight; more would only fill its queue.
pub(crate) const AHEAD: usize = 32;

/// Like [`AHEAD`], for keys that need several lines each.
pub(crate) const AHEAD_OF_LINES: usize = 8;

/// The number of bits (2 MiB) of an array that fits into a core's own cache, or nearly.
pub(crate) const NEAR: u64 = 1 << 24;

/// Prefetches the cache line that holds `slice[index]`. Any index is valid.
#[inline(always)]
pub(crate) fn fetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch reads nothing and cannot fault, whatever the address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// Calls `act` for each item in order, having called `fetch` for it `distance` items earlier. `act` also gets the index of its item.
///
/// In code that is compiled for each kernel, the closures must be `#[inline(always)]`. A closure that is not inlined does not have the
/// vector instructions of its caller.
#[inline(always)]
pub(crate) fn rolling<S: ?Sized, T: Copy>(
    state: &mut S,
    items: &[T],
    distance: usize,
    fetch: impl Fn(&S, T),
    mut act: impl FnMut(&mut S, usize, T),
) {
    for &item in items.iter().take(distance) {
        fetch(state, item);
    }
    for (at, &item) in items.iter().enumerate() {
        if let Some(&later) = items.get(at + distance) {
            fetch(state, later);
        }
        act(state, at, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_prefetched_some_items_before_they_are_handled_in_order() {
        for count in [0, 1, 5, 100] {
            let items: Vec<usize> = (0..count).collect();
            let mut state = (std::cell::Cell::new(0), Vec::new());
            rolling(
                &mut state,
                &items,
                5,
                |(fetched, _), item| assert_eq!(fetched.replace(item + 1), item),
                |(fetched, acted), at, item| {
                    assert_eq!(fetched.get(), count.min(at + 6));
                    acted.push((at, item));
                },
            );
            let expected: Vec<_> = items.into_iter().enumerate().collect();
            assert_eq!(state.1, expected);
        }
    }

    #[test]
    fn any_index_can_be_prefetched() {
        fetch(&[1u64, 2], 1);
        fetch(&[1u64, 2], usize::MAX);
        fetch::<u64>(&[], 0);
    }
}
