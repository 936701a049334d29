//! Figure 9: what the ratio of cells to bits, the number of functions and the size of a cell do to the rate, in the paper's
//! setting: equal costs, 2 MB for the first two.

use super::bits_per_key;
use crate::experiment::sweep::Sweep;
use crate::measure::{Rates, rates};
use crate::options::Options;
use crate::output::{Claim, Outcome};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;

/// The places of the lowest rate on known negatives, and of those within a third of it.
fn best(found: &[(f64, Rates)]) -> (f64, Vec<f64>) {
    let lowest = found.iter().map(|(_, rates)| rates.known.mean);
    let lowest = lowest.fold(f64::MAX, f64::min);
    let at = found.iter().find(|(_, rates)| rates.known.mean == lowest);
    let near = found
        .iter()
        .filter(|(_, rates)| rates.known.mean <= 4.0 / 3.0 * lowest);
    (
        at.map_or(f64::NAN, |(x, _)| *x),
        near.map(|(x, _)| *x).collect(),
    )
}

/// Runs it.
pub fn figure_9(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 9: its parameters, in the paper's setting but for the one that changes; equal costs. {}.",
        set.describe()
    ));
    let two_megabytes = bits_per_key(Source::Urls, 2.0);
    let one = |subject: Subject, size: f64| -> Result<Option<Rates>> {
        let found = rates(&set, 0.0, 1, &[size], &[subject])?;
        Ok(found[0][0])
    };
    let mut lowest = Vec::new();
    let ratios = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
    let functions = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    for (title, x, places) in [
        (
            "HABF, Figure 9 (a), 2 MB, 3 functions",
            "cells : bits",
            ratios.to_vec(),
        ),
        (
            "HABF, Figure 9 (a), 2 MB, ratio 1 : 4",
            "functions",
            functions.to_vec(),
        ),
    ] {
        let mut sweep = Sweep::new(title, x);
        let mut found = Vec::new();
        for place in places {
            let subject = Subject::paper("habf");
            let (strict, plain) = match x {
                // The paper's ratio is to the bits, ours to the whole.
                "functions" => (
                    Subject::kind("habf").set("ratio", 0.2).set("k", place),
                    subject.set("k", place).set("cell-bits", 5),
                ),
                _ => {
                    let share = place / (1.0 + place);
                    let strict = Subject::kind("habf").set("k", 3).set("ratio", share);
                    (strict, subject.set("ratio", share))
                }
            };
            let rates = one(plain, two_megabytes)?;
            sweep.add(place, "paper's second round", rates);
            sweep.add(place, "strict second round", one(strict, two_megabytes)?);
            found.extend(rates.map(|rates| (place, rates)));
        }
        sweep.into(&mut outcome);
        lowest.push(best(&found));
    }
    let mut sweep = Sweep::new(
        "HABF, Figure 9 (b), 3 functions (2 with cells of 3 bits), ratio 1 : 4",
        "bits per key",
    );
    let mut wins = [0; 3];
    for megabytes in [1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25] {
        let size = bits_per_key(Source::Urls, megabytes);
        let mut of_size = Vec::new();
        for cell_bits in 3..=5 {
            // Cells of 3 bits name three functions; of these, two can be a key's own and one is in reserve.
            let functions = if cell_bits == 3 { 2 } else { 3 };
            let subject = Subject::paper("habf").set("cell-bits", cell_bits);
            let rates = one(subject.set("k", functions), size)?;
            sweep.add(size, &format!("cells of {cell_bits} bits"), rates);
            of_size.extend(rates.map(|rates| (f64::from(cell_bits), rates)));
        }
        wins[(best(&of_size).0 as usize).saturating_sub(3).min(2)] += 1;
    }
    sweep.into(&mut outcome);
    let list = |places: &[f64]| {
        places
            .iter()
            .map(f64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let [(ratio, near_ratios), (_, near_functions)] = &lowest[..] else {
        anyhow::bail!("two sweeps have two optima");
    };
    outcome.claims = vec![
        Claim::holds(
            "the best ratio of cells to bits",
            "0.25",
            format!("{ratio}; within a third of it: {}", list(near_ratios)),
            near_ratios.contains(&0.25),
            "the optimum is flat",
        ),
        Claim::holds(
            "the best numbers of functions",
            "3, 4, 5",
            list(near_functions),
            [3.0, 4.0, 5.0].iter().all(|k| near_functions.contains(k)),
            "numbers within a third of the lowest rate; cells of 5 bits here, so that all numbers can be named",
        ),
        Claim::holds(
            "cells of 4 bits are best",
            "yes",
            format!(
                "best for {} of 9 sizes; 3 bits for {}, 5 bits for {}",
                wins[1], wins[0], wins[2]
            ),
            wins[1] >= 5,
            "",
        ),
    ];
    Ok(outcome)
}
