//! From a million to a hundred million keys: time and memory to build, time to ask.
//!
//! Keys that grow are inserted a million at a time, as digests; fixed sets are sorted and checked as part of their building. Sets
//! with known negatives stop at thirty million positives and as many negatives, which is what fits the memory of a small machine.

use super::timing::time;
use crate::baseline::Member;
use crate::memory;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Costed, Digest, Hashing, KeySets};
use rayon::prelude::*;
use std::hint::black_box;

const BITS_PER_KEY: u64 = 10;

/// Keys that are added at a time.
const CHUNK: u64 = 1_000_000;

/// Keys that are asked for in a pass.
const ASKED: u64 = 10_000_000;

/// The digests of the keys with these numbers.
fn digests(numbers: std::ops::Range<u64>) -> Vec<Digest> {
    let digest = |n: u64| Hashing::default().digest(&u64::number(n).to_le_bytes());
    numbers.into_par_iter().map(digest).collect()
}

/// What was measured of a filter.
struct Found {
    filter: Box<dyn Member>,
    nanoseconds: f64,
    peak: u64,
}

/// A filter that grows.
fn grown(subject: &Subject, keys: u64) -> Result<Found> {
    let Some(spec) = subject.spec(BITS_PER_KEY * keys)? else {
        anyhow::bail!("{} does not grow", subject.name);
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

/// A filter of a fixed set, with this many negatives.
fn fixed(subject: &Subject, keys: u64, negatives: u64) -> Result<Found> {
    let positives = digests(0..keys);
    let outside = digests(2 * keys..2 * keys + negatives);
    let costed = outside
        .into_iter()
        .map(|digest| Costed { digest, cost: 1.0 });
    let negatives: Vec<Costed> = costed.collect();
    let ((filter, nanoseconds), peak) = memory::peak(|| {
        time(keys as usize, || -> Result<_> {
            subject.build(&KeySets::new(positives, negatives)?, BITS_PER_KEY * keys)
        })
    });
    Ok(Found {
        filter: filter?,
        nanoseconds,
        peak,
    })
}

/// Runs it.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "From a million to a hundred million keys, times {}: building per key on all cores, memory that is allocated at its peak beyond the digests, and queries one by one on one core, from digests. {BITS_PER_KEY} bits per key.",
        options.scale
    ));
    let columns = [
        "filter",
        "keys",
        "build ns per key",
        "peak bytes per key",
        "bytes of the filter",
        "member ns",
        "stranger ns",
        "unseen",
    ];
    let mut table = Table::new("", columns);
    let chart = |y: &str| Chart::new(format!("Scale: {y}"), Axis::log("keys"), Axis::log(y));
    let mut charts = [
        chart("nanoseconds per key to build"),
        chart("bytes per key at the peak of building"),
        chart("nanoseconds of a query for a stranger"),
    ];
    let growing = |kind| (Subject::kind(kind), true, 0.0, 100);
    for (subject, grows, negatives, most) in [
        growing("bloom"),
        growing("blocked"),
        growing("balanced"),
        growing("personalized"),
        growing("counting"),
        (Subject::kind("guarded"), false, 0.0, 100),
        (
            Subject::kind("guarded").named("guarded, as many negatives"),
            false,
            1.0,
            30,
        ),
        (
            Subject::kind("habf").named("habf, as many negatives"),
            false,
            1.0,
            30,
        ),
    ] {
        for millions in [1, 3, 10, 30, 100]
            .into_iter()
            .filter(|&millions| millions <= most)
        {
            let keys = options.scaled(millions * 1_000_000, 1000 * millions);
            let found = match grows {
                true => grown(&subject, keys)?,
                false => fixed(&subject, keys, (negatives * keys as f64) as u64)?,
            };
            let filter = found.filter.as_ref();
            for start in (0..keys).step_by(CHUNK as usize) {
                let chunk = digests(start..keys.min(start + CHUNK));
                let denied = chunk.par_iter().filter(|&&digest| !filter.has(digest));
                ensure!(denied.count() == 0, "{} denies a member", subject.name);
            }
            let asked = ASKED.min(keys);
            let ask = |digests: &[Digest]| digests.iter().filter(|&&d| filter.has(d)).count();
            let (inside, outside) = (digests(0..asked), digests(keys..keys + asked));
            let (_, member) = time(inside.len(), || black_box(ask(&inside)));
            let (wrong, stranger) = time(outside.len(), || ask(&outside));
            let per_key = |bytes: u64| bytes as f64 / keys as f64;
            table.row([
                subject.name.as_str().into(),
                Cell::whole(keys),
                Cell::number(found.nanoseconds, 1),
                Cell::number(per_key(found.peak), 2),
                Cell::number(per_key(filter.bits()) / 8.0, 3),
                Cell::number(member, 1),
                Cell::number(stranger, 1),
                Cell::rate(wrong as f64 / outside.len() as f64),
            ]);
            let values = [found.nanoseconds, per_key(found.peak), stranger];
            for (chart, value) in charts.iter_mut().zip(values) {
                chart.point(&subject.name, keys as f64, value, 0.0);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts = charts.into();
    Ok(outcome)
}
