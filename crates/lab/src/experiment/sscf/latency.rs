//! Figure 16: nanoseconds to insert, query and remove a key, on three sets.
//!
//! Keys are in memory, and hashing them is part of each operation. Operations run one by one. Queries are two passes: all keys of the set, then
//! as many others; the time is that of both. Filters take turns. A ratio is that of two times within a round. As in the authors' program, there
//! are five rounds, and the lowest and the highest ratio are left out of the mean.

use super::GUARD;
use super::dynamic::DynamicFilter;
use crate::measure::Spread;
use crate::measure::statistics::median;
use crate::measure::timing::{Ratios, in_turns, part, time};
use crate::options::Options;
use crate::output::verdict::Says;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::{Source, costliest_share, zipf};
use anyhow::{Result, ensure};
use bloomwise::KeySets;
use bloomwise::keys::Digest;

const ROUNDS: usize = 5;
const PARTS: [&str; 3] = ["insert", "query", "remove"];
const NAMES: [&str; 5] = [
    "counting",
    "weighted counting",
    "stacked counting, paper",
    "seesaw, paper's parameters",
    "seesaw",
];

/// The index of the paper's filter in `NAMES`.
const PAPER: usize = 3;

/// The paper's times to insert, query and remove, for counting, weighted, stacked and seesaw filters.
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

/// The paper's means over the sets for its own filter; a query is "similar".
const HEADLINES: [f64; 3] = [1.47, 1.0, 1.21];

const OTHER_PROGRAM: &str = "other programs on another machine, compared by ratios; the paper hashes a key once per function, this library once";

/// The size: 4.25 MB for Shalla in the authors' program.
fn bits_per_key() -> f64 {
    4.25 * f64::from(8 << 20) / Source::Urls.published_sizes().0 as f64
}

/// The keys to insert and query, and the negatives to guard.
pub(super) struct Keys {
    /// The size of all filters in bits.
    pub bits: u64,
    pub members: Vec<Vec<u8>>,
    pub others: Vec<Vec<u8>>,
    /// The other keys, with costs.
    pub negatives: KeySets,
    /// The costliest negatives.
    pub costliest: Vec<Digest>,
}

impl Keys {
    fn new(source: Source, options: &Options) -> Result<Self> {
        let (positives, negatives) = source.published_sizes();
        let [positives, negatives] = [positives, negatives].map(|n| options.scaled(n, 2000));
        let keys = |from: u64, count: u64, inside: bool| {
            (from..from + count)
                .map(|n| source.key(n, inside))
                .collect()
        };
        let (members, others): (Vec<Vec<u8>>, Vec<Vec<u8>>) =
            (keys(0, positives, true), keys(positives, negatives, false));
        let costs = zipf::costs(others.len(), 1.5, 0);
        let costed = || others.iter().zip(costs.iter().copied());
        let all = KeySets::new(&members, costed())?;
        Ok(Keys {
            bits: (bits_per_key() * positives as f64) as u64,
            costliest: costliest_share(&all, GUARD),
            negatives: KeySets::new([[]; 0], costed())?,
            members,
            others,
        })
    }
}

/// Times to insert all keys, to query all keys and the others, and to remove all keys.
fn measure(name: &str, keys: &Keys) -> Result<[f64; 3]> {
    let Keys {
        members, others, ..
    } = keys;
    let mut filter = DynamicFilter::new(name, bits_per_key(), keys)?;
    let (done, insert) = time(members.len(), || {
        members.iter().try_for_each(|key| filter.insert(key))
    });
    done?;
    let found = |keys: &[Vec<u8>]| keys.iter().filter(|key| filter.may_contain(key)).count();
    let ((inside, _), query) = time(members.len() + others.len(), || {
        (found(members), std::hint::black_box(found(others)))
    });
    ensure!(
        inside == members.len(),
        "{name} does not find {} of its keys",
        members.len() - inside
    );
    let mut removed = 0;
    let (done, remove) = time(members.len(), || {
        members.iter().try_for_each(|key| {
            removed += usize::from(filter.remove(key)?);
            Ok::<_, anyhow::Error>(())
        })
    });
    done?;
    ensure!(
        removed == members.len(),
        "{name} does not remove {} of its keys",
        members.len() - removed
    );
    Ok([insert, query, remove])
}

/// Runs the experiment.
pub fn figure_16(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 16: nanoseconds per operation, medians of {ROUNDS} rounds; ratios are means without the lowest and the highest. {:.1} bits per key, the authors' program's 4.25 MB for Shalla; 5 % as many guarded negatives as positives, Zipf costs with skew 1.5.",
        bits_per_key()
    ));
    let mut of_paper: [Vec<Spread>; 3] = Default::default();
    let mut single = Vec::new();
    for (source, published) in PUBLISHED {
        let keys = Keys::new(source, options)?;
        let times = in_turns(ROUNDS, NAMES.len(), |number| measure(NAMES[number], &keys))?;
        let columns = [
            "filter",
            "operation",
            "ns",
            "times counting",
            "paper: ns",
            "paper: times counting",
        ];
        let mut table = Table::new(format!("{} {}", keys.members.len(), source.name()), columns);
        let title = format!("SSCF, Figure 16, {}", source.name());
        let names = Axis::names(NAMES.map(str::to_string));
        let mut chart = Chart::new(title, Axis::linear("nanoseconds"), names);
        for (filter, name) in NAMES.into_iter().enumerate() {
            for (number, operation) in PARTS.into_iter().enumerate() {
                let own = part(&times[filter], number);
                let ratio = Ratios::of(&own, &part(&times[0], number)).trimmed();
                chart.point(operation, median(&own), filter as f64, 0.0);
                let time = published.get(filter).map(|times| times[number]);
                let paper = time.map(|time| time / published[0][number]);
                table.row([
                    name.into(),
                    operation.into(),
                    Cell::number(median(&own), 1),
                    format!("{:.2} ± {:.2}", ratio.mean, ratio.deviation).into(),
                    Cell::or_dash(time, |time| Cell::number(time, 0)),
                    Cell::or_dash(paper, |paper| Cell::number(paper, 2)),
                ]);
                if filter == PAPER {
                    of_paper[number].push(ratio);
                }
                if let Some(paper) = paper.filter(|_| filter > 0) {
                    let what = format!("{name}, {}, {operation} / counting", source.name());
                    let claim = Claim::ratio(what, Says::Equal, paper, ratio);
                    single.push(claim.rests_on("five rounds").because(OTHER_PROGRAM));
                }
            }
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    for ((operation, paper), ratios) in PARTS.into_iter().zip(HEADLINES).zip(&of_paper) {
        let what = format!("seesaw, paper's parameters: {operation} / counting, mean of the sets");
        let claim = Claim::ratio(what, Says::Equal, paper, Spread::pooled(ratios));
        outcome.claims.push(
            claim
                .rests_on("five rounds")
                .headline()
                .because(OTHER_PROGRAM),
        );
    }
    outcome.claims.extend(single);
    Ok(outcome)
}
