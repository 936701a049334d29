//! Figure 14: a plain Bloom filter has the same rate with different hash functions, and ignores costs in the same way.
//!
//! The paper has three ways to make the functions: `CityHash` with a seed per function, XXH128 with a seed per function, and a different hash from
//! its Table II for each function. The first two are here, beside one XXH3 digest from which all functions are derived, as in this library.
//! The third is not. All filters process the same groups of keys in turn, so that each key is generated once.

use super::bits_per_key;
use crate::filter::Seeded;
use crate::prelude::*;
use crate::rates::Orders;
use crate::rates::cost_classes::{CostClasses, Wrong};
use bloomwise::{Bloom, Insert};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Keys generated at once.
const GROUP: usize = 100_000;

const MEGABYTES: [f64; 5] = [12.5, 17.5, 22.5, 27.5, 32.5];

/// A filter with functions made in one way.
trait Way: Send {
    fn insert(&mut self, key: &str);
    fn contains(&self, key: &str) -> bool;
}

impl Way for Bloom {
    fn insert(&mut self, key: &str) {
        Insert::insert(self, key);
    }
    fn contains(&self, key: &str) -> bool {
        Filter::contains(self, key)
    }
}

impl Way for Seeded {
    fn insert(&mut self, key: &str) {
        Seeded::insert(self, key.as_bytes());
    }
    fn contains(&self, key: &str) -> bool {
        Seeded::contains(self, key.as_bytes())
    }
}

/// All ways, with filters of this size.
fn ways(bits: u64, keys: u64) -> Result<[(&'static str, Box<dyn Way>); 3]> {
    let ours = Bloom::builder(Size::Bits(bits)).capacity(keys).create()?;
    let city = Seeded::new(bits, keys, |key, seed| {
        cityhasher::hash_with_seed(key, seed)
    })?;
    let xxh = Seeded::new(bits, keys, |key, seed| xxh3_128_with_seed(key, seed) as u64)?;
    Ok([
        ("one XXH3 digest", Box::new(ours)),
        ("CityHash64, a seed each", Box::new(city)),
        ("XXH128, a seed each", Box::new(xxh)),
    ])
}

/// A filter and its results so far.
struct Runner {
    size: f64,
    name: &'static str,
    filter: Box<dyn Way>,
    /// Keys of the set that are not found, and other keys that are.
    missing: usize,
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
    let [positives, negatives] = Source::Users.scaled_sizes(options);
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 14: a Bloom filter with functions made in three ways. {positives} YCSB keys as positives, {negatives} as negatives; equal costs, and ten orders of Zipf costs with skew 1.0. Without known negatives, all negatives are unseen."
    ));
    let mut runners = Vec::new();
    for megabytes in MEGABYTES {
        let size = bits_per_key(Source::Users, megabytes);
        for (name, filter) in ways((size * positives as f64) as u64, positives)? {
            runners.push(Runner {
                size,
                name,
                filter,
                missing: 0,
                wrong: 0,
            });
        }
    }
    let others = positives..positives + negatives;
    each(&mut runners, 0..positives, |runner, key| {
        runner.filter.insert(key);
    });
    each(&mut runners, 0..positives, |runner, key| {
        runner.missing += usize::from(!runner.filter.contains(key));
    });
    each(&mut runners, others, |runner, key| {
        runner.wrong += usize::from(runner.filter.contains(key));
    });
    let columns = "MB {1} | bits per key {2} | functions from | equal costs {%} | ten orders: median {%} | lowest {%} | highest {%}";
    let mut table = Table::new("", columns);
    let classes = CostClasses::new(&zipf::by_rank(negatives as usize, 1.0), 0);
    let mut relative = f64::INFINITY;
    for runner in &runners {
        let (size, name, missing) = (runner.size, runner.name, runner.missing);
        ensure!(missing == 0, "{name} does not find {missing} of its keys");
        let (wrong, of) = (runner.wrong, negatives as usize);
        let counted = [Wrong::default(), Wrong { wrong, of }];
        let orders = Orders::draw(&classes, &[counted]);
        let all = classes.rate(counted);
        relative = relative.min(all.deviation / all.mean);
        let rates = [counted[1].rate(), orders.median, orders.low, orders.high];
        table.row((size / bits_per_key(Source::Users, 1.0), size, name, rates));
    }
    let chart = Chart::rates("HABF, Figure 14, equal costs", "bits per key");
    let columns = ["bits per key", "functions from", "equal costs"];
    outcome.charts.push(chart.rows(&table, columns));
    outcome.tables.push(table);
    let ratios = runners.chunks(3).map(|ways| {
        let counts = || ways.iter().map(|way| way.wrong as f64);
        let fewest = counts().fold(f64::MAX, f64::min).max(1.0);
        let (mean, deviation) = (counts().fold(0.0, f64::max) / fewest, (2.0 / fewest).sqrt());
        Spread { mean, deviation }
    });
    let furthest = ratios.max_by(|a, b| a.mean.total_cmp(&b.mean));
    let furthest = furthest.unwrap_or_default();
    let what = "equal costs: the most false positives / the fewest, where they differ most";
    let claim = Claim::ratio(what, Says::Equal, 1.0, furthest).rests_on("equal costs");
    outcome.claims.push(claim.headline());
    let what = "with Zipf costs all fluctuate (least deviation of an order / mean)";
    let claim = Claim::ratio(what, Says::AtLeast, 0.1, relative);
    outcome.claims.push(claim.rests_on("all orders"));
    Ok(outcome)
}
