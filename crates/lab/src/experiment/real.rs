//! Real keys with their own costs: all kinds for fixed sets in equal space, from the folder that `--data` names.
//!
//! Three rates are shown: on known negatives by cost, which the filters try to keep low; on known negatives, each
//! counted once; and on unseen keys. Every filter is built with the costs.

use crate::measure::{Place, sweep_with_costs};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::zipf;
use crate::workload::{Set, Source};
use anyhow::Result;
use bloomwise::Family;

/// Bits per key.
const SIZES: [f64; 5] = [6.0, 8.0, 10.0, 12.0, 14.0];

/// What the picture of a few kinds shows.
const SHOWN: [Family; 3] = [Family::Bloom, Family::Habf, Family::Guarded];
const SHOWN_SIZE: f64 = 10.0;

/// Runs the experiment. Without a folder, URL-like keys with Zipf costs replace real ones.
pub fn run(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let (costs, whose) = match &set.costs {
        Some(costs) => (costs.clone(), "their own costs"),
        None => (
            zipf::costs(set.negatives.len(), 1.0, 0),
            "Zipf costs with skew 1.0, since no folder of real keys is given (`--data`)",
        ),
    };
    let mut outcome = Outcome::new(format!(
        "All kinds of fixed sets in equal space, {whose}. {}. One run, one set: differences of a few percent are chance.",
        set.describe()
    ));
    let subjects = [
        Subject::kind(Family::Bloom),
        Subject::kind(Family::Blocked),
        Subject::xor(),
        Subject::weighted(),
        Subject::stacked(),
        Subject::cascade(),
        Subject::kind(Family::Habf),
        Subject::kind(Family::HabfFast),
        Subject::kind(Family::Guarded),
    ];
    let title = format!("Rates, {}", set.name);
    let columns = [
        "bits per key, requested",
        "filter",
        "actual",
        "known, by cost",
        "known, plain",
        "unseen",
    ];
    let mut table = Table::new(&title, columns);
    let chart = |what: &str| {
        let x = Axis::linear("bits per key");
        Chart::new(
            format!("{title}: {what}"),
            x,
            Axis::rates("false positive rate"),
        )
    };
    let parts = [
        "known negatives, by cost",
        "known negatives, plain",
        "unseen keys",
    ];
    let mut charts = parts.map(chart);
    let mut few = Chart::new(
        format!("False positives at {SHOWN_SIZE} bits per key, {}", set.name),
        Axis::rates("false positives"),
        Axis::names(SHOWN.map(|kind| kind.name().to_string())),
    );
    let places = Place::sizes(&SIZES, |_| subjects.to_vec());
    let mut found = sweep_with_costs(&set, &costs, &places)?.0.into_iter();
    for size in SIZES {
        for subject in &subjects {
            let rates = found.next().and_then(|found| found.rates);
            let three = rates.map(|rates| [rates.known.mean, rates.plain, rates.unseen]);
            for (chart, at) in charts.iter_mut().zip(0..) {
                if let Some(three) = three {
                    chart.point(&subject.name, size, three[at], 0.0);
                }
            }
            let row = SHOWN.iter().position(|kind| kind.name() == subject.name);
            if let (Some(row), Some([_, plain, unseen])) = (row, three)
                && size == SHOWN_SIZE
            {
                few.point("known negatives", plain, row as f64, 0.0);
                few.point("unseen keys", unseen, row as f64, 0.0);
            }
            let cells = [
                Cell::number(size, 0),
                subject.name.as_str().into(),
                Cell::or_dash(rates, |rates| Cell::number(rates.bits_per_key, 2)),
            ];
            let three = [0, 1, 2].map(|at| Cell::or_dash(three, |three| Cell::rate(three[at])));
            table.row(cells.into_iter().chain(three));
        }
    }
    outcome.tables.push(table);
    outcome.charts = charts.into();
    outcome.charts.push(few);
    Ok(outcome)
}
