//! Filters that are exact on known negatives: how many bytes they need for that, and what they cost.
//!
//! `guarded` is compared with the crate `clubcard`, a Bloom cascade and a stacked filter, on the same sets with 1 to 100 known negatives per
//! key. The size of a clubcard follows from the sets. For the others the least size without an error is searched, to
//! half a percent. A filter of the least size has no bits to spare for unseen keys, so `guarded` is shown at the
//! clubcard's size too.

use crate::baseline::{Clubcard, DigestFilter, TooSmall};
use crate::contender::on_threads;
use crate::measure::timing::{in_turns, median_ratio, part, time};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result, ensure};
use bloomwise::guarded::theory::limit_bits;
use bloomwise::keys::Digest;
use bloomwise::{Family, KeySets};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Known negatives per key, and keys.
const PLACES: [(u64, u64); 4] = [
    (1, 1_000_000),
    (4, 1_000_000),
    (20, 500_000),
    (100, 200_000),
];

/// Keys of a timed round, and rounds.
const TIMED: usize = 100_000;
const ROUNDS: usize = 9;

/// The least size is searched to this share.
const STEP: f64 = 1.005;

/// Bits per key that no filter can do without: the limit at the rate on unseen keys where it is lowest, `1 / (1 + r)`. It is the entropy of the
/// set in its universe.
fn limit(negatives_per_key: f64) -> f64 {
    limit_bits(1.0 / (1.0 + negatives_per_key), negatives_per_key)
}

/// A filter, or nothing if it does not fit the size.
type Maybe = Option<Box<dyn DigestFilter>>;

/// Whether a filter has no error on a set.
fn is_exact(filter: &dyn DigestFilter, set: &Set) -> bool {
    let wrong = |&digest: &Digest| filter.may_contain(digest);
    !set.negatives.par_iter().any(wrong)
}

/// The least size at which the filter has no error, in bits per key.
fn least(subject: &Subject, sets: &KeySets, set: &Set, lowest: f64) -> Result<f64> {
    let exact = |per_key: f64| -> Result<bool> {
        let built: Maybe = match subject.build(sets, set.bits(per_key)) {
            Err(error) if error.is::<TooSmall>() => None,
            built => Some(built.with_context(|| subject.name.clone())?),
        };
        Ok(built.is_some_and(|filter| is_exact(filter.as_ref(), set)))
    };
    let (mut low, mut high) = (lowest, lowest);
    while !exact(high)? {
        (low, high) = (high, 1.5 * high);
        ensure!(high < 1000.0, "{} has errors at any size", subject.name);
    }
    while high / low > STEP {
        let middle = (low * high).sqrt();
        if exact(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// A filter, its name and the seconds that its build took on one thread.
struct Entry {
    name: String,
    filter: Box<dyn DigestFilter>,
    seconds: f64,
}

impl Entry {
    fn new(
        name: impl Into<String>,
        build: impl FnOnce() -> Result<Box<dyn DigestFilter>> + Send,
    ) -> Result<Self> {
        let (filter, seconds) = on_threads(1, || {
            let start = Instant::now();
            let filter = build();
            (filter, start.elapsed().as_secs_f64())
        })?;
        Ok(Entry {
            name: name.into(),
            filter: filter?,
            seconds,
        })
    }
}

/// All filters of a set.
fn entries(set: &Set, sets: &KeySets, lowest: f64) -> Result<Vec<Entry>> {
    let guarded = Subject::kind(Family::Guarded);
    let subjects = [guarded.clone(), Subject::cascade(), Subject::stacked()];
    let mut entries = vec![Entry::new("clubcard", || {
        Ok(Box::new(Clubcard::build(sets)?))
    })?];
    let bits = entries[0].filter.bits();
    entries.insert(
        0,
        Entry::new("guarded, as large as the clubcard", || {
            guarded.build(sets, bits)
        })?,
    );
    for subject in subjects {
        let per_key = least(&subject, sets, set, lowest)?;
        let name = format!("{}, least size", subject.name);
        entries.push(Entry::new(name, || subject.build(sets, set.bits(per_key)))?);
    }
    Ok(entries)
}

/// Nanoseconds per query of members, known negatives and unseen keys, for all rounds of each filter.
fn times(entries: &[Entry], set: &Set) -> Result<Vec<Vec<[f64; 3]>>> {
    // Digests are sorted; a stride visits them in no order that a cache likes.
    let some = |digests: &[Digest]| -> Vec<Digest> {
        let stride = (0..TIMED.min(digests.len())).map(|n| (n * 7_368_787) % digests.len());
        stride.map(|at| digests[at]).collect()
    };
    let keys = [&set.positives, &set.negatives, &set.unseen].map(|digests| some(digests));
    in_turns(ROUNDS, entries.len(), |number| {
        let filter = entries[number].filter.as_ref();
        Ok(keys.each_ref().map(|keys| {
            let count = || {
                keys.iter()
                    .filter(|&&digest| filter.may_contain(digest))
                    .count()
            };
            let (found, nanoseconds) = time(keys.len(), count);
            black_box(found);
            nanoseconds
        }))
    })
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are exact on known negatives: guarded, the crate clubcard, a Bloom cascade and a stacked filter, on the same sets of YCSB keys. Builds on one thread. Query times are ratios to the first row of each table, median of rounds in turns; members / known negatives / unseen keys.",
    );
    let x = Axis::log("known negatives per key");
    let title = "Bits per key without an error on known negatives";
    let mut chart = Chart::new(title, x, Axis::log("bits per key"));
    for (ratio, keys) in PLACES {
        let keys = options.scaled(keys, 2000);
        let set = Set::sized(Source::Users, keys, ratio * keys, 1_000_000);
        let sets = set.with_equal_costs()?;
        let lowest = limit(ratio as f64);
        let entries = entries(&set, &sets, lowest)?;
        let times = times(&entries, &set)?;
        let title = format!(
            "Known negatives per key: {ratio}. {keys} keys; the limit is {lowest:.3} bits per key"
        );
        let columns = [
            "filter",
            "bytes",
            "bits per key",
            "times the limit",
            "known errors",
            "unseen",
            "build, ns per key and negative",
            "query, ratio",
        ];
        let mut table = Table::new(title, columns);
        for (number, entry) in entries.iter().enumerate() {
            let filter = entry.filter.as_ref();
            let misses = set
                .positives
                .par_iter()
                .filter(|&&digest| !filter.may_contain(digest));
            ensure!(misses.count() == 0, "{} has false negatives", entry.name);
            let hits = |digests: &[Digest]| {
                digests
                    .par_iter()
                    .filter(|&&digest| filter.may_contain(digest))
                    .count()
            };
            let per_key = filter.bits() as f64 / keys as f64;
            let ratios = [0, 1, 2].map(|of| {
                let (own, first) = (part(&times[number], of), part(&times[0], of));
                format!("{:.2}", median_ratio(&own, &first))
            });
            let all = (keys + ratio * keys) as f64;
            if number > 0 {
                chart.point(&entry.name, ratio as f64, per_key, 0.0);
            }
            table.row([
                entry.name.as_str().into(),
                Cell::whole(filter.bits().div_ceil(8)),
                Cell::number(per_key, 3),
                Cell::number(per_key / lowest, 3),
                Cell::whole(hits(&set.negatives) as u64),
                Cell::rate(hits(&set.unseen) as f64 / set.unseen.len() as f64),
                Cell::number(1e9 * entry.seconds / all, 0),
                ratios.join(" / ").into(),
            ]);
        }
        chart.point("limit", ratio as f64, lowest, 0.0);
        outcome.tables.push(table);
    }
    outcome.charts.push(chart);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_the_entropy_of_the_set_in_its_universe() {
        assert!((limit(1.0) - 2.0).abs() < 1e-12);
        // 2.6 negatives per key need 3.1 bits.
        assert!((limit(2.6) - 3.1).abs() < 0.05);
    }

    #[test]
    fn least_size_is_exact_and_slightly_less_is_not() {
        let set = Set::sized(Source::Users, 5000, 20_000, 100);
        let sets = set.with_equal_costs().expect("valid");
        let subject = Subject::cascade();
        let found = least(&subject, &sets, &set, limit(4.0)).expect("exists");
        assert!(found > limit(4.0) && found < 3.0 * limit(4.0), "{found}");
        assert!(subject.build(&sets, set.bits(found)).is_ok());
        assert!(subject.build(&sets, set.bits(0.9 * found)).is_err());
    }
}
