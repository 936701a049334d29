//! Figures 6 and 7: rates over the number of functions.
//!
//! The two rates are too close for their lines to be distinguished. So the charts show their ratio, each point with its
//! 95 % interval, and points of different sizes slightly apart.

use super::{Estimate, KEYS, TRIALS, rates, trials};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use anyhow::Result;

fn by_functions(figure: u32, ratios: &[u64], options: &Options) -> Result<Outcome> {
    let count = options.scaled(TRIALS, 20);
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters, Figure {figure}: rate over the number of functions, {KEYS} random integers, mean of {count} trials. With one function both are the same filter."
    ));
    let columns = [
        "m : n",
        "k",
        "personalized",
        "bloom",
        "difference",
        "±, 95 %",
        "standard errors below",
    ];
    let mut table = Table::new("", columns);
    let y = Axis::linear("rate personalized / rate Bloom");
    let title = format!("Figure {figure}: personalized by Bloom, 95 % intervals");
    let mut chart = Chart::new(title, Axis::linear("functions"), y).points_only();
    let mut cells = Vec::new();
    let share = |share: f64| Cell::Number(share, format!("{:+.2} %", 100.0 * share));
    for (number, &ratio) in ratios.iter().enumerate() {
        let beside = 0.12 * (number as f64 - (ratios.len() - 1) as f64 / 2.0);
        for functions in 1..=10 {
            let trials = trials(ratio, functions, count)?;
            let [ours, theirs] = rates(&trials);
            let of = (functions > 1).then(|| Estimate::difference(&trials));
            table.row([
                format!("1 : {ratio}").into(),
                Cell::whole(functions.into()),
                Cell::rate(ours),
                Cell::rate(theirs),
                Cell::or_dash(of, |of| share(of.value)),
                Cell::or_dash(of, |of| share(of.half())),
                Cell::or_dash(of, |of| Cell::number(-of.value / of.error, 1)),
            ]);
            if let Some(of) = of {
                let place = f64::from(functions) + beside;
                chart.point(&format!("1 : {ratio}"), place, 1.0 + of.value, of.half());
                cells.push(of);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let pooled = Estimate::pooled(&cells);
    let lower = |by: f64| cells.iter().filter(|of| of.value < -by * of.error).count();
    let higher = |by: f64| cells.iter().filter(|of| of.value > by * of.error).count();
    outcome.claims.push(Claim::holds(
        "the personalized filter has a lower rate in most cases",
        "yes",
        format!(
            "its rate differs by {} on average; it is lower in {} of {} cases, by more than two standard errors in {}, and higher by as much in {}",
            pooled.percent(),
            lower(0.0),
            cells.len(),
            lower(2.0),
            higher(2.0)
        ),
        pooled.value + pooled.half() < 0.0,
        "in theory, both have the same rate; by chance alone, one case in forty is lower by two standard errors and one higher",
    ));
    Ok(outcome)
}

/// Ratios 1 : 1 to 1 : 6.
pub fn figure_6(options: &Options) -> Result<Outcome> {
    by_functions(6, &[1, 2, 3, 4, 5, 6], options)
}

/// Ratios 1 : 7 to 1 : 10.
pub fn figure_7(options: &Options) -> Result<Outcome> {
    by_functions(7, &[7, 8, 9, 10], options)
}
