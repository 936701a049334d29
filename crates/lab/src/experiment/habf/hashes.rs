//! Figure 14: a plain Bloom filter has the same rate with different hash functions, and ignores costs in the same way.
//!
//! The paper has three ways to make the functions: a different hash from a table for each function, and `CityHash` and
//! XXH128 with a seed per function. Here there are four: one XXH3 digest from which all functions are derived, as in
//! this library, and XXH3, XXH64 and FNV-1a with a seed per function. All filters process the same groups of keys in
//! turn, so that each key is generated once.

use super::bits_per_key;
use crate::baseline::Seeded;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::zipf::{self, Spread};
use crate::workload::{Source, user};
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Size};
use rayon::prelude::*;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh64::xxh64;

/// Shuffles of the costs, as many as in the paper.
const SHUFFLES: u64 = 10;

/// Keys generated at once.
const GROUP: usize = 100_000;

const WAYS: [&str; 4] = [
    "one XXH3 digest",
    "seeded XXH3",
    "seeded XXH64",
    "seeded FNV-1a",
];

/// FNV-1a with an offset that depends on the seed. The last multiplication mixes the upper bits, which positions come
/// from.
fn fnv(key: &[u8], seed: u64) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = key.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// One way to make functions: a filter to fill and query.
enum Way {
    Ours(Bloom),
    Seeded(Seeded),
}

impl Way {
    fn new(name: &str, bits: u64, keys: u64) -> Result<Self> {
        let seeded = |hash| Ok(Way::Seeded(Seeded::new(bits, keys, hash)?));
        match name {
            "seeded XXH3" => seeded(xxh3_64_with_seed),
            "seeded XXH64" => seeded(xxh64),
            "seeded FNV-1a" => seeded(fnv),
            _ => {
                let builder = Bloom::builder(Size::Bits(bits)).capacity(keys);
                Ok(Way::Ours(builder.create()?))
            }
        }
    }

    fn insert(&mut self, key: &str) {
        match self {
            Way::Ours(filter) => _ = filter.insert(key),
            Way::Seeded(filter) => filter.insert(key.as_bytes()),
        }
    }

    fn contains(&self, key: &str) -> bool {
        match self {
            Way::Ours(filter) => filter.contains(key),
            Way::Seeded(filter) => filter.contains(key.as_bytes()),
        }
    }
}

/// A filter and its results so far.
struct Runner {
    size: f64,
    name: &'static str,
    filter: Way,
    false_negatives: usize,
    /// The indices of the false positives among the negatives.
    wrong: Vec<u32>,
}

/// Passes all keys with these numbers to all runners, with their indices from 0.
fn each(runners: &mut [Runner], numbers: Range<u64>, work: fn(&mut Runner, usize, &str)) {
    for first in numbers.clone().step_by(GROUP) {
        let group = first..numbers.end.min(first + GROUP as u64);
        let keys: Vec<String> = group.into_par_iter().map(user).collect();
        runners.par_iter_mut().for_each(|runner| {
            for (place, key) in ((first - numbers.start) as usize..).zip(&keys) {
                work(runner, place, key);
            }
        });
    }
}

/// Runs the experiment.
pub fn figure_14(options: &Options) -> Result<Outcome> {
    let (positives, negatives) = Source::Users.published_sizes();
    let positives = options.scaled(positives, 2000);
    let negatives = options.scaled(negatives, 2000);
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 14: a Bloom filter with functions made in four ways. {positives} YCSB keys as positives, {negatives} as negatives; equal costs, and Zipf costs with skew 1.0, {SHUFFLES} shuffles. Without known negatives, all negatives are unseen."
    ));
    let mut runners = Vec::new();
    for megabytes in [12.5, 17.5, 22.5, 27.5, 32.5] {
        let size = bits_per_key(Source::Users, megabytes);
        for name in WAYS {
            runners.push(Runner {
                size,
                name,
                filter: Way::new(name, (size * positives as f64) as u64, positives)?,
                false_negatives: 0,
                wrong: Vec::new(),
            });
        }
    }
    each(&mut runners, 0..positives, |runner, _, key| {
        runner.filter.insert(key);
    });
    each(&mut runners, 0..positives, |runner, _, key| {
        runner.false_negatives += usize::from(!runner.filter.contains(key));
    });
    each(
        &mut runners,
        positives..positives + negatives,
        |runner, place, key| {
            if runner.filter.contains(key) {
                runner.wrong.push(place as u32);
            }
        },
    );
    for runner in &runners {
        let (name, false_negatives) = (runner.name, runner.false_negatives);
        ensure!(
            false_negatives == 0,
            "{name} does not find {false_negatives} of its keys"
        );
    }
    let mut by_cost = vec![Vec::new(); runners.len()];
    for seed in 0..SHUFFLES {
        let costs = zipf::costs(negatives as usize, 1.0, seed);
        let total: f64 = costs.iter().sum();
        for (runner, rates) in runners.iter().zip(&mut by_cost) {
            let wrong = runner.wrong.iter().map(|&place| costs[place as usize]);
            rates.push(wrong.sum::<f64>() / total);
        }
    }
    let by_cost: Vec<Spread> = by_cost.iter().map(|rates| Spread::of(rates)).collect();
    show(&mut outcome, &runners, &by_cost, negatives as f64);
    outcome.claims = vec![nearly_the_same(&runners), all_fluctuate(&by_cost)];
    Ok(outcome)
}

fn show(outcome: &mut Outcome, runners: &[Runner], by_cost: &[Spread], negatives: f64) {
    let columns = [
        "MB",
        "bits per key",
        "functions from",
        "false positives",
        "equal costs",
        "Zipf costs",
        "±",
    ];
    let mut table = Table::new("", columns);
    let chart = |costs: &str| {
        let x = Axis::linear("bits per key");
        let y = Axis::log("false positive rate");
        Chart::new(format!("HABF, Figure 14, {costs}"), x, y)
    };
    let (mut equal, mut skewed) = (chart("equal costs"), chart("Zipf costs, skew 1.0"));
    for (runner, spread) in runners.iter().zip(by_cost) {
        let (size, name) = (runner.size, runner.name);
        let rate = runner.wrong.len() as f64 / negatives;
        table.row([
            Cell::number(size / bits_per_key(Source::Users, 1.0), 1),
            Cell::number(size, 2),
            name.into(),
            Cell::whole(runner.wrong.len() as u64),
            Cell::rate(rate),
            Cell::rate(spread.mean),
            Cell::rate(spread.deviation),
        ]);
        equal.point(name, size, rate, 0.0);
        skewed.point(name, size, spread.mean, spread.deviation);
    }
    outcome.tables.push(table);
    outcome.charts = vec![equal, skewed];
}

/// The claim that the four ways have nearly the same rate: the largest ratio of the most to the fewest false positives
/// at one size. By chance, four counts differ by up to four standard deviations.
fn nearly_the_same(runners: &[Runner]) -> Claim {
    let of_size = |group: &[Runner]| {
        let counts = || group.iter().map(|runner| runner.wrong.len() as f64);
        let fewest = counts().fold(f64::MAX, f64::min).max(1.0);
        let ratio = counts().fold(0.0, f64::max) / fewest;
        (ratio, 4.0 / fewest.sqrt())
    };
    let sizes = runners.chunks(WAYS.len()).map(of_size);
    let (ratio, chance) = sizes.fold((1.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
    Claim::same(
        "equal costs: the most false positives / the fewest, at the size where they differ most",
        Cell::Number(1.0, "nearly 1".to_string()),
        Cell::number(ratio, 3),
        chance,
        "chance makes four counts differ by up to four of their standard deviations",
    )
}

/// The claim that the rate of every filter at every size varies with the shuffle, by at least a tenth of its mean.
fn all_fluctuate(by_cost: &[Spread]) -> Claim {
    let relative = by_cost.iter().map(|spread| spread.deviation / spread.mean);
    let (least, most) = relative.fold((f64::MAX, 0f64), |(least, most), of_one| {
        (least.min(of_one), most.max(of_one))
    });
    Claim::holds(
        "with Zipf costs all fluctuate",
        "yes",
        format!("a standard deviation of {least:.2} to {most:.2} times the mean"),
        least > 0.1,
        "tested for every filter at every size: the deviation is more than a tenth of the mean",
    )
}
