//! Deletion and late guards to the letter, beside this library's: a filter is filled, learns its negatives, and a share of its keys is replaced
//! in every round, as in Figure 17.
//!
//! The paper leaves open how a key is deleted and what happens to full counts; [`crate::filter::papers::seesaw`] has all
//! variants. A variant may lose keys. Here that is counted, not an error.

use super::{ALPHA, BITS_PER_KEY, GUARD, adaptive_shape, paper_with};
use crate::filter::changing::Start;
use crate::filter::papers::seesaw::{Deletion, FullCounts, Shape};
use crate::prelude::*;
use crate::rates::churn::later_keys;

/// The share of the keys that is replaced in a round, and the rounds after which rates are shown.
const SHARE: f64 = 0.1;
const SHOWN: [u64; 4] = [0, 10, 20, 40];

/// Guarded negatives per positive: the paper's number, and many.
const GUARDS: [f64; 2] = [GUARD, 0.3];

/// All filters.
fn starts() -> [Start; 5] {
    let variant = |name, deletion, full| {
        let shape = Shape {
            deletion,
            full,
            ..adaptive_shape(BITS_PER_KEY)
        };
        Start::Paper(name, shape)
    };
    use Deletion::{Algorithm, Lazy};
    use FullCounts::{Fall, Stick};
    [
        variant("ada-SSCF, Algorithm 4, full counts stick", Algorithm, Stick),
        variant("ada-SSCF, lazy deletion, full counts stick", Lazy, Stick),
        variant("ada-SSCF, Algorithm 4, full counts fall", Algorithm, Fall),
        paper_with(Family::SeesawAdaptive, BITS_PER_KEY, ALPHA, GUARD).into(),
        Subject::kind(Family::Counting).into(),
    ]
}

/// The rates of a filter with `guarded` negatives after each round of [`SHOWN`], and how many keys it has lost.
fn course(start: &Start, set: &Set, guarded: &[Digest], later: &[Digest]) -> Result<Vec<Course>> {
    let keys = set.positives.len() as u64;
    let mut filter = start.empty(set.bits(BITS_PER_KEY), keys)?;
    let mut members = set.positives.clone();
    filter.insert(&members)?;
    if !start.ignores_costs() {
        filter.guard(guarded, &vec![1.0; guarded.len()])?;
    }
    let mut rounds = later.chunks((later.len() / SHOWN[3] as usize).max(1));
    let mut round = 0;
    let mut course = Vec::new();
    for shown in SHOWN {
        while round < shown {
            for &new in rounds.next().unwrap_or_default() {
                // The new key determines which key it replaces.
                let goes = (u128::from(new) % u128::from(keys)) as usize;
                filter.remove(std::mem::replace(&mut members[goes], new))?;
                filter.insert(&[new])?;
            }
            round += 1;
        }
        let found = |digests: &[Digest]| {
            let found = digests.iter().filter(|&&digest| filter.may_contain(digest));
            found.count()
        };
        let rate = |digests: &[Digest]| found(digests) as f64 / digests.len() as f64;
        let lost = members.len() - found(&members);
        course.push((lost, rate(guarded), rate(&set.unseen)));
    }
    Ok(course)
}

/// Keys lost, and the rates on guarded and on unseen keys.
type Course = (usize, f64, f64);

/// The rates of all filters with `guarded` negatives, round by round.
fn rounds(set: &Set, guarded: &[Digest]) -> Result<(Table, Chart)> {
    let replaced = (SHARE * set.positives.len() as f64) as u64;
    let later = later_keys(set, Source::Users, SHOWN[3] * replaced);
    let count = guarded.len();
    let columns = "filter | round | keys lost | guarded {%} | unseen {%}";
    let mut table = Table::new(format!("{count} guarded negatives"), columns);
    let starts = starts();
    let courses = starts
        .par_iter()
        .map(|start| course(start, set, guarded, &later));
    for (start, course) in starts.iter().zip(courses.collect::<Result<Vec<_>>>()?) {
        for (round, found) in SHOWN.into_iter().zip(course) {
            table.row((start.name(), round, found));
        }
    }
    let title = format!("Keys come and go, {count} guarded negatives: unseen keys");
    let chart = Chart::rates(title, "round").rows(&table, ["round", "filter", "unseen"]);
    Ok((table, chart))
}

/// Runs the experiment.
pub fn deletion(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(200_000, 2000);
    let set = Set::sized(Source::Users, keys, keys, options.scaled(500_000, 20_000));
    let mut outcome = Outcome::new(format!(
        "SSCF: deletion and late guards to the letter, {BITS_PER_KEY} bits per key, {:.0} % of the keys replaced in a round. {}.",
        100.0 * SHARE,
        set.describe()
    ));
    for guard in GUARDS {
        let guarded = &set.negatives[..(guard * keys as f64) as usize];
        let (table, chart) = rounds(&set, guarded)?;
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    Ok(outcome)
}
