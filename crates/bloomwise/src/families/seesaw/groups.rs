//! Seesaw counters: a count of members and a mark.
//!
//! The count says how many members use the counter, the mark that a guarded key has it. A member with a marked counter moves to
//! another one if it can ([`super::footprint`]), so few counters have both a count and a mark.
//!
//! Counts stick at 15: from there they are neither incremented nor decremented, because the number of members is no longer known. A
//! count that is not stuck is exact. So a count is 0 only if every member that counted there was removed.

use super::shape::{ADAPTIVE_WORDS, Shape};
use crate::cells::counters;
use crate::cells::words::{Word, WordMut};
use crate::machine::prefetch;

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

/// Counters in groups of 64.
pub struct Groups<'a, W> {
    /// The groups, one after the other, and what follows them.
    words: &'a [W],
    /// The number of groups.
    count: usize,
    /// The number of words of a group: [`ADAPTIVE_WORDS`] if groups have pending bits, else [`super::shape::PLAIN_WORDS`].
    size: usize,
}

impl<'a, W: Word> Groups<'a, W> {
    /// The groups at the start of these words.
    #[inline]
    pub fn new(words: &'a [W], shape: &Shape) -> Self {
        Groups {
            words,
            count: (shape.segments * shape.groups) as usize,
            size: Shape::group_words(shape.adaptive) as usize,
        }
    }

    /// Whether groups have pending bits.
    #[inline]
    pub fn are_adaptive(&self) -> bool {
        self.size == ADAPTIVE_WORDS
    }

    /// The groups in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [W]> + use<'a, W> {
        self.words.chunks_exact(self.size).take(self.count)
    }

    /// Word number `word` of the group of a counter.
    #[inline]
    pub fn word(&self, counter: usize, word: usize) -> &'a W {
        &self.words[counter / 64 * self.size + word]
    }

    /// The word with the count of a counter.
    #[inline]
    fn counts(&self, counter: usize) -> &'a W {
        self.word(counter, counter / 16 % 4)
    }

    /// Prefetches the count of a counter.
    #[inline]
    pub fn prefetch(&self, counter: usize) {
        prefetch::fetch(self.words, counter / 64 * self.size + counter / 16 % 4);
    }

    /// The count of a counter.
    #[inline]
    pub fn count(&self, counter: usize) -> u64 {
        counters::value(self.counts(counter).get(), counter)
    }

    /// The mark of a counter: 1 if it is marked, else 0.
    #[inline]
    pub fn marked(&self, counter: usize) -> u64 {
        self.word(counter, MARKS).get() >> (counter % 64) & 1
    }

    /// Reads all counters and returns their numbers by state.
    pub fn stats(&self) -> CounterStats {
        let mut stats = CounterStats::default();
        for group in self.iter() {
            let (marks, used) = (group[MARKS].get(), used(group));
            stats.marked += u64::from(marks.count_ones());
            stats.used += u64::from(used.count_ones());
            stats.marked_used += u64::from((used & marks).count_ones());
            let stuck = |word: &W| u64::from(counters::stuck_in(word.get()));
            stats.stuck += group[..MARKS].iter().map(stuck).sum::<u64>();
            stats.pending += pending(group).map_or(0, |bits| u64::from(bits.count_ones()));
        }
        stats
    }

    /// The share of counters that are marked, in a sample of at most `most` groups that are spread evenly.
    pub fn marked_share(&self, most: usize) -> f64 {
        let step = self.iter().len().div_ceil(most).max(1);
        let marks = self.iter().step_by(step).map(|group| group[MARKS].get());
        let (groups, marked) = marks.fold((0u64, 0), |(groups, marked), marks| {
            (groups + 1, marked + u64::from(marks.count_ones()))
        });
        marked as f64 / (64 * groups.max(1)) as f64
    }
}

impl<W: WordMut> Groups<'_, W> {
    /// Increments a count, unless it is stuck.
    #[inline]
    pub fn increment(&self, counter: usize) {
        let word = self.counts(counter);
        word.set(counters::raised(word.get(), counter));
    }

    /// Decrements a count, unless it is stuck. Returns `false` and changes nothing if the count is 0.
    #[inline]
    pub fn decrement(&self, counter: usize) -> bool {
        let word = self.counts(counter);
        let counts = word.get();
        word.set(counters::lowered(counts, counter));
        counters::value(counts, counter) != 0
    }
}

/// The counters of a group that are not 0: bit `i` is counter `i`.
pub fn used<W: Word>(group: &[W]) -> u64 {
    let words = group[..MARKS].iter().enumerate();
    words.fold(0, |all, (at, word)| {
        all | counters::used(word.get()) << (16 * at)
    })
}

/// The pending bits of a group; `None` if groups have no pending bits.
pub fn pending<W: Word>(group: &[W]) -> Option<u64> {
    group.get(PENDING).map(Word::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::atomic::AtomicU64;

    const STUCK: u64 = counters::MAX;

    fn check(adaptive: bool, steps: &[(usize, u8)]) -> Result<(), TestCaseError> {
        let shape = Shape {
            functions: 1,
            segments: 1,
            groups: 2,
            modulator_words: 0,
            count_bits: 1,
            index_bits: 1,
            adaptive,
        };
        let words: Vec<_> = (0..shape.words()).map(|_| AtomicU64::new(0)).collect();
        let groups = Groups::new(&words, &shape);
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
            check(false, &steps)?;
            check(true, &steps)?;
        }
    }
}
