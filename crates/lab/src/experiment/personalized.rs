//! Item-personalized Bloom filters beyond their paper: what the variants do to the rate, and what the walk costs in time. The trials
//! of the paper are [`super::ibf`].

use crate::contender::BITS_PER_KEY;
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Size, Spec};

fn variants(options: &Options) -> Result<Table> {
    let keys = options.scaled(1_000_000, 2000);
    let title = format!(
        "The variants at {BITS_PER_KEY} bits per key, all in, {keys} keys, four times as many strangers"
    );
    let mut table = Table::new(title, ["filter", "bits per key", "rejected", "unseen"]);
    let rejecting = |threshold: &str| {
        let spec = Spec::new("personalized-rejecting");
        let spec = spec.and_then(|spec| spec.set("k", "7"));
        spec.and_then(|spec| spec.set("threshold", threshold))
    };
    for (name, spec) in [
        ("bloom", Spec::new("bloom")),
        ("personalized", Spec::new("personalized")),
        ("personalized-rejecting, t = 6", rejecting("6")),
        ("personalized-rejecting, t = 5", rejecting("5")),
        ("personalized-rejecting, t = 4", rejecting("4")),
    ] {
        let spec = spec?.size(Size::BitsPerKey(BITS_PER_KEY as f64));
        let bytes = |n: u64| u64::number(n).to_le_bytes();
        let filter = spec.build_from_keys((0..keys).map(bytes))?;
        let denied = (0..keys).filter(|&n| !filter.contains(&bytes(n))).count();
        ensure!(denied == 0, "{name} denies a member");
        let hits = (keys..5 * keys)
            .filter(|&n| filter.contains(&bytes(n)))
            .count();
        let info = filter.info();
        let rejected = info.parameters.iter().find(|(name, _)| *name == "rejected");
        table.row([
            name.into(),
            Cell::number(filter.size_in_bits() as f64 / keys as f64, 2),
            Cell::of(rejected, |(_, value)| value.to_string().into()),
            Cell::rate(hits as f64 / (4 * keys) as f64),
        ]);
    }
    Ok(table)
}

/// A filter of keys that walk, as large as those they are compared with.
fn personalized(keys: &[u64]) -> Result<Bloom> {
    let size = Size::BitsPerKey(BITS_PER_KEY as f64);
    let builder = Bloom::builder(keys.len() as u64, size).personalized();
    let mut filter = builder.build()?;
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    Ok(filter)
}

fn times(outcome: &mut Outcome, what: &str, count: u64, asked: u64) -> Result<()> {
    let keys = Keys::<u64>::new(count, asked);
    let walking = Entry::both("personalized", &keys, personalized(&keys.members)?)?;
    let fixed = keys.filter::<Bloom>()?;
    let fixed = Entry::both("bloom", &keys, fixed)?;
    let entries = walking.into_iter().chain(fixed).collect();
    let pairs = [
        ("personalized", "bloom"),
        ("personalized, batch", "bloom, batch"),
    ];
    let title = format!("{asked} queries on {count} keys of 8 bytes{what}");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Runs the variants and the times.
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
        ": far from it",
        many,
        options.scaled(10_000_000, 1000),
    )?;
    Ok(outcome)
}
