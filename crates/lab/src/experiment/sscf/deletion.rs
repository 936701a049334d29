//! Deletion and late guards to the letter, beside this library's: a filter is filled, learns its negatives, and a share of its keys is replaced
//! in every round, as in Figure 17.
//!
//! The paper leaves open how a key is deleted and what happens to full counts; [`crate::baseline::seesaw`] has all
//! variants. A variant may lose keys. Here that is counted, not an error.

use super::{ALPHA, BITS_PER_KEY, GUARD, adaptive_shape, paper_with};
use crate::baseline::seesaw::{Deletion, FullCounts, Shape};
use crate::experiment::changing::Start;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;
use bloomwise::keys::Digest;
use bloomwise::{Family, Hashing};

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

/// The rates of all filters with `guarded` negatives, round by round.
fn rounds(set: &Set, guarded: &[Digest]) -> Result<(Table, Chart)> {
    let keys = set.positives.len() as u64;
    let replaced = (SHARE * keys as f64) as usize;
    let columns = ["filter", "round", "keys lost", "guarded", "unseen"];
    let mut table = Table::new(format!("{} guarded negatives", guarded.len()), columns);
    let title = format!(
        "Keys come and go, {} guarded negatives: unseen keys",
        guarded.len()
    );
    let y = Axis::rates("false positive rate");
    let mut chart = Chart::new(title, Axis::linear("round"), y);
    for start in starts() {
        let name = start.name();
        let mut filter = start.empty(set.bits(BITS_PER_KEY), keys)?;
        let mut members = set.positives.clone();
        filter.insert(&members)?;
        if !start.ignores_costs() {
            filter.guard(guarded, &vec![1.0; guarded.len()])?;
        }
        let first = 2 * keys + set.unseen.len() as u64;
        let mut later = (first..).map(|n| Hashing::default().digest(Source::Users.key(n, true)));
        let mut round = 0;
        for shown in SHOWN {
            while round < shown {
                for new in later.by_ref().take(replaced) {
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
            chart.point(name, round as f64, rate(&set.unseen), 0.0);
            table.row([
                name.into(),
                Cell::whole(round),
                Cell::whole((members.len() - found(&members)) as u64),
                Cell::rate(rate(guarded)),
                Cell::rate(rate(&set.unseen)),
            ]);
        }
    }
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
