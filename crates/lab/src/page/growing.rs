//! What growth costs: chains that started with too small a capacity, beside a Bloom filter that knew the number of keys.
//!
//! Each chain is planned for the same number of keys and a rate of 1 %, and gets 1, 10 and 100 times as many. All keys are looked up
//! afterwards; a false negative, or a rate above 1 %, ends the run.

use crate::prelude::*;
use bloomwise::info::Value;
use std::ops::Range;

/// The rate that was asked for.
const RATE: f64 = 0.01;

/// The expansions that are compared.
const EXPANSIONS: [u64; 4] = [1, 2, 4, 10];

/// How often all filters take turns.
const ROUNDS: usize = 5;

/// The number of queries for a rate, and the most that are timed.
const UNSEEN: u64 = 2_000_000;

/// Numbers of keys that are in no set.
fn unseen(count: u64) -> Range<u64> {
    1 << 40..(1 << 40) + count
}

/// A filter, and nanoseconds per key of insertion, members and non-members.
fn measure(spec: &Spec, keys: u64, queries: u64) -> Result<(AnyFilter, [f64; 3])> {
    let mut filter = spec.create()?;
    let (inserted, insert) = time(keys as usize, || filter.extend(0..keys));
    inserted?;
    let count = |keys: Range<u64>| keys.filter(|key| filter.contains(key)).count() as u64;
    let (found, member) = time(keys as usize, || count(0..keys));
    ensure!(found == keys, "{} false negatives", keys - found);
    let (_, other) = time(queries as usize, || black_box(count(unseen(queries))));
    Ok((filter, [insert, member, other]))
}

/// The filters that are compared, the one that knows the number of keys first.
fn specs(first: u64, keys: u64) -> Result<Vec<(String, Spec)>> {
    let spec = |family| Spec::new(family).size(Size::Rate(RATE));
    let mut specs = vec![("bloom".to_string(), spec(Family::Bloom).capacity(keys))];
    for expansion in EXPANSIONS {
        let chain = spec(Family::Growing).set("expansion", expansion)?;
        let name = format!("growing, expansion {expansion}");
        specs.push((name, chain.capacity(first)));
    }
    Ok(specs)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let first = options.scaled(100_000, 1000);
    let mut outcome = Outcome::new(format!(
        "Growing: chains for a rate of 1 % that were planned for {first} keys and get 1, 10 and 100 times as many. Beside them a Bloom filter of 1 % that was planned for the number of keys. Keys of 8 bytes. Times are ratios to that filter, medians of {ROUNDS} rounds.",
    ));
    let queries = options.scaled(UNSEEN, 50_000);
    let columns = "filter | layers | rate, predicted {%} | rate, measured {%} | bits per key {2} | insert / bloom {2} | member / bloom {2} | non-member / bloom {2}";
    for keys in [1, 10, 100].map(|factor| factor * first) {
        let mut table = Table::new(format!("{keys} keys"), columns);
        let specs = specs(first, keys)?;
        let mut filters: Vec<Option<AnyFilter>> = vec![None; specs.len()];
        let turns = Turns::take(ROUNDS, specs.len(), |number| {
            let (filter, times) = measure(&specs[number].1, keys, queries)?;
            filters[number] = Some(filter);
            Ok(times)
        })?;
        for (number, filter) in filters.into_iter().flatten().enumerate() {
            let name = &specs[number].0;
            let wrong = filter.contains_batch(unseen(UNSEEN)).into_iter();
            let rate = wrong.filter(|&yes| yes).count() as f64 / UNSEEN as f64;
            ensure!(
                name == "bloom" || rate < RATE,
                "{name} has a rate of {rate}"
            );
            let info = filter.info();
            let layers = info.parameter("layers").and_then(Value::as_u64);
            let size = filter.size_in_bits() as f64 / keys as f64;
            let rates = [filter.rate(), rate];
            let (layers, ratios) = (layers.unwrap_or(1), turns.median_ratios(number, 0));
            table.row((name, layers, rates, size, ratios));
        }
        outcome.tables.push(table);
    }
    Ok(outcome)
}
