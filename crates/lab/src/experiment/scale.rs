//! From a million to a hundred million keys: build time and memory, and query time.
//!
//! Growing filters get their keys a million at a time, as digests, on one core. For fixed sets, sorting and checking on
//! all cores is part of the build. Sets with known negatives stop at thirty million positives and as many negatives,
//! which fits the memory of a small machine. Queries are digest by digest on one core: a first pass that is not timed,
//! then the median of several.

use crate::baseline::DigestFilter;
use crate::contender::BITS_PER_KEY;
use crate::measure::statistics::median;
use crate::measure::timing::time;
use crate::memory;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Key, as_digests};
use anyhow::{Result, ensure};
use bloomwise::keys::{Digest, Digests};
use bloomwise::{Family, Hashing, KeySets};
use rayon::prelude::*;
use std::hint::black_box;
use std::ops::Range;

/// Keys inserted, or checked, at a time.
const CHUNK: u64 = 1_000_000;

/// Queries per pass.
const QUERIES: u64 = 4_000_000;

/// Timed passes.
const PASSES: usize = 3;

/// Millions of keys at full size.
const MILLIONS: [u64; 5] = [1, 3, 10, 30, 100];

/// A filter, and how it is built.
struct Case {
    subject: Subject,
    bits_per_key: u64,
    /// The maximum number of keys, in millions.
    most: u64,
    how: How,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    /// Keys are inserted one by one.
    Grows,
    /// It is built from a whole set, with as many known negatives or none.
    Fixed { negatives: bool },
}

impl Case {
    fn growing(family: Family, bits_per_key: u64) -> Self {
        Case {
            subject: Subject::kind(family),
            bits_per_key,
            most: 100,
            how: How::Grows,
        }
    }

    fn fixed(family: Family, negatives: bool) -> Self {
        let subject = Subject::kind(family);
        let (subject, most) = if negatives {
            let name = format!("{}, as many negatives", family.name());
            (subject.named(name), 30)
        } else {
            (subject, 100)
        };
        Case {
            subject,
            bits_per_key: BITS_PER_KEY,
            most,
            how: How::Fixed { negatives },
        }
    }

    fn build(&self, keys: u64) -> Result<Found> {
        match self.how {
            How::Grows => grown(&self.subject, keys, self.bits_per_key * keys),
            How::Fixed { negatives } => {
                fixed(&self.subject, keys, negatives, self.bits_per_key * keys)
            }
        }
    }
}

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
fn accepted(filter: &dyn DigestFilter, numbers: Range<u64>) -> u64 {
    let starts = numbers.clone().step_by(CHUNK as usize);
    let chunks = starts.map(|start| digests(start..numbers.end.min(start + CHUNK)));
    let yes = chunks.map(|chunk| {
        chunk
            .par_iter()
            .filter(|&&digest| filter.may_contain(digest))
            .count()
    });
    yes.sum::<usize>() as u64
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
    let mut insert = |filter: &mut bloomwise::AnyFilter| -> Result<()> {
        for start in (0..keys).step_by(CHUNK as usize) {
            let chunk = digests(start..keys.min(start + CHUNK));
            let (done, taken) = time(1, || filter.insert_digests(&as_digests(&chunk)));
            done?;
            nanoseconds += taken;
        }
        Ok(())
    };
    let (filter, peak) = memory::peak(|| -> Result<_> {
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
    let ((filter, nanoseconds), peak) = memory::peak(|| {
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
    let pass = || {
        black_box(
            digests
                .iter()
                .filter(|&&digest| filter.may_contain(digest))
                .count(),
        )
    };
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
    let columns = [
        "filter",
        "keys",
        "build ns per key",
        "cores",
        "peak bytes per key",
        "bytes of the filter",
        "member ns",
        "non-member ns",
        "known",
        "unseen",
    ];
    let mut table = Table::new("", columns);
    let chart = |y: &str| Chart::new(format!("Scale: {y}"), Axis::log("keys"), Axis::log(y));
    let mut building = chart("nanoseconds per key to build");
    let mut space = chart("bytes per key at the peak of building");
    let mut querying = chart("nanoseconds of a query for a non-member");
    let cases = [
        Case::growing(Family::Bloom, BITS_PER_KEY),
        Case::growing(Family::Blocked, BITS_PER_KEY),
        Case::growing(Family::Balanced, BITS_PER_KEY),
        Case::growing(Family::Personalized, BITS_PER_KEY),
        Case::growing(Family::Counting, 4 * BITS_PER_KEY),
        Case::fixed(Family::Guarded, false),
        Case::fixed(Family::Guarded, true),
        Case::fixed(Family::Habf, true),
    ];
    for case in cases {
        let name = case.subject.name.as_str();
        for millions in MILLIONS.into_iter().filter(|&count| count <= case.most) {
            let keys = options.scaled(millions * 1_000_000, 1000 * millions);
            let found = case.build(keys)?;
            let filter = found.filter.as_ref();
            let false_negatives = keys - accepted(filter, 0..keys);
            ensure!(
                false_negatives == 0,
                "{name} does not find {false_negatives} of its {keys} keys"
            );
            let known = match case.how {
                How::Fixed { negatives: true } => {
                    let wrong = accepted(filter, negatives(keys));
                    Cell::rate(wrong as f64 / keys as f64)
                }
                _ => Cell::Nothing,
            };
            let queries = QUERIES.min(keys);
            let non_members = keys..keys + queries;
            let unseen = accepted(filter, non_members.clone()) as f64 / queries as f64;
            let member = query(filter, &digests(0..queries));
            let non_member = query(filter, &digests(non_members));
            let per_key = |bytes: u64| bytes as f64 / keys as f64;
            let used = if case.how == How::Grows { 1 } else { cores };
            table.row([
                name.into(),
                Cell::whole(keys),
                Cell::number(found.nanoseconds, 1),
                Cell::whole(used as u64),
                Cell::number(per_key(found.peak), 2),
                Cell::number(per_key(filter.bits()) / 8.0, 3),
                Cell::number(member, 1),
                Cell::number(non_member, 1),
                known,
                Cell::rate(unseen),
            ]);
            building.point(name, keys as f64, found.nanoseconds, 0.0);
            querying.point(name, keys as f64, non_member, 0.0);
            // A growing filter's peak is its own size; one of them represents all.
            if case.how != How::Grows || name == "bloom" {
                space.point(name, keys as f64, per_key(found.peak), 0.0);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts = vec![building, space, querying];
    Ok(outcome)
}
