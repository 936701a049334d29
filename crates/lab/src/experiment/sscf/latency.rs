//! Figure 16: nanoseconds to insert, to ask for and to remove a key, on three sets.
//!
//! Keys are in memory and hashed as part of each operation, one after the other. Filters take turns, and times are
//! medians over the rounds.

use super::{BITS_PER_KEY, paper};
use crate::baseline::{Member, Stacked, Weighted};
use crate::experiment::timing::{time, turns};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Source, vulnerable, zipf};
use anyhow::{Result, ensure};
use bloomwise::cells::PackedArray;
use bloomwise::{AnyFilter, Costed, Counting, Digest, Filter, Hashing, KeySets};

const ROUNDS: usize = 3;
const NAMES: [&str; 5] = [
    "counting",
    "weighted counting",
    "stacked counting",
    "seesaw, paper",
    "seesaw",
];

/// What the paper says: of counting, weighted, stacked and seesaw; to insert, to ask, to remove.
const PUBLISHED: [(Source, [[f64; 3]; 4]); 3] = [
    (
        Source::Urls,
        [
            [141.0, 158.0, 258.0],
            [250.0, 195.0, 236.0],
            [310.0, 253.0, 329.0],
            [208.0, 163.0, 314.0],
        ],
    ),
    (
        Source::Users,
        [
            [190.0, 211.0, 345.0],
            [277.0, 2548.0, 280.0],
            [438.0, 364.0, 443.0],
            [296.0, 199.0, 354.0],
        ],
    ),
    (
        Source::Flows,
        [
            [197.0, 209.0, 320.0],
            [283.0, 448.0, 315.0],
            [458.0, 334.0, 430.0],
            [326.0, 195.0, 385.0],
        ],
    ),
];

/// A filter whose keys come and go.
enum Changing {
    Weighted(Weighted<PackedArray>),
    Stacked(Stacked<Counting>),
    Ours(AnyFilter),
}

impl Changing {
    /// An empty one of this name.
    fn new(name: &str, keys: u64, negatives: &KeySets, costliest: &[Vec<u8>]) -> Result<Self> {
        let budget = (BITS_PER_KEY * keys as f64) as u64;
        let digests: Vec<Digest> = costliest.iter().map(|key| digest(key)).collect();
        let subject = match name {
            "weighted counting" => {
                return Ok(Changing::Weighted(Weighted::growing(
                    keys, negatives, budget, 5e-5,
                )?));
            }
            "stacked counting" => {
                return Ok(Changing::Stacked(Stacked::growing(keys, &digests, budget)?));
            }
            "counting" => Subject::kind("counting"),
            "seesaw" => Subject::kind("seesaw").set("guard", 0.05),
            _ => paper(),
        };
        let Some(spec) = subject.spec(budget)? else {
            anyhow::bail!("{name} has no kind");
        };
        // Negatives alone: the filter is sized for the keys to come, and guards them from the start.
        Ok(Changing::Ours(spec.capacity(keys).build(negatives)?))
    }

    fn insert(&mut self, key: &[u8]) -> Result<()> {
        match self {
            Changing::Weighted(filter) => filter.insert(digest(key)),
            Changing::Stacked(filter) => filter.insert(digest(key)),
            Changing::Ours(filter) => filter.insert(key)?,
        }
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<bool> {
        Ok(match self {
            Changing::Weighted(filter) => filter.remove(digest(key)),
            Changing::Stacked(filter) => filter.remove(digest(key)),
            Changing::Ours(filter) => filter.remove(key)?,
        })
    }

    fn has(&self, key: &[u8]) -> bool {
        match self {
            Changing::Weighted(filter) => filter.has(digest(key)),
            Changing::Stacked(filter) => filter.has(digest(key)),
            Changing::Ours(filter) => filter.contains(key),
        }
    }
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

/// Times to insert all keys, to ask for all and as many others, and to remove all.
fn measure(
    name: &str,
    keys: &[Vec<u8>],
    others: &[Vec<u8>],
    negatives: &KeySets,
    costliest: &[Vec<u8>],
) -> Result<[f64; 3]> {
    let mut filter = Changing::new(name, keys.len() as u64, negatives, costliest)?;
    let (done, insert) = time(keys.len(), || {
        keys.iter().try_for_each(|key| filter.insert(key))
    });
    done?;
    let found = |keys: &[Vec<u8>]| keys.iter().filter(|key| filter.has(key)).count();
    let ((inside, _), ask) = time(keys.len() + others.len(), || {
        (found(keys), std::hint::black_box(found(others)))
    });
    ensure!(inside == keys.len(), "{name} denies a member");
    let (removed, remove) = time(keys.len(), || {
        keys.iter()
            .map(|key| filter.remove(key))
            .collect::<Result<Vec<_>>>()
    });
    ensure!(
        removed?.iter().all(|&done| done),
        "{name} does not remove a member"
    );
    Ok([insert, ask, remove])
}

/// Runs it.
pub fn figure_16(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 16: nanoseconds per operation, {BITS_PER_KEY} bits per key, 5 % as many guarded negatives as positives, Zipf costs with skew 1.5. A query is for a key of the set as often as for another. A third of the paper's sets at full size."
    ));
    let parts = ["insert", "query", "remove"];
    for (source, published) in PUBLISHED {
        let count = options.scaled(source.published().0 / 3, 2000);
        let key = |n: u64| source.key(n, n < count);
        let keys: Vec<Vec<u8>> = (0..count).map(key).collect();
        let others: Vec<Vec<u8>> = (count..2 * count).map(key).collect();
        let costs = zipf::costs(others.len(), 1.5, 0);
        let costed = others.iter().zip(&costs).map(|(key, &cost)| Costed {
            digest: digest(key),
            cost,
        });
        let negatives = KeySets::new(Vec::new(), costed.collect())?;
        let share = KeySets::new(
            keys.iter().map(|key| digest(key)).collect(),
            negatives.negatives().to_vec(),
        )?;
        let wanted: std::collections::HashSet<Digest> =
            vulnerable(&share, 0.05).into_iter().collect();
        let costliest: Vec<Vec<u8>> = others
            .iter()
            .filter(|key| wanted.contains(&digest(key)))
            .cloned()
            .collect();
        let medians = turns(ROUNDS, NAMES.len(), |number| {
            measure(NAMES[number], &keys, &others, &negatives, &costliest)
        })?;
        let columns = [
            "filter",
            "insert",
            "times counting",
            "query",
            "times counting",
            "remove",
            "times counting",
        ];
        let mut table = Table::new(format!("{count} {}", source.name()), columns);
        let names = NAMES.iter().map(ToString::to_string);
        let title = format!("SSCF, Figure 16, {}", source.name());
        let mut chart = Chart::new(title, Axis::linear("nanoseconds"), Axis::names(names));
        for (number, (name, times)) in NAMES.iter().zip(&medians).enumerate() {
            for (part, time) in parts.iter().zip(times) {
                chart.point(part, *time, number as f64, 0.0);
            }
            let cells = times
                .iter()
                .zip(&medians[0])
                .flat_map(|(time, base)| [Cell::number(*time, 1), Cell::number(time / base, 2)]);
            table.row([(*name).into()].into_iter().chain(cells));
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
        for number in 1..4 {
            for (part, name) in parts.iter().enumerate() {
                outcome.claims.push(Claim::lower(
                    format!("{}, {}, {name} / counting", NAMES[number], source.name()),
                    Cell::number(published[number][part] / published[0][part], 2),
                    Cell::number(medians[number][part] / medians[0][part], 2),
                    0.0,
                    "ratios within one run; the paper's filters hash a key once for each function, ours once",
                ));
            }
        }
    }
    Ok(outcome)
}
