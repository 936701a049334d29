//! Build times of filters with known negatives against `Bloom`: from keys to a filter, and the parts of the work.
//!
//! Keys are hashed, the digests of both sets are sorted and checked for common keys, and then the filter is built. The
//! lab hashes on one thread. The library does the rest on all available threads.

use super::BITS_PER_KEY;
use crate::contender::on_threads;
use crate::experiment::costed::{CostedSet, sizes};
use crate::measure::statistics::median;
use crate::measure::timing::{median_ratio, time};
use crate::memory;
use crate::options::Options;
use crate::output::{Cell, Table};
use crate::subject::Subject;
use crate::workload::user;
use anyhow::Result;
use bloomwise::keys::Digests;
use bloomwise::{Bloom, Family, Hashing, Insert, KeySets, Size};
use std::hint::black_box;

const ROUNDS: usize = 5;

/// The numbers of threads to compare.
const THREADS: [usize; 2] = [1, 2];

/// The times of some work in all rounds, on one thread and on two. Work that always uses one thread has no times on
/// two.
#[derive(Clone, Default)]
struct Times([Vec<f64>; 2]);

impl Times {
    /// The times of this work followed by `next`.
    fn after(&self, next: &Self) -> Self {
        let of = |threads: usize| {
            // Work on one thread takes as long where there are two.
            let first = if self.0[threads].is_empty() {
                &self.0[0]
            } else {
                &self.0[threads]
            };
            let both = first.iter().zip(&next.0[threads]);
            both.map(|(first, next)| first + next).collect()
        };
        Times([of(0), of(1)])
    }

    fn row(&self, table: &mut Table, name: &str, bloom: &Self) {
        let [one, two] = &self.0;
        let shown = |value: f64| {
            if value.is_nan() {
                Cell::Nothing
            } else {
                Cell::number(value, 2)
            }
        };
        let numbers = [
            median(one),
            median(two),
            median_ratio(one, two),
            median_ratio(one, &bloom.0[0]),
        ];
        table.row([name.into()].into_iter().chain(numbers.map(shown)));
    }
}

/// Build times against `Bloom`.
pub fn parts(options: &Options) -> Result<Table> {
    let [positives, negatives, _] = sizes(options);
    let keys: Vec<String> = (0..positives + negatives).map(user).collect();
    let (members, others) = keys.split_at(positives as usize);
    let count = members.len();
    let hash = || {
        let mut sets = KeySets::builder(Hashing::default());
        let costed = others.iter().map(|key| (key, 1.0));
        sets.positives(members).negatives(costed);
        sets
    };
    let subjects = [
        Family::Habf,
        Family::HabfFast,
        Family::HabfCache,
        Family::Guarded,
    ]
    .map(Subject::kind);
    let bits = (BITS_PER_KEY * positives as f64) as u64;
    let bloom = Bloom::builder(Size::Bits(bits)).capacity(positives);
    let digests = Digests::of(Hashing::default(), members);
    let sets = hash().build()?;
    let [mut from_keys, mut from_digests, mut hashing, mut sorting] = <[Times; 4]>::default();
    let mut built = vec![Times::default(); subjects.len()];
    for _ in 0..ROUNDS {
        let (filter, taken) = time(count, || -> Result<_> {
            let mut filter = bloom.create()?;
            filter.extend(members);
            Ok(black_box(filter))
        });
        filter?;
        from_keys.0[0].push(taken);
        let (filter, taken) = time(count, || -> Result<_> {
            let mut filter = bloom.create()?;
            filter.insert_digests(&digests)?;
            Ok(black_box(filter))
        });
        filter?;
        from_digests.0[0].push(taken);
        for (at, threads) in THREADS.into_iter().enumerate() {
            let (hashed, taken) = time(count, hash);
            if at == 0 {
                hashing.0[0].push(taken);
            }
            let sort = || time(count, || black_box(hashed.build()));
            let (sorted, taken) = on_threads(threads, sort)?;
            sorted?;
            sorting.0[at].push(taken);
            for (subject, times) in subjects.iter().zip(&mut built) {
                let build = || time(count, || black_box(subject.build(&sets, bits)));
                let (filter, taken) = on_threads(threads, build)?;
                filter?;
                times.0[at].push(taken);
            }
        }
    }
    let title = format!("Building, nanoseconds per positive, {BITS_PER_KEY} bits per key");
    let columns = [
        "work",
        "one thread",
        "two threads",
        "gain",
        "one thread / bloom",
    ];
    let mut table = Table::new(title, columns);
    from_keys.row(&mut table, "bloom, from keys", &from_keys);
    from_digests.row(&mut table, "bloom, from digests", &from_digests);
    hashing.row(&mut table, "hashing both sets", &from_keys);
    sorting.row(&mut table, "sorting and checking both sets", &from_keys);
    for (subject, times) in subjects.iter().zip(&built) {
        let name = &subject.name;
        times.row(
            &mut table,
            &format!("{name}, from sorted digests"),
            &from_digests,
        );
        let whole = hashing.after(&sorting).after(times);
        whole.row(&mut table, &format!("{name}, from keys"), &from_keys);
    }
    Ok(table)
}

/// How the build scales with the number of keys.
pub fn scaling(options: &Options) -> Result<Table> {
    let title = format!(
        "Building `habf` at {BITS_PER_KEY} bits per key, as many negatives as positives, two threads, from unsorted digests"
    );
    let columns = [
        "positives",
        "ns per positive",
        "known, by cost",
        "unseen",
        "bytes at the peak",
    ];
    let mut table = Table::new(title, columns);
    let subject = Subject::kind(Family::Habf);
    for millions in [1, 5, 20] {
        let positives = options.scaled(millions * 1_000_000, 2000);
        let unseen = options.scaled(1_000_000, 20_000);
        let data = CostedSet::new([positives, positives, unseen], 0.0);
        let build = || subject.build(&data.sets()?, data.bits(BITS_PER_KEY));
        let ((filter, taken), bytes) =
            memory::peak(|| time(positives as usize, || on_threads(2, build)));
        let [known, unseen] = data.rates(filter??.as_ref())?;
        table.row([
            Cell::whole(positives),
            Cell::number(taken, 0),
            Cell::rate(known),
            Cell::rate(unseen),
            Cell::whole(bytes),
        ]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_single_threaded_work_has_a_dash() {
        let hashing = Times([vec![1.0, 2.0, 3.0], Vec::new()]);
        let rest = Times([vec![10.0; 3], vec![5.0; 3]]);
        let Times(whole) = hashing.after(&rest);
        assert_eq!(whole, [vec![11.0, 12.0, 13.0], vec![6.0, 7.0, 8.0]]);
        let mut table = Table::new("", ["work", "one", "two", "gain", "beside"]);
        hashing.row(&mut table, "hashing", &rest);
        let row = &table.rows()[0];
        assert_eq!(row[1], Cell::number(2.0, 2));
        assert_eq!(row[2..4], [Cell::Nothing, Cell::Nothing]);
        assert_eq!(row[4], Cell::number(0.2, 2));
    }
}
