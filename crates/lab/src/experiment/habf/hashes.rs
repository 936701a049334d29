//! Figure 14: a plain Bloom filter whose functions are made in other ways has the same rate, and is as blind to costs.

use super::bits_per_key;
use crate::baseline::Seeded;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::zipf::{self, Spread};
use crate::workload::{Source, user};
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Size};
use xxhash_rust::xxh3::xxh3_64_with_seed;
use xxhash_rust::xxh64::xxh64;

/// FNV-1a from an offset that the seed decides; the last multiplications mix the upper bits, which positions come from.
fn fnv(key: &[u8], seed: u64) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let hash = key.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// One way to make functions: a filter that is filled and asked.
enum Way {
    Ours(Bloom),
    Seeded(Seeded),
}

impl Way {
    fn insert(&mut self, key: &[u8]) {
        match self {
            Way::Ours(filter) => filter.insert(key),
            Way::Seeded(filter) => filter.insert(key),
        }
    }

    fn contains(&self, key: &[u8]) -> bool {
        match self {
            Way::Ours(filter) => filter.contains(key),
            Way::Seeded(filter) => filter.contains(key),
        }
    }
}

/// Runs it.
pub fn figure_14(options: &Options) -> Result<Outcome> {
    let (positives, negatives) = Source::Users.published();
    // A third of the paper's set: twenty filters take the bytes of each key as often as they have functions.
    let positives = options.scaled(positives / 3, 2000);
    let negatives = options.scaled(negatives / 3, 2000);
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 14: a Bloom filter with functions made in four ways. {positives} YCSB keys as positives, {negatives} as negatives; equal costs, and Zipf costs with skew 1.0, 5 shuffles. Without known negatives, all negatives are unseen."
    ));
    let shuffles: Vec<_> = (0..5)
        .map(|seed| zipf::costs(negatives as usize, 1.0, seed))
        .collect();
    let columns = [
        "bits per key",
        "functions from",
        "equal costs",
        "Zipf costs",
        "±",
    ];
    let mut table = Table::new("", columns);
    let axes = || {
        (
            Axis::linear("bits per key"),
            Axis::log("false positive rate"),
        )
    };
    let chart = |costs: &str| {
        let (x, y) = axes();
        Chart::new(format!("HABF, Figure 14, {costs}"), x, y)
    };
    let (mut equal, mut skewed) = (chart("equal costs"), chart("Zipf costs, skew 1.0"));
    let (mut widest, mut spread) = (1f64, 0f64);
    for megabytes in [12.5, 17.5, 22.5, 27.5, 32.5] {
        let size = bits_per_key(Source::Users, megabytes);
        let bits = (size * positives as f64) as u64;
        let mut of_size = Vec::new();
        for name in [
            "one XXH3 digest",
            "seeded XXH3",
            "seeded XXH64",
            "seeded FNV-1a",
        ] {
            let seeded =
                |hash| Ok::<_, anyhow::Error>(Way::Seeded(Seeded::new(bits, positives, hash)?));
            let mut filter = match name {
                "seeded XXH3" => seeded(xxh3_64_with_seed)?,
                "seeded XXH64" => seeded(xxh64)?,
                "seeded FNV-1a" => seeded(fnv)?,
                _ => Way::Ours(Bloom::builder(positives, Size::Bits(bits)).build()?),
            };
            (0..positives).for_each(|n| filter.insert(user(n).as_bytes()));
            let denied = (0..positives).filter(|&n| !filter.contains(user(n).as_bytes()));
            ensure!(denied.count() == 0, "{name}: a positive is denied");
            let wrong = (0..negatives).filter(|&n| filter.contains(user(positives + n).as_bytes()));
            let wrong: Vec<usize> = wrong.map(|n| n as usize).collect();
            let rate = wrong.len() as f64 / negatives as f64;
            let weighted = |costs: &Vec<f64>| {
                let sum: f64 = wrong.iter().map(|&n| costs[n]).sum();
                sum / costs.iter().sum::<f64>()
            };
            let by_cost = Spread::of(&shuffles.iter().map(weighted).collect::<Vec<_>>());
            table.row([
                Cell::number(size, 2),
                name.into(),
                Cell::rate(rate),
                Cell::rate(by_cost.mean),
                Cell::rate(by_cost.deviation),
            ]);
            equal.point(name, size, rate, 0.0);
            skewed.point(name, size, by_cost.mean, by_cost.deviation);
            of_size.push(wrong.len() as f64);
            spread = spread.max(by_cost.deviation / by_cost.mean.max(1e-12));
        }
        let highest = of_size.iter().copied().fold(0.0, f64::max);
        let lowest = of_size.iter().copied().fold(f64::MAX, f64::min);
        // Beyond what chance does to counts like these.
        let chance = 1.0 + 4.0 / lowest.max(1.0).sqrt();
        widest = widest.max(highest / lowest.max(1.0) / chance);
    }
    outcome.tables.push(table);
    outcome.charts = vec![equal, skewed];
    outcome.claims = vec![
        Claim::holds(
            "with equal costs all are nearly the same",
            "yes",
            format!("within a factor of {widest:.3}, beyond four deviations of the counts"),
            widest < 1.05,
            "",
        ),
        Claim::holds(
            "with Zipf costs all fluctuate",
            "yes",
            format!("a standard deviation of up to {spread:.1} times the mean"),
            spread > 0.3,
            "",
        ),
    ];
    Ok(outcome)
}
