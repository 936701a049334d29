//! What each rule of the optimiser is worth, at one of the sizes that the paper's text gives rates for: 1.5 MB, 8.44 bits
//! per key, equal costs.
//!
//! The first row of each table is the authors' program ([`crate::baseline::habf`]). Each row below adds one rule of the
//! paper's text, and the last rows are filters of this library: with the paper's parameters, and with their own. Published rates are
//! judged in Figures 10 and 11.

use super::bits_per_key;
use crate::baseline::habf::{Parameters, Rules};
use crate::measure::Answers;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;
use bloomwise::Family;
use std::time::Instant;

/// The size in megabytes.
const SIZE: f64 = 1.5;

/// What a rule does, and how to turn it on.
type Step = (&'static str, fn(&mut Rules));

/// Rules that are added to the program's one after another.
const STEPS: [Step; 6] = [
    ("+ cells that are independent of the bits", |rules| {
        rules.shared_hashes = false;
    }),
    ("+ repaired negatives are skipped", |rules| {
        rules.skips_repaired = true;
    }),
    (
        "+ the order of a chain with the fewest new cells",
        |rules| {
            rules.fewest_cells = true;
        },
    ),
    ("+ the last function of the pool", |rules| {
        rules.last_function = true;
    }),
    ("+ all harmless moves are compared", |rules| {
        rules.compares_moves = true;
    }),
    ("+ exchanges up to equal cost: the paper's text", |rules| {
        rules.exchanges = true;
    }),
];

/// The program, then the program with more and more rules of the text.
fn steps(name: &str, of: fn(Rules) -> Parameters) -> Vec<Subject> {
    let mut rules = Rules::PROGRAM;
    let mut subjects = vec![Subject::paper_habf(name, of(rules))];
    for (what, step) in STEPS {
        step(&mut rules);
        subjects.push(Subject::paper_habf(what, of(rules)));
    }
    subjects
}

fn habf() -> Vec<Subject> {
    let mut subjects = steps("HABF, the authors' program", Parameters::habf);
    subjects.extend([
        Subject::paper(Family::Habf)
            .set("passes", 1)
            .set("segment-bits", 1 << 30)
            .named("habf, paper's parameters, one pass and segment"),
        Subject::paper(Family::Habf).named("habf, paper's parameters"),
        Subject::kind(Family::Habf),
    ]);
    subjects
}

fn fast() -> Vec<Subject> {
    let mut subjects = steps("f-HABF, the authors' program", Parameters::fast);
    // Without moves onto empty bits there are no exchanges.
    subjects.pop();
    let paper = || Subject::paper(Family::HabfFast);
    subjects.extend([
        paper()
            .set("empty", "never")
            .set("cell-bits", 5)
            .named("habf-fast, no empty bit set, cells of 5 bits"),
        paper()
            .set("empty", "never")
            .named("habf-fast, paper's parameters, no empty bit set"),
        paper().named("habf-fast, paper's parameters"),
        Subject::kind(Family::HabfFast),
    ]);
    subjects
}

/// Runs the experiment.
pub fn rules(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let size = bits_per_key(Source::Urls, SIZE);
    let (sets, bits) = (set.with_equal_costs()?, set.bits(size));
    let mut outcome = Outcome::new(format!(
        "HABF and f-HABF by the rules of the authors' program and of the paper's text, and this library's filters: {SIZE} MB, {size:.2} bits per key, equal costs. {}.",
        set.describe()
    ));
    for (title, subjects) in [("HABF", habf()), ("f-HABF", fast())] {
        let columns = ["filter", "bits per key", "known", "unseen", "build, s"];
        let mut table = Table::new(title, columns);
        let names = subjects.iter().map(|subject| subject.name.clone());
        let heading = format!("{title} at {SIZE} MB: known negatives");
        let x = Axis::rates("false positive rate");
        let mut chart = Chart::new(heading, x, Axis::names(names));
        for (row, subject) in subjects.iter().enumerate() {
            let start = Instant::now();
            let filter = subject.build(&sets, bits)?;
            let seconds = start.elapsed().as_secs_f64();
            let answers = Answers::of(filter.as_ref(), &set)?;
            let known = answers.known(&set);
            chart.point("known negatives", known, row as f64, 0.0);
            table.row([
                subject.name.as_str().into(),
                Cell::number(answers.bits_per_key, 3),
                Cell::rate(known),
                Cell::rate(answers.unseen),
                Cell::number(seconds, 2),
            ]);
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    Ok(outcome)
}
