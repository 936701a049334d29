//! Asking for memory before it is needed.
//!
//! A query on a large filter mostly waits for memory. Handling many keys at a time hides the wait: first ask for the
//! lines of a whole group of keys, then handle them; by the time the first one is due its line has come, and the
//! lines of a group travel together. [`in_groups`] does that for insertions, [`crate::Filter::contains_digests`] for
//! queries.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "asking for a cache line has no safe form")
)]

/// How many keys are under way at once. A core keeps 12 to 48 lines in flight; more than that only fills the queue.
pub(crate) const GROUP: usize = 32;

/// Arrays of so many bits, 2 MiB, are in a core's own cache or close to it.
pub(crate) const NEAR: u64 = 1 << 24;

/// Asks the processor to fetch the line that holds `slice[index]`. Any index may be asked for.
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

/// For every group of items: `ask` for what each of them needs, then `act` on each of them, in order.
#[inline(always)]
pub(crate) fn in_groups<S, T: Copy>(
    state: &mut S,
    items: &[T],
    ask: impl Fn(&S, T),
    mut act: impl FnMut(&mut S, T),
) {
    for group in items.chunks(GROUP) {
        for &item in group {
            ask(state, item);
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
    fn every_item_is_asked_for_before_it_is_acted_on_and_in_order() {
        let items: Vec<usize> = (0..100).collect();
        let asked = std::cell::Cell::new(0);
        let mut acted = Vec::new();
        in_groups(
            &mut acted,
            &items,
            |_, _| asked.set(asked.get() + 1),
            |acted, item| {
                assert!(item < asked.get());
                acted.push(item);
            },
        );
        assert_eq!((asked.get(), acted), (100, items));
    }

    #[test]
    fn any_index_may_be_asked_for() {
        fetch(&[1u64, 2], 1);
        fetch(&[1u64, 2], usize::MAX);
        fetch::<u64>(&[], 0);
    }
}
