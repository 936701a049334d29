//! What shards and mapped files cost.
//!
//! The same keys are built as one filter and as 2 to 256 shards. The rate on unseen keys says from which size on a shard is as good as a part of one
//! filter. Times are ratios to the whole filter within a round. Then a filter is loaded and mapped, and both are queried in turns.

use crate::prelude::*;
use bloomwise::Persist;
use bloomwise::format::{Check, MapFile};

/// The families that are compared.
const FAMILIES: [Family; 5] = [
    Family::Bloom,
    Family::Blocked,
    Family::Habf,
    Family::Balanced,
    Family::Guarded,
];

/// The numbers of shards.
const SHARDS: [u64; 5] = [1, 8, 32, 128, 512];

/// Bits per key, a budget of the papers.
const BITS: f64 = 8.44;

/// The number of keys outside of the set for a rate at full size.
const UNSEEN: u64 = 4_000_000;

/// How often filters take turns.
const ROUNDS: usize = 5;

/// The share of unseen keys that a filter accepts.
fn rate(filter: &AnyFilter, queries: u64) -> f64 {
    let unseen = 1 << 40..(1 << 40) + queries;
    let wrong = filter.contains_batch(unseen).into_iter().filter(|&yes| yes);
    wrong.count() as f64 / queries as f64
}

/// Nanoseconds per query, half of them for keys of the set, one by one and in a batch.
fn query(filter: &AnyFilter, keys: u64) -> [f64; 2] {
    let mixed = || {
        (0..2 * keys)
            .step_by(3)
            .map(|key| key.wrapping_mul(7) % (2 * keys))
    };
    let count = mixed().count();
    let (_, single) = time(count, || {
        mixed().for_each(|key| _ = black_box(filter.contains(key)));
    });
    let (_, batch) = time(count, || black_box(filter.contains_batch(mixed())));
    [single, batch]
}

/// The table of rates and times over the number of shards.
fn sizes(options: &Options) -> Result<Table> {
    let keys = options.scaled(8_000_000, 100_000);
    let queries = options.scaled(UNSEEN, 50_000);
    let negatives = (keys..2 * keys).map(|key| (key, 1.0));
    let sets = KeySets::new(0..keys, negatives)?;
    let columns = "filter | shards | keys per shard | bits per key {2} | unseen {%} | unseen / whole {3} | query / whole {2} | batch / whole {2}";
    let title = format!("Shards of {keys} keys, as many known negatives, {BITS} bits per key");
    let mut table = Table::new(title, columns);
    for family in FAMILIES {
        let spec = Spec::new(family).size(Size::BitsPerKey(BITS));
        let mut filters = vec![spec.build(&sets)?];
        for shards in &SHARDS[1..] {
            filters.push(spec.build_sharded(&sets, *shards)?.0);
        }
        for filter in &filters {
            let answers = filter.contains_batch(0..keys).into_iter();
            let denied = answers.filter(|&yes| !yes).count();
            ensure!(denied == 0, "{} denies {denied} keys", family.name());
        }
        let rates: Vec<f64> = filters.iter().map(|filter| rate(filter, queries)).collect();
        let turns = Turns::take(ROUNDS, filters.len(), |number| {
            Ok(query(&filters[number], keys))
        })?;
        for (number, shards) in SHARDS.into_iter().enumerate() {
            let size = filters[number].size_in_bits() as f64 / keys as f64;
            let rate = [rates[number], rates[number] / rates[0]];
            let about = (family.name(), shards, keys / shards, size);
            table.row((about, rate, turns.median_ratios(number, 0)));
        }
    }
    Ok(table)
}

/// The table of mapped filters beside loaded ones.
fn mapped(options: &Options) -> Result<Table> {
    let keys = options.scaled(20_000_000, 100_000);
    let folder = tempfile::tempdir().context("a temporary folder")?;
    let columns =
        "filter | bytes | open, ms {2} | query, mapped / loaded {2} | batch, mapped / loaded {2}";
    let mut table = Table::new(format!("Mapped files, {keys} keys"), columns);
    for (family, shards) in [
        (Family::Blocked, 1),
        (Family::Guarded, 1),
        (Family::Guarded, 8),
    ] {
        let spec = Spec::new(family).size(Size::BitsPerKey(10.0));
        let sets = KeySets::of_positives(0..keys);
        let built = match shards {
            1 => spec.build(&sets)?,
            shards => spec.build_sharded(&sets, shards)?.0,
        };
        let path = folder.path().join("filter");
        built.save(&path)?;
        drop(built);
        let loaded = AnyFilter::load(&path)?;
        #[expect(unsafe_code, reason = "mapping a file has no safe form")]
        // SAFETY: the file is in a folder of this experiment, which does not change it in place.
        let (opened, open) = time(1, || unsafe { AnyFilter::open(&path, Check::Header) });
        let filters = [loaded, opened?];
        // The first pass brings the pages in.
        filters.iter().for_each(|filter| _ = query(filter, keys));
        let turns = Turns::take(ROUNDS, 2, |number| Ok(query(&filters[number], keys)))?;
        let name = match shards {
            1 => family.name().to_string(),
            shards => format!("{}, {shards} shards", family.name()),
        };
        let (bytes, ratios) = (filters[0].encoded_len(), turns.median_ratios(1, 0));
        table.row((name, bytes, open / 1e6, ratios));
    }
    Ok(table)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Shards: one filter and filters made of shards, on the same keys and in the same space. Then mapped files beside loaded ones. Keys of 8 bytes; times are medians of ratios within a round.",
    );
    outcome.tables = vec![sizes(options)?, mapped(options)?];
    Ok(outcome)
}
