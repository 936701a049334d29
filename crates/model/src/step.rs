//! The steps of a life: what a caller may do with a filter.
//!
//! Steps name keys by their numbers, see [`super::keys`]. The steps of a life that found something are printed, so that a reader can follow what happened.

use super::draw::Draw;
use bloomwise::{AnyFilter, Operation};
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
    /// Compares what the filter says about itself with what was asked for, and its rate with its answers.
    Inspect,
    /// Writes the filter and continues with what is read back.
    Reload(Form, Load),
    /// Patches the base.
    Patch {
        /// Keys that leave the set, where they are in the base.
        removed: Range<usize>,
        /// Keys that join the set.
        added: Range<usize>,
        /// Keys that must be denied, where they are not in the set.
        negatives: Range<usize>,
    },
    /// Continues with the base of a patched filter.
    Unpatch,
    /// Guards, removes and inserts keys with the command, in a file. The library must give the same bytes.
    Update {
        /// Keys to guard, where the filter can.
        guard: Range<usize>,
        /// Keys to remove, where they are members and the filter can.
        remove: Range<usize>,
        /// Keys to insert.
        insert: Range<usize>,
    },
    /// Shares the filter between threads that change and query it at the same time.
    Share {
        /// The number of threads.
        threads: usize,
        /// The number of steps of each thread.
        steps: usize,
        /// Whether threads insert, remove and guard keys. Otherwise they try to remove keys that the filter does not have.
        insert: bool,
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
    /// The cells are borrowed, and verified when they are queried first.
    FirstUse,
    /// From a stream that goes on after the filter. It always has the whole form.
    Stream,
    /// From chunks of a file, as they arrive. It always has the whole form.
    Chunks,
    /// From a file.
    File,
    /// From a mapped file.
    Mapped,
}

impl Step {
    /// A step that the filter can take, with keys below `keys`. `None` if the step that was drawn is not for this filter.
    pub fn draw(filter: &AnyFilter, keys: usize, draw: &mut Draw<'_>) -> Option<Self> {
        let when = |operation, step| filter.check_operation(operation).is_ok().then_some(step);
        let range = draw.range(keys);
        let way = draw.pick(&[Way::Single, Way::Batch, Way::Digests]);
        match draw.below(24) {
            0..=3 => when(Operation::Insert, Step::Insert(range, way)),
            4..=7 => when(Operation::Remove, Step::Remove(range, way)),
            8 => when(Operation::Remove, Step::RemoveDenied(range)),
            9..=11 => when(Operation::Guard, Step::Guard(range, way)),
            12 => when(Operation::Union, Step::Union(range)),
            13 => when(Operation::Insert, Step::Clone(range)),
            14 | 15 => Some(Step::Query(range)),
            16 => Some(Step::Inspect),
            17..=19 => Some(Step::reload(draw)),
            20 => Some(Step::Patch {
                removed: range,
                added: draw.range(keys),
                negatives: draw.range(keys),
            }),
            21 => filter.patch().map(|_| Step::Unpatch),
            22 => when(
                Operation::Insert,
                Step::Update {
                    guard: range,
                    remove: draw.range(keys),
                    insert: draw.range(keys),
                },
            ),
            _ => can_be_shared(filter).then(|| Step::Share {
                threads: 2 + draw.below(3),
                steps: draw.magnitude(100.0, 10_000.0) as usize,
                insert: draw.one_in(2),
                seed: draw.bits(),
            }),
        }
    }

    /// Writing and reading, at random. Files are rare, because each waits for the disk.
    fn reload(draw: &mut Draw<'_>) -> Self {
        let load = match draw.below(42) {
            0 => Load::File,
            1 => Load::Mapped,
            2..10 => Load::Stream,
            10..18 => Load::Copied,
            18..26 => Load::Borrowed,
            26..30 => Load::FirstUse,
            30..36 => Load::Chunks,
            _ => Load::HeaderFirst,
        };
        let form = match load {
            Load::Stream | Load::Chunks => Form::Whole,
            _ => draw.pick(&[Form::Whole, Form::Short]),
        };
        Step::Reload(form, load)
    }
}

/// Whether there is a filter for many threads of this kind.
pub fn can_be_shared(filter: &AnyFilter) -> bool {
    use AnyFilter::{Blocked, Bloom, Counting, Cuckoo, Seesaw};
    matches!(
        filter,
        Bloom(_) | Blocked(_) | Counting(_) | Cuckoo(_) | Seesaw(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, KeySets, Size, Spec};
    use std::collections::HashSet;
    use std::mem::discriminant;

    #[test]
    fn every_family_takes_every_step_that_it_can_take() {
        for family in Family::ALL {
            let mut draw = Draw::Seed(family.tag().into());
            let spec = Spec::new(family).size(Size::BitsPerKey(40.0)).capacity(50);
            let filter = spec.build(&KeySets::of_positives(0..50u64));
            let filter = filter.expect("a sound spec");
            let steps = (0..3000).filter_map(|_| Step::draw(&filter, 50, &mut draw));
            let kinds: HashSet<_> = steps.map(|step| discriminant(&step)).collect();
            let can = |operation| usize::from(family.can(operation));
            // Query, inspect, reload and patch are for all.
            let expected = 4
                + 3 * can(Operation::Insert)
                + 2 * can(Operation::Remove)
                + can(Operation::Guard)
                + can(Operation::Union)
                + usize::from(can_be_shared(&filter));
            assert_eq!(kinds.len(), expected, "{family:?}");
        }
    }
}
