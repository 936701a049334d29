//! Seesaw counters: a count of keys and a mark, one of which should be empty.
//!
//! A counter *leans* to the keys of the set if it counts some, and to the guarded keys if it is marked. A key of the set
//! that meets a mark goes elsewhere if it can ([`super::footprint`]), so that few counters have both.
//!
//! Counts stick at 15: from there they are neither raised nor lowered, since nobody knows how many keys they stand for. A
//! counter that is not stuck is exact. Hence it is 0 only if all keys that counted there were taken out again.

use super::shape::{ADAPTIVE, PLAIN, Shape};
use super::words::{Word, Words};
use crate::error::Result;

/// The largest count, which sticks.
const STUCK: u64 = 15;

/// The word of a group that has the marks.
pub(super) const MARKS: usize = 4;

/// The word of a group that has the pending bits.
pub(super) const PENDING: usize = 5;

/// The counters of all segments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counters {
    /// Group after group.
    pub words: Words,
    /// Whether groups have pending bits.
    pub adaptive: bool,
}

/// How many counters are how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    /// Marked.
    pub marked: u64,
    /// Waiting for a mark.
    pub pending: u64,
    /// With a count above 0.
    pub used: u64,
    /// With both a count and a mark.
    pub mixed: u64,
    /// Stuck.
    pub stuck: u64,
}

impl Counters {
    /// Counters that are all 0.
    pub fn new(shape: &Shape) -> Result<Self> {
        Ok(Counters {
            words: Words::new(shape.counter_words())?,
            adaptive: shape.adaptive,
        })
    }

    /// The counters as groups of `WORDS` words, which must be [`PLAIN`] or [`ADAPTIVE`] as they are.
    #[inline]
    pub fn groups<const WORDS: usize>(&self) -> Groups<'_, WORDS> {
        const { assert!(WORDS == PLAIN || WORDS == ADAPTIVE) };
        Groups(self.words.groups())
    }

    /// Asks for the line of a counter, ahead of its use.
    #[inline]
    pub fn prefetch(&self, counter: usize) {
        let group = counter / 64 * if self.adaptive { ADAPTIVE } else { PLAIN };
        self.words.prefetch(group + counter / 16 % 4);
    }
}

/// Counters in groups of so many words.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a, const WORDS: usize>(pub &'a [[Word; WORDS]]);

impl<const WORDS: usize> Groups<'_, WORDS> {
    /// The count.
    #[inline]
    pub fn count(self, counter: usize) -> u64 {
        self.0[counter / 64][counter / 16 % 4].get() >> (counter % 16 * 4) & STUCK
    }

    /// The mark, as the lowest bit.
    #[inline]
    pub fn marked(self, counter: usize) -> u64 {
        self.0[counter / 64][MARKS].get() >> (counter % 64) & 1
    }

    /// Raises a count, unless it is stuck.
    #[inline]
    pub fn raise(self, counter: usize) {
        let (word, shift) = (&self.0[counter / 64][counter / 16 % 4], counter % 16 * 4);
        let counts = word.get();
        let one = u64::from(counts >> shift & STUCK != STUCK);
        word.set(counts + (one << shift));
    }

    /// Lowers a count, unless it is stuck. `false`, and nothing is changed, if it is 0 already.
    #[inline]
    pub fn lower(self, counter: usize) -> bool {
        let (word, shift) = (&self.0[counter / 64][counter / 16 % 4], counter % 16 * 4);
        let counts = word.get();
        let count = counts >> shift & STUCK;
        let one = u64::from(count != STUCK);
        if count == 0 {
            return false;
        }
        word.set(counts - (one << shift));
        true
    }

    /// Looks at all counters.
    pub fn census(self) -> Census {
        let mut census = Census::default();
        for group in self.0 {
            let (marks, used) = (group[MARKS].get(), used(group));
            census.marked += u64::from(marks.count_ones());
            census.used += u64::from(used.count_ones());
            census.mixed += u64::from((used & marks).count_ones());
            let stuck = |word: &Word| {
                let counts = word.get();
                let all = counts & counts >> 1 & counts >> 2 & counts >> 3;
                u64::from((all & LOWEST).count_ones())
            };
            census.stuck += group[..MARKS].iter().map(stuck).sum::<u64>();
            census.pending += pending(group).map_or(0, |bits| u64::from(bits.count_ones()));
        }
        census
    }
}

/// The lowest bit of every count in a word.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// Which counters of a group are not 0, as bits.
pub(super) fn used(group: &[Word]) -> u64 {
    let of_word = |word: &Word| {
        let counts = word.get();
        let mut any = (counts | counts >> 1 | counts >> 2 | counts >> 3) & LOWEST;
        // Every fourth bit to the front: by pairs, by fours, by eights.
        any = (any | any >> 3) & 0x0303_0303_0303_0303;
        any = (any | any >> 6) & 0x000F_000F_000F_000F;
        any = (any | any >> 12) & 0x0000_00FF_0000_00FF;
        (any | any >> 24) & 0xFFFF
    };
    let words = group[..MARKS].iter().enumerate();
    words.fold(0, |all, (at, word)| all | of_word(word) << (16 * at))
}

/// The pending bits of a group, if it has any.
pub(super) fn pending(group: &[Word]) -> Option<u64> {
    group.get(PENDING).map(Word::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const WORDS: usize>(steps: &[(usize, u8)]) -> std::result::Result<(), TestCaseError> {
        let words = Words::new(2 * WORDS as u64).expect("small");
        let adaptive = WORDS == ADAPTIVE;
        let counters = Counters { words, adaptive };
        let groups = counters.groups::<WORDS>();
        // A count, whether it is marked, and whether a mark waits.
        let mut plain = [(0u64, false, false); 128];
        for &(at, what) in steps {
            let (count, marked, waits) = &mut plain[at];
            match what {
                0..=4 => {
                    groups.raise(at);
                    *count = (*count + 1).min(STUCK);
                }
                5..=7 => {
                    prop_assert_eq!(groups.lower(at), *count > 0);
                    *count = if *count == STUCK {
                        STUCK
                    } else {
                        count.saturating_sub(1)
                    };
                    groups.settle(at);
                    if *count == 0 && *waits {
                        (*marked, *waits) = (true, false);
                    }
                }
                _ => {
                    groups.mark(at);
                    *waits |= *count > 0 && adaptive && !*marked;
                    *marked |= *count == 0;
                }
            }
            prop_assert_eq!(
                (groups.count(at), groups.marked(at) == 1),
                (plain[at].0, plain[at].1)
            );
        }
        let number = |holds: &dyn Fn(&(u64, bool, bool)) -> bool| {
            plain.iter().filter(|counter| holds(counter)).count() as u64
        };
        let expected = Census {
            marked: number(&|counter| counter.1),
            pending: number(&|counter| counter.2),
            used: number(&|counter| counter.0 > 0),
            mixed: number(&|counter| counter.0 > 0 && counter.1),
            stuck: number(&|counter| counter.0 == STUCK),
        };
        prop_assert_eq!(groups.census(), expected);
        prop_assert!(!groups.waits_in_vain());
        Ok(())
    }

    proptest! {
        #[test]
        fn agrees_with_plain_counters(
            steps in prop::collection::vec((prop_oneof![0usize..6, 0usize..128], 0u8..9), 0..400),
        ) {
            check::<PLAIN>(&steps)?;
            check::<ADAPTIVE>(&steps)?;
        }
    }
}
