//! The footprint of a key: the `k` counters in which it counts while it is in the set.
//!
//! They are those of functions `0..k`, but for one: if some of them are marked, the *first* marked one is given up for the
//! counter of a function in reserve, which must not be marked.
//!
//! ```text
//! functions 0, 1, 2     4    9*   6*     9 and 6 are marked: 9 is the first
//! in reserve            2*   7           2 is marked, 7 is not
//! footprint             4    7    6      9 stays free for the guarded key
//! ```
//!
//! Which function in reserve it is: without a modulator the first one that leads to an unmarked counter; with one, that
//! whose number stands in the key's cell, where the first key to come has written the first one that suited it. If that
//! leads to a mark, the key stays with the counter it should give up.
//!
//! Insertion raises the counts of the footprint and removal lowers them. A query answers with "yes" in the first round if
//! none of the `k` counters is 0, whatever the marks; this is all that most queries come to. If exactly one is 0, and it is the
//! first marked one, the second round looks at the counter that stands in for it.
//!
//! # The footprint of a key stands still while the key is in the set
//!
//! Marks are never taken away, and are set only under counters that are 0. Let a key be in the set. All counters of its
//! footprint are above 0, so none of them becomes marked. Then
//!
//! - the counters before the first marked one are in the footprint and stay unmarked, the first marked one stays marked:
//!   it stays the first. If none is marked, all are in the footprint, and none will be;
//! - without a modulator: the functions in reserve before the chosen one lead to marked counters, and always will; the
//!   chosen one is in the footprint and stays unmarked. If all are marked, all stay marked;
//! - with a modulator: the cell counts this key, so its index stands still. If it leads to an unmarked counter, that is in the
//!   footprint and stays unmarked; else it stays marked.
//!
//! So removal finds what insertion found, and lowers what insertion has raised.

use super::counters::{Census, Counters, Groups};
use super::modulator::Modulator;
use super::shape::{ADAPTIVE, PLAIN, Shape};
use crate::error::Result;
use crate::hash::Digest;
use crate::sizing::MAX_FUNCTIONS;
use std::ops::Range;

/// Positions of a key that are looked at before the first question, as in [`crate::probe`].
const FIRST: u32 = 4;

/// Counters and modulator, and where the cells of keys are in them. All that changes is in atomic words, so that a
/// filter which is shared can be changed by whoever holds the lock of a segment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    /// Where things are.
    pub shape: Shape,
    /// Counts and marks.
    pub counters: Counters,
    /// Who uses which function in reserve, if that is written down.
    pub modulator: Option<Modulator>,
}

/// Calls a method of [`Seen`] for groups as large as those of the filter are. Which these are is asked once for a key, and
/// always answered alike.
macro_rules! seen {
    ($cells:expr, $method:ident($($argument:expr),*)) => {
        match $cells.shape.adaptive {
            false => Seen::<PLAIN>::new($cells).$method($($argument),*),
            true => Seen::<ADAPTIVE>::new($cells).$method($($argument),*),
        }
    };
}

impl Cells {
    /// Cells without keys and marks.
    pub fn new(shape: Shape) -> Result<Self> {
        let modulator = match shape.modulator_words {
            0 => None,
            _ => Some(Modulator::new(&shape)?),
        };
        Ok(Cells {
            shape,
            counters: Counters::new(&shape)?,
            modulator,
        })
    }

    /// Makes a segment what it is in other cells of the same shape. Nobody may change it there meanwhile.
    pub fn copy_segment(&self, other: &Cells, segment: usize) {
        self.counters
            .words
            .copy_part(&other.counters.words, segment, self.shape.segments);
        if let (Some(mine), Some(other)) = (&self.modulator, &other.modulator) {
            mine.words
                .copy_part(&other.words, segment, self.shape.segments);
        }
    }

    /// All bits.
    pub fn bits(&self) -> u64 {
        let modulator = self.modulator.as_ref().map_or(0, |m| m.words.len());
        64 * (self.counters.words.len() + modulator) as u64
    }

    /// Asks for the lines of a key's counters, ahead of their use.
    #[inline]
    pub fn prefetch(&self, digest: Digest) {
        let segment = self.shape.segment(digest);
        for function in 0..self.shape.functions {
            let counter = self.shape.counter(segment, digest, function);
            self.counters.prefetch(counter);
        }
    }

    /// Adds a key.
    #[inline]
    pub fn insert(&self, digest: Digest) {
        seen!(self, insert(digest));
    }

    /// Removes a key. `false`, and nothing is changed, if its footprint shows that it is not there.
    #[inline]
    pub fn remove(&self, digest: Digest) -> bool {
        seen!(self, remove(digest))
    }

    /// Whether no counter of the key's footprint is 0.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        seen!(self, contains(digest))
    }

    /// Marks the counters of a key, those in use as soon as they empty if the filter is adaptive.
    pub fn guard(&self, digest: Digest) {
        seen!(self, guard(digest));
    }

    /// Looks at all counters.
    pub fn census(&self) -> Census {
        seen!(self, census())
    }

    /// Whether pending bits are where none can be.
    pub fn waits_in_vain(&self) -> bool {
        seen!(self, waits_in_vain())
    }
}

/// The cells, seen as groups of so many words.
#[derive(Clone, Copy)]
struct Seen<'a, const WORDS: usize> {
    shape: &'a Shape,
    groups: Groups<'a, WORDS>,
    modulator: Option<&'a Modulator>,
}

/// The counters of a key, each as often as the key counts there; only the first `k` are used.
type Footprint = [usize; MAX_FUNCTIONS as usize];

impl<'a, const WORDS: usize> Seen<'a, WORDS> {
    #[inline]
    fn new(cells: &'a Cells) -> Self {
        Seen {
            shape: &cells.shape,
            groups: cells.counters.groups(),
            modulator: cells.modulator.as_ref(),
        }
    }

    #[inline]
    fn insert(self, digest: Digest) {
        let segment = self.shape.segment(digest);
        let mut counters = [0; MAX_FUNCTIONS as usize];
        if let Some(first) = self.home(segment, digest, &mut counters) {
            let index = self.modulator.map(|modulator| {
                let cell = self.shape.cell(segment, digest);
                let wish = || self.unmarked_backup(segment, digest).map_or(0, |(b, _)| b);
                modulator.enter(cell, wish)
            });
            if let Some(counter) = self.instead(segment, digest, index) {
                counters[first] = counter;
            }
        }
        for &counter in self.of_key(&counters) {
            self.groups.raise(counter);
        }
    }

    #[inline]
    fn remove(self, digest: Digest) -> bool {
        let segment = self.shape.segment(digest);
        let mut counters = [0; MAX_FUNCTIONS as usize];
        let mut cell = None;
        if let Some(first) = self.home(segment, digest, &mut counters) {
            let mut index = None;
            if let Some(modulator) = self.modulator {
                let own = self.shape.cell(segment, digest);
                let Some(held) = modulator.index(own) else {
                    return false;
                };
                (cell, index) = (Some((modulator, own)), Some(held));
            }
            if let Some(counter) = self.instead(segment, digest, index) {
                counters[first] = counter;
            }
        }
        let counters = self.of_key(&counters);
        for (done, &counter) in counters.iter().enumerate() {
            if !self.groups.lower(counter) {
                // What was lowered is raised again; what is stuck was not lowered and is not raised.
                let lowered = &counters[..done];
                lowered
                    .iter()
                    .for_each(|&counter| self.groups.raise(counter));
                return false;
            }
        }
        if let Some((modulator, cell)) = cell {
            modulator.leave(cell);
        }
        // Only now: the footprint must not change while it is in use.
        if WORDS == ADAPTIVE {
            counters
                .iter()
                .for_each(|&counter| self.groups.settle(counter));
        }
        true
    }

    #[inline]
    fn contains(self, digest: Digest) -> bool {
        let segment = self.shape.segment(digest);
        let functions = self.shape.functions;
        let mut empty = self.empty(segment, digest, 0..FIRST.min(functions));
        if empty != 0 && !self.is_open(segment, digest, empty) {
            return false;
        }
        if functions > FIRST {
            empty |= self.empty(segment, digest, FIRST..functions);
        }
        empty == 0 || self.second_round(segment, digest, empty)
    }

    /// Which counters of these functions are 0, function `i` being bit `i`.
    #[inline]
    fn empty(self, segment: u64, digest: Digest, functions: Range<u32>) -> u64 {
        functions.fold(0, |empty, function| {
            let counter = self.shape.counter(segment, digest, function);
            // 1 if the count is 0, without a question: half of the counters are, and nobody could guess which.
            empty | self.groups.count(counter).wrapping_sub(1) >> 63 << function
        })
    }

    /// Whether a single counter is 0, and that is marked, so that the second round has to decide. Of strangers this is
    /// hardly ever so, and worked out without a question, so that the processor need not guess how many counters are 0.
    #[inline]
    fn is_open(self, segment: u64, digest: Digest, empty: u64) -> bool {
        let counter = self.shape.counter(segment, digest, empty.trailing_zeros());
        let others = empty & (empty - 1);
        (others | (self.groups.marked(counter) ^ 1)) == 0
    }

    /// The answer for a key of which some counters are 0: "yes" if it is the first marked one alone, and the one in use that
    /// the key would have instead.
    fn second_round(self, segment: u64, digest: Digest, empty: u64) -> bool {
        let marked = (0..self.shape.functions).fold(0, |marked, function| {
            let counter = self.shape.counter(segment, digest, function);
            marked | self.groups.marked(counter) << function
        });
        if empty != marked & marked.wrapping_neg() {
            return false;
        }
        let mut index = None;
        if let Some(modulator) = self.modulator {
            index = modulator.index(self.shape.cell(segment, digest));
            if index.is_none() {
                return false;
            }
        }
        let counter = self.instead(segment, digest, index);
        counter.is_some_and(|counter| self.groups.count(counter) != 0)
    }

    /// The counters of functions `0..k`, and which of them is the first that is marked.
    #[inline]
    fn home(self, segment: u64, digest: Digest, counters: &mut Footprint) -> Option<usize> {
        let mut marked = 0;
        for (function, at) in (0..self.shape.functions).zip(counters) {
            *at = self.shape.counter(segment, digest, function);
            marked |= self.groups.marked(*at) << function;
        }
        (marked != 0).then(|| marked.trailing_zeros() as usize)
    }

    /// The counter that a key takes instead of its first marked one: that of the function in reserve which its modulator
    /// cell names, or else the first that is unmarked. `None` if it has to stay.
    #[inline]
    fn instead(self, segment: u64, digest: Digest, index: Option<u32>) -> Option<usize> {
        match index {
            None => self
                .unmarked_backup(segment, digest)
                .map(|(_, counter)| counter),
            Some(index) => self.if_unmarked(self.shape.backup(segment, digest, index)),
        }
    }

    /// The first function in reserve that leads to an unmarked counter, and that counter.
    #[inline]
    fn unmarked_backup(self, segment: u64, digest: Digest) -> Option<(u32, usize)> {
        let backup = |number| (number, self.shape.backup(segment, digest, number));
        let mut backups = (0..self.shape.backups()).map(backup);
        backups.find(|&(_, counter)| self.if_unmarked(counter).is_some())
    }

    #[inline]
    fn if_unmarked(self, counter: usize) -> Option<usize> {
        (self.groups.marked(counter) == 0).then_some(counter)
    }

    #[inline]
    fn of_key(self, counters: &Footprint) -> &[usize] {
        &counters[..self.shape.functions as usize]
    }

    fn guard(self, digest: Digest) {
        let segment = self.shape.segment(digest);
        for function in 0..self.shape.functions {
            let counter = self.shape.counter(segment, digest, function);
            self.groups.mark(counter);
        }
    }

    fn census(self) -> Census {
        self.groups.census()
    }

    fn waits_in_vain(self) -> bool {
        self.groups.waits_in_vain()
    }
}
