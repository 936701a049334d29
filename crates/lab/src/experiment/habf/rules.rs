//! What each rule of the optimiser is worth, at one of the sizes that the paper's text gives rates for: 1.5 MB, 8.44 bits
//! per key, equal costs.
//!
//! The first row of each table is the authors' program ([`crate::baseline::habf`]). Each row below adds one rule of the
//! paper's text, and the last rows are filters of this library: with the paper's parameters, and with their own. A last
//! table has all rates that the text gives for HABF and f-HABF.

use super::bits_per_key;
use super::published::{EQUAL, SKEWED};
use crate::baseline::habf::{Parameters, Rules};
use crate::measure::{Answers, Rates, rates as measure};
use crate::options::Options;
use crate::output::{Cell, Chart, Claim, Outcome, Table};
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
            .named("habf with the paper's parameters, one pass, one segment"),
        Subject::paper(Family::Habf).named("habf with the paper's parameters"),
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
            .named("habf-fast with the paper's parameters, empty bits stay empty, 5-bit cells"),
        paper()
            .set("empty", "never")
            .named("habf-fast with the paper's parameters, empty bits stay empty"),
        paper().named("habf-fast with the paper's parameters"),
        Subject::kind(Family::HabfFast),
    ]);
    subjects
}

/// Shuffles of skewed costs: for the paper's smaller set, and for its larger one.
const SHUFFLES: [u64; 2] = [5, 2];

/// All rates that the paper's text gives for HABF and f-HABF, beside those of three filters: by the rules of the
/// program, by those of the text, and this library's with the paper's parameters.
fn published(options: &Options) -> Result<Table> {
    let columns = [
        "keys",
        "costs",
        "MB",
        "filter",
        "published",
        "program",
        "text",
        "ours, the paper's parameters",
        "unseen, program",
    ];
    let mut table = Table::new(
        "The rates that the text gives, known negatives by cost",
        columns,
    );
    let settings = EQUAL.iter().map(|setting| (0.0, setting));
    for (skew, setting) in settings.chain(SKEWED.iter().map(|setting| (1.0, setting))) {
        let set = Set::new(setting.source, options)?;
        if !set.is_published_set() {
            continue;
        }
        for &(name, megabytes, rate) in setting.published {
            let (family, of): (_, fn(Rules) -> Parameters) = match name {
                "habf, paper" => (Family::Habf, Parameters::habf),
                "habf-fast, paper" => (Family::HabfFast, Parameters::fast),
                _ => continue,
            };
            let subjects = [
                Subject::paper_habf("program", of(Rules::PROGRAM)),
                Subject::paper_habf("text", of(Rules::TEXT)),
                Subject::paper(family),
            ];
            let shuffles = SHUFFLES[usize::from(setting.source == Source::Users)];
            let size = bits_per_key(setting.source, megabytes);
            let found = measure(&set, skew, shuffles, &[size], &subjects)?;
            let by_cost =
                |rates: &Option<Rates>| Cell::or_dash(*rates, |rates| Cell::rate(rates.known.mean));
            let unseen = Cell::or_dash(found[0][0], |rates: Rates| Cell::rate(rates.unseen));
            let place: [Cell; 5] = [
                setting.source.name().into(),
                if skew > 0.0 { "Zipf, 1.0" } else { "equal" }.into(),
                Cell::number(megabytes, 2),
                family.name().into(),
                Cell::rate(rate),
            ];
            let rates = found[0].iter().map(by_cost);
            table.row(place.into_iter().chain(rates).chain([unseen]));
        }
    }
    Ok(table)
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
    for (title, published, subjects) in [("HABF", 0.0036, habf()), ("f-HABF", 0.0055, fast())] {
        let columns = ["filter", "bits per key", "known", "unseen", "build, s"];
        let mut table = Table::new(title, columns);
        let names = subjects.iter().map(|subject| subject.name.clone());
        let heading = format!("{title} at {SIZE} MB: false positives on known negatives");
        let mut chart = Chart::bars(heading, "false positives, %", names);
        let mut program = None;
        for (row, subject) in subjects.iter().enumerate() {
            let start = Instant::now();
            let filter = subject.build(&sets, bits)?;
            let seconds = start.elapsed().as_secs_f64();
            let answers = Answers::of(filter.as_ref(), &set)?;
            let known = answers.known(&set);
            program.get_or_insert(known);
            chart.point("known negatives", 100.0 * known, row as f64, 0.0);
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
        if let (Some(program), true) = (program, set.is_published_set()) {
            outcome.claims.push(Claim::holds(
                format!("{title} by the rules of the authors' program: the rate at {SIZE} MB"),
                format!("{published}"),
                format!("{program:.5}"),
                (program / published - 1.0).abs() < 0.15,
                "within 15 %",
            ));
        }
    }
    outcome.tables.push(published(options)?);
    Ok(outcome)
}
