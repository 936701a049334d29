//! Insertion, look-up and replacement beside `cuckoofilter` and `qfilter`. The number of keys is nine tenths of a power of two, where those
//! two need the least space.

use crate::baseline::crates::Foldhash;
use crate::measure::statistics::median;
use crate::measure::timing::{in_turns, median_ratio, part, time};
use crate::options::Options;
use crate::output::{Cell, Table};
use anyhow::{Result, anyhow, ensure};
use bloomwise::{Cuckoo, Filter, Remove, Size};
use cuckoofilter::CuckooFilter;
use std::hint::black_box;
use xxhash_rust::xxh3::xxh3_64;

/// How often all filters take turns.
const ROUNDS: usize = 7;

/// What is timed.
const WORK: [&str; 5] = ["insert", "member", "non-member", "mixed", "replace"];

/// A filter whose keys come and go.
trait Changing: Sized {
    fn empty(keys: u64) -> Result<Self>;
    fn insert(&mut self, key: u64) -> Result<()>;
    fn contains(&self, key: u64) -> bool;
    fn remove(&mut self, key: u64) -> bool;
    fn bits(&self) -> u64;
}

impl Changing for Cuckoo {
    fn empty(keys: u64) -> Result<Self> {
        Ok(Cuckoo::builder(Size::BitsPerKey(11.0))
            .capacity(keys)
            .create()?)
    }
    fn insert(&mut self, key: u64) -> Result<()> {
        Cuckoo::insert(self, key)?;
        Ok(())
    }
    #[inline]
    fn contains(&self, key: u64) -> bool {
        Filter::contains(self, key)
    }
    fn remove(&mut self, key: u64) -> bool {
        Remove::remove(self, key)
    }
    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

impl Changing for CuckooFilter<Foldhash> {
    fn empty(keys: u64) -> Result<Self> {
        Ok(CuckooFilter::with_capacity((keys + keys / 16) as usize))
    }
    fn insert(&mut self, key: u64) -> Result<()> {
        Ok(self.add(&key)?)
    }
    #[inline]
    fn contains(&self, key: u64) -> bool {
        CuckooFilter::contains(self, &key)
    }
    fn remove(&mut self, key: u64) -> bool {
        self.delete(&key)
    }
    fn bits(&self) -> u64 {
        8 * self.memory_usage() as u64
    }
}

impl Changing for qfilter::Filter {
    fn empty(keys: u64) -> Result<Self> {
        qfilter::Filter::new(keys, 0.01).map_err(|error| anyhow!("qfilter: {error:?}"))
    }
    fn insert(&mut self, key: u64) -> Result<()> {
        let hash = xxh3_64(&key.to_le_bytes());
        // Counted, so that a key can be removed although another one has its fingerprint.
        let done = self.insert_fingerprint(true, hash);
        done.map(|_| ())
            .map_err(|error| anyhow!("qfilter: {error:?}"))
    }
    #[inline]
    fn contains(&self, key: u64) -> bool {
        self.contains_fingerprint(xxh3_64(&key.to_le_bytes()))
    }
    fn remove(&mut self, key: u64) -> bool {
        self.remove_fingerprint(xxh3_64(&key.to_le_bytes()))
    }
    fn bits(&self) -> u64 {
        8 * self.memory_usage() as u64
    }
}

/// Nanoseconds for each kind of work, then bits per key and the false positive rate.
fn measure<F: Changing>(keys: u64) -> Result<[f64; 7]> {
    let mut filter = F::empty(keys)?;
    let count = keys as usize;
    let (inserted, insert) = time(count, || (0..keys).try_for_each(|key| filter.insert(key)));
    inserted?;
    // A member or another key, in no order that a processor could learn.
    let scattered = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let members: Vec<u64> = (0..keys).map(|n| scattered(n) % keys).collect();
    let others: Vec<u64> = (0..keys).map(|n| (1 << 40) + n).collect();
    let mixed = members.iter().zip(&others).zip(0..);
    let mixed: Vec<u64> = (mixed.map(|((&member, &other), n)| {
        if scattered(n) >> 63 == 0 {
            member
        } else {
            other
        }
    }))
    .collect();
    let count_of = |keys: &[u64]| keys.iter().filter(|&&key| filter.contains(key)).count();
    let (found, member) = time(count, || count_of(&members));
    ensure!(found == count, "{} false negatives", count - found);
    let (wrong, other) = time(count, || count_of(&others));
    let (_, both) = time(count, || black_box(count_of(&mixed)));
    let (replaced, replace) = time(count, || {
        (0..keys).try_for_each(|key| {
            ensure!(filter.remove(key), "a key of the set could not be removed");
            filter.insert((1 << 50) + key)
        })
    });
    replaced?;
    let denied = (0..keys)
        .filter(|key| !filter.contains((1 << 50) + key))
        .count();
    ensure!(denied == 0, "{denied} false negatives after replacement");
    let bits = filter.bits() as f64 / keys as f64;
    Ok([
        insert,
        member,
        other,
        both,
        replace,
        bits,
        wrong as f64 / keys as f64,
    ])
}

/// Times and ratios at two sizes.
pub(super) fn tables(options: &Options) -> Result<Vec<Table>> {
    let sizes = [1 << 20, 1 << 23].map(|slots| options.scaled(slots / 10 * 9, 1000));
    let mut tables = Vec::new();
    for keys in sizes {
        let names = ["cuckoo", "cuckoofilter, foldhash", "qfilter"];
        let measured = in_turns(ROUNDS, names.len(), |number| match number {
            0 => measure::<Cuckoo>(keys),
            1 => measure::<CuckooFilter<Foldhash>>(keys),
            _ => measure::<qfilter::Filter>(keys),
        })?;
        let part = |number: usize, which: usize| part(&measured[number], which);
        let columns = ["filter", "bits per key", "rate"].into_iter();
        let mut table = Table::new(
            format!("Speed, {keys} keys of 8 bytes: ns per key"),
            columns.chain(WORK),
        );
        for (number, name) in names.into_iter().enumerate() {
            let times = (0..WORK.len()).map(|work| Cell::number(median(&part(number, work)), 1));
            let about = [
                name.into(),
                Cell::number(median(&part(number, 5)), 2),
                Cell::rate(median(&part(number, 6))),
            ];
            table.row(about.into_iter().chain(times));
        }
        tables.push(table);
        let columns = ["time of / time of"].into_iter().chain(WORK);
        let mut table = Table::new(format!("Speed, {keys} keys of 8 bytes: ratios"), columns);
        for (other, name) in [
            (1, "cuckoo / cuckoofilter, foldhash"),
            (2, "cuckoo / qfilter"),
        ] {
            let ratios = (0..WORK.len())
                .map(|work| Cell::number(median_ratio(&part(0, work), &part(other, work)), 2));
            table.row([name.into()].into_iter().chain(ratios));
        }
        tables.push(table);
    }
    Ok(tables)
}
