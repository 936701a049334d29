//! Figure 16: nanoseconds to insert, query and remove a key, on three sets.
//!
//! Keys are in memory, and hashing them is part of each operation. Operations run one by one. Queries are two passes: all keys of the set, then
//! as many others; the time is that of both. Filters take turns. A ratio is that of two times within a round. As in the authors' program, there
//! are five rounds, and the lowest and the highest ratio are left out of the mean.

use super::{GUARD, paper};
use crate::data::costliest_share;
use crate::filter::changing::Changing;
use crate::filter::{Stacked, Weighted};
use crate::prelude::*;

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
struct Keys {
    /// The size of all filters in bits.
    bits: u64,
    members: Vec<Vec<u8>>,
    others: Vec<Vec<u8>>,
    /// The other keys, with costs.
    negatives: KeySets,
    /// The costliest negatives.
    costliest: Vec<Digest>,
}

impl Keys {
    fn new(source: Source, options: &Options) -> Result<Self> {
        let [positives, negatives] = source.scaled_sizes(options);
        let key = |n: u64| source.key(n, n < positives);
        let members: Vec<Vec<u8>> = (0..positives).map(key).collect();
        let others: Vec<Vec<u8>> = (positives..positives + negatives).map(key).collect();
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

    /// The empty filter called `name`, which knows the negatives.
    fn filter(&self, name: &str) -> Result<Box<dyn Changing>> {
        let count = self.members.len() as u64;
        let subject = match name {
            "counting" => Subject::kind(Family::Counting),
            "seesaw" => Subject::kind(Family::Seesaw).set("guard", GUARD),
            "seesaw, paper's parameters" => paper(bits_per_key()),
            "weighted counting" => {
                let filter = Weighted::growing(count, &self.negatives, self.bits, 5e-5)?;
                return Ok(Box::new(filter));
            }
            _ => {
                let filter = Stacked::as_published(count, &self.costliest, self.bits)?;
                return Ok(Box::new(filter));
            }
        };
        // Only negatives: the filter is sized for the keys to come, and guards the negatives from the start.
        let spec = subject.spec(self.bits)?.capacity(count);
        Ok(Box::new(spec.build(&self.negatives)?))
    }
}

/// Times to insert all keys, to query all keys and the others, and to remove all keys.
fn measure(name: &str, keys: &Keys) -> Result<[f64; 3]> {
    let (members, others) = (&keys.members, &keys.others);
    let count = members.len();
    let digest = |key: &Vec<u8>| Hashing::default().digest(key);
    let mut filter = keys.filter(name)?;
    let (done, insert) = time(count, || {
        members
            .iter()
            .try_for_each(|key| filter.insert(&[digest(key)]))
    });
    done?;
    let found = |keys: &[Vec<u8>]| {
        let found = keys.iter().filter(|key| filter.may_contain(digest(key)));
        found.count()
    };
    let (found, query) = time(count + others.len(), || [found(members), found(others)]);
    let missing = count - black_box(found)[0];
    ensure!(missing == 0, "{name} does not find {missing} of its keys");
    let mut kept = 0;
    let (done, remove) = time(count, || -> Result<()> {
        for key in members {
            kept += usize::from(!filter.remove(digest(key))?);
        }
        Ok(())
    });
    done?;
    ensure!(kept == 0, "{name} does not remove {kept} of its keys");
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
    let claim = |what, paper, ratio| {
        let claim = Claim::ratio(what, Says::Equal, paper, ratio);
        claim.rests_on("five rounds").because(OTHER_PROGRAM)
    };
    for (source, published) in PUBLISHED {
        let keys = Keys::new(source, options)?;
        let set = source.name();
        let turns = Turns::take(ROUNDS, NAMES.len(), |number| measure(NAMES[number], &keys))?;
        let columns = "filter | operation | ns {1} | times counting | paper: ns {0} | paper: times counting {2}";
        let mut table = Table::new(format!("{} {set}", keys.members.len()), columns);
        let title = format!("SSCF, Figure 16, {set}");
        let mut chart = Chart::dots(title, Axis::linear("nanoseconds"));
        for (filter, name) in NAMES.into_iter().enumerate() {
            let ratios = turns.ratios(filter, 0).map(|ratios| ratios.trimmed());
            for (number, operation) in PARTS.into_iter().enumerate() {
                let (own, ratio) = (turns.medians(filter)[number], ratios[number]);
                chart.dot(operation, name, own);
                let time = published.get(filter).map(|times| times[number]);
                let paper = time.map(|time| time / published[0][number]);
                let shown = format!("{:.2} ± {:.2}", ratio.mean, ratio.deviation);
                table.row((name, operation, own, shown, time, paper));
                if filter == PAPER {
                    of_paper[number].push(ratio);
                }
                if let Some(paper) = paper.filter(|_| filter > 0) {
                    let what = format!("{name}, {set}, {operation} / counting");
                    single.push(claim(what, paper, ratio));
                }
            }
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    for ((operation, paper), ratios) in PARTS.into_iter().zip(HEADLINES).zip(&of_paper) {
        let what = format!("seesaw, paper's parameters: {operation} / counting, mean of the sets");
        outcome
            .claims
            .push(claim(what, paper, Spread::pooled(ratios)).headline());
    }
    outcome.claims.extend(single);
    Ok(outcome)
}
