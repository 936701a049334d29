//! Contenders that take turns on the same keys.
//!
//! Machines are shared and noisy, so that absolute times mean little. Every round times one pass of each contender; what
//! is reported is the median over the rounds of the times, and of the ratios of two contenders in the same round. All is built
//! before anything is asked, and who begins changes from round to round, so that nobody always comes after the same neighbour.
//!
//! Queries come in three mixes: members only, strangers only, and both in an order that no branch predictor can learn.
//! Before the clock starts every filter is asked for all of its keys, in the way in which it will be timed; one that denies
//! any is an error.

mod entry;

pub use entry::Entry;

use crate::contender::Contender;
use crate::experiment::timing::{median, time};
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::workload::{Key, members};
use anyhow::{Result, bail};
use std::hint::black_box;
use xxhash_rust::xxh3::xxh3_64;

/// Rounds of queries; odd, so that there is a median.
const ROUNDS: usize = 9;

/// Rounds of building, which takes longer.
const BUILDS: usize = 5;

/// Whether query number `n` of the mixed ones is for a member: a bit of a hash, since the order of a simple sequence can be
/// learnt from its last few steps.
fn asks_for_member(n: u64) -> bool {
    xxh3_64(&n.to_le_bytes()) & 1 == 0
}

/// The keys of a race: those of the set, and the three mixes that are asked for.
pub struct Keys<K> {
    /// Those of the set.
    pub members: Vec<K>,
    mixes: [Vec<K>; 3],
}

impl<K: Key> Keys<K> {
    /// A set of `count` keys, and `asked` queries of each mix.
    pub fn new(count: u64, asked: u64) -> Self {
        let member = |n: u64| K::number(n % count);
        let stranger = |n: u64| K::number(count + n);
        let both = |n: u64| match asks_for_member(n) {
            true => member(n),
            false => stranger(n),
        };
        Keys {
            members: members(count),
            mixes: [
                (0..asked).map(member).collect(),
                (0..asked).map(stranger).collect(),
                (0..asked).map(both).collect(),
            ],
        }
    }

    /// The filter of the set.
    pub fn filter<C: Contender<K>>(&self) -> Result<C> {
        C::build(&self.members)
    }
}

/// The numbers up to `count`, in an order that begins one later each round.
fn turns(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |turn| (turn + round) % count)
}

/// Times all rounds.
fn measure<K>(keys: &Keys<K>, entries: &mut [Entry<'_>]) -> Result<()> {
    for round in 0..BUILDS {
        for number in turns(entries.len(), round) {
            let entry = &mut entries[number];
            if let Some(build) = &entry.build {
                let (done, taken) = time(keys.members.len(), build);
                done?;
                entry.times[0].push(taken);
            }
        }
    }
    for round in 0..ROUNDS {
        for (mix, asked) in keys.mixes.iter().enumerate() {
            for number in turns(entries.len(), round) {
                let entry = &mut entries[number];
                let (_, taken) = time(asked.len(), || black_box((entry.pass)(mix)));
                entry.times[1 + mix].push(taken);
            }
        }
    }
    Ok(())
}

/// What is timed.
const PARTS: [&str; 4] = ["build", "member", "stranger", "mixed"];

/// Runs the race: two tables, what was measured of each and the ratios of some pairs, and a picture.
pub fn run<K>(
    title: &str,
    keys: &Keys<K>,
    mut entries: Vec<Entry<'_>>,
    pairs: &[(&str, &str)],
    outcome: &mut Outcome,
) -> Result<()> {
    measure(keys, &mut entries)?;
    // What was not measured is not a number.
    let shown = |value: f64| match value.is_nan() {
        true => Cell::Nothing,
        false => Cell::number(value, 2),
    };
    let columns = ["filter", "bits per key", "FPR"].map(str::to_string);
    let columns: Vec<String> = columns
        .into_iter()
        .chain(PARTS.map(|part| format!("{part} ns")))
        .collect();
    let mut table = Table::new(title, columns.iter().map(String::as_str));
    let names = entries.iter().map(|entry| entry.name.clone());
    let x = Axis::linear("nanoseconds per key");
    let mut chart = Chart::new(format!("{title}: queries"), x, Axis::names(names));
    for (number, entry) in entries.iter().enumerate() {
        let times = entry.times.each_ref().map(|rounds| median(rounds));
        // Building is in the table: some take so long for it that all queries would be one dot beside.
        for (part, time) in PARTS.into_iter().zip(times).skip(1) {
            chart.point(part, time, number as f64, 0.0);
        }
        let cells = [
            entry.name.as_str().into(),
            Cell::number(entry.bits_per_key, 2),
            Cell::rate(entry.fpr),
        ];
        table.row(cells.into_iter().chain(times.map(shown)));
    }
    let columns = ["time of / time of"].into_iter().chain(PARTS);
    let mut ratios = Table::new(format!("{title}: ratios"), columns);
    for &(left, right) in pairs {
        let find = |name| entries.iter().find(|entry| entry.name == name);
        let (Some(first), Some(second)) = (find(left), find(right)) else {
            bail!("{left} and {right} are not both in the race");
        };
        let of = [0, 1, 2, 3].map(|part| shown(first.ratio(second, part)));
        ratios.row([format!("{left} / {right}").into()].into_iter().chain(of));
    }
    outcome.tables.extend([table, ratios]);
    outcome.charts.push(chart);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Bloom;
    use std::collections::HashSet;

    /// A branch predictor that knows the last twelve answers has still seen each of these histories, and with either end.
    #[test]
    fn the_mixed_order_has_all_histories() {
        let mut histories = HashSet::new();
        (0..1 << 17).fold(0u32, |last, n| {
            let last = (last << 1 | u32::from(asks_for_member(n))) & 0x1FFF;
            histories.insert(last);
            last
        });
        assert_eq!(histories.len(), 1 << 13);
        let members = (0..1 << 17).filter(|&n| asks_for_member(n)).count();
        // Half, give or take five deviations of 181.
        assert!(members.abs_diff(1 << 16) < 906, "{members}");
    }

    #[test]
    fn everyone_begins_in_turn() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| turns(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }

    #[test]
    fn all_parts_are_timed_and_pairs_must_be_there() {
        let keys = Keys::<u64>::new(1000, 100);
        let entries = || -> Result<_> {
            let bloom = Entry::single::<u64, Bloom>("bloom", &keys, Contender::build)?;
            let batch = Entry::batch::<u64, Bloom>("bloom, batch", &keys, Contender::build)?;
            Ok(vec![bloom, batch])
        };
        let mut outcome = Outcome::default();
        let pair = [("bloom", "bloom, batch")];
        run("", &keys, entries().expect("sound"), &pair, &mut outcome).expect("sound");
        let [times, ratios] = &outcome.tables[..] else {
            panic!("two tables");
        };
        assert_eq!((times.rows().len(), ratios.rows().len()), (2, 1));
        assert_eq!(times.rows()[1][3], Cell::Nothing);
        assert!(!times.rows().concat()[..7].contains(&Cell::Nothing));
        let odd = [("bloom", "habf")];
        assert!(run("", &keys, entries().expect("sound"), &odd, &mut outcome).is_err());
    }
}
