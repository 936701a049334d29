//! Removing keys from counters that threads share.

use crate::cells::counters::{Counters, MAX};
use crate::cells::words::{SharedWord, Word};

/// Whether the counters of a key contain its insertion: each is at least the number of times that the key has its position.
pub(crate) fn hold<W: Word>(counters: Counters<'_, W>, positions: &[usize]) -> bool {
    positions.iter().enumerate().all(|(at, position)| {
        let before = positions[..at].iter().filter(|&other| other == position);
        let count = counters.get(*position);
        count == MAX || (before.count() as u64) < count
    })
}

/// Lowers the counters of a key. If they do not contain its insertion ([`hold`]), it returns `false` and changes nothing. The caller holds the removal lock, so no
/// counter falls between the test and the change.
pub(crate) fn lower_all<W: SharedWord>(counters: Counters<'_, W>, positions: &[usize]) -> bool {
    let held = hold(counters, positions);
    if held {
        for &position in positions {
            counters.lower(position);
        }
    }
    held
}
