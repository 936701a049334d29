//! Filters that are built with known negatives: their rates, and their build and query times.
//!
//! Keys are `user` and the 64-bit hash of a counter, as in YCSB; 1,491,178 positives and 1,435,527 negatives, the numbers of the HABF
//! paper. Costs are equal, or follow Zipf's law in a random order. Times are medians over rounds in which all filters take turns.

mod building;
mod queries;

use crate::prelude::*;
use bloomwise::info::Value;

/// The size in most tables: 1.5 MB for the keys of the HABF paper.
const BITS_PER_KEY: f64 = 8.44;

const FAMILIES: [Family; 5] = [
    Family::Bloom,
    Family::Habf,
    Family::HabfFast,
    Family::HabfCache,
    Family::Guarded,
];

/// The parameters of a filter that are shown.
const SHOWN: [&str; 5] = ["k", "cells", "cell_bits", "columns", "guard_rows"];

/// A table of rates.
struct Accuracy(Table);

impl Accuracy {
    fn new(title: String) -> Self {
        let columns = "filter | bits per key {2} | costs | known, by cost {%} | unseen {%} | adjusted | wrong | parameters";
        Accuracy(Table::new(title, columns))
    }

    /// Adds rows for filters of one size.
    fn rows(&mut self, subjects: &[Subject], bits: f64, set: &Set, costs: &str) -> Result<()> {
        let (sets, keys) = (set.sets()?, set.positives.len() as f64);
        for subject in subjects {
            let (filter, report) = subject.build_and_report(&sets, set.bits(bits))?;
            let rates = set.rates(&filter).with_context(|| subject.name.clone())?;
            let mut facts = report.facts.iter();
            let adjusted = facts.find(|(name, _)| *name == "adjusted_keys");
            let adjusted = adjusted.map(|(_, count)| count.to_string());
            let wrong = report.wrong.map(|count| count.to_string());
            let info = filter.info();
            let all = info.parameters.iter();
            let shown = all.filter(|known| SHOWN.contains(&known.name));
            let shown = shown.map(|parameter| match &parameter.value {
                Value::Real(value) => format!("{} {value:.2}", parameter.name),
                value => format!("{} {value}", parameter.name),
            });
            let parameters = shown.collect::<Vec<_>>().join(", ");
            let size = filter.size_in_bits() as f64 / keys;
            let found = (rates, adjusted, wrong, parameters);
            self.0.row((&subject.name, size, costs, found));
        }
        Ok(())
    }
}

fn accuracy(options: &Options) -> Result<Table> {
    let [positives, negatives, unseen] = Set::paper_sizes(options);
    let title = format!("{positives} positives, {negatives} negatives");
    let mut table = Accuracy::new(title);
    let of_skew = |skew| Set::costed([positives, negatives, unseen], skew);
    let (plain, skewed) = (of_skew(0.0), of_skew(1.0));
    let kinds = FAMILIES.map(Subject::kind);
    for bits in [7.0, BITS_PER_KEY, 10.0, 12.0, 14.0] {
        table.rows(&kinds, bits, &plain, "equal")?;
    }
    let papers = [Family::Habf, Family::HabfFast, Family::HabfCache].map(Subject::paper);
    table.rows(&papers, BITS_PER_KEY, &plain, "equal")?;
    let rules = ["never", "watch"].map(|rule| {
        let subject = Subject::kind(Family::HabfFast).set("empty", rule);
        subject.named(format!("habf-fast, empty={rule}"))
    });
    table.rows(&rules, BITS_PER_KEY, &plain, "equal")?;
    table.rows(&kinds, BITS_PER_KEY, &skewed, "Zipf 1.0")?;
    Ok(table.0)
}

fn other_numbers(options: &Options) -> Result<Table> {
    let [_, _, unseen] = Set::paper_sizes(options);
    let positives = options.scaled(500_000, 2000);
    let title = format!("{positives} positives, other numbers of negatives");
    let mut table = Accuracy::new(title);
    let kinds = [Family::Bloom, Family::Habf, Family::Guarded].map(Subject::kind);
    for (per_thousand, skew) in [
        (0.2, 0.0),
        (100.0, 0.0),
        (5000.0, 0.0),
        (20_000.0, 0.0),
        (20_000.0, 1.0),
    ] {
        let negatives = (positives as f64 * per_thousand / 1000.0).ceil() as u64;
        let set = Set::costed([positives, negatives, unseen], skew);
        let costs = format!("{negatives} negatives, Zipf {skew}");
        table.rows(&kinds, BITS_PER_KEY, &set, &costs)?;
    }
    Ok(table.0)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are built with known negatives: what they answer, and how long builds and queries take. YCSB keys.",
    );
    outcome.tables = vec![
        accuracy(options)?,
        other_numbers(options)?,
        building::parts(options)?,
        building::scaling(options)?,
    ];
    let [positives, ..] = Set::paper_sizes(options);
    queries::race(&mut outcome, positives, BITS_PER_KEY)?;
    queries::race(&mut outcome, options.scaled(10_000_000, 2000), 10.0)?;
    Ok(outcome)
}
