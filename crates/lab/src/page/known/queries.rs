//! Queries of filters with known negatives against `Bloom`, one by one and in batches. The non-members in this race are
//! the known negatives.

use super::FAMILIES;
use crate::prelude::*;
use crate::times::race::{self, Entry, Keys};

/// Queries the filter through its own type, as a caller who knows the type would.
fn entries<'a>(name: &str, keys: &'a Keys<String>, filter: AnyFilter) -> Result<[Entry<'a>; 2]> {
    match filter {
        AnyFilter::Bloom(filter) => Entry::both(name, keys, filter),
        AnyFilter::Habf(filter) => Entry::both(name, keys, filter),
        AnyFilter::Guarded(filter) => Entry::both(name, keys, filter),
        other => Entry::both(name, keys, other),
    }
}

/// Queries per pass, or the number of keys if that is smaller.
const QUERIES: u64 = 3_000_000;

/// Runs the race with `positives` keys and as many known negatives.
pub fn race(outcome: &mut Outcome, positives: u64, bits_per_key: f64) -> Result<()> {
    // The non-members of the race and the negatives of the set have the same numbers, those after the positives.
    let keys = Keys::<String>::new(positives, positives.min(QUERIES));
    let set = Set::sized(Source::Users, positives, positives, 0);
    let (sets, bits) = (set.with_equal_costs()?, set.bits(bits_per_key));
    drop(set);
    let mut all = Vec::new();
    for family in FAMILIES {
        let filter = Subject::kind(family).spec(bits)?.build(&sets)?;
        all.extend(entries(family.name(), &keys, filter)?);
    }
    let pairs = |end: &str| {
        let name = |family: &Family| format!("{}{end} / bloom{end}", family.name());
        FAMILIES[1..].iter().map(name).collect::<Vec<_>>()
    };
    let pairs = [pairs(""), pairs(", batch")].concat();
    let title = format!(
        "{positives} positives and as many known negatives, which are the non-members; {bits_per_key} bits per key"
    );
    race::run(&title, &keys, all, &pairs, outcome)
}
