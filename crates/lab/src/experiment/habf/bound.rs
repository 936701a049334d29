//! Figure 8: the upper bound of equation 19 on the rate after optimisation, and the rate itself.

use crate::measure::Answers;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::habf::theory;
use bloomwise::{Filter, Value};

/// What was measured at one place.
struct Found {
    before: f64,
    after: f64,
    bound: f64,
    unseen: f64,
}

fn measure(set: &Set, bits_per_key: f64, functions: u32, cell_bits: u32) -> Result<Found> {
    let negatives = set.negatives.len() as f64;
    let costs = vec![1.0; set.negatives.len()];
    let sets = set.with_costs(&costs)?;
    let bits = (bits_per_key * set.positives.len() as f64) as u64;
    let subject = Subject::kind("habf")
        .set("k", functions)
        .set("cell-bits", cell_bits)
        .set("ratio", 0.2);
    let (before, _) = subject
        .clone()
        .set("passes", 0)
        .build_and_report(&sets, bits)?;
    let (after, _) = subject.build_and_report(&sets, bits)?;
    let parameters = after.info().parameters;
    let whole = |name: &str| match parameters.iter().find(|(known, _)| *known == name) {
        Some((_, Value::Whole(value))) => Ok(*value as f64),
        _ => Err(anyhow::anyhow!("habf does not tell its {name}")),
    };
    let collisions = Answers::of(&before, set)?.weighted(&costs);
    let answers = Answers::of(&after, set)?;
    let k = f64::from(functions);
    let pool = f64::from((1u32 << (cell_bits - 1)) - 1);
    let fill = before.info().fill;
    let adjustable = theory::adjustable_bound(fill, k, negatives, pool, whole("bits")?);
    let repaired = theory::repaired(collisions * negatives, adjustable, whole("cells")?, k);
    Ok(Found {
        before: collisions,
        after: answers.weighted(&costs),
        bound: theory::optimised_rate(collisions, negatives, repaired),
        unseen: answers.unseen,
    })
}

/// Runs it.
pub fn figure_8(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let set = Set::sized(Source::Users, keys, keys, options.scaled(1_000_000, 20_000));
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 8: the bound of equation 19 and the real rate on known negatives, equal costs. {}. A fifth of the space for cells; the second round is the strict one.",
        set.describe()
    ));
    let mut all_below = true;
    // Ten functions and one more need cells of 5 bits; four can do with 4.
    let by_functions = (2..=10)
        .map(|k| (f64::from(k), 10.0, k, 5))
        .collect::<Vec<_>>();
    let by_bits = (4..=13)
        .map(|b| (f64::from(b), f64::from(b), 4, 4))
        .collect();
    for (title, x, places) in [
        ("10 bits per key", "functions", by_functions),
        ("4 functions", "bits per key", by_bits),
    ] {
        let columns = [x, "before", "after", "bound", "unseen"];
        let mut table = Table::new(title, columns);
        let heading = format!("HABF, Figure 8, {title}");
        let mut chart = Chart::new(heading, Axis::linear(x), Axis::log("false positive rate"));
        for (place, bits_per_key, functions, cell_bits) in places {
            let found = measure(&set, bits_per_key, functions, cell_bits)
                .with_context(|| format!("{x} = {place}"))?;
            let rates = [found.before, found.after, found.bound, found.unseen];
            let cells = [Cell::number(place, 0)].into_iter();
            table.row(cells.chain(rates.map(Cell::rate)));
            let names = ["before", "after", "bound", "unseen keys"];
            for (name, rate) in names.into_iter().zip(rates) {
                chart.point(name, place, rate, 0.0);
            }
            all_below &= found.after <= found.bound;
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    outcome.claims.push(Claim::holds(
        "the bound is above the real rate at all places",
        "always",
        if all_below { "always" } else { "not always" },
        all_below,
        "",
    ));
    Ok(outcome)
}
