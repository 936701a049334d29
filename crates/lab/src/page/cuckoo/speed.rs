//! Insertion, look-up and replacement beside `cuckoofilter` and `qfilter`. The number of keys is nine tenths of a power of two, where those
//! two need the least space.

use crate::filter::contender::Replaceable;
use crate::filter::peers::crates;
use crate::prelude::*;
use bloomwise::Cuckoo;

/// How often all filters take turns.
const ROUNDS: usize = 7;

/// What is timed.
const WORK: [&str; 5] = ["insert", "member", "non-member", "mixed", "replace"];

/// Nanoseconds for each kind of work, then bits per key and the false positive rate.
fn measure<F: Replaceable>(keys: u64) -> Result<[f64; 7]> {
    let mut filter = F::empty(keys)?;
    let count = keys as usize;
    let (inserted, insert) = time(count, || (0..keys).try_for_each(|key| filter.insert(key)));
    inserted?;
    // A member or another key, in no order that a processor could learn.
    let scattered = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let members: Vec<u64> = (0..keys).map(|n| scattered(n) % keys).collect();
    let others: Vec<u64> = (0..keys).map(|n| (1 << 40) + n).collect();
    let mixed = (0..).zip(members.iter().zip(&others));
    let mixed = mixed.map(|(n, (&member, &other))| {
        if scattered(n) >> 63 == 0 {
            member
        } else {
            other
        }
    });
    let mixed: Vec<u64> = mixed.collect();
    let count_of = |keys: &[u64]| keys.iter().filter(|key| filter.contains(key)).count();
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
        .filter(|key| !filter.contains(&((1 << 50) + key)))
        .count();
    ensure!(denied == 0, "{denied} false negatives after replacement");
    let bits = filter.bits() as f64 / keys as f64;
    let rate = wrong as f64 / keys as f64;
    Ok([insert, member, other, both, replace, bits, rate])
}

/// Times and ratios at two sizes.
pub fn tables(options: &Options) -> Result<Vec<Table>> {
    let names = ["cuckoo", "cuckoofilter, foldhash", "qfilter"];
    let mut tables = Vec::new();
    for slots in [1 << 20, 1 << 23] {
        let keys = options.scaled(slots / 10 * 9, 1000);
        let turns = Turns::take(ROUNDS, names.len(), |number| match number {
            0 => measure::<Cuckoo>(keys),
            1 => measure::<crates::Cuckoo>(keys),
            _ => measure::<crates::Quotient>(keys),
        })?;
        let title = format!("Speed, {keys} keys of 8 bytes");
        let columns = "filter | bits per key {2} | rate {%}";
        let mut times = Table::new(format!("{title}: ns per key"), columns).and(&WORK, "{1}");
        for (number, name) in names.into_iter().enumerate() {
            let [a, b, c, d, e, bits, rate] = turns.medians(number);
            times.row((name, bits, rate, [a, b, c, d, e]));
        }
        let mut ratios =
            Table::new(format!("{title}: ratios"), "time of / time of").and(&WORK, "{2}");
        for other in [1, 2] {
            let [a, b, c, d, e, ..] = turns.median_ratios(0, other);
            ratios.row((format!("cuckoo / {}", names[other]), [a, b, c, d, e]));
        }
        tables.extend([times, ratios]);
    }
    Ok(tables)
}
