//! Figure 8: the upper bound of equation 19 on the rate after optimisation, and the measured rate.
//!
//! Equation 19 bounds the false positives of the first round that remain after the paper's optimiser. So the filter is the paper's, by the
//! rules of its text ([`crate::filter::papers::habf`]). The rate of whole queries, which includes false positives of the second round, is shown
//! beside it.

use super::{cell_bits, theory};
use crate::filter::papers::habf::{PaperHabf, Parameters, Rules};
use crate::prelude::*;

/// The rates at a place, on known negatives and on unseen keys.
const NAMES: [&str; 5] = [
    "before",
    "after, first round",
    "after, both rounds",
    "bound",
    "unseen",
];

/// The rates at one place, as in [`NAMES`].
fn measure(set: &Set, bits_per_key: f64, functions: u32) -> Result<[f64; 5]> {
    let parameters = Parameters {
        functions,
        cell_bits: cell_bits(functions),
        ..Parameters::habf(Rules::TEXT)
    };
    let sets = set.with_equal_costs()?;
    let (filter, repairs) = PaperHabf::build_and_report(&sets, set.bits(bits_per_key), parameters)?;
    let answers = Answers::of(&filter, set)?;
    let (keys, negatives) = (set.positives.len() as f64, set.negatives.len() as f64);
    let first = (set.negatives.par_iter()).filter(|&&digest| filter.first_round(digest));
    let first = first.count() as f64 / negatives;
    let (k, bits) = (f64::from(functions), filter.bit_count() as f64);
    let collisions = repairs.collisions as f64;
    // The share of ones before any move.
    let fill = 1.0 - (-k * keys / bits).exp();
    let pool = f64::from(parameters.pool());
    let adjustable = theory::adjustable_bound(fill, k, negatives, pool, bits);
    let repaired = theory::repaired(collisions, adjustable, filter.cell_count() as f64, k);
    let before = collisions / negatives;
    let bound = theory::optimised_rate(before, negatives, repaired);
    Ok([before, first, answers.known(set), bound, answers.unseen])
}

/// Runs the experiment.
pub fn figure_8(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let set = Set::sized(Source::Users, keys, keys, options.scaled(1_000_000, 20_000));
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 8: the bound of equation 19 and the real rate on known negatives, equal costs. {}. The paper's filter by the rules of its text: a fifth of the space for cells, of 4 bits up to 6 functions and of 5 beyond. The bound is on the first round.",
        set.describe()
    ));
    let mut below = Vec::new();
    let by_functions: Vec<_> = (2..=10).map(|k| (f64::from(k), 10.0, k)).collect();
    let by_bits: Vec<_> = (4..=13).map(|b| (f64::from(b), f64::from(b), 4)).collect();
    for (title, x, places) in [
        ("10 bits per key", "functions", by_functions),
        ("4 functions", "bits per key", by_bits),
    ] {
        let mut table = Table::new(title, x).and(&NAMES, "{%}");
        let found = places
            .into_par_iter()
            .map(|(place, bits_per_key, functions)| {
                let rates = measure(&set, bits_per_key, functions);
                Ok((place, rates.with_context(|| format!("{x} = {place}"))?))
            });
        for (place, rates) in found.collect::<Result<Vec<_>>>()? {
            let [_, first, _, bound, _] = rates;
            below.push(at_most(first, bound));
            table.row((place, rates));
        }
        let chart = Chart::rates(format!("HABF, Figure 8, {title}"), x);
        outcome.charts.push(chart.columns(&table, x, &NAMES));
        outcome.tables.push(table);
    }
    let what = "the bound is above the measured rate of the first round";
    let claim = Claim::everywhere(what, "always", below);
    outcome
        .claims
        .push(claim.rests_on("equal costs").headline());
    Ok(outcome)
}
