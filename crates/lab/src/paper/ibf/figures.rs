//! Figures 6 and 7: rates over the number of functions.
//!
//! The two rates are too close for their lines to be distinguished. So the charts show their ratio, each point with its
//! 95 % interval, and points of different sizes slightly apart.

use super::{KEYS, TRIALS, difference, half, rates, ratio, shown, trials};
use crate::prelude::*;

fn by_functions(figure: u32, ratios: &[u64], options: &Options) -> Result<Outcome> {
    let count = options.scaled(TRIALS, 20);
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters, Figure {figure}: rate over the number of functions, {KEYS} random integers, mean of {count} trials. With one function both are the same filter."
    ));
    let columns = "m : n | k | personalized {%} | bloom {%} | difference {+%} | ±, 95 % {+%} | standard errors below {1}";
    let mut table = Table::new("", columns);
    let y = Axis::linear("rate personalized / rate Bloom");
    let title = format!("Figure {figure}: personalized by Bloom, 95 % intervals");
    let mut chart = Chart::new(title, Axis::linear("functions"), y).points_only();
    let mut cells = Vec::new();
    for (number, &slots) in ratios.iter().enumerate() {
        let beside = 0.12 * (number as f64 - (ratios.len() - 1) as f64 / 2.0);
        let name = format!("1 : {slots}");
        for functions in 1..=10 {
            let trials = trials(slots, functions, count)?;
            let of = (functions > 1).then(|| difference(&trials));
            let found = of.map(|of| [of.mean, half(of), -of.mean / of.deviation]);
            let found = found.unwrap_or([f64::NAN; 3]);
            table.row((&name, functions, rates(&trials), found));
            if let Some(of) = of {
                let place = f64::from(functions) + beside;
                chart.point(&name, place, ratio(of).mean, half(of));
                cells.push(of);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let pooled = Spread::pooled(&cells);
    let below = cells.iter().filter(|of| of.mean < 0.0).count();
    let what = "the personalized filter of this library has a lower rate in most cases";
    let (on_average, cases) = (shown(pooled), cells.len());
    let measured = format!("{on_average} on average; lower in {below} of {cases} cases");
    let claim = Claim::new(what, "yes", measured, lower(ratio(pooled), 1.0));
    let claim = claim
        .headline()
        .because("in theory, both have the same rate");
    let what = "the personalized filter of this library: rate / Bloom filter, mean";
    let ours = Claim::ratio(what, Says::Equal, 1.0, ratio(pooled)).ours();
    outcome.claims = [claim, ours]
        .map(|claim| claim.rests_on("all trials"))
        .into();
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
