//! What each rule of the optimiser is worth, at one of the sizes that the paper's text gives rates for: 1.5 MB, 8.44 bits
//! per key, equal costs.
//!
//! The first row of each table is the authors' program ([`crate::filter::papers::habf`]). Each row below adds one rule of the
//! paper's text, and the last rows are filters of this library: with the paper's parameters, and with their own. Published rates are
//! judged in Figures 10 and 11.

use super::bits_per_key;
use crate::filter::papers::habf::{Parameters, Rules};
use crate::prelude::*;

/// The size in megabytes.
const SIZE: f64 = 1.5;

/// Rules of the text that are added to the program's one after another.
const STEPS: [&str; 6] = [
    "+ cells that are independent of the bits",
    "+ repaired negatives are skipped",
    "+ the order of a chain with the fewest new cells",
    "+ the last function of the pool",
    "+ all harmless moves are compared",
    "+ exchanges up to equal cost: the paper's text",
];

/// The program, then the program with more and more rules of the text.
fn steps(name: &str, of: fn(Rules) -> Parameters) -> Vec<Subject> {
    let names = [name].into_iter().chain(STEPS);
    let subject = |(rules, name)| Subject::paper_habf(name, of(Rules::with(rules)));
    (0..).zip(names).map(subject).collect()
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
        let columns = "filter | bits per key {3} | known {%} | unseen {%} | build, s {2}";
        let mut table = Table::new(title, columns);
        let heading = format!("{title} at {SIZE} MB: known negatives");
        let mut chart = Chart::dots(heading, Axis::rates("false positive rate"));
        for subject in &subjects {
            let (filter, taken) = time(1, || subject.build(&sets, bits));
            let answers = Answers::of(filter?.as_ref(), &set)?;
            let rates = [answers.known(&set), answers.unseen];
            chart.dot("known negatives", &subject.name, rates[0]);
            table.row((&subject.name, answers.bits_per_key, rates, taken / 1e9));
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    Ok(outcome)
}
