//! A number of keys that many threads change. There are several counters on separate cache lines, so that threads rarely wait for each
//! other. Reading adds them up.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// The number of counters. More threads share them.
const COUNTERS: usize = 16;

/// A number of keys.
#[derive(Debug, Default)]
pub(super) struct KeyCount([Counter; COUNTERS]);

#[derive(Debug, Default)]
#[repr(align(64))]
struct Counter(AtomicI64);

impl KeyCount {
    /// Adds to the number. A thread that sees the new number also sees what this thread did before.
    #[inline]
    pub(super) fn add(&self, keys: i64) {
        self.0[own_counter()].0.fetch_add(keys, Ordering::Release);
    }

    /// The current number.
    pub(super) fn sum(&self) -> i64 {
        let counters = self
            .0
            .iter()
            .map(|counter| counter.0.load(Ordering::Acquire));
        counters.fold(0, i64::saturating_add)
    }
}

/// The counter of this thread.
#[inline]
fn own_counter() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: Cell<Option<usize>> = const { Cell::new(None) };
    }
    let own = OWN.get().unwrap_or_else(|| {
        let own = THREADS.fetch_add(1, Ordering::Relaxed);
        OWN.set(Some(own));
        own
    });
    own % COUNTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_counts_the_changes_of_all_threads() {
        let count = KeyCount::default();
        std::thread::scope(|scope| {
            for keys in 1..=40 {
                let count = &count;
                scope.spawn(move || {
                    count.add(keys);
                    count.add(-1);
                });
            }
        });
        assert_eq!(count.sum(), 40 * 41 / 2 - 40);
    }
}
