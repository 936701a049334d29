//! What a patch costs, and when a fresh filter is the better download.
//!
//! A guarded filter with as many known negatives as keys is the base. Some of its keys are replaced by others, and a patch is made. Every key
//! of the new set, every removed key and every known negative is looked up in the patched filter; one wrong answer ends the run.

use crate::prelude::*;
use bloomwise::Persist;
use bloomwise::guarded::theory::limit_bits;
use bloomwise::patched::Patch;
use std::ops::Range;

/// The bits per key of the bases.
const BITS: [f64; 3] = [7.03, 8.44, 10.0];

/// The shares of the keys that are replaced, in percent.
const REPLACED: [f64; 8] = [0.1, 1.0, 5.0, 20.0, 40.0, 60.0, 80.0, 100.0];

/// The share of the keys that are replaced every day, in percent.
const DAILY: [u64; 3] = [1, 2, 5];

/// After how many days a fresh filter is published.
const DAYS: [u64; 9] = [1, 2, 3, 5, 7, 10, 15, 20, 30];

/// How often all filters take turns.
const ROUNDS: usize = 9;

/// The most queries that are timed at once.
const TIMED: u64 = 1_000_000;

/// The first known negative, and the first unseen key.
const NEGATIVE: u64 = 1 << 40;
const UNSEEN: u64 = 1 << 50;

/// A base and its sets.
struct Base {
    keys: u64,
    old: KeySets,
    filter: AnyFilter,
    /// The number of queries for a rate.
    queries: u64,
    /// The rate on unseen keys.
    rate: f64,
}

/// The keys after some were replaced: the first ones are gone.
fn sets(keys: u64, replaced: u64) -> Result<KeySets> {
    let negatives = (NEGATIVE..NEGATIVE + keys).map(|key| (key, 1.0));
    Ok(KeySets::new(replaced..keys + replaced, negatives)?)
}

/// How many of these keys a filter accepts.
fn accepted(filter: &AnyFilter, keys: Range<u64>) -> u64 {
    let answers = filter.contains_batch(keys);
    answers.into_iter().filter(|&answer| answer).count() as u64
}

/// The rate on unseen keys.
fn rate(filter: &AnyFilter, queries: u64) -> f64 {
    accepted(filter, UNSEEN..UNSEEN + queries) as f64 / queries as f64
}

impl Base {
    fn build(keys: u64, bits: f64, queries: u64) -> Result<Self> {
        let old = sets(keys, 0)?;
        let filter = Spec::new(Family::Guarded).size(Size::BitsPerKey(bits));
        let filter = filter.build(&old)?;
        let rate = rate(&filter, queries);
        Ok(Base {
            keys,
            old,
            filter,
            queries,
            rate,
        })
    }

    /// Makes and checks the patch of a set some of whose keys are replaced.
    fn patch(&self, replaced: u64) -> Result<(Patch, AnyFilter)> {
        let new = sets(self.keys, replaced)?;
        let patch = Patch::build(&self.filter, &self.old, &new)?;
        let patched = patch.clone().apply(self.filter.clone())?;
        let found = accepted(&patched, replaced..self.keys + replaced);
        ensure!(found == self.keys, "{} false negatives", self.keys - found);
        let wrong = accepted(&patched, NEGATIVE..NEGATIVE + self.keys);
        ensure!(wrong == 0, "{wrong} known negatives are wrong");
        let wrong = accepted(&patched, 0..replaced);
        ensure!(wrong == 0, "{wrong} removed keys are accepted");
        Ok((patch, patched))
    }

    /// The bytes of a patch, in bytes of the base.
    fn share(&self, patch: &Patch) -> f64 {
        patch.encoded_len() as f64 / self.filter.encoded_len() as f64
    }

    /// The same by the information limit, without headers.
    fn limit(&self, patch: &Patch, replaced: u64) -> f64 {
        let (added, denied) = (patch.added() as f64, patch.denied() as f64);
        let staying = self.keys as f64 - added;
        let (known, kept) = ((self.keys + replaced) as f64 / added, staying / denied);
        let added = added * limit_bits(0.15 * self.filter.rate(), known);
        let denied = denied * limit_bits(1.0 / (1.0 + kept), kept);
        (added + denied) / self.filter.size_in_bits() as f64
    }

    /// Adds a row for the patch of a set some of whose keys are replaced. `first` is its first cell. Returns the size of the patch in bytes of
    /// the base.
    fn row(&self, table: &mut Table, first: impl Cells, share: f64, replaced: u64) -> Result<f64> {
        let (patch, patched) = self.patch(replaced)?;
        let bytes = self.share(&patch);
        let sizes = (patch.added(), patch.denied(), patch.encoded_len());
        let shares = [bytes, self.limit(&patch, replaced)];
        let unseen = rate(&patched, self.queries) / self.rate;
        let predicted = patched.rate() / self.filter.rate();
        table.row((first, share, sizes, shares, self.rate, unseen, predicted));
        Ok(bytes)
    }
}

/// Mean download per day, if some share of the keys is replaced each day and a fresh filter is published every so many days.
fn days(base: &Base) -> Result<Table> {
    let title = "Bytes per day of a client that downloads every day, in bytes of the base";
    let table = Table::new(title, "a fresh filter every");
    let names = DAILY.map(|daily| format!("{daily} % replaced a day"));
    let mut table = table.and(&names, "{%}");
    let last = DAYS[DAYS.len() - 1];
    let share = |daily: u64, day: u64| {
        let replaced = (base.keys * daily * day / 100).min(base.keys);
        let patch = Patch::build(&base.filter, &base.old, &sets(base.keys, replaced)?)?;
        anyhow::Ok(base.share(&patch))
    };
    let patches = DAILY.map(|daily| (1..last).map(|day| share(daily, day)).collect());
    let patches = patches.into_iter().collect::<Result<Vec<Vec<f64>>>>()?;
    for every in DAYS {
        let name = match every {
            1 => "day".to_string(),
            _ => format!("{every} days"),
        };
        let sum = |shares: &Vec<f64>| shares[..every as usize - 1].iter().sum::<f64>();
        let means = patches
            .iter()
            .map(|shares| (1.0 + sum(shares)) / every as f64);
        table.row((name, means.collect::<Vec<_>>()));
    }
    Ok(table)
}

/// Times of queries on the patched filter, as ratios to those on its base.
fn speed(base: &Base, table: &mut Table) -> Result<()> {
    for percent in [1, 20] {
        let replaced = base.keys * percent / 100;
        let (_, patched) = base.patch(replaced)?;
        // Every few keys of a large filter, so that queries do not find theirs in the cache.
        let step = base.keys.div_ceil(TIMED) as usize;
        let members: Vec<u64> = (replaced..base.keys).step_by(step).collect();
        let others: Vec<u64> = (UNSEEN..UNSEEN + base.keys).step_by(step).collect();
        let keys = [&members[..], &others[..]];
        let filters = [&base.filter, &patched];
        let turns = Turns::take(ROUNDS, 2, |number| {
            let filter = filters[number];
            let single = |keys: &[u64]| {
                let count = || keys.iter().filter(|key| filter.contains(key)).count();
                time(keys.len(), || black_box(count())).1
            };
            let batch = |keys: &[u64]| time(keys.len(), || filter.contains_batch(keys)).1;
            let ([a, b], [c, d]) = (keys.map(single), keys.map(batch));
            Ok([a, b, c, d])
        })?;
        table.row((base.keys, percent as f64 / 100.0, turns.median_ratios(1, 0)));
    }
    Ok(())
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 1000);
    let queries = options.scaled(10_000_000, 10_000);
    let mut outcome = Outcome::new(format!(
        "Patches of guarded filters with as many known negatives as keys. Rates on {queries} unseen keys. No key was denied, and no known negative and no removed key accepted. The limit is the size of both filters by the formula b = log2(1/e) + r log2(1/(1-e)), without headers."
    ));
    let columns = "replaced {%} | added | denied | bytes | bytes / base {%} | limit / base {%} | unseen, base {%} | unseen / base {3} | predicted {3}";
    let with_bits = format!("bits per key {{2}} | {columns}");
    let mut table = Table::new(format!("{keys} keys"), &with_bits);
    let mut chart = Chart::new(
        format!("Size of a patch, {keys} keys"),
        Axis::linear("keys replaced, %"),
        Axis::linear("bytes of the patch / bytes of the base, %"),
    );
    for bits in BITS {
        let base = Base::build(keys, bits, queries)?;
        for percent in REPLACED {
            let replaced = (keys as f64 * percent / 100.0).round() as u64;
            let bytes = base.row(&mut table, bits, percent / 100.0, replaced)?;
            chart.point(&format!("{bits} bits per key"), percent, 100.0 * bytes, 0.0);
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);

    let title = "1 % of the keys replaced, 8.44 bits per key";
    let mut table = Table::new(title, &format!("keys | {columns}"));
    for keys in [10_000, 100_000, 1_000_000, 10_000_000] {
        let keys = options.scaled(keys, 1000);
        let base = Base::build(keys, BITS[1], queries)?;
        base.row(&mut table, keys, 0.01, keys / 100)?;
    }
    outcome.tables.push(table);

    let base = Base::build(options.scaled(200_000, 1000), BITS[1], queries / 10)?;
    outcome.tables.push(days(&base)?);

    let title = format!("Times, patched / base, 8.44 bits per key, medians of {ROUNDS} rounds");
    let columns = "keys | replaced {%} | member {2} | non-member {2} | members, batch {2} | non-members, batch {2}";
    let mut table = Table::new(title, columns);
    for keys in [100_000, 10_000_000] {
        let base = Base::build(options.scaled(keys, 1000), BITS[1], queries / 10)?;
        speed(&base, &mut table)?;
    }
    outcome.tables.push(table);
    Ok(outcome)
}
