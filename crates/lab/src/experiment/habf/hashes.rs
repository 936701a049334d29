//! Figure 14: a plain Bloom filter has the same rate with different hash functions, and ignores costs in the same way.
//!
//! The paper has three ways to make the functions: `CityHash` with a seed per function, XXH128 with a seed per function, and a different hash from
//! its Table II for each function. The first two are here, beside one XXH3 digest from which all functions are derived, as in this library.
//! The third is not. All filters process the same groups of keys in turn, so that each key is generated once.

use super::bits_per_key;
use crate::baseline::Seeded;
use crate::measure::cost_classes::{CostClasses, Wrong};
use crate::measure::{Orders, Spread};
use crate::options::Options;
use crate::output::verdict::Says;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::{Source, user, zipf};
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Insert, Size};
use rayon::prelude::*;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Keys generated at once.
const GROUP: usize = 100_000;

const MEGABYTES: [f64; 5] = [12.5, 17.5, 22.5, 27.5, 32.5];

/// A filter with functions made in one way.
enum Way {
    Ours(Bloom),
    Seeded(Seeded),
}

impl Way {
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

/// All ways, with filters of this size.
fn ways(bits: u64, keys: u64) -> Result<[(&'static str, Way); 3]> {
    let ours = Bloom::builder(Size::Bits(bits)).capacity(keys).create()?;
    let city = |key: &[u8], seed: u64| cityhasher::hash_with_seed(key, seed);
    let xxh = |key: &[u8], seed: u64| xxh3_128_with_seed(key, seed) as u64;
    Ok([
        ("one XXH3 digest", Way::Ours(ours)),
        (
            "CityHash64, a seed each",
            Way::Seeded(Seeded::new(bits, keys, city)?),
        ),
        (
            "XXH128, a seed each",
            Way::Seeded(Seeded::new(bits, keys, xxh)?),
        ),
    ])
}

/// A filter and its results so far.
struct Runner {
    size: f64,
    name: &'static str,
    filter: Way,
    /// Keys of the set that are not found, and other keys that are.
    false_negatives: usize,
    wrong: usize,
}

/// Passes all keys with these numbers to all runners.
fn each(runners: &mut [Runner], numbers: Range<u64>, work: fn(&mut Runner, &str)) {
    for first in numbers.clone().step_by(GROUP) {
        let group = first..numbers.end.min(first + GROUP as u64);
        let keys: Vec<String> = group.into_par_iter().map(user).collect();
        let run = |runner: &mut Runner| keys.iter().for_each(|key| work(runner, key));
        runners.par_iter_mut().for_each(run);
    }
}

/// Runs the experiment.
pub fn figure_14(options: &Options) -> Result<Outcome> {
    let (positives, negatives) = Source::Users.published_sizes();
    let [positives, negatives] = [positives, negatives].map(|count| options.scaled(count, 2000));
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 14: a Bloom filter with functions made in three ways. {positives} YCSB keys as positives, {negatives} as negatives; equal costs, and ten orders of Zipf costs with skew 1.0. Without known negatives, all negatives are unseen."
    ));
    let mut runners = Vec::new();
    for megabytes in MEGABYTES {
        let size = bits_per_key(Source::Users, megabytes);
        for (name, filter) in ways((size * positives as f64) as u64, positives)? {
            let (false_negatives, wrong) = (0, 0);
            runners.push(Runner {
                size,
                name,
                filter,
                false_negatives,
                wrong,
            });
        }
    }
    each(&mut runners, 0..positives, |runner, key| {
        runner.filter.insert(key);
    });
    each(&mut runners, 0..positives, |runner, key| {
        runner.false_negatives += usize::from(!runner.filter.contains(key));
    });
    each(
        &mut runners,
        positives..positives + negatives,
        |runner, key| {
            runner.wrong += usize::from(runner.filter.contains(key));
        },
    );
    let columns = [
        "MB",
        "bits per key",
        "functions from",
        "equal costs",
        "ten orders: median",
        "lowest",
        "highest",
    ];
    let mut table = Table::new("", columns);
    let x = Axis::linear("bits per key");
    let title = "HABF, Figure 14, equal costs";
    let mut chart = Chart::new(title, x, Axis::rates("false positive rate"));
    let classes = CostClasses::new(&zipf::by_rank(negatives as usize, 1.0), 0);
    let mut relative = Vec::new();
    for runner in &runners {
        let Runner {
            size,
            name,
            false_negatives,
            wrong,
            ..
        } = *runner;
        ensure!(
            false_negatives == 0,
            "{name} does not find {false_negatives} of its keys"
        );
        let counted = [
            Wrong::default(),
            Wrong {
                wrong,
                of: negatives as usize,
            },
        ];
        let orders = Orders::draw(&classes, &[counted]);
        let all = classes.rate(counted);
        relative.push(all.deviation / all.mean);
        let cells = [
            Cell::number(size / bits_per_key(Source::Users, 1.0), 1),
            Cell::number(size, 2),
            name.into(),
        ];
        let rates = [counted[1].rate(), orders.median, orders.low, orders.high];
        table.row(cells.into_iter().chain(rates.map(Cell::rate)));
        chart.point(name, size, counted[1].rate(), 0.0);
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let ratios = runners.chunks(3).map(|ways| {
        let counts = || ways.iter().map(|way| way.wrong as f64);
        let (fewest, most) = (
            counts().fold(f64::MAX, f64::min).max(1.0),
            counts().fold(0.0, f64::max),
        );
        let (mean, deviation) = (most / fewest, (2.0 / fewest).sqrt());
        Spread { mean, deviation }
    });
    let furthest = ratios
        .max_by(|a, b| a.mean.total_cmp(&b.mean))
        .unwrap_or_default();
    let what = "equal costs: the most false positives / the fewest, where they differ most";
    let claim = Claim::ratio(what, Says::Equal, 1.0, furthest);
    outcome
        .claims
        .push(claim.rests_on("equal costs").headline());
    let mean = relative.into_iter().fold(f64::INFINITY, f64::min);
    let what = "with Zipf costs all fluctuate (least deviation of an order / mean)";
    let least = Spread {
        mean,
        deviation: 0.0,
    };
    let claim = Claim::ratio(what, Says::AtLeast, 0.1, least);
    outcome.claims.push(claim.rests_on("all orders"));
    Ok(outcome)
}
