//! Known and unseen negatives in equal space.

use crate::baseline::TooSmall;
use crate::experiment::sscf::paper;
use crate::measure::Answers;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::Family;

/// Bits per key, and known negatives for ten keys.
const CASES: [(f64, u64); 5] = [(11.0, 1), (12.0, 1), (12.0, 10), (20.0, 10), (36.0, 10)];

/// The filters that remove keys: ours, the paper's seesaw filter, and those that it was compared with.
fn subjects(bits_per_key: f64) -> [Subject; 7] {
    [
        Subject::kind(Family::Cuckoo),
        Subject::kind(Family::Counting),
        Subject::weighted_counting(),
        Subject::stacked_counting(),
        paper(bits_per_key),
        Subject::kind(Family::Seesaw),
        Subject::kind(Family::SeesawAdaptive),
    ]
}

/// The case of the chart.
const SHOWN: (f64, u64) = (12.0, 10);

/// The table of rates, and a chart of one size.
pub(super) fn table(options: &Options) -> Result<(Table, Chart)> {
    let keys = options.scaled(1_000_000, 10_000);
    let columns = [
        "bits per key",
        "known negatives",
        "filter",
        "bits per key taken",
        "known, wrong",
        "known, by cost",
        "unseen",
    ];
    let title = format!("Rates, {keys} keys, negatives with costs by Zipf's law (1.0)");
    let mut table = Table::new(title, columns);
    let mut chart = Chart::new(
        format!(
            "False positives at {} bits per key, as many known negatives as keys",
            SHOWN.0
        ),
        Axis::rates("false positives"),
        Axis::names(subjects(SHOWN.0).map(|subject| subject.name)),
    );
    for (bits, negatives) in CASES {
        let set = Set::sized(Source::Users, keys, keys * negatives / 10, keys);
        let costs = zipf::costs(set.negatives.len(), 1.0, 0);
        let sets = set.with_costs(&costs)?;
        for (row, subject) in subjects(bits).into_iter().enumerate() {
            let answers = match subject.build(&sets, set.bits(bits)) {
                Ok(filter) => Answers::of(&*filter, &set)?,
                // It cannot be that small.
                Err(error) if error.is::<TooSmall>() => continue,
                Err(error) => return Err(error),
            };
            let wrong = answers.known(&set) * set.negatives.len() as f64;
            if (bits, negatives) == SHOWN {
                let known = answers.known(&set);
                chart.point("known negatives", known, row as f64, 0.0);
                chart.point("unseen keys", answers.unseen, row as f64, 0.0);
            }
            table.row([
                Cell::number(bits, 0),
                Cell::number(set.negatives.len() as f64, 0),
                subject.name.as_str().into(),
                Cell::number(answers.bits_per_key, 2),
                Cell::number(wrong, 0),
                Cell::rate(answers.weighted(&costs)),
                Cell::rate(answers.unseen),
            ]);
        }
    }
    Ok((table, chart))
}
