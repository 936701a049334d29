//! What growth costs: chains that started with too small a capacity, beside a Bloom filter that knew the number of keys.
//!
//! Each chain is planned for the same number of keys and a rate of 1 %, and gets 1, 10 and 100 times as many. All keys are looked up
//! afterwards; a false negative, or a rate above 1 %, ends the run.

use crate::measure::timing::{in_turns, median_ratio, part, time};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use anyhow::{Result, ensure};
use bloomwise::info::Value;
use bloomwise::{AnyFilter, Family, Filter, Size, Spec};
use std::ops::Range;

/// The rate that was asked for.
const RATE: f64 = 0.01;

/// The expansions that are compared.
const EXPANSIONS: [u64; 4] = [1, 2, 4, 10];

/// How often all filters take turns.
const ROUNDS: usize = 5;

/// The number of queries for a rate.
const UNSEEN: u64 = 2_000_000;

/// What was measured on a filter.
struct Measured {
    filter: AnyFilter,
    /// Nanoseconds per key: insertion, members, non-members.
    times: [f64; 3],
    rate: f64,
}

fn measure(spec: &Spec, keys: u64) -> Result<Measured> {
    let mut filter = spec.create()?;
    let (inserted, insert) = time(keys as usize, || filter.extend(0..keys));
    inserted?;
    let count = |keys: Range<u64>| keys.filter(|key| filter.contains(key)).count() as u64;
    let (found, member) = time(keys as usize, || count(0..keys));
    ensure!(found == keys, "{} false negatives", keys - found);
    let unseen = 1 << 40..(1 << 40) + UNSEEN;
    let (wrong, other) = time(UNSEEN as usize, || count(unseen));
    Ok(Measured {
        filter,
        times: [insert, member, other],
        rate: wrong as f64 / UNSEEN as f64,
    })
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
    let columns = [
        "filter",
        "layers",
        "rate, predicted",
        "rate, measured",
        "bits per key",
        "insert / bloom",
        "member / bloom",
        "non-member / bloom",
    ];
    for keys in [1, 10, 100].map(|factor| factor * first) {
        let mut table = Table::new(format!("{keys} keys"), columns);
        let specs = specs(first, keys)?;
        let times = in_turns(ROUNDS, specs.len(), |number| {
            Ok(measure(&specs[number].1, keys)?.times)
        })?;
        for ((name, spec), own) in specs.iter().zip(&times) {
            let Measured { filter, rate, .. } = measure(spec, keys)?;
            ensure!(
                name == "bloom" || rate < RATE,
                "{name} has a rate of {rate}"
            );
            let ratio = |number| {
                let ratio = median_ratio(&part(own, number), &part(&times[0], number));
                Cell::number(ratio, 2)
            };
            let info = filter.info();
            let layers = info.parameter("layers").and_then(Value::as_u64);
            table.row([
                name.as_str().into(),
                Cell::number(layers.unwrap_or(1) as f64, 0),
                Cell::rate(filter.rate()),
                Cell::rate(rate),
                Cell::number(filter.size_in_bits() as f64 / keys as f64, 2),
                ratio(0),
                ratio(1),
                ratio(2),
            ]);
        }
        outcome.tables.push(table);
    }
    Ok(outcome)
}
