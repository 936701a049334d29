//! Figures 2 and 3, which show the model and not a filter, computed again.

use crate::prelude::*;
use bloomwise::balanced::theory::{Bound, region};
use bloomwise::unstable::bisect;
use statrs::distribution::{Discrete, Poisson};

/// Loads that count as large: a quarter above the mean of 8, and more.
const LARGE: [usize; 2] = [10, 11];

/// The lower bound of the loads.
pub fn figure_2(_: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced Bloom filters, Figure 2: the loads that bound the cost from below; 8 keys per block, no overflow. Computed.",
    );
    let mut table = Table::new("", "load | a = 1 {4} | a = 1.1 {4} | a = 1.2 {4}");
    let bounds = [1.0, 1.1, 1.2].map(|reads| Bound::new(reads, 8.0, 0.0));
    for load in 0..16usize {
        let share = |bound: &Bound| bound.loads.get(load).copied().unwrap_or(0.0);
        table.row((load, bounds.each_ref().map(share)));
    }
    let x = Axis::linear("keys in a block");
    let y = Axis::linear("share of blocks");
    let chart = Chart::new("Balanced, Figure 2", x, y);
    outcome
        .charts
        .push(chart.columns(&table, "load", &["a = 1", "a = 1.1", "a = 1.2"]));
    outcome.tables.push(table);
    let poisson = Poisson::new(8.0)?;
    let loads = bounds[0].loads.iter().take(16).zip(0..);
    let follows = loads.map(|(&share, load)| Verdict::of(Says::Equal, poisson.pmf(load), share));
    let what = "with a = 1 the loads follow Poisson's law";
    let follows = Claim::everywhere(what, "yes", follows);
    let rarer = LARGE.iter().flat_map(|&least| {
        let share = |bound: &Bound| bound.loads.iter().skip(least).sum::<f64>().max(0.0);
        let [one, two, three] = bounds.each_ref().map(share);
        [at_most(two, one), at_most(three, two)]
    });
    let what = "a larger a makes loads of 10 and 11 keys rarer";
    let claims = [follows, Claim::everywhere(what, "yes", rarer)];
    outcome.claims = claims
        .map(|claim| claim.rests_on("model").headline())
        .into();
    Ok(outcome)
}

/// The smallest overflow.
pub fn figure_3(_: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced Bloom filters, Figure 3: the least overflow with which a scheme is optimal; 3 choices. Computed.",
    );
    let reads: Vec<f64> = (1..=30).map(|step| 1.0 + f64::from(step) / 100.0).collect();
    let loads = vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
    let mut less = Vec::new();
    // Reads are increased at each step, loads are doubled.
    for (letter, what, axis, places) in [
        (
            "a",
            "reads a, 8 keys per block",
            Axis::linear as fn(&str) -> Axis,
            reads,
        ),
        ("b", "keys per block, a = 1.2", Axis::log, loads),
    ] {
        let mut table = Table::new("", &format!("{what} {{2}} | sequential {{%}} | mht {{%}}"));
        for place in places {
            let (reads, load) = if letter == "a" {
                (place, 8.0)
            } else {
                (1.2, place)
            };
            let sequential = region::sequential_overflow(reads, 3, load);
            let mht = region::mht_overflow(reads, 3);
            less.push(at_most(mht, sequential));
            table.row([place, sequential, mht]);
        }
        let title = format!("Balanced, Figure 3 ({letter}): the least overflow over {what}");
        let chart = Chart::new(title, axis(what), Axis::rates("overflow"));
        let mut chart = chart.columns(&table, what, &["sequential", "mht"]);
        if letter == "a" {
            chart.published("sequential", 1.1, 0.01);
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    let sequential = |load| region::sequential_overflow(1.2, 3, load);
    let growth = sequential(64.0) / sequential(1.0);
    let what = "reads a at which SEQUENTIAL needs an overflow of 1 %, 8 keys per block";
    let grows = "SEQUENTIAL: overflow at 64 keys per block / at 1 (MHT: 1)";
    let claims = [
        Claim::ratio(what, Says::Equal, 1.1, reads_for(0.01)),
        Claim::everywhere("MHT needs less overflow than SEQUENTIAL", "yes", less),
        Claim::ratio(grows, Says::AtLeast, 1.0, growth),
    ];
    outcome.claims = claims
        .map(|claim| claim.rests_on("model").headline())
        .into();
    Ok(outcome)
}

/// The reads at which SEQUENTIAL needs this overflow, with 8 keys per block and 3 choices. Overflow grows with the
/// reads.
fn reads_for(overflow: f64) -> f64 {
    let below = |reads| region::sequential_overflow(reads, 3, 8.0) < overflow;
    // Thirteen steps leave less than 1e-4.
    bisect((1.01, 1.5), 13, f64::midpoint, below).0
}
