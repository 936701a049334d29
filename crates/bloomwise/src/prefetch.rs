//! Prefetching: memory is requested before it is needed.
//!
//! A query on a large filter mostly waits for memory. A batch hides the wait: it first prefetches the cache lines of a
//! whole group of keys and then handles the keys. The lines of a group arrive together, before the first key is handled.
//! [`in_groups`] does that for insertions, `Lookup::query_batch` for queries.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "prefetching has no safe form")
)]

/// The number of keys in a group. A core keeps 12 to 48 cache lines in flight; more only fill its queue.
pub(crate) const GROUP: usize = 32;

/// How many keys ahead of the one that is handled memory is prefetched.
pub(crate) const AHEAD: usize = 32;

/// As [`AHEAD`], for keys that need several lines each.
pub(crate) const AHEAD_OF_LINES: usize = 8;

/// The bits of an array, 2 MiB, that lies in a core's own cache or close to it.
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

/// Calls `ahead` for each item of a group, which prefetches what the item needs, then `act` for each, in order.
#[inline(always)]
pub(crate) fn in_groups<S, T: Copy>(
    state: &mut S,
    items: &[T],
    ahead: impl Fn(&S, T),
    mut act: impl FnMut(&mut S, T),
) {
    for group in items.chunks(GROUP) {
        for &item in group {
            ahead(state, item);
        }
        for &item in group {
            act(state, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_prefetched_before_they_are_handled_in_order() {
        let items: Vec<usize> = (0..100).collect();
        let prefetched = std::cell::Cell::new(0);
        let mut acted = Vec::new();
        in_groups(
            &mut acted,
            &items,
            |_, _| prefetched.set(prefetched.get() + 1),
            |acted, item| {
                assert!(item < prefetched.get());
                acted.push(item);
            },
        );
        assert_eq!((prefetched.get(), acted), (100, items));
    }

    #[test]
    fn any_index_can_be_prefetched() {
        fetch(&[1u64, 2], 1);
        fetch(&[1u64, 2], usize::MAX);
        fetch::<u64>(&[], 0);
    }
}
