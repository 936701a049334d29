//! Item-personalized Bloom filters beyond their paper: the rates of the variants, and the time of a walk. The paper's
//! trials are in [`crate::paper::ibf`].

use crate::filter::contender::filled;
use crate::prelude::*;
use crate::times::race::{self, Entry, Keys};
use bloomwise::Bloom;

fn variants(options: &Options) -> Result<Table> {
    let keys = options.scaled(1_000_000, 2000);
    let title = format!(
        "The variants at {BITS_PER_KEY} bits per key, everything included, {keys} keys, four times as many non-members"
    );
    let mut table = Table::new(title, "filter | bits per key {2} | rejected | unseen {%}");
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
        let missing = (0..keys).filter(|n| !contains(n)).count();
        ensure!(missing == 0, "{name} does not find {missing} of its keys");
        let hits = (keys..5 * keys).filter(contains).count();
        let info = filter.info();
        let rejected = info.parameter("rejected").map(ToString::to_string);
        let size = filter.size_in_bits() as f64 / keys as f64;
        table.row((name, size, rejected, hits as f64 / (4 * keys) as f64));
    }
    Ok(table)
}

fn times(outcome: &mut Outcome, what: &str, count: u64, queries: u64) -> Result<()> {
    let keys = Keys::<u64>::new(count, queries);
    let size = Size::BitsPerKey(BITS_PER_KEY as f64);
    let walking = filled(Bloom::builder(size).personalized(), &keys.members)?;
    let walking = Entry::both("personalized", &keys, walking)?;
    let fixed = Entry::both("bloom", &keys, keys.filter::<Bloom>()?)?;
    let entries = walking.into_iter().chain(fixed).collect();
    let pairs = ["personalized / bloom", "personalized, batch / bloom, batch"];
    let title = format!("{queries} queries on {count} keys of 8 bytes{what}");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Measures the variants and the times.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Item-personalized Bloom filters: the rates of their variants, and the time of a walk beside that of fixed functions.",
    );
    outcome.tables.push(variants(options)?);
    let [few, many, queries] =
        [100_000, 100_000_000, 10_000_000].map(|full| options.scaled(full, 1000));
    times(&mut outcome, ": in the cache", few, 10 * few)?;
    times(&mut outcome, ": larger than the cache", many, queries)?;
    Ok(outcome)
}
