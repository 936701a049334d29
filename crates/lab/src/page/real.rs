//! Real keys with their own costs: all kinds for fixed sets in equal space, from the folder that `--data` names.
//!
//! Three rates are shown: on known negatives by cost, which the filters try to keep low; on known negatives, each
//! counted once; and on unseen keys. Every filter is built with the costs.

use crate::prelude::*;
use crate::rates::sweep_with_costs;

/// Bits per key.
const SIZES: [f64; 5] = [6.0, 8.0, 10.0, 12.0, 14.0];

/// What the picture of a few kinds shows.
const SHOWN: [Family; 3] = [Family::Bloom, Family::Habf, Family::Guarded];
const SHOWN_SIZE: f64 = 10.0;

/// All filters.
fn subjects() -> Vec<Subject> {
    vec![
        Subject::kind(Family::Bloom),
        Subject::kind(Family::Blocked),
        Subject::xor(),
        Subject::weighted(),
        Subject::stacked(),
        Subject::cascade(),
        Subject::kind(Family::Habf),
        Subject::kind(Family::HabfFast),
        Subject::kind(Family::Guarded),
    ]
}

/// Runs the experiment. Without a folder, URL-like keys with Zipf costs replace real ones.
pub fn run(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let zipf = || zipf::costs(set.negatives.len(), 1.0, 0);
    let whose = match set.costs {
        Some(_) => "their own costs",
        None => "Zipf costs with skew 1.0, since no folder of real keys is given (`--data`)",
    };
    let costs = set.costs.clone().unwrap_or_else(zipf);
    let mut outcome = Outcome::new(format!(
        "All kinds of fixed sets in equal space, {whose}. {}. One run, one set: differences of a few percent are chance.",
        set.describe()
    ));
    let title = format!("Rates, {}", set.name);
    let columns = "bits per key, requested | filter | actual {2} | known, by cost {%} | known, plain {%} | unseen {%}";
    let mut table = Table::new(&title, columns);
    let few = format!("False positives at {SHOWN_SIZE} bits per key, {}", set.name);
    let mut few = Chart::dots(few, Axis::rates("false positives"));
    let places = Place::sizes(&SIZES, |_| subjects());
    for found in sweep_with_costs(&set, &costs, &places)?.0 {
        let rates = found.rates.map(|rates| {
            if found.x == SHOWN_SIZE && SHOWN.iter().any(|kind| kind.name() == found.name) {
                few.dot("known negatives", &found.name, rates.plain);
                few.dot("unseen keys", &found.name, rates.unseen);
            }
            [
                rates.bits_per_key,
                rates.known.mean,
                rates.plain,
                rates.unseen,
            ]
        });
        table.row((found.x, &found.name, rates.unwrap_or([f64::NAN; 4])));
    }
    let charts = [
        ("known negatives, by cost", "known, by cost"),
        ("known negatives, plain", "known, plain"),
        ("unseen keys", "unseen"),
    ];
    outcome.charts.extend(charts.map(|(what, column)| {
        let chart = Chart::rates(format!("{title}: {what}"), "bits per key");
        chart.rows(&table, ["bits per key, requested", "filter", column])
    }));
    outcome.charts.push(few);
    outcome.tables.push(table);
    Ok(outcome)
}
