//! How good a list of the costliest keys is that was learnt in bounded memory.
//!
//! A stream of events asks for keys by Zipf's law. The learner keeps what fits into its memory; an array counts exactly. The list of the
//! learner is worth the exact cost of its keys, as a share of the cost of the exact list of the same length. Beside it runs the frequent items
//! sketch of the crate `datasketches`, with the largest table that fits into the same memory; it stores keys of a fixed length, which is its
//! best case.
//!
//! With `--data`, keys are the real negatives, drawn by their costs.

use crate::prelude::*;
use anyhow::anyhow;
use bloomwise::learn::Learner;
use datasketches::frequencies::{ErrorType, FrequentItemsSketch};
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::rngs::SmallRng;
use rand_distr::Zipf;
use rand_distr::weighted::WeightedAliasIndex;

/// The memory of the learner in bytes.
const MEMORY: usize = 64 << 20;

/// The slots of the peer's table: 26 bytes each for keys of 16 bytes, 52 MiB.
const PEER_SLOTS: usize = 1 << 21;

/// The length of the lists.
const LIST: usize = 100_000;

/// The skews of the streams.
const SKEWS: [f64; 4] = [0.8, 1.0, 1.2, 1.5];

/// How many events are drawn before they are timed.
const CHUNK: usize = 1 << 20;

/// A key: 16 bytes.
type Name = [u8; 16];

/// What was measured on a stream.
struct Measured {
    distinct: usize,
    /// The share of all events that the exact list has.
    exact: f64,
    /// The worth of the list of the learner and of the peer.
    worth: [f64; 2],
    /// By how much a cost may be too low.
    error_bound: f64,
    /// Nanoseconds per event of the learner and of the peer.
    times: [f64; 2],
    /// The peak of the learner's memory, its list included.
    bytes: u64,
}

/// Runs a stream of `events` events. `draw` gives the number of a key below `keys`.
fn measure(events: u64, keys: usize, mut draw: impl FnMut() -> usize) -> Result<Measured> {
    let name = |key: usize| -> Name { Hashing::default().digest(key as u64).to_bytes() };
    let mut exact = vec![0u32; keys];
    let (learner, mut bytes) = peak(|| Learner::new(Hashing::default(), MEMORY));
    let mut learner = learner?;
    let mut peer =
        FrequentItemsSketch::<Name>::new(PEER_SLOTS).map_err(|error| anyhow!("{error}"))?;
    let (mut times, mut left) = ([0.0; 2], events);
    let mut chunk = Vec::with_capacity(CHUNK);
    while left > 0 {
        let count = left.min(CHUNK as u64);
        left -= count;
        chunk.clear();
        for _ in 0..count {
            let key = draw();
            exact[key] += 1;
            chunk.push((name(key), 1.0));
        }
        let (recorded, own) = time(1, || learner.record_batch(&chunk));
        recorded?;
        let ((), other) = time(1, || chunk.iter().for_each(|(key, _)| peer.update_ref(key)));
        times = [times[0] + own, times[1] + other];
    }
    ensure!(learner.events() == events, "events were lost");

    let (list, more) = peak(|| learner.top(LIST));
    bytes += more;
    let own = list.iter().filter_map(|one| one.key.try_into().ok());
    let own: Vec<Name> = own.collect();
    let mut rows = peer.frequent_items(ErrorType::NoFalseNegatives);
    rows.sort_by_key(|row| std::cmp::Reverse(row.lower_bound()));
    let other: Vec<Name> = rows.iter().take(LIST).map(|row| *row.item()).collect();
    let worth = [own, other].map(|list| worth(&exact, list, name));
    for learned in &list {
        let sound = learned.cost <= learned.at_most
            && learned.at_most <= learned.cost + learner.error_bound();
        ensure!(sound, "the bounds of a key are wrong");
    }
    exact.sort_unstable_by(|one, other| other.cmp(one));
    let best: u64 = exact.iter().take(LIST).map(|&count| u64::from(count)).sum();
    Ok(Measured {
        distinct: exact.iter().filter(|&&count| count > 0).count(),
        exact: best as f64 / events as f64,
        worth: worth.map(|worth| worth as f64 / best as f64),
        error_bound: learner.error_bound(),
        times: times.map(|time| time / events as f64),
        bytes,
    })
}

/// How often the keys of a list came.
fn worth(exact: &[u32], mut list: Vec<Name>, name: impl Fn(usize) -> Name) -> u64 {
    list.sort_unstable();
    let listed = |key: &usize| list.binary_search(&name(*key)).is_ok();
    let counts = (0..exact.len()).filter(|&key| exact[key] > 0);
    counts.filter(listed).map(|key| u64::from(exact[key])).sum()
}

/// Adds a row to the table.
fn row(table: &mut Table, name: &str, measured: &Measured) -> Result<()> {
    let bytes = measured.bytes;
    // Lists that are worth less would not be worth a release.
    ensure!(bytes <= MEMORY as u64, "{bytes} bytes of memory");
    let megabytes = bytes as f64 / f64::from(1 << 20);
    let lists = (measured.exact, measured.worth, measured.error_bound);
    table.row((name, measured.distinct, lists, megabytes, measured.times));
    Ok(())
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let events = options.scaled(100_000_000, 1_000_000);
    let mut outcome = Outcome::new(format!(
        "Learn: the {LIST} costliest keys of a stream of {events} events, learnt in 64 MiB. Keys of 16 bytes, by Zipf's law. The worth of a list is the true cost of its keys, as a share of that of the exact list. Beside it the frequent items sketch of datasketches with {PEER_SLOTS} slots.",
    ));
    let columns = "stream | distinct keys | exact list, share of all events {%} | list of the learner, worth {%} | list of datasketches, worth {%} | error bound {0} | memory, MiB {1} | ns per event {0} | datasketches, ns per event {0}";
    let mut table = Table::new("Lists from streams", columns);
    let mut random = SmallRng::seed_from_u64(1);
    for keys in [10_000_000, 100_000_000] {
        let keys = options.scaled(keys, 1_000_000);
        for skew in SKEWS {
            let zipf = Zipf::new(keys as f64, skew)?;
            let draw = || zipf.sample(&mut random) as usize - 1;
            let measured = measure(events, keys as usize, draw)?;
            row(&mut table, &format!("Zipf {skew}, {keys} keys"), &measured)?;
        }
    }
    if options.data.is_some() {
        let set = Set::new(Source::Urls, options)?;
        let costs = set.costs.clone().unwrap_or_default();
        let drawn = WeightedAliasIndex::new(costs.clone())?;
        let measured = measure(events, costs.len(), || drawn.sample(&mut random))?;
        row(&mut table, &set.name, &measured)?;
    }
    outcome.tables.push(table);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_that_misses_a_key_is_worth_less() {
        let name = |key: usize| Digest::from(key as u128).to_bytes();
        assert_eq!(worth(&[5, 3, 0, 1], vec![name(0), name(3)], name), 6);
    }
}
