//! Guarding keys: marks before the first key comes, and marks that wait.
//!
//! A mark under a counter in use would change the footprints of the keys that count there, and they would be denied. So a
//! mark is set at once where the counter is 0. Where it is not, a filter without pending bits sets none, which can only
//! happen after keys have come; an adaptive one sets the *pending bit* of the counter, and the mark follows when the last
//! key has left. That is all that guarding at any time takes; queries do not look at pending bits.
//!
//! ```text
//! guard "dog" at 3, 5     count 3: 0    marked at once
//!                         count 5: 2    pending
//! remove "ant" from 5     count 5: 1    pending
//! remove "bee" from 5     count 5: 0    marked; from now on keys of the set go round it
//! ```
//!
//! A counter that is stuck never empties, and what is pending there stays pending.
//!
//! # Why an adaptive filter has a modulator
//!
//! The keys that came before the marks count where they always did, and a new mark moves none of them. But a guarded key of
//! which a single counter is 0, now marked, is asked about in the second round from then on. Without a modulator it is taken for a
//! member if its stand-in is in use, as about half of all counters are: "no" becomes "yes", and guarding does harm until about half of
//! the keys have been replaced. With a modulator its cell has to be in use as well, and that are few cells as long as few keys have
//! moved. So the plan gives an adaptive filter at least 5 % of modulator. Where nothing was
//! guarded before, nothing then gets worse. Where keys have moved because of earlier marks, some answers do at first: with one key
//! guarded for ten from the start, the rate on those guarded later rises to 1.3 to 1.6 times what it was before it falls (measured
//! with 60,000 keys at 20 to 36 bits per key; `guarding_late` in `tests/seesaw/rates.rs` holds it to 1.8). With `alpha` set to 0 it more than doubles at once.

use super::counters::{Groups, MARKS, PENDING, pending, used};
use super::shape::ADAPTIVE;
use super::words::Word;

impl<const WORDS: usize> Groups<'_, WORDS> {
    /// Marks a counter at once if it is 0. If it is not, and groups have pending bits, lets the mark wait.
    pub fn mark(self, counter: usize) {
        let (count, marked) = (self.count(counter), self.marked(counter));
        let word = match (count, marked) {
            (0, _) => MARKS,
            (_, 0) if WORDS == ADAPTIVE => PENDING,
            _ => return,
        };
        let word = &self.0[counter / 64][word];
        word.set(word.get() | 1 << (counter % 64));
    }

    /// Turns a pending bit into a mark if the counter is 0 by now.
    #[inline]
    pub fn settle(self, counter: usize) {
        let (group, bit) = (&self.0[counter / 64], 1 << (counter % 64));
        // Few marks wait, so this is asked first.
        if pending(group).is_some_and(|waits| waits & bit != 0) && self.count(counter) == 0 {
            group[PENDING].set(group[PENDING].get() & !bit);
            group[MARKS].set(group[MARKS].get() | bit);
        }
    }

    /// Whether something waits for a mark where it need not: at a counter that is 0 or marked already.
    pub fn waits_in_vain(self) -> bool {
        let in_vain = |group: &[Word; WORDS]| {
            let waits = pending(group).unwrap_or(0);
            waits & (!used(group) | group[MARKS].get()) != 0
        };
        self.0.iter().any(in_vain)
    }
}
