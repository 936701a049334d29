//! Guarding keys: marks that are set at once, and marks that wait.
//!
//! A mark on a counter in use would change the footprints of the members that count there, and queries would miss them. So a
//! counter is marked at once only if it is 0, and not even then if the mark would do harm (see below). Otherwise it depends on the filter.
//! A filter without pending bits does not mark the counter; this happens only if keys were inserted before. An adaptive filter sets the counter's
//! *pending bit*, and the mark follows when the last member leaves the counter. Queries do not read pending bits.
//!
//! ```text
//! guard "dog" at 3, 5     count 3: 0    marked at once
//!                         count 5: 2    pending
//! remove "ant" from 5     count 5: 1    pending
//! remove "bee" from 5     count 5: 0    marked; keys that are inserted later avoid it
//! ```
//!
//! A stuck counter never becomes 0, so its pending bit stays set.
//!
//! # Why an adaptive filter has a modulator
//!
//! A new mark moves no member that was inserted before it. But it affects a guarded key with exactly one counter at 0: that
//! counter is now marked, so a query for the key reaches the second round. Without a modulator the query answers "yes" if the
//! key's stand-in is in use, and about half of all counters are. "No" becomes "yes", and guarding does harm until about half of
//! the members have been replaced. With a modulator the key's cell must be in use too, and few cells are in use while few
//! members have moved. So the plan gives an adaptive filter a modulator of at least 5 % of the space. If no key was guarded
//! before, a guard then makes no answer worse. Once earlier marks have moved members, marking the key's only empty counter
//! could turn "no" into "yes". In that case the guard leaves it unmarked. So guarding a key never makes its own answer worse, and hardly
//! that of others: with one key guarded per ten keys from the start, the rate on keys guarded later rises by 2 to 5 % and then
//! falls (100,000 keys at 20 to 36 bits per key; it rose by 33 to 64 % when all were marked; the test `guarding_late` in
//! `tests/seesaw/rates.rs`).
//!
//! Sparing has a price: a spared counter is not kept free for the key. With a modulator few counters are spared, and after all
//! members have been replaced the rate is 9 to 16 % higher than with all marks. Without a modulator many would be spared,
//! and the rate would be 28 to 45 % higher. So a filter without a modulator (`alpha` set to 0) spares none, and there guarding late
//! more than doubles the rate on the guarded keys at once.

use super::groups::{Groups, MARKS, PENDING, pending, used};
use crate::cells::words::{Word, WordMut};

impl<W: WordMut> Groups<'_, W> {
    /// Marks a counter that is 0. If the counter is in use and groups have pending bits, sets its pending bit.
    #[inline]
    pub fn mark(&self, counter: usize) {
        let (count, marked) = (self.count(counter), self.marked(counter));
        let word = match (count, marked) {
            (0, _) => MARKS,
            (_, 0) if self.are_adaptive() => PENDING,
            _ => return,
        };
        let word = self.word(counter, word);
        word.set(word.get() | 1 << (counter % 64));
    }

    /// Turns a pending bit into a mark if the counter is 0.
    #[inline]
    pub fn settle(&self, counter: usize) {
        if !self.are_adaptive() {
            return;
        }
        let (pending, bit) = (self.word(counter, PENDING), 1 << (counter % 64));
        // Pending bits are rare, so they are tested first.
        if pending.get() & bit != 0 && self.count(counter) == 0 {
            pending.set(pending.get() & !bit);
            let marks = self.word(counter, MARKS);
            marks.set(marks.get() | bit);
        }
    }
}

impl<W: Word> Groups<'_, W> {
    /// Whether a pending bit is set on a counter that is 0 or already marked. No filter leaves one there.
    pub fn has_invalid_pending(&self) -> bool {
        self.iter().any(|group| {
            let waits = pending(group).unwrap_or(0);
            waits & (!used(group) | group[MARKS].get()) != 0
        })
    }
}
