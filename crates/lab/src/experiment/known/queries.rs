//! Queries of filters with known negatives against `Bloom`, one by one and in batches. The non-members in this race are
//! the known negatives.

use crate::experiment::costed::CostedSet;
use crate::output::Outcome;
use crate::race::{self, Entry, Keys};
use crate::subject::Subject;
use anyhow::Result;
use bloomwise::AnyFilter;

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
    let data = CostedSet::new([positives, positives, 0], 0.0);
    let (sets, bits) = (data.sets()?, data.bits(bits_per_key));
    drop(data);
    let mut all = Vec::new();
    for family in super::FAMILIES {
        let filter = Subject::kind(family).spec(bits)?.build(&sets)?;
        all.extend(entries(family.name(), &keys, filter)?);
    }
    let batch = |kind: &str| format!("{kind}, batch");
    let (ours, bloom) = (super::FAMILIES[1..].iter(), batch("bloom"));
    let ours = ours.map(|family| family.name());
    let names: Vec<(&str, String)> = ours.map(|kind| (kind, batch(kind))).collect();
    let single = names.iter().map(|(kind, _)| (*kind, "bloom"));
    let batches = names
        .iter()
        .map(|(_, kind)| (kind.as_str(), bloom.as_str()));
    let pairs: Vec<_> = single.chain(batches).collect();
    let title = format!(
        "{positives} positives and as many known negatives, which are the non-members; {bits_per_key} bits per key"
    );
    race::run(&title, &keys, all, &pairs, outcome)
}
