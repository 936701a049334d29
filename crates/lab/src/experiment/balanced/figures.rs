//! Figures 2 and 3, which show the model and not a filter, computed again.

use crate::measure::Spread;
use crate::options::Options;
use crate::output::verdict::{Says, Verdict, at_most};
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use anyhow::Result;
use bloomwise::balanced::theory::{Bound, region};
use bloomwise::unstable::bisect;
use statrs::distribution::{Discrete, Poisson};

/// Loads that count as large: a quarter above the mean of 8, and more.
const LARGE: [usize; 2] = [10, 11];

fn exact(mean: f64) -> Spread {
    let deviation = 0.0;
    Spread { mean, deviation }
}

/// The lower bound of the loads.
pub fn figure_2(_: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced Bloom filters, Figure 2: the loads that bound the cost from below; 8 keys per block, no overflow. Computed.",
    );
    let mut table = Table::new("", ["load", "a = 1", "a = 1.1", "a = 1.2"]);
    let y = Axis::linear("share of blocks");
    let mut chart = Chart::new("Balanced, Figure 2", Axis::linear("keys in a block"), y);
    let all = [1.0, 1.1, 1.2];
    let bounds = all.map(|reads| Bound::new(reads, 8.0, 0.0));
    for load in 0..16usize {
        let share = |bound: &Bound| bound.loads.get(load).copied().unwrap_or(0.0);
        let shares = bounds.each_ref().map(share);
        for (reads, share) in all.into_iter().zip(shares) {
            chart.point(&format!("a = {reads}"), load as f64, share, 0.0);
        }
        let cells = shares.map(|share| Cell::number(share, 4));
        table.row([Cell::whole(load as u64)].into_iter().chain(cells));
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let poisson = Poisson::new(8.0)?;
    let loads = bounds[0].loads.iter().take(16).zip(0..);
    let follows =
        loads.map(|(&share, load)| Verdict::of(Says::Equal, poisson.pmf(load), exact(share)));
    let what = "with a = 1 the loads follow Poisson's law";
    let follows = Claim::everywhere(what, "yes", follows.collect::<Vec<_>>());
    let rarer = LARGE.iter().flat_map(|&least| {
        let share = |bound: &Bound| bound.loads.iter().skip(least).sum::<f64>().max(0.0);
        let [one, two, three] = bounds.each_ref().map(share).map(exact);
        [at_most(two, one), at_most(three, two)]
    });
    let rarer = Claim::everywhere(
        "a larger a makes loads of 10 and 11 keys rarer",
        "yes",
        rarer,
    );
    outcome.claims = [follows, rarer]
        .map(|claim| claim.rests_on("model").headline())
        .into();
    Ok(outcome)
}

/// The smallest overflow.
pub fn figure_3(_: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced Bloom filters, Figure 3: the least overflow with which a scheme is optimal; 3 choices. Computed.",
    );
    let by_reads = (1..=30)
        .map(|step| 1.0 + f64::from(step) / 100.0)
        .map(|reads| (reads, reads, 8.0));
    let by_load = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0].map(|load| (load, 1.2, load));
    let mut less = Vec::new();
    for (letter, what, places) in [
        (
            "a",
            "reads a, 8 keys per block",
            by_reads.collect::<Vec<_>>(),
        ),
        ("b", "keys per block, a = 1.2", by_load.to_vec()),
    ] {
        let mut table = Table::new("", [what, "sequential", "mht"]);
        // Loads are doubled at each step, reads are increased.
        let x = match letter {
            "b" => Axis::log(what),
            _ => Axis::linear(what),
        };
        let title = format!("Balanced, Figure 3 ({letter}): the least overflow over {what}");
        let mut chart = Chart::new(title, x, Axis::rates("overflow"));
        for (place, reads, load) in places {
            let overflow = [
                region::sequential_overflow(reads, 3, load),
                region::mht_overflow(reads, 3),
            ];
            less.push(at_most(exact(overflow[1]), exact(overflow[0])));
            for (name, share) in ["sequential", "mht"].into_iter().zip(overflow) {
                chart.point(name, place, share, 0.0);
            }
            table.row(
                [Cell::number(place, 2)]
                    .into_iter()
                    .chain(overflow.map(Cell::rate)),
            );
        }
        if letter == "a" {
            chart.published("sequential", 1.1, 0.01);
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    let sequential = |load| region::sequential_overflow(1.2, 3, load);
    let growth = exact(sequential(64.0) / sequential(1.0));
    let what = "reads a at which SEQUENTIAL needs an overflow of 1 %, 8 keys per block";
    let claims = [
        Claim::ratio(what, Says::Equal, 1.1, exact(reads_for(0.01))),
        Claim::everywhere("MHT needs less overflow than SEQUENTIAL", "yes", less),
        Claim::ratio(
            "SEQUENTIAL: overflow at 64 keys per block / at 1 (MHT: 1)",
            Says::AtLeast,
            1.0,
            growth,
        ),
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
