//! The steps of a round: what a caller may do with a filter.
//!
//! Steps name keys by their numbers, see [`super::keys`]. The steps of a round that found something are printed, so that
//! a reader can follow what happened.

use super::random::Random;
use bloomwise::{Family, Operation};
use std::ops::Range;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Inserts keys.
    Insert(Range<usize>, Way),
    /// Removes each of the keys that is a member, once.
    Remove(Range<usize>, Way),
    /// Tries to remove each of the keys that the filter denies. The filter must refuse.
    RemoveDenied(Range<usize>),
    /// Guards keys.
    Guard(Range<usize>, Way),
    /// Queries keys in all ways. The answers must agree.
    Query(Range<usize>),
    /// Unites the filter with one of these keys.
    Union(Range<usize>),
    /// Inserts keys into a clone, in two ways. The clones must be equal, and the original must not change.
    Clone(Range<usize>),
    /// Compares what the filter says about itself with what was asked for.
    Inspect,
    /// Writes the filter and continues with what is read back.
    Reload(Form, Load),
    /// Shares the filter between threads that change and query it at the same time.
    Share {
        /// The number of threads.
        threads: usize,
        /// The number of steps of each thread.
        steps: usize,
        /// Determines what each thread does.
        seed: u64,
    },
}

/// How keys are passed to the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One key at a time.
    Single,
    /// Many keys at a time, where the family has that.
    Batch,
    /// By digests.
    Digests,
}

/// The form in which a filter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The form with header and checksums.
    Whole,
    /// The short form.
    Short,
}

/// How a filter is read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// The cells are copied.
    Copied,
    /// The cells are borrowed, everything is verified first.
    Borrowed,
    /// The cells are borrowed, only the header is verified first. Everything is verified afterwards.
    HeaderFirst,
    /// From a stream that goes on behind the filter. It always has the whole form.
    Stream,
    /// From a file.
    File,
}

impl Step {
    /// A step that a filter of `family` can take, with keys below `keys`.
    pub fn draw(family: Family, keys: usize, random: &mut Random) -> Self {
        loop {
            if let Some(step) = Self::attempt(family, keys, random) {
                return step;
            }
        }
    }

    /// A step; `None` if a filter of this family cannot take it.
    fn attempt(family: Family, keys: usize, random: &mut Random) -> Option<Self> {
        let when = |operation, step| family.can(operation).then_some(step);
        let range = random.range(keys);
        let way = random.pick(&[Way::Single, Way::Batch, Way::Digests]);
        match random.below(20) {
            0..=3 => when(Operation::Insert, Step::Insert(range, way)),
            4..=7 => when(Operation::Remove, Step::Remove(range, way)),
            8 => when(Operation::Remove, Step::RemoveDenied(range)),
            9..=11 => when(Operation::Guard, Step::Guard(range, way)),
            12 => when(Operation::Union, Step::Union(range)),
            13 => when(Operation::Insert, Step::Clone(range)),
            14 | 15 => Some(Step::Query(range)),
            16 => Some(Step::Inspect),
            17 | 18 => Some(Step::reload(random)),
            _ => {
                let seesaw = matches!(family, Family::Seesaw | Family::SeesawAdaptive);
                (seesaw || family == Family::Cuckoo).then(|| Step::Share {
                    threads: 2 + random.below(3),
                    steps: random.count(5000),
                    seed: random.bits(),
                })
            }
        }
    }

    /// Writing and reading, at random. Files are rare, because each waits for the disk.
    fn reload(random: &mut Random) -> Self {
        let load = match random.below(40) {
            0 => Load::File,
            1..=9 => Load::Stream,
            10..=19 => Load::Copied,
            20..=29 => Load::Borrowed,
            _ => Load::HeaderFirst,
        };
        let form = match load {
            Load::Stream => Form::Whole,
            _ => random.pick(&[Form::Whole, Form::Short]),
        };
        Step::Reload(form, load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::mem::discriminant;

    #[test]
    fn every_family_takes_every_step_that_it_can_take() {
        for family in Family::ALL {
            let mut random = Random::new(family.tag().into());
            let steps = (0..2000).map(|_| Step::draw(family, 50, &mut random));
            let kinds: HashSet<_> = steps.map(|step| discriminant(&step)).collect();
            let can = |operation| usize::from(family.can(operation));
            let shared = matches!(
                family,
                Family::Seesaw | Family::SeesawAdaptive | Family::Cuckoo
            );
            // Query, inspect and reload are for all.
            let expected = 3
                + 2 * can(Operation::Insert)
                + 2 * can(Operation::Remove)
                + can(Operation::Guard)
                + can(Operation::Union)
                + usize::from(shared);
            assert_eq!(kinds.len(), expected, "{family:?}");
        }
    }
}
