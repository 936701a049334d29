//! Contenders that are timed in turns on the same keys.
//!
//! Machines are shared and noisy, so absolute times mean little. Every round times one pass of each contender. A race
//! reports the median over the rounds of each time, and of the ratio of two contenders within a round. All filters are
//! built before any is queried. The contender that starts changes from round to round, so that nobody always follows
//! the same neighbour.
//!
//! There are three mixes of queries: members only, non-members only, and both in an order that no branch predictor can
//! learn. Before the clock starts, every filter is queried for all of its keys in the way it will be timed; a false
//! negative is an error.

mod entry;

pub use entry::Entry;

use crate::data::members;
use crate::filter::contender::Contender;
use crate::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// Rounds of queries; odd, so that one value is the median.
const ROUNDS: usize = 9;

/// Rounds of builds, which take longer.
const BUILDS: usize = 5;

/// Whether query number `n` of the mixed queries is for a member. This is a bit of a hash, since a branch predictor can
/// learn a simple sequence from its last few steps.
fn queries_member(n: u64) -> bool {
    xxh3_64(&n.to_le_bytes()) & 1 == 0
}

/// The keys of a race: the set, and the three mixes of queries.
pub struct Keys<K> {
    /// The keys of the set.
    pub members: Vec<K>,
    mixes: [Vec<K>; 3],
}

impl<K: Key> Keys<K> {
    /// A set of `count` keys, and `queries` queries in each mix.
    pub fn new(count: u64, queries: u64) -> Self {
        let member = |n: u64| K::number(n % count);
        let non_member = |n: u64| K::number(count + n);
        let both = |n: u64| {
            if queries_member(n) {
                member(n)
            } else {
                non_member(n)
            }
        };
        Keys {
            members: members(count),
            mixes: [
                (0..queries).map(member).collect(),
                (0..queries).map(non_member).collect(),
                (0..queries).map(both).collect(),
            ],
        }
    }

    /// Builds a filter of the set.
    pub fn filter<C: Contender<K>>(&self) -> Result<C> {
        C::build(&self.members)
    }
}

/// The numbers below `count`, in an order that starts one later each round.
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
        for (mix, queries) in keys.mixes.iter().enumerate() {
            for number in turns(entries.len(), round) {
                let entry = &mut entries[number];
                let (_, taken) = time(queries.len(), || black_box((entry.pass)(mix)));
                entry.times[1 + mix].push(taken);
            }
        }
    }
    Ok(())
}

/// What is timed.
const PARTS: [&str; 4] = ["build", "member", "non-member", "mixed"];

/// Runs the race. Adds two tables to `outcome`, the measurements of each entry and the ratios of `pairs`, such as `ours / theirs`, and a
/// chart.
pub fn run<K>(
    title: &str,
    keys: &Keys<K>,
    mut entries: Vec<Entry<'_>>,
    pairs: &[impl AsRef<str>],
    outcome: &mut Outcome,
) -> Result<()> {
    measure(keys, &mut entries)?;
    let table = Table::new(title, "filter | bits per key {2} | FPR {%}");
    let mut table = table.and(&PARTS.map(|part| format!("{part} ns")), "{2}");
    let x = Axis::linear("nanoseconds per key");
    let mut chart = Chart::dots(format!("{title}: queries"), x);
    for entry in &entries {
        let times = entry.times.each_ref().map(|rounds| median(rounds));
        // Build times are in the table only: some are so long that all queries would shrink to one dot.
        for (part, time) in PARTS.into_iter().zip(times).skip(1) {
            chart.dot(part, &entry.name, time);
        }
        table.row((&entry.name, entry.bits_per_key, entry.fpr, times));
    }
    let mut ratios = Table::new(format!("{title}: ratios"), "time of / time of").and(&PARTS, "{2}");
    for pair in pairs.iter().map(AsRef::as_ref) {
        let find = |name| entries.iter().find(|entry| entry.name == name);
        let both = pair.split_once(" / ");
        let both = both.and_then(|(first, second)| find(first).zip(find(second)));
        let (first, second) =
            both.with_context(|| format!("cannot compare {pair}: both must be in the race"))?;
        ratios.row((pair, [0, 1, 2, 3].map(|part| first.ratio(second, part))));
    }
    outcome.tables.extend([table, ratios]);
    outcome.charts.push(chart);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Cell;
    use bloomwise::Bloom;
    use std::collections::HashSet;

    /// A branch predictor that knows the last twelve answers has seen each of these histories with either continuation.
    #[test]
    fn mixed_order_contains_every_history() {
        let mut histories = HashSet::new();
        (0..1 << 17).fold(0u32, |last, n| {
            let last = (last << 1 | u32::from(queries_member(n))) & 0x1FFF;
            histories.insert(last);
            last
        });
        assert_eq!(histories.len(), 1 << 13);
        let members = (0..1 << 17).filter(|&n| queries_member(n)).count();
        // Half, within five standard deviations of 181.
        assert!(members.abs_diff(1 << 16) < 906, "{members}");
    }

    #[test]
    fn each_contender_starts_in_turn() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| turns(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }

    #[test]
    fn all_parts_are_timed_and_unknown_pairs_are_errors() {
        let keys = Keys::<u64>::new(1000, 100);
        let entries = || -> Result<_> {
            let bloom = Entry::single::<u64, Bloom>("bloom", &keys, Contender::build)?;
            let batch = Entry::batch::<u64, Bloom>("bloom, batch", &keys, Contender::build)?;
            Ok(vec![bloom, batch])
        };
        let mut outcome = Outcome::default();
        let pair = ["bloom / bloom, batch"];
        run("", &keys, entries().expect("valid"), &pair, &mut outcome).expect("sound");
        let [times, ratios] = &outcome.tables[..] else {
            panic!("two tables");
        };
        assert_eq!((times.rows().len(), ratios.rows().len()), (2, 1));
        assert_eq!(times.rows()[1][3], Cell::Nothing);
        assert!(!times.rows().concat()[..7].contains(&Cell::Nothing));
        let odd = ["bloom / habf"];
        assert!(run("", &keys, entries().expect("valid"), &odd, &mut outcome).is_err());
    }
}
