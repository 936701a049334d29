//! Item-personalized Bloom filters beyond their paper: the rates of the variants, and the time of a walk. The paper's
//! trials are in [`super::ibf`].

use crate::contender::{BITS_PER_KEY, filled};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Family, Filter, Size, Spec};

fn variants(options: &Options) -> Result<Table> {
    let keys = options.scaled(1_000_000, 2000);
    let title = format!(
        "The variants at {BITS_PER_KEY} bits per key, everything included, {keys} keys, four times as many non-members"
    );
    let mut table = Table::new(title, ["filter", "bits per key", "rejected", "unseen"]);
    let rejecting = |threshold: u64| {
        let spec = Spec::new(Family::PersonalizedRejecting).set("k", 7)?;
        spec.set("threshold", threshold)
    };
    for (name, spec) in [
        ("bloom", Spec::new(Family::Bloom)),
        ("personalized", Spec::new(Family::Personalized)),
        ("personalized-rejecting, t = 6", rejecting(6)?),
        ("personalized-rejecting, t = 5", rejecting(5)?),
        ("personalized-rejecting, t = 4", rejecting(4)?),
    ] {
        let spec = spec.size(Size::BitsPerKey(BITS_PER_KEY as f64));
        let filter = spec.build_from_keys((0..keys).map(u64::number))?;
        let contains = |n: &u64| filter.contains(u64::number(*n));
        let false_negatives = (0..keys).filter(|n| !contains(n)).count();
        ensure!(
            false_negatives == 0,
            "{name} does not find {false_negatives} of its keys"
        );
        let hits = (keys..5 * keys).filter(contains).count();
        let info = filter.info();
        let rejected = info.parameter("rejected");
        table.row([
            name.into(),
            Cell::number(filter.size_in_bits() as f64 / keys as f64, 2),
            Cell::or_dash(rejected, |value| value.to_string().into()),
            Cell::rate(hits as f64 / (4 * keys) as f64),
        ]);
    }
    Ok(table)
}

/// A personalized filter of the same size as those it is compared with.
fn personalized(keys: &[u64]) -> Result<Bloom> {
    let size = Size::BitsPerKey(BITS_PER_KEY as f64);
    filled(Bloom::builder(size).personalized(), keys)
}

fn times(outcome: &mut Outcome, what: &str, count: u64, queries: u64) -> Result<()> {
    let keys = Keys::<u64>::new(count, queries);
    let walking = Entry::both("personalized", &keys, personalized(&keys.members)?)?;
    let fixed = keys.filter::<Bloom>()?;
    let fixed = Entry::both("bloom", &keys, fixed)?;
    let entries = walking.into_iter().chain(fixed).collect();
    let pairs = [
        ("personalized", "bloom"),
        ("personalized, batch", "bloom, batch"),
    ];
    let title = format!("{queries} queries on {count} keys of 8 bytes{what}");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Measures the variants and the times.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Item-personalized Bloom filters: the rates of their variants, and the time of a walk beside that of fixed functions.",
    );
    outcome.tables.push(variants(options)?);
    let few = options.scaled(100_000, 1000);
    times(&mut outcome, ": in the cache", few, 10 * few)?;
    let many = options.scaled(100_000_000, 1000);
    times(
        &mut outcome,
        ": larger than the cache",
        many,
        options.scaled(10_000_000, 1000),
    )?;
    Ok(outcome)
}
