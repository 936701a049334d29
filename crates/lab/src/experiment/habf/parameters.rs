//! Figure 9: how the ratio of cells to bits, the number of functions and the size of a cell affect the rate, in the
//! paper's setting: equal costs, and 2 MB for the first two.
//!
//! Beside the paper's filter is the one that this library builds by default, with the same parameters. Its second round
//! accepts fewer chains, and its optimiser considers that round, makes more passes and changes both owners of a bit. A
//! ratio of 0 leaves no cells, which makes both a plain Bloom filter. Cells have the paper's 4 bits if those can name
//! all functions of a key and one more, which is up to six functions; seven and eight need 5 bits.

use super::{bits_per_key, cell_bits, megabyte};
use crate::experiment::sweep::Sweep;
use crate::measure::{Rates, rates};
use crate::options::Options;
use crate::output::{Claim, Outcome};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::Family;

/// The place of the lowest rate on known negatives, and all places within a third of that rate.
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

/// Runs the experiment.
pub fn figure_9(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 9: its parameters, in the paper's setting except for the one that changes; equal costs. {}.",
        set.describe()
    ));
    let two_megabytes = bits_per_key(Source::Urls, 2.0);
    let one = |subject: Subject, size: f64| -> Result<Rates> {
        let found = rates(&set, 0.0, 1, &[size], &[subject])?;
        let found = found.into_iter().flatten().next().flatten();
        found.context("no rates for this size")
    };
    let mut lowest = Vec::new();
    let ratios = [
        0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0,
    ];
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
            let with = |subject: Subject| match x {
                "functions" => {
                    let bits = cell_bits(place as u32);
                    let subject = subject.set("ratio", 0.2).set("k", place as u64);
                    subject.set("cell-bits", u64::from(bits))
                }
                // The paper's ratio is relative to the bits, ours to the whole.
                _ => {
                    let subject = subject.set("ratio", place / (1.0 + place)).set("k", 3);
                    subject.set("cell-bits", 4)
                }
            };
            let paper = one(with(Subject::paper(Family::Habf)), two_megabytes)?;
            let ours = one(with(Subject::kind(Family::Habf)), two_megabytes)?;
            sweep.add(place, "habf, paper", Some(paper));
            sweep.add(place, "habf, default optimiser", Some(ours));
            found.push((place, paper));
        }
        sweep.add_to(&mut outcome);
        lowest.push(best(&found));
    }
    let mut sweep = Sweep::over_space(
        "HABF, Figure 9 (b), 3 functions (2 with cells of 3 bits), ratio 1 : 4",
        megabyte(Source::Urls, &set),
    );
    let mut wins = [0; 3];
    for megabytes in [1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25] {
        let size = bits_per_key(Source::Urls, megabytes);
        let mut of_size = Vec::new();
        for cell_bits in 3..=5u32 {
            // Cells of 3 bits name three functions: two can belong to a key, and one is in reserve.
            let functions = if cell_bits == 3 { 2 } else { 3 };
            let subject = Subject::paper(Family::Habf).set("cell-bits", u64::from(cell_bits));
            let rates = one(subject.set("k", functions), size)?;
            sweep.add(size, &format!("cells of {cell_bits} bits"), Some(rates));
            of_size.push((f64::from(cell_bits), rates));
        }
        wins[(best(&of_size).0 as usize).saturating_sub(3).min(2)] += 1;
    }
    sweep.add_to(&mut outcome);
    if !set.is_published_set() {
        return Ok(outcome);
    }
    let list = |places: &[f64]| {
        places
            .iter()
            .map(f64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let [(ratio, near_ratios), (_, near_functions)] = &lowest[..] else {
        anyhow::bail!("expected two sweeps");
    };
    outcome.claims = vec![
        Claim::holds(
            "the best ratio of cells to bits",
            "0.25",
            format!("{ratio}; within a third of it: {}", list(near_ratios)),
            near_ratios.contains(&0.25),
            "measured: the lowest rate, and the ratios whose rate is at most a third higher",
        ),
        Claim::holds(
            "the best numbers of functions",
            "3, 4, 5",
            list(near_functions),
            [3.0, 4.0, 5.0].iter().all(|k| near_functions.contains(k)),
            "measured: the numbers whose rate is at most a third above the lowest",
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
