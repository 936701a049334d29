//! Figures 12 and 15: what filters cost to build, in time and memory, and to ask.
//!
//! Building starts from the keys as they are in memory: hashing, sorting and checking the sets is part of it. Filters take turns,
//! and times are medians over the rounds. All are asked by the same call. Memory is what is allocated at the peak, beyond the
//! keys, the sets of digests included.

use super::bits_per_key;
use crate::baseline::Member;
use crate::experiment::timing::{time, turns};
use crate::memory;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Source, zipf};
use anyhow::{Result, ensure};
use bloomwise::{Costed, Digest, Hashing, KeySets};
use std::hint::black_box;

const ROUNDS: usize = 3;

/// Sets, megabytes, and what the paper says of a filter: its name, the time of building and of asking, the gigabytes.
type Setting = (Source, f64, [(&'static str, f64, Option<f64>, f64); 5]);

const SETTINGS: [Setting; 2] = [
    (
        Source::Urls,
        1.5,
        [
            ("bloom", 68.0, Some(52.0), 0.13),
            ("xor", 158.0, Some(48.0), 0.20),
            ("weighted", 245.0, None, 0.58),
            ("habf, paper", 1411.0, Some(338.0), 0.79),
            ("habf-fast, paper", 205.0, Some(67.0), 0.46),
        ],
    ),
    (
        Source::Users,
        15.0,
        [
            ("bloom", 84.0, Some(79.0), 1.23),
            ("xor", 188.0, Some(54.0), 1.781),
            ("weighted", 325.0, None, 2.708),
            ("habf, paper", 1480.0, Some(336.0), 7.569),
            ("habf-fast, paper", 193.0, Some(82.0), 4.394),
        ],
    ),
];

fn subjects() -> [Subject; 9] {
    [
        Subject::kind("bloom"),
        Subject::xor(),
        Subject::weighted(),
        Subject::paper("habf"),
        Subject::paper("habf-fast"),
        Subject::kind("habf"),
        Subject::kind("habf-fast"),
        Subject::kind("habf-cache"),
        Subject::kind("guarded"),
    ]
}

/// Keys in memory, with what a mistake on the negatives costs.
struct Keys {
    positives: Vec<Vec<u8>>,
    negatives: Vec<Vec<u8>>,
    costs: Vec<f64>,
    bits: u64,
}

impl Keys {
    fn new(source: Source, megabytes: f64, options: &Options) -> Self {
        let (positives, negatives) = source.published();
        let positives = options.scaled(positives, 2000);
        let negatives = options.scaled(negatives, 2000);
        let key = |n: u64| source.key(n, n < positives);
        Keys {
            positives: (0..positives).map(key).collect(),
            negatives: (positives..positives + negatives).map(key).collect(),
            costs: zipf::costs(negatives as usize, 1.0, 0),
            bits: (bits_per_key(source, megabytes) * positives as f64) as u64,
        }
    }

    /// The bytes of the keys that a filter is built from, as they are in memory.
    fn bytes(&self, subject: &Subject) -> u64 {
        let negatives: &[Vec<u8>] = if subject.blind { &[] } else { &self.negatives };
        let all = self.positives.iter().chain(negatives);
        all.map(|key| (key.capacity() + size_of::<Vec<u8>>()) as u64)
            .sum()
    }

    fn digest(key: &[u8]) -> Digest {
        Hashing::default().digest(key)
    }

    /// From keys to a filter. Those that know no negatives are not made to hash them, and those that grow need no sets.
    fn build(&self, subject: &Subject) -> Result<Box<dyn Member>> {
        if let (true, Some(spec)) = (subject.blind, subject.spec(self.bits)?) {
            let mut filter = spec.capacity(self.positives.len() as u64).create()?;
            for group in self.positives.chunks(1000) {
                let digests: Vec<Digest> = group.iter().map(|key| Self::digest(key)).collect();
                filter.insert_digests(&digests)?;
            }
            return Ok(Box::new(filter));
        }
        let positives = self.positives.iter().map(|key| Self::digest(key)).collect();
        let costed = |(key, &cost): (&Vec<u8>, &f64)| Costed {
            digest: Self::digest(key),
            cost,
        };
        let negatives = match subject.blind {
            true => Vec::new(),
            false => self.negatives.iter().zip(&self.costs).map(costed).collect(),
        };
        subject.build(&KeySets::new(positives, negatives)?, self.bits)
    }
}

/// The number of keys that a filter takes for members.
fn count(filter: &dyn Member, keys: &[Vec<u8>]) -> usize {
    keys.iter()
        .filter(|key| filter.has(Keys::digest(key)))
        .count()
}

/// Times of building and asking.
pub fn figure_12(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 12: nanoseconds per key to build and to ask, from keys in memory, at 1.5 MB for 1.49 M keys and 15 MB for 12.5 M; Zipf costs, skew 1.0. Building is per positive, on all cores. Learned filters are not built again.",
    );
    let subjects = subjects();
    for (source, megabytes, published) in SETTINGS {
        let keys = Keys::new(source, megabytes, options);
        let (inside, outside) = (&keys.positives, &keys.negatives);
        let medians = turns(ROUNDS, subjects.len(), |number| {
            let (filter, build) = time(inside.len(), || keys.build(&subjects[number]));
            let filter = filter?;
            let (found, member) = time(inside.len(), || count(filter.as_ref(), inside));
            ensure!(
                found == inside.len(),
                "{} denies a member",
                subjects[number].name
            );
            let ask = || black_box(count(filter.as_ref(), outside));
            let (_, negative) = time(outside.len(), ask);
            Ok([build, member, negative])
        })?;
        let title = format!(
            "{} {}, {megabytes} MB at full size",
            inside.len(),
            source.name()
        );
        let columns = [
            "filter",
            "build",
            "times bloom",
            "member",
            "times bloom",
            "negative",
            "times bloom",
        ];
        let mut table = Table::new(title, columns);
        for (subject, times) in subjects.iter().zip(&medians) {
            let cells = times
                .iter()
                .zip(&medians[0])
                .flat_map(|(time, bloom)| [Cell::number(*time, 1), Cell::number(time / bloom, 2)]);
            table.row([subject.name.as_str().into()].into_iter().chain(cells));
        }
        outcome.tables.push(table);
        let [bloom_build, bloom_ask] = [published[0].1, published[0].2.unwrap_or(f64::NAN)];
        for (name, build, ask, _) in &published[1..] {
            let Some(number) = subjects.iter().position(|subject| subject.name == *name) else {
                continue;
            };
            let ours = |part: usize| Cell::number(medians[number][part] / medians[0][part], 2);
            let why = "times are of other machines, so ratios to the Bloom filter of the same run are compared";
            outcome.claims.push(Claim::lower(
                format!("{name}, {}, build / bloom", source.name()),
                Cell::number(build / bloom_build, 2),
                ours(0),
                0.0,
                why,
            ));
            if let Some(ask) = ask {
                outcome.claims.push(Claim::lower(
                    format!("{name}, {}, query / bloom", source.name()),
                    Cell::number(ask / bloom_ask, 2),
                    ours(1),
                    0.0,
                    why,
                ));
            }
        }
    }
    outcome.charts = charts(
        &outcome.tables,
        &["build", "member"],
        &[1, 3],
        "nanoseconds per key",
    );
    Ok(outcome)
}

/// Memory of building.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 15: bytes that are allocated at the peak of building; the sets of digests are part of it. Keys are those that the filter is built from, in memory: positives, and negatives if it knows any. The paper's numbers are of whole programs.",
    );
    for (source, megabytes, published) in SETTINGS {
        let keys = Keys::new(source, megabytes, options);
        let positives = keys.positives.len();
        let title = format!("{positives} {}, {megabytes} MB at full size", source.name());
        let columns = [
            "filter",
            "bytes per positive",
            "times bloom",
            "with keys",
            "times bloom",
        ];
        let mut table = Table::new(title, columns);
        let mut peaks: Vec<(String, [f64; 2])> = Vec::new();
        for subject in subjects() {
            let (filter, bytes) = memory::peak(|| keys.build(&subject));
            let found = count(filter?.as_ref(), &keys.positives);
            ensure!(found == positives, "{} denies a member", subject.name);
            let both = [bytes, bytes + keys.bytes(&subject)];
            peaks.push((
                subject.name,
                both.map(|bytes| bytes as f64 / positives as f64),
            ));
        }
        for (name, bytes) in &peaks {
            let cells = bytes.iter().zip(peaks[0].1).flat_map(|(bytes, bloom)| {
                [Cell::number(*bytes, 1), Cell::number(bytes / bloom, 2)]
            });
            table.row([name.as_str().into()].into_iter().chain(cells));
        }
        // Gigabytes of the full set.
        let full = source.published().0 as f64 / 1e9;
        for (name, _, _, published) in published {
            if let Some((_, [_, bytes])) = peaks.iter().find(|(known, _)| known == name) {
                outcome.claims.push(Claim::lower(
                    format!(
                        "{name}, {}, gigabytes at full size, with keys",
                        source.name()
                    ),
                    Cell::number(published, 2),
                    Cell::number(bytes * full, 3),
                    0.0,
                    "keys stand as digests of 16 bytes while a filter is built",
                ));
            }
        }
        outcome.tables.push(table);
    }
    let parts = ["without keys", "with keys"];
    outcome.charts = charts(&outcome.tables, &parts, &[1, 3], "bytes per positive");
    Ok(outcome)
}

/// A picture for all tables: a mark for each filter, and for each of some columns.
fn charts(tables: &[Table], parts: &[&str], columns: &[usize], unit: &str) -> Vec<Chart> {
    let names = subjects().map(|subject| subject.name);
    let mut chart = Chart::new(format!("HABF: {unit}"), Axis::log(unit), Axis::names(names));
    for table in tables {
        let source = table.title.split(',').next().unwrap_or_default();
        for (part, &column) in parts.iter().zip(columns) {
            for (number, row) in table.rows().iter().enumerate() {
                if let Cell::Number(value, _) = row[column] {
                    chart.point(&format!("{part}, {source}"), value, number as f64, 0.0);
                }
            }
        }
    }
    vec![chart]
}
