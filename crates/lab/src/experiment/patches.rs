//! What a patch costs, and when a fresh filter is the better download.
//!
//! A guarded filter with as many known negatives as keys is the base. Some of its keys are replaced by others, and a patch is made. Every key
//! of the new set, every removed key and every known negative is looked up in the patched filter; one wrong answer ends the run.

use crate::measure::timing::{in_turns, median_ratio, part, time};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use anyhow::{Result, ensure};
use bloomwise::guarded::theory::limit_bits;
use bloomwise::patched::Patch;
use bloomwise::{AnyFilter, Family, Filter, KeySets, Persist, Size, Spec};
use std::hint::black_box;
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

/// A patch and what was measured on it.
struct Measured {
    patch: Patch,
    patched: AnyFilter,
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

impl Base {
    fn build(keys: u64, bits: f64, queries: u64) -> Result<Self> {
        let old = sets(keys, 0)?;
        let filter = Spec::new(Family::Guarded).size(Size::BitsPerKey(bits));
        let filter = filter.build(&old)?;
        let wrong = accepted(&filter, UNSEEN..UNSEEN + queries);
        Ok(Base {
            keys,
            old,
            filter,
            queries,
            rate: wrong as f64 / queries as f64,
        })
    }

    /// Makes and checks the patch of a set some of whose keys are replaced.
    fn patch(&self, replaced: u64) -> Result<Measured> {
        let new = sets(self.keys, replaced)?;
        let patch = Patch::build(&self.filter, &self.old, &new)?;
        let patched = patch.clone().apply(self.filter.clone())?;
        let found = accepted(&patched, replaced..self.keys + replaced);
        ensure!(found == self.keys, "{} false negatives", self.keys - found);
        let wrong = accepted(&patched, NEGATIVE..NEGATIVE + self.keys);
        ensure!(wrong == 0, "{wrong} known negatives are wrong");
        let wrong = accepted(&patched, 0..replaced);
        ensure!(wrong == 0, "{wrong} removed keys are accepted");
        let wrong = accepted(&patched, UNSEEN..UNSEEN + self.queries);
        Ok(Measured {
            patch,
            patched,
            rate: wrong as f64 / self.queries as f64,
        })
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
}

/// Patches of one base.
fn sizes(base: &Base, bits: f64, table: &mut Table, chart: &mut Chart) -> Result<()> {
    for percent in REPLACED {
        let replaced = (base.keys as f64 * percent / 100.0).round() as u64;
        let Measured {
            patch,
            patched,
            rate,
        } = base.patch(replaced)?;
        let share = base.share(&patch);
        chart.point(&format!("{bits} bits per key"), percent, 100.0 * share, 0.0);
        table.row([
            Cell::number(bits, 2),
            Cell::rate(percent / 100.0),
            Cell::whole(patch.added()),
            Cell::whole(patch.denied()),
            Cell::whole(patch.encoded_len()),
            Cell::rate(share),
            Cell::rate(base.limit(&patch, replaced)),
            Cell::rate(base.rate),
            Cell::number(rate / base.rate, 3),
            Cell::number(patched.rate() / base.filter.rate(), 3),
        ]);
    }
    Ok(())
}

/// Mean download per day, if some share of the keys is replaced each day and a fresh filter is published every so many days.
fn days(base: &Base) -> Result<Table> {
    let mut columns = vec!["a fresh filter every".to_string()];
    columns.extend(DAILY.map(|daily| format!("{daily} % replaced a day")));
    let title = "Bytes per day of a client that downloads every day, in bytes of the base";
    let mut table = Table::new(title, columns.iter().map(String::as_str));
    let last = DAYS[DAYS.len() - 1];
    let mut patches = Vec::new();
    for daily in DAILY {
        let mut shares = Vec::new();
        for day in 1..last {
            let replaced = (base.keys * daily * day / 100).min(base.keys);
            let patch = Patch::build(&base.filter, &base.old, &sets(base.keys, replaced)?)?;
            shares.push(base.share(&patch));
        }
        patches.push(shares);
    }
    for every in DAYS {
        let mut row = vec![Cell::from(match every {
            1 => "day".to_string(),
            _ => format!("{every} days"),
        })];
        for shares in &patches {
            let sum: f64 = shares[..every as usize - 1].iter().sum();
            row.push(Cell::rate((1.0 + sum) / every as f64));
        }
        table.row(row);
    }
    Ok(table)
}

/// Times of queries on the patched filter, as ratios to those on its base.
fn speed(base: &Base, table: &mut Table) -> Result<()> {
    for percent in [1, 20] {
        let replaced = base.keys * percent / 100;
        let patched = base.patch(replaced)?.patched;
        // Every few keys of a large filter, so that queries do not find theirs in the cache.
        let step = base.keys.div_ceil(TIMED) as usize;
        let members: Vec<u64> = (replaced..base.keys).step_by(step).collect();
        let others: Vec<u64> = (UNSEEN..UNSEEN + base.keys).step_by(step).collect();
        let filters = [&base.filter, &patched];
        let times = in_turns(ROUNDS, 2, |number| {
            let filter = filters[number];
            let single = |keys: &[u64]| {
                let count = || keys.iter().filter(|key| filter.contains(key)).count();
                time(keys.len(), || black_box(count())).1
            };
            let batch = |keys: &[u64]| time(keys.len(), || filter.contains_batch(keys)).1;
            Ok([
                single(&members),
                single(&others),
                batch(&members),
                batch(&others),
            ])
        })?;
        let mut row = vec![Cell::whole(base.keys), Cell::rate(percent as f64 / 100.0)];
        for which in 0..4 {
            let of = |number: usize| part(&times[number], which);
            row.push(Cell::number(median_ratio(&of(1), &of(0)), 2));
        }
        table.row(row);
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
    let columns = [
        "bits per key",
        "replaced",
        "added",
        "denied",
        "bytes",
        "bytes / base",
        "limit / base",
        "unseen, base",
        "unseen / base",
        "predicted",
    ];
    let mut table = Table::new(format!("{keys} keys"), columns);
    let mut chart = Chart::new(
        format!("Size of a patch, {keys} keys"),
        Axis::linear("keys replaced, %"),
        Axis::linear("bytes of the patch / bytes of the base, %"),
    );
    for bits in BITS {
        let base = Base::build(keys, bits, queries)?;
        sizes(&base, bits, &mut table, &mut chart)?;
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);

    let mut table = Table::new("1 % of the keys replaced, 8.44 bits per key", {
        let mut columns = columns;
        columns[0] = "keys";
        columns
    });
    let all = [10_000, 100_000, 1_000_000, 10_000_000];
    for keys in all.map(|keys| options.scaled(keys, 1000)) {
        let base = Base::build(keys, BITS[1], queries)?;
        let Measured {
            patch,
            patched,
            rate,
        } = base.patch(keys / 100)?;
        table.row([
            Cell::whole(keys),
            Cell::rate(0.01),
            Cell::whole(patch.added()),
            Cell::whole(patch.denied()),
            Cell::whole(patch.encoded_len()),
            Cell::rate(base.share(&patch)),
            Cell::rate(base.limit(&patch, keys / 100)),
            Cell::rate(base.rate),
            Cell::number(rate / base.rate, 3),
            Cell::number(patched.rate() / base.filter.rate(), 3),
        ]);
    }
    outcome.tables.push(table);

    let base = Base::build(options.scaled(200_000, 1000), BITS[1], queries / 10)?;
    outcome.tables.push(days(&base)?);

    let title = format!("Times, patched / base, 8.44 bits per key, medians of {ROUNDS} rounds");
    let columns = [
        "keys",
        "replaced",
        "member",
        "non-member",
        "members, batch",
        "non-members, batch",
    ];
    let mut table = Table::new(title, columns);
    for keys in [100_000, 10_000_000].map(|keys| options.scaled(keys, 1000)) {
        let base = Base::build(keys, BITS[1], queries / 10)?;
        speed(&base, &mut table)?;
    }
    outcome.tables.push(table);
    Ok(outcome)
}
