//! A filter of any family and any settings, built from keys and known negatives, through any sequence of operations, beside an exact
//! multiset of its keys.

#![no_main]

use arbitrary::Arbitrary;
use bloomwise::{AnyFilter, Family, Filter, KeySets, Operation, Persist, Report};
use bloomwise_fuzz::life::Life;
use bloomwise_fuzz::memory::within;
use bloomwise_fuzz::plan::Plan;
use bloomwise_fuzz::step::{Name, Range, Steps};
use bloomwise_fuzz::{check_error, init};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

/// The most memory of an input.
const MEMORY: usize = 16 << 20;

/// The smallest filter of any family, in bits. A family may exceed a smaller size.
const SMALLEST: u64 = 512;

/// Where a filter comes from.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Start {
    /// It is empty.
    Empty,
    /// It is built from the two sets.
    Built,
    /// It is built from the two sets, in two orders. The order must not matter.
    BuiltTwice,
}

/// A filter and what is done with it.
#[derive(Arbitrary, Debug)]
struct Input {
    /// Family, size and settings.
    plan: Plan,
    /// The keys of the set: a range, and more.
    positives: (Range, Vec<Name>),
    /// Known negatives: a range, and more.
    negatives: (Range, Vec<Name>),
    /// Where the filter comes from.
    start: Start,
    /// What happens then.
    steps: Steps,
}

/// The names of a range, and more.
fn names((range, more): &(Range, Vec<Name>)) -> Vec<Name> {
    range.names().chain(more.iter().copied()).collect()
}

/// Checks that a build did what it reports. Things that are said to be exact are exact.
fn check_report(filter: &AnyFilter, report: &Report, negatives: &BTreeSet<Name>) {
    let accepted = negatives
        .iter()
        .filter(|&&name| filter.contains(name.key()));
    let accepted = accepted.count() as u64;
    let denied = negatives.len() as u64 - accepted;
    assert!(
        report.guarded <= denied,
        "{} negatives are said to be denied, {denied} are",
        report.guarded
    );
    if let Some(wrong) = report.wrong {
        assert_eq!(wrong, accepted, "known negatives that are false positives");
    }
    if filter.family() == Family::Guarded {
        assert_eq!(report.guarded, denied);
    }
}

/// The filter of the two sets.
fn build(input: &Input) -> Option<Life> {
    let spec = input.plan.spec();
    let sets = |reversed: bool| {
        let mut sets = KeySets::builder(input.plan.hashing());
        let (mut positives, mut negatives) = (names(&input.positives), names(&input.negatives));
        if reversed {
            positives.reverse();
            negatives.reverse();
        }
        sets.positives(positives.into_iter().map(Name::key));
        sets.negatives(negatives.into_iter().map(|name| (name.key(), name.cost())));
        sets.build().expect("costs are finite and at least 0")
    };
    let (filter, report) = match spec.build_and_report(&sets(false)) {
        Ok(built) => built,
        Err(error) => {
            check_error(&error);
            return None;
        }
    };
    if input.start == Start::BuiltTwice {
        let again = spec.build(&sets(true)).expect("it was built before");
        assert!(
            again.to_bytes() == filter.to_bytes(),
            "the order of the input changes the filter"
        );
    }
    // A filter that grows takes what its keys need.
    let bits = input.plan.bits();
    if let Some(bits) = bits.filter(|_| filter.family() != Family::Growing) {
        // The list of a balanced filter may grow: keys beyond the capacity go there.
        let listed = match &filter {
            AnyFilter::Balanced(filter) => 128 * filter.overflowed(),
            _ => 0,
        };
        let size = filter.size_in_bits() - listed;
        assert!(size <= bits.max(SMALLEST), "{size} bits");
    }
    let positives: BTreeSet<Name> = names(&input.positives).into_iter().collect();
    let negatives = names(&input.negatives).into_iter();
    let negatives = negatives.filter(|name| !positives.contains(name)).collect();
    check_report(&filter, &report, &negatives);
    // Only a family that has a union needs another filter of the same kind.
    let has_union = spec.family().can(Operation::Union);
    let empty = has_union.then(|| spec.create().ok()).flatten();
    Some(Life::new(filter, empty, positives))
}

fuzz_target!(init: init(), |input: Input| {
    within(MEMORY, || {
        let life = if input.start == Start::Empty {
            let created = input.plan.spec().create();
            let created = created.map_err(|error| check_error(&error)).ok();
            created.map(|filter| Life::new(filter.clone(), Some(filter), []))
        } else {
            build(&input)
        };
        let Some(mut life) = life else { return };
        input.steps.0.iter().for_each(|step| life.take(step));
        life.check_thoroughly();
    });
});
