//! Build times of filters with known negatives against `Bloom`: from keys to a filter, and the parts of the work.
//!
//! Keys are hashed, the digests of both sets are sorted and checked for common keys, and then the filter is built. The
//! lab hashes on one thread. The library does the rest on all available threads.

use super::BITS_PER_KEY;
use crate::prelude::*;
use bloomwise::{Bloom, Insert};

const ROUNDS: usize = 5;

/// The filters, whose builds are timed.
const FAMILIES: [Family; 4] = [
    Family::Habf,
    Family::HabfFast,
    Family::HabfCache,
    Family::Guarded,
];

/// What is timed: a Bloom filter from keys and from digests, hashing, sorting with one thread and with two. Then for each filter its build
/// from sorted digests, and all work, with one thread and with two.
const PARTS: usize = 5 + 4 * FAMILIES.len();
const KEYS: usize = 0;
const DIGESTS: usize = 1;

/// Build times against `Bloom`.
pub fn parts(options: &Options) -> Result<Table> {
    let [positives, negatives, _] = Set::paper_sizes(options);
    let keys: Vec<String> = (0..positives + negatives).map(user).collect();
    let (members, others) = keys.split_at(positives as usize);
    let count = members.len();
    let hash = || {
        let mut sets = KeySets::builder(Hashing::default());
        let costed = others.iter().map(|key| (key, 1.0));
        sets.positives(members).negatives(costed);
        sets
    };
    let subjects = FAMILIES.map(Subject::kind);
    let bits = (BITS_PER_KEY * positives as f64) as u64;
    let bloom = Bloom::builder(Size::Bits(bits)).capacity(positives);
    let digests = Digests::of(Hashing::default(), members);
    let sets = hash().build()?;
    let fill = |insert: &dyn Fn(&mut Bloom) -> bloomwise::Result<()>| -> Result<f64> {
        let (filter, taken) = time(count, || {
            let mut filter = bloom.create()?;
            insert(&mut filter)?;
            bloomwise::Result::Ok(black_box(filter))
        });
        filter?;
        Ok(taken)
    };
    let turns = Turns::take(ROUNDS, 1, |_| {
        let mut times = [0.0; PARTS];
        times[KEYS] = fill(&|filter| {
            filter.extend(members);
            Ok(())
        })?;
        times[DIGESTS] = fill(&|filter| filter.insert_digests(&digests))?;
        for (at, threads) in [1, 2].into_iter().enumerate() {
            let (hashed, hashing) = time(count, hash);
            if at == 0 {
                times[2] = hashing;
            }
            let sort = || time(count, || black_box(hashed.build()));
            let (sorted, sorting) = on_threads(threads, sort)?;
            sorted?;
            times[3 + at] = sorting;
            for (number, subject) in subjects.iter().enumerate() {
                let build = || time(count, || black_box(subject.build(&sets, bits)));
                let (filter, taken) = on_threads(threads, build)?;
                filter?;
                let first = 5 + 4 * number + at;
                (times[first], times[first + 2]) = (taken, times[2] + sorting + taken);
            }
        }
        Ok(times)
    })?;
    let title = format!("Building, nanoseconds per positive, {BITS_PER_KEY} bits per key");
    let columns = "work | one thread {2} | two threads {2} | gain {2} | one thread / bloom {2}";
    let mut table = Table::new(title, columns);
    let times = turns.medians(0);
    // Work that always uses one thread has no time on two.
    let mut row = |name: &str, one: usize, two: Option<usize>, bloom: usize| {
        let gain = two.map(|two| turns.of_parts(0, one, two));
        let beside = turns.of_parts(0, one, bloom);
        table.row((name, times[one], two.map(|two| times[two]), gain, beside));
    };
    row("bloom, from keys", KEYS, None, KEYS);
    row("bloom, from digests", DIGESTS, None, DIGESTS);
    row("hashing both sets", 2, None, KEYS);
    row("sorting and checking both sets", 3, Some(4), KEYS);
    for (number, Subject { name, .. }) in subjects.iter().enumerate() {
        let (build, whole) = (5 + 4 * number, 7 + 4 * number);
        let sorted = format!("{name}, from sorted digests");
        row(&sorted, build, Some(build + 1), DIGESTS);
        row(&format!("{name}, from keys"), whole, Some(whole + 1), KEYS);
    }
    Ok(table)
}

/// How the build scales with the number of keys.
pub fn scaling(options: &Options) -> Result<Table> {
    let title = format!(
        "Building `habf` at {BITS_PER_KEY} bits per key, as many negatives as positives, two threads, from unsorted digests"
    );
    let columns =
        "positives | ns per positive {0} | known, by cost {%} | unseen {%} | bytes at the peak";
    let mut table = Table::new(title, columns);
    let subject = Subject::kind(Family::Habf);
    for millions in [1, 5, 20] {
        let positives = options.scaled(millions * 1_000_000, 2000);
        let unseen = options.scaled(1_000_000, 20_000);
        let set = Set::costed([positives, positives, unseen], 0.0);
        let build = || subject.build(&set.sets()?, set.bits(BITS_PER_KEY));
        let ((filter, taken), bytes) = peak(|| time(positives as usize, || on_threads(2, build)));
        table.row((positives, taken, set.rates(filter??.as_ref())?, bytes));
    }
    Ok(table)
}
