//! Seesaw counters: a count of members and a mark.
//!
//! The count says how many members use the counter, the mark that a guarded key has it. A member with a marked counter moves to
//! another one if it can ([`super::footprint`]), so few counters have both a count and a mark.
//!
//! Counts stick at 15: from there they are neither incremented nor decremented, because the number of members is no longer known. A
//! count that is not stuck is exact. So a count is 0 only if every member that counted there was removed.

use super::shape::{ADAPTIVE_WORDS, PLAIN_WORDS};
use crate::cells::words::{AtomicWord, Word, WordMut};

/// The maximum count, which sticks.
const STUCK: u64 = 15;

/// The word of a group that holds the marks.
pub const MARKS: usize = 4;

/// The word of a group that holds the pending bits.
pub const PENDING: usize = 5;

/// Numbers of counters in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterStats {
    /// Counters with a mark.
    pub marked: u64,
    /// Counters with a pending bit.
    pub pending: u64,
    /// Counters with a count above 0.
    pub used: u64,
    /// Counters with a mark and a count above 0.
    pub marked_used: u64,
    /// Counters that are stuck at the maximum count.
    pub stuck: u64,
}

/// Counters in groups of `WORDS` words: [`ADAPTIVE_WORDS`] if groups have pending bits, else [`PLAIN_WORDS`].
pub struct Groups<'a, W, const WORDS: usize>(&'a [[W; WORDS]]);

impl<W, const WORDS: usize> Clone for Groups<'_, W, WORDS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W, const WORDS: usize> Copy for Groups<'_, W, WORDS> {}

impl<'a, W: Word, const WORDS: usize> Groups<'a, W, WORDS> {
    /// The groups in these words. Words after the last whole group are ignored.
    #[inline]
    pub fn new(words: &'a [W]) -> Self {
        const { assert!(WORDS == PLAIN_WORDS || WORDS == ADAPTIVE_WORDS) };
        Groups(words.as_chunks().0)
    }

    /// The group of a counter.
    #[inline]
    pub fn group(self, counter: usize) -> &'a [W; WORDS] {
        &self.0[counter / 64]
    }

    /// All groups in order.
    pub fn all(self) -> &'a [[W; WORDS]] {
        self.0
    }

    /// The count of a counter.
    #[inline]
    pub fn count(self, counter: usize) -> u64 {
        self.group(counter)[counter / 16 % 4].get() >> (counter % 16 * 4) & STUCK
    }

    /// The mark of a counter: 1 if it is marked, else 0.
    #[inline]
    pub fn marked(self, counter: usize) -> u64 {
        self.group(counter)[MARKS].get() >> (counter % 64) & 1
    }

    /// Reads all counters and returns their numbers by state.
    pub fn stats(self) -> CounterStats {
        let mut stats = CounterStats::default();
        for group in self.0 {
            let (marks, used) = (group[MARKS].get(), used(group));
            stats.marked += u64::from(marks.count_ones());
            stats.used += u64::from(used.count_ones());
            stats.marked_used += u64::from((used & marks).count_ones());
            let stuck = |word: &W| {
                let counts = word.get();
                let all = counts & counts >> 1 & counts >> 2 & counts >> 3;
                u64::from((all & LOWEST).count_ones())
            };
            stats.stuck += group[..MARKS].iter().map(stuck).sum::<u64>();
            stats.pending += pending(group).map_or(0, |bits| u64::from(bits.count_ones()));
        }
        stats
    }

    /// The share of counters that are marked, in a sample of at most `most` groups that are spread evenly.
    pub fn marked_share(self, most: usize) -> f64 {
        let step = self.0.len().div_ceil(most).max(1);
        let marks = self.0.iter().step_by(step).map(|group| group[MARKS].get());
        let (groups, marked) = marks.fold((0u64, 0), |(groups, marked), marks| {
            (groups + 1, marked + u64::from(marks.count_ones()))
        });
        marked as f64 / (64 * groups.max(1)) as f64
    }
}

impl<const WORDS: usize> Groups<'_, AtomicWord, WORDS> {
    /// Increments a count, unless it is stuck.
    #[inline]
    pub fn increment(self, counter: usize) {
        let (word, shift) = (&self.group(counter)[counter / 16 % 4], counter % 16 * 4);
        let counts = word.get();
        let one = u64::from(counts >> shift & STUCK != STUCK);
        word.set(counts + (one << shift));
    }

    /// Decrements a count, unless it is stuck. Returns `false` and changes nothing if the count is 0.
    #[inline]
    pub fn decrement(self, counter: usize) -> bool {
        let (word, shift) = (&self.group(counter)[counter / 16 % 4], counter % 16 * 4);
        let counts = word.get();
        let count = counts >> shift & STUCK;
        let one = u64::from(count != STUCK);
        if count == 0 {
            return false;
        }
        word.set(counts - (one << shift));
        true
    }
}

/// The lowest bit of every count in a word.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// The counters of a group that are not 0: bit `i` is counter `i`.
pub fn used<W: Word>(group: &[W]) -> u64 {
    let used_in_word = |word: &W| {
        let counts = word.get();
        let mut any = (counts | counts >> 1 | counts >> 2 | counts >> 3) & LOWEST;
        // Moves every fourth bit to the low end: in pairs, in fours, in eights, in sixteens.
        any = (any | any >> 3) & 0x0303_0303_0303_0303;
        any = (any | any >> 6) & 0x000F_000F_000F_000F;
        any = (any | any >> 12) & 0x0000_00FF_0000_00FF;
        (any | any >> 24) & 0xFFFF
    };
    let words = group[..MARKS].iter().enumerate();
    words.fold(0, |all, (at, word)| all | used_in_word(word) << (16 * at))
}

/// The pending bits of a group; `None` if groups have no pending bits.
pub fn pending<W: Word>(group: &[W]) -> Option<u64> {
    group.get(PENDING).map(Word::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::words::{AtomicWords, Words};
    use proptest::prelude::*;

    fn check<const WORDS: usize>(steps: &[(usize, u8)]) -> Result<(), TestCaseError> {
        let words = AtomicWords::new(2 * WORDS as u64).expect("small");
        let adaptive = WORDS == ADAPTIVE_WORDS;
        let groups = Groups::<_, WORDS>::new(words.as_words());
        // The count, whether it is marked, and whether a mark is pending.
        let mut model = [(0u64, false, false); 128];
        for &(at, what) in steps {
            let (count, marked, pending) = &mut model[at];
            match what {
                0..=4 => {
                    groups.increment(at);
                    *count = (*count + 1).min(STUCK);
                }
                5..=7 => {
                    prop_assert_eq!(groups.decrement(at), *count > 0);
                    *count = if *count == STUCK {
                        STUCK
                    } else {
                        count.saturating_sub(1)
                    };
                    groups.settle(at);
                    if *count == 0 && *pending {
                        (*marked, *pending) = (true, false);
                    }
                }
                _ => {
                    groups.mark(at);
                    *pending |= *count > 0 && adaptive && !*marked;
                    *marked |= *count == 0;
                }
            }
            prop_assert_eq!(
                (groups.count(at), groups.marked(at) == 1),
                (model[at].0, model[at].1)
            );
        }
        let number = |holds: &dyn Fn(&(u64, bool, bool)) -> bool| {
            model.iter().filter(|counter| holds(counter)).count() as u64
        };
        let expected = CounterStats {
            marked: number(&|counter| counter.1),
            pending: number(&|counter| counter.2),
            used: number(&|counter| counter.0 > 0),
            marked_used: number(&|counter| counter.0 > 0 && counter.1),
            stuck: number(&|counter| counter.0 == STUCK),
        };
        prop_assert_eq!(groups.stats(), expected);
        prop_assert_eq!(groups.marked_share(2), expected.marked as f64 / 128.0);
        prop_assert!(!groups.has_invalid_pending());
        Ok(())
    }

    proptest! {
        #[test]
        fn packed_counters_agree_with_a_model(
            steps in prop::collection::vec((prop_oneof![0usize..6, 0usize..128], 0u8..9), 0..400),
        ) {
            check::<PLAIN_WORDS>(&steps)?;
            check::<ADAPTIVE_WORDS>(&steps)?;
        }
    }
}
