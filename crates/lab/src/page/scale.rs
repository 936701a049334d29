//! From a million to a hundred million keys: build time and memory, and query time.
//!
//! Growing filters get their keys a million at a time, as digests, on one core. For fixed sets, sorting and checking on
//! all cores is part of the build. Sets with known negatives stop at thirty million positives and as many negatives,
//! which fits the memory of a small machine. Queries are digest by digest on one core: a first pass that is not timed,
//! then the median of several.

use crate::prelude::*;
use std::ops::Range;

/// Keys inserted, or checked, at a time.
const CHUNK: u64 = 1_000_000;

/// Queries per pass at full size.
const QUERIES: u64 = 4_000_000;

/// Timed passes.
const PASSES: usize = 3;

/// Millions of keys at full size.
const MILLIONS: [u64; 5] = [1, 3, 10, 30, 100];

/// How a filter is built.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// Keys are inserted one by one.
    Grows,
    /// It is built from a whole set.
    Fixed,
    /// It is built from a whole set, with as many known negatives.
    Known,
}

/// The filters with their bits per key. Sets with known negatives stop at 30 million.
const CASES: [(Family, u64, How); 8] = [
    (Family::Bloom, BITS_PER_KEY, How::Grows),
    (Family::Blocked, BITS_PER_KEY, How::Grows),
    (Family::Balanced, BITS_PER_KEY, How::Grows),
    (Family::Personalized, BITS_PER_KEY, How::Grows),
    (Family::Counting, 4 * BITS_PER_KEY, How::Grows),
    (Family::Guarded, BITS_PER_KEY, How::Fixed),
    (Family::Guarded, BITS_PER_KEY, How::Known),
    (Family::Habf, BITS_PER_KEY, How::Known),
];

/// The digests of the keys with these numbers.
fn digests(numbers: Range<u64>) -> Vec<Digest> {
    let digest = |n: u64| Hashing::default().digest(u64::number(n));
    numbers.into_par_iter().map(digest).collect()
}

/// The numbers of the known negatives of a set of `keys` keys. They are disjoint from the queried non-members.
fn negatives(keys: u64) -> Range<u64> {
    2 * keys..3 * keys
}

/// How many of the keys with these numbers `filter` accepts.
fn count(filter: &dyn DigestFilter, numbers: Range<u64>) -> u64 {
    let starts = numbers.clone().step_by(CHUNK as usize);
    let chunks = starts.map(|start| digests(start..numbers.end.min(start + CHUNK)));
    chunks
        .map(|chunk| accepted(filter, &chunk).len() as u64)
        .sum()
}

/// A filter and the measurements of its build.
struct Found {
    filter: Box<dyn DigestFilter>,
    nanoseconds: f64,
    peak: u64,
}

/// Builds a growing filter.
fn grown(subject: &Subject, keys: u64, bits: u64) -> Result<Found> {
    let spec = subject.spec(bits)?;
    let mut nanoseconds = 0.0;
    // The digests of a chunk are allocated at the peak, but are not part of the build.
    let mut insert = |filter: &mut AnyFilter| -> Result<()> {
        for start in (0..keys).step_by(CHUNK as usize) {
            let chunk = digests(start..keys.min(start + CHUNK));
            let (done, taken) = time(1, || filter.insert_digests(&as_digests(&chunk)));
            done?;
            nanoseconds += taken;
        }
        Ok(())
    };
    let (filter, peak) = peak(|| -> Result<_> {
        let mut filter = spec.capacity(keys).create()?;
        insert(&mut filter)?;
        Ok(filter)
    });
    Ok(Found {
        filter: Box::new(filter?),
        nanoseconds: nanoseconds / keys as f64,
        peak: peak.saturating_sub(keys.min(CHUNK) * size_of::<Digest>() as u64),
    })
}

/// Builds a filter of a fixed set.
fn fixed(subject: &Subject, keys: u64, known: bool, bits: u64) -> Result<Found> {
    let mut sets = KeySets::builder(Hashing::default());
    if known {
        let negatives = digests(negatives(keys));
        sets.negative_digests(&as_digests(&negatives), &vec![1.0; negatives.len()])?;
    }
    sets.positive_digests(Digests::from_raw(Hashing::default(), digests(0..keys)))?;
    let ((filter, nanoseconds), peak) = peak(|| {
        time(keys as usize, || -> Result<_> {
            subject.build(&sets.build()?, bits)
        })
    });
    Ok(Found {
        filter: filter?,
        nanoseconds,
        peak,
    })
}

/// Nanoseconds per query for these keys.
fn query(filter: &dyn DigestFilter, digests: &[Digest]) -> f64 {
    let accepted = || digests.iter().filter(|&&digest| filter.may_contain(digest));
    let pass = || black_box(accepted().count());
    pass();
    let times: Vec<f64> = (0..PASSES).map(|_| time(digests.len(), pass).1).collect();
    median(&times)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut outcome = Outcome::new(format!(
        "From a million to a hundred million keys, times {}. Filters that grow are filled on one core, digest after digest; guarded and habf are sorted, checked and built on all cores, here {cores}. Memory is what is allocated at the peak beyond the digests that they get. Queries are one by one on one core, from digests: the median of {PASSES} passes after one that is not timed. {BITS_PER_KEY} bits per key; counting has as many counters of 4 bits.",
        options.scale
    ));
    let columns = "filter | keys | build ns per key {1} | cores | peak bytes per key {2} | bytes of the filter {3} | member ns {1} | non-member ns {1} | known {%} | unseen {%}";
    let mut table = Table::new("", columns);
    let chart = |y: &str| Chart::new(format!("Scale: {y}"), Axis::log("keys"), Axis::log(y));
    let mut space = chart("bytes per key at the peak of building");
    for (family, bits_per_key, how) in CASES {
        let subject = Subject::kind(family);
        let known = how == How::Known;
        let name = match how {
            How::Known => format!("{}, as many negatives", family.name()),
            _ => family.name().to_string(),
        };
        for millions in MILLIONS.into_iter().filter(|&count| !known || count <= 30) {
            let keys = options.scaled(millions * 1_000_000, 1000 * millions);
            let found = match how {
                How::Grows => grown(&subject, keys, bits_per_key * keys)?,
                _ => fixed(&subject, keys, known, bits_per_key * keys)?,
            };
            let filter = found.filter.as_ref();
            let missing = keys - count(filter, 0..keys);
            ensure!(missing == 0, "{name} does not find {missing} of its keys");
            let wrong = known.then(|| count(filter, negatives(keys)) as f64 / keys as f64);
            let queries = options.scaled(QUERIES, 100_000).min(keys);
            let non_members = keys..keys + queries;
            let unseen = count(filter, non_members.clone()) as f64 / queries as f64;
            let times = [0..queries, non_members].map(|keys| query(filter, &digests(keys)));
            let per_key = |bytes: u64| bytes as f64 / keys as f64;
            let used = if how == How::Grows { 1 } else { cores };
            let sizes = [per_key(found.peak), per_key(filter.bits()) / 8.0];
            let about = (&name, keys, found.nanoseconds, used);
            table.row((about, sizes, times, wrong, unseen));
            // A growing filter's peak is its own size; one of them represents all.
            if how != How::Grows || family == Family::Bloom {
                space.point(&name, keys as f64, per_key(found.peak), 0.0);
            }
        }
    }
    outcome.charts = vec![
        chart("nanoseconds per key to build").rows(&table, ["keys", "filter", "build ns per key"]),
        space,
        chart("nanoseconds of a query for a non-member")
            .rows(&table, ["keys", "filter", "non-member ns"]),
    ];
    outcome.tables.push(table);
    Ok(outcome)
}
