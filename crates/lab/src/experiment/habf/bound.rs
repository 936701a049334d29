//! Figure 8: the upper bound of equation 19 on the rate after optimisation, and the measured rate.
//!
//! Equation 19 bounds the false positives of the first round that remain after the paper's optimiser. So the filter is
//! the paper's, with its optimiser. The measured rate is that of whole queries. It includes false positives of the
//! second round, which the bound does not cover, so the test is harder than the paper's.

use super::cell_bits;
use crate::measure::{Answers, Spread};
use crate::options::Options;
use crate::output::verdict::at_most;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::habf::theory;
use bloomwise::{Family, Filter, Value};

/// The measurements at one place.
struct Found {
    before: f64,
    after: f64,
    bound: f64,
    unseen: f64,
}

fn measure(set: &Set, bits_per_key: f64, functions: u32) -> Result<Found> {
    let negatives = set.negatives.len() as f64;
    let costs = vec![1.0; set.negatives.len()];
    let sets = set.with_costs(&costs)?;
    let bits = set.bits(bits_per_key);
    let cell_bits = cell_bits(functions);
    let subject = Subject::paper(Family::Habf)
        .set("k", u64::from(functions))
        .set("cell-bits", u64::from(cell_bits));
    let (before, _) = subject
        .clone()
        .set("passes", 0)
        .build_and_report(&sets, bits)?;
    let (after, _) = subject.build_and_report(&sets, bits)?;
    let info = after.info();
    let parameter = |name: &str| {
        let value = info.parameter(name).and_then(Value::as_f64);
        value.with_context(|| format!("habf has no parameter '{name}'"))
    };
    let collisions = Answers::of(&before, set)?.weighted(&costs);
    let answers = Answers::of(&after, set)?;
    let k = f64::from(functions);
    let pool = f64::from((1u32 << (cell_bits - 1)) - 1);
    let fill = before.info().fill;
    let adjustable = theory::adjustable_bound(fill, k, negatives, pool, parameter("bits")?);
    let repaired = theory::repaired(collisions * negatives, adjustable, parameter("cells")?, k);
    Ok(Found {
        before: collisions,
        after: answers.weighted(&costs),
        bound: theory::optimised_rate(collisions, negatives, repaired),
        unseen: answers.unseen,
    })
}

/// Runs the experiment.
pub fn figure_8(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let set = Set::sized(Source::Users, keys, keys, options.scaled(1_000_000, 20_000));
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 8: the bound of equation 19 and the real rate on known negatives, equal costs. {}. The filter of the paper: a fifth of the space for cells, of 4 bits up to 6 functions and of 5 beyond. Its rate is that of both rounds; the bound is on the first.",
        set.describe()
    ));
    let mut below = Vec::new();
    let by_functions = (2..=10)
        .map(|k| (f64::from(k), 10.0, k))
        .collect::<Vec<_>>();
    let by_bits = (4..=13).map(|b| (f64::from(b), f64::from(b), 4)).collect();
    for (title, x, places) in [
        ("10 bits per key", "functions", by_functions),
        ("4 functions", "bits per key", by_bits),
    ] {
        let columns = [x, "before", "after", "bound", "unseen"];
        let mut table = Table::new(title, columns);
        let heading = format!("HABF, Figure 8, {title}");
        let mut chart = Chart::new(heading, Axis::linear(x), Axis::rates("false positive rate"));
        for (place, bits_per_key, functions) in places {
            let found =
                measure(&set, bits_per_key, functions).with_context(|| format!("{x} = {place}"))?;
            let rates = [found.before, found.after, found.bound, found.unseen];
            let cells = [Cell::number(place, 0)].into_iter();
            table.row(cells.chain(rates.map(Cell::rate)));
            let names = ["before", "after", "bound", "unseen keys"];
            for (name, rate) in names.into_iter().zip(rates) {
                chart.point(name, place, rate, 0.0);
            }
            let exact = |mean: f64| Spread {
                mean,
                deviation: 0.0,
            };
            below.push(at_most(exact(found.after), exact(found.bound)));
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    let claim = Claim::everywhere("the bound is above the measured rate", "always", below);
    outcome
        .claims
        .push(claim.rests_on("equal costs").headline());
    Ok(outcome)
}
