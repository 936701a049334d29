//! The footprint of a key: the `k` counters in which it counts while it is a member.
//!
//! The *home counters* of a key are the counters of functions `0..k`. If none of them is marked, they are the footprint. Otherwise the
//! *first* marked one is replaced by the key's *stand-in*: an unmarked counter of one of the backup functions.
//!
//! ```text
//! functions 0, 1, 2     4    9*   6*     9 and 6 are marked: 9 is the first
//! backup functions      2*   7           2 is marked, 7 is not
//! footprint             4    7    6      9 stays free for the guarded key
//! ```
//!
//! Without a modulator, the stand-in is the counter of the first backup function that leads to an unmarked counter. With a modulator,
//! the key's cell holds the number of the backup function; the first key of the cell wrote the number of the first backup that was
//! unmarked for it. If that function leads to a marked counter, the key has no stand-in and keeps its first marked counter.
//!
//! Insertion increments the counts of the footprint and removal decrements them. A query has up to two rounds. The first round answers
//! "yes" if none of the `k` home counters is 0, whether they are marked or not. Most queries need only this round. If exactly one is
//! 0, and it is the first marked one, the second round reads the stand-in.
//!
//! # The footprint of a member does not change
//!
//! Marks are never cleared, and a mark is set only on a counter that is 0. All counters of a member's footprint are above 0, so none
//! of them becomes marked. It follows:
//!
//! - The home counters before the first marked one are in the footprint and stay unmarked. The first marked one stays marked. So it
//!   stays the first. If no home counter is marked, all are in the footprint and stay unmarked.
//! - Without a modulator: the backup functions before the chosen one lead to marked counters, which stay marked. The chosen one
//!   leads to a counter in the footprint, which stays unmarked. If all of them lead to marked counters, all stay marked.
//! - With a modulator: the cell counts this key, so its index does not change. If the index leads to an unmarked counter, that counter
//!   is in the footprint and stays unmarked. If it leads to a marked counter, that counter stays marked.
//!
//! So removal finds the footprint that insertion found, and decrements what insertion incremented.

use super::cells::Cells;
use crate::cells::words::{Word, WordMut};
use crate::filter::sizing::MAX_FUNCTIONS;
use crate::keys::hash::Digest;
use std::ops::Range;

/// Home counters that a query reads before its first branch.
const FIRST_READS: u32 = 4;

/// The counters in which a key counts, with repetitions. Only the first `k` entries are used.
type Footprint = [usize; MAX_FUNCTIONS as usize];

impl<W: Word> Cells<'_, W> {
    /// Whether the key may be a member.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        let segment = self.shape.segment(digest);
        let functions = self.shape.functions;
        let mut empty = self.empty_counters(segment, digest, 0..FIRST_READS.min(functions));
        if empty != 0 && !self.needs_second_round(segment, digest, empty) {
            return false;
        }
        if functions > FIRST_READS {
            empty |= self.empty_counters(segment, digest, FIRST_READS..functions);
        }
        empty == 0 || self.second_round(segment, digest, empty)
    }

    /// The counters of these functions that are 0: bit `i` is function `i`.
    #[inline]
    fn empty_counters(&self, segment: u64, digest: Digest, functions: Range<u32>) -> u64 {
        functions.fold(0, |empty, function| {
            let counter = self.shape.counter(segment, digest, function);
            // 1 if the count is 0. No branch: about half of the counters are 0, so the processor would mispredict it often.
            empty | self.groups.count(counter).wrapping_sub(1) >> 63 << function
        })
    }

    /// Whether `empty` names a single counter and that one is marked. Only then can the second round answer "yes". This is rare for
    /// non-members. It is computed without a branch on the number of empty counters, which is hard to predict.
    #[inline]
    fn needs_second_round(&self, segment: u64, digest: Digest, empty: u64) -> bool {
        let counter = self.shape.counter(segment, digest, empty.trailing_zeros());
        let others = empty & (empty - 1);
        (others | (self.groups.marked(counter) ^ 1)) == 0
    }

    /// The answer for a key with empty home counters: "yes" if only the first marked one is empty and the stand-in is in use.
    fn second_round(&self, segment: u64, digest: Digest, empty: u64) -> bool {
        let marked = self.marked_counters(segment, digest);
        if empty != marked & marked.wrapping_neg() {
            return false;
        }
        let unmarked = |counter| self.is_unmarked(counter);
        let counter = self.member_stand_in(segment, digest, unmarked);
        counter.is_some_and(|counter| self.groups.count(counter) != 0)
    }

    /// Whether a mark on the only empty home counter of a key would turn its "no" into a "yes", in a filter with a modulator.
    /// `super::pending` explains why this matters only with a modulator.
    fn mark_does_harm(&self, segment: u64, digest: Digest, empty: u64) -> bool {
        if self.modulator().is_none() || !empty.is_power_of_two() {
            return false;
        }
        let own = self.shape.counter(segment, digest, empty.trailing_zeros());
        let up_to_own = empty | (empty - 1);
        if self.marked_counters(segment, digest) & up_to_own != 0 {
            return false;
        }
        let unmarked = |counter| counter != own && self.is_unmarked(counter);
        let counter = self.member_stand_in(segment, digest, unmarked);
        counter.is_some_and(|counter| self.groups.count(counter) != 0)
    }

    /// The home counters of a key that are marked: bit `i` is function `i`.
    fn marked_counters(&self, segment: u64, digest: Digest) -> u64 {
        (0..self.shape.functions).fold(0, |marked, function| {
            let counter = self.shape.counter(segment, digest, function);
            marked | self.groups.marked(counter) << function
        })
    }

    /// The stand-in of a key with a marked counter, if the key is a member; `None` if its modulator cell shows that it is not.
    fn member_stand_in(
        &self,
        segment: u64,
        digest: Digest,
        unmarked: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut index = None;
        if let Some(modulator) = self.modulator() {
            index = Some(modulator.index(self.shape.cell(segment, digest))?);
        }
        self.stand_in(segment, digest, index, unmarked)
    }

    /// Writes the home counters of a key to `counters`, and returns the index of the first marked one.
    #[inline]
    fn home_counters(
        &self,
        segment: u64,
        digest: Digest,
        counters: &mut Footprint,
    ) -> Option<usize> {
        let mut marked = 0;
        for (function, at) in (0..self.shape.functions).zip(counters) {
            *at = self.shape.counter(segment, digest, function);
            marked |= self.groups.marked(*at) << function;
        }
        (marked != 0).then(|| marked.trailing_zeros() as usize)
    }

    /// The counter that replaces the first marked home counter: the counter of backup function `index`, or, without an index, the first
    /// unmarked one. `None` if there is no such unmarked counter; the key then keeps its home counters.
    #[inline]
    fn stand_in(
        &self,
        segment: u64,
        digest: Digest,
        index: Option<u32>,
        unmarked: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let backup = |number| self.shape.backup(segment, digest, number);
        match index {
            None => (0..self.shape.backups())
                .map(backup)
                .find(|&counter| unmarked(counter)),
            Some(index) => Some(backup(index)).filter(|&counter| unmarked(counter)),
        }
    }

    /// The number of the first backup function that leads to an unmarked counter.
    #[inline]
    fn unmarked_backup(&self, segment: u64, digest: Digest) -> Option<u32> {
        let leads = |number: &u32| self.is_unmarked(self.shape.backup(segment, digest, *number));
        (0..self.shape.backups()).find(leads)
    }

    #[inline]
    fn is_unmarked(&self, counter: usize) -> bool {
        self.groups.marked(counter) == 0
    }

    /// The used entries of a footprint.
    #[inline]
    fn first_k<'f>(&self, counters: &'f Footprint) -> &'f [usize] {
        &counters[..self.shape.functions as usize]
    }
}

impl<W: WordMut> Cells<'_, W> {
    /// Inserts a key.
    #[inline]
    pub fn insert(&self, digest: Digest) {
        let segment = self.shape.segment(digest);
        let mut counters = [0; MAX_FUNCTIONS as usize];
        if let Some(first) = self.home_counters(segment, digest, &mut counters) {
            let index = self.modulator().map(|modulator| {
                let cell = self.shape.cell(segment, digest);
                let choose = || self.unmarked_backup(segment, digest).unwrap_or(0);
                modulator.add_key(cell, choose)
            });
            if let Some(counter) = self.stand_in(segment, digest, index, |at| self.is_unmarked(at))
            {
                counters[first] = counter;
            }
        }
        for &counter in self.first_k(&counters) {
            self.groups.increment(counter);
        }
    }

    /// Removes a key. Returns `false` and changes nothing if its footprint shows that it is not a member.
    #[inline]
    pub fn remove(&self, digest: Digest) -> bool {
        let segment = self.shape.segment(digest);
        let mut counters = [0; MAX_FUNCTIONS as usize];
        let mut cell = None;
        if let Some(first) = self.home_counters(segment, digest, &mut counters) {
            let mut index = None;
            if let Some(modulator) = self.modulator() {
                let own = self.shape.cell(segment, digest);
                let Some(held) = modulator.index(own) else {
                    return false;
                };
                (cell, index) = (Some((modulator, own)), Some(held));
            }
            if let Some(counter) = self.stand_in(segment, digest, index, |at| self.is_unmarked(at))
            {
                counters[first] = counter;
            }
        }
        let counters = self.first_k(&counters);
        for (done, &counter) in counters.iter().enumerate() {
            if !self.groups.decrement(counter) {
                // Undo. A stuck count was not decremented, and is not incremented either.
                let decremented = &counters[..done];
                decremented
                    .iter()
                    .for_each(|&counter| self.groups.increment(counter));
                return false;
            }
        }
        if let Some((modulator, cell)) = cell {
            modulator.remove_key(cell);
        }
        // Last, because a new mark would change the footprint that is being removed.
        counters
            .iter()
            .for_each(|&counter| self.groups.settle(counter));
        true
    }

    /// Marks the home counters of a key that are 0, but not one whose mark would do harm. If the filter is adaptive, marks the
    /// others as soon as they become 0.
    pub fn guard(&self, digest: Digest) {
        let segment = self.shape.segment(digest);
        let functions = 0..self.shape.functions;
        let empty = self.empty_counters(segment, digest, functions.clone());
        let harmful = self.mark_does_harm(segment, digest, empty);
        for function in functions {
            if !(harmful && empty == 1 << function) {
                let counter = self.shape.counter(segment, digest, function);
                self.groups.mark(counter);
            }
        }
    }
}
