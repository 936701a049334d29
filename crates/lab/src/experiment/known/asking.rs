//! Queries of filters with known negatives beside `Bloom`, one by one and in batches. The strangers of this race are the known
//! negatives.

use crate::experiment::costed::Data;
use crate::output::Outcome;
use crate::race::{self, Entry, Keys};
use crate::subject::Subject;
use crate::workload::{Key, user};
use anyhow::Result;
use bloomwise::AnyFilter;

/// A key as YCSB makes them.
#[derive(Clone, Hash)]
struct User(String);

impl Key for User {
    fn number(n: u64) -> Self {
        User(user(n))
    }

    fn bytes(&self) -> impl AsRef<[u8]> + '_ {
        self.0.as_bytes()
    }
}

/// The filter itself is asked, as a caller who knows its type would.
fn entries<'a>(name: &str, keys: &'a Keys<User>, filter: AnyFilter) -> Result<[Entry<'a>; 2]> {
    match filter {
        AnyFilter::Bloom(filter) => Entry::both(name, keys, filter),
        AnyFilter::Habf(filter) => Entry::both(name, keys, filter),
        AnyFilter::Guarded(filter) => Entry::both(name, keys, filter),
        other => Entry::both(name, keys, other),
    }
}

/// Queries of a pass, or as many as there are keys if those are fewer.
const ASKED: u64 = 3_000_000;

/// Runs it on so many keys and as many known negatives.
pub fn race(outcome: &mut Outcome, positives: u64, bits_per_key: f64) -> Result<()> {
    // Strangers of the race and negatives of the set both have the numbers behind those of the positives.
    let keys = Keys::<User>::new(positives, positives.min(ASKED));
    let data = Data::new([positives, positives, 0], 0.0);
    let (sets, bits) = (data.sets()?, data.bits(bits_per_key));
    drop(data);
    let mut all = Vec::new();
    for kind in super::KINDS {
        let (filter, _) = Subject::kind(kind).build_and_report(&sets, bits)?;
        all.extend(entries(kind, &keys, filter)?);
    }
    let batch = |kind: &str| format!("{kind}, batch");
    let (ours, bloom) = (super::KINDS[1..].iter(), batch("bloom"));
    let names: Vec<(&str, String)> = ours.map(|&kind| (kind, batch(kind))).collect();
    let single = names.iter().map(|(kind, _)| (*kind, "bloom"));
    let batches = names
        .iter()
        .map(|(_, kind)| (kind.as_str(), bloom.as_str()));
    let pairs: Vec<_> = single.chain(batches).collect();
    let title = format!(
        "Asking, {positives} positives; strangers are known negatives, of which there are as many; {bits_per_key} bits per key"
    );
    race::run(&title, &keys, all, &pairs, outcome)
}
