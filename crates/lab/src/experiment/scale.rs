//! From a million to a hundred million keys: time and memory to build, time to ask.
//!
//! Filters that grow get their keys a million at a time, as digests, on one core; fixed sets are sorted and checked on all cores as
//! part of their building. Sets with known negatives stop at thirty million positives and as many negatives, which is what fits the
//! memory of a small machine. Filters are asked one digest after the other on one core: a first pass that is not timed, then the
//! median of some.

use super::timing::{median, time};
use crate::baseline::Member;
use crate::contender::BITS_PER_KEY;
use crate::memory;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::Key;
use anyhow::{Result, bail, ensure};
use bloomwise::{Costed, Digest, Hashing, KeySets};
use rayon::prelude::*;
use std::hint::black_box;
use std::ops::Range;

/// Keys that are added, or asked for in the check of all, at a time.
const CHUNK: u64 = 1_000_000;

/// Keys that are asked for in a pass.
const ASKED: u64 = 4_000_000;

/// Passes that are timed.
const PASSES: usize = 3;

/// Millions of keys at full size.
const MILLIONS: [u64; 5] = [1, 3, 10, 30, 100];

/// A filter, and how it comes to its keys.
struct Case {
    subject: Subject,
    bits_per_key: u64,
    /// The most millions of keys.
    most: u64,
    how: How,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    /// It takes one key after the other.
    Grows,
    /// It is built of a set, and of as many known negatives or none.
    Fixed { negatives: bool },
}

impl Case {
    fn growing(kind: &'static str, bits_per_key: u64) -> Self {
        Case {
            subject: Subject::kind(kind),
            bits_per_key,
            most: 100,
            how: How::Grows,
        }
    }

    fn fixed(kind: &'static str, negatives: bool) -> Self {
        let subject = Subject::kind(kind);
        let (subject, most) = match negatives {
            true => (subject.named(format!("{kind}, as many negatives")), 30),
            false => (subject, 100),
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
    let digest = |n: u64| Hashing::default().digest(&u64::number(n).to_le_bytes());
    numbers.into_par_iter().map(digest).collect()
}

/// The known negatives of so many keys, which are far from the strangers that are asked for.
fn negatives(keys: u64) -> Range<u64> {
    2 * keys..3 * keys
}

/// How many of the keys with these numbers a filter takes for its own.
fn accepted(filter: &dyn Member, numbers: Range<u64>) -> u64 {
    let starts = numbers.clone().step_by(CHUNK as usize);
    let chunks = starts.map(|start| digests(start..numbers.end.min(start + CHUNK)));
    let yes = chunks.map(|chunk| {
        chunk
            .par_iter()
            .filter(|&&digest| filter.has(digest))
            .count()
    });
    yes.sum::<usize>() as u64
}

/// What was measured of a filter's building.
struct Found {
    filter: Box<dyn Member>,
    nanoseconds: f64,
    peak: u64,
}

/// A filter that grows.
fn grown(subject: &Subject, keys: u64, bits: u64) -> Result<Found> {
    let Some(spec) = subject.spec(bits)? else {
        bail!("{} does not grow", subject.name);
    };
    let mut nanoseconds = 0.0;
    // Digests of a chunk are there at the peak, but are no part of building.
    let mut insert = |filter: &mut bloomwise::AnyFilter| -> Result<()> {
        for start in (0..keys).step_by(CHUNK as usize) {
            let chunk = digests(start..keys.min(start + CHUNK));
            let (done, taken) = time(1, || filter.insert_digests(&chunk));
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

/// A filter of a fixed set.
fn fixed(subject: &Subject, keys: u64, known: bool, bits: u64) -> Result<Found> {
    let positives = digests(0..keys);
    let outside = match known {
        true => digests(negatives(keys)),
        false => Vec::new(),
    };
    let costed = outside
        .into_iter()
        .map(|digest| Costed { digest, cost: 1.0 });
    let costed: Vec<Costed> = costed.collect();
    let ((filter, nanoseconds), peak) = memory::peak(|| {
        time(keys as usize, || -> Result<_> {
            subject.build(&KeySets::new(positives, costed)?, bits)
        })
    });
    Ok(Found {
        filter: filter?,
        nanoseconds,
        peak,
    })
}

/// Nanoseconds of a query for one of these keys.
fn ask(filter: &dyn Member, digests: &[Digest]) -> f64 {
    let pass = || black_box(digests.iter().filter(|&&digest| filter.has(digest)).count());
    pass();
    let times: Vec<f64> = (0..PASSES).map(|_| time(digests.len(), pass).1).collect();
    median(&times)
}

/// Runs it.
pub fn run(options: &Options) -> Result<Outcome> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut outcome = Outcome::new(format!(
        "From a million to a hundred million keys, times {}. Filters that grow are filled on one core, digest after digest; guarded and habf are sorted, checked and built on all cores, of which there are {cores}. Memory is what is allocated at the peak beyond the digests that they are given. Queries are one by one on one core, from digests: the median of {PASSES} passes after one that is not timed. {BITS_PER_KEY} bits per key, and counting as many counters of 4 bits.",
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
        "stranger ns",
        "known",
        "unseen",
    ];
    let mut table = Table::new("", columns);
    let chart = |y: &str| Chart::new(format!("Scale: {y}"), Axis::log("keys"), Axis::log(y));
    let mut building = chart("nanoseconds per key to build");
    let mut space = chart("bytes per key at the peak of building");
    let mut asking = chart("nanoseconds of a query for a stranger");
    let cases = [
        Case::growing("bloom", BITS_PER_KEY),
        Case::growing("blocked", BITS_PER_KEY),
        Case::growing("balanced", BITS_PER_KEY),
        Case::growing("personalized", BITS_PER_KEY),
        Case::growing("counting", 4 * BITS_PER_KEY),
        Case::fixed("guarded", false),
        Case::fixed("guarded", true),
        Case::fixed("habf", true),
    ];
    for case in cases {
        let name = case.subject.name.as_str();
        for millions in MILLIONS.into_iter().filter(|&count| count <= case.most) {
            let keys = options.scaled(millions * 1_000_000, 1000 * millions);
            let found = case.build(keys)?;
            let filter = found.filter.as_ref();
            let denied = keys - accepted(filter, 0..keys);
            ensure!(denied == 0, "{name} denies {denied} of {keys} keys");
            let known = match case.how {
                How::Fixed { negatives: true } => {
                    let wrong = accepted(filter, negatives(keys));
                    Cell::rate(wrong as f64 / keys as f64)
                }
                _ => Cell::Nothing,
            };
            let asked = ASKED.min(keys);
            let strangers = keys..keys + asked;
            let unseen = accepted(filter, strangers.clone()) as f64 / asked as f64;
            let member = ask(filter, &digests(0..asked));
            let stranger = ask(filter, &digests(strangers));
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
                Cell::number(stranger, 1),
                known,
                Cell::rate(unseen),
            ]);
            building.point(name, keys as f64, found.nanoseconds, 0.0);
            asking.point(name, keys as f64, stranger, 0.0);
            // Filters that grow take what they are at the end; one of them stands for all.
            if case.how != How::Grows || name == "bloom" {
                space.point(name, keys as f64, per_key(found.peak), 0.0);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts = vec![building, space, asking];
    Ok(outcome)
}
