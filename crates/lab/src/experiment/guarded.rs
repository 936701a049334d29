//! Guarded filters: the rates that budgets lead to beside the information limit, and their speed beside a binary fuse
//! filter of another crate.
//!
//! The limit is that of a filter that is right on all known negatives ([`limit_rate`]). Where a budget is too small for all of
//! them, some are left to chance and the limit no longer speaks of the same thing, so that there is none.

use crate::baseline::crates::Fuse;
use crate::contender::{Contender, WithNegatives};
use crate::experiment::costed::{Data, sizes};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::{self, Entry, Keys};
use crate::subject::Subject;
use crate::workload::Key;
use anyhow::Result;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::{Filter, Guarded, Value};

/// Who is compared with whom.
const PAIRS: [(&str, &str); 4] = [
    ("guarded", "xorf BinaryFuse8"),
    ("guarded, arity 3", "xorf BinaryFuse8"),
    ("guarded, as many negatives", "xorf BinaryFuse8"),
    ("guarded", "guarded, batch"),
];

/// Rates for budgets and numbers of negatives.
fn accuracy(options: &Options) -> Result<Table> {
    let columns = [
        "bits per key",
        "negatives per key",
        "costs",
        "known, by cost",
        "left",
        "unseen",
        "limit",
        "times limit",
        "slots",
        "bits of a slot",
        "guard slots",
    ];
    let [positives, negatives, unseen] = sizes(options);
    let mut table = Table::new(format!("{positives} positives"), columns);
    let equal = Data::new([positives, negatives, unseen], 0.0);
    let skewed = Data::new([positives, negatives, unseen], 1.0);
    let many = Data::new([positives, 20 * positives, unseen], 0.0);
    let none = Data::new([positives, 0, unseen], 0.0);
    let guarded = Subject::kind("guarded");
    for (bits, data, costs) in [
        (2.0, &equal, "equal"),
        (2.0, &skewed, "Zipf 1.0"),
        (4.0, &equal, "equal"),
        (7.03, &equal, "equal"),
        (8.44, &equal, "equal"),
        (11.25, &equal, "equal"),
        (14.0, &equal, "equal"),
        (4.0, &many, "equal"),
        (8.44, &many, "equal"),
        (8.44, &none, "-"),
    ] {
        let (filter, report) = guarded.build_and_report(&data.sets()?, data.bits(bits))?;
        let [known, unseen] = data.rates(&filter)?;
        let info = filter.info();
        let of = |list: &[(&'static str, Value)], name: &str| {
            let found = list.iter().find(|(known, _)| *known == name);
            Cell::of(found, |(_, value)| match value {
                Value::Real(value) => Cell::number(*value, 2),
                other => other.to_string().into(),
            })
        };
        let negatives = data.set.negatives.len() as f64 / positives as f64;
        let wrong = known > 0.0;
        let limit = limit_rate(bits, negatives).filter(|_| !wrong);
        table.row([
            Cell::number(bits, 2),
            Cell::number(negatives, 2),
            costs.into(),
            Cell::rate(known),
            of(&report.facts, "left"),
            Cell::rate(unseen),
            Cell::of(limit, Cell::rate),
            Cell::of(limit, |limit| Cell::number(unseen / limit, 2)),
            of(&info.parameters, "slots"),
            of(&info.parameters, "slot_bits"),
            of(&info.parameters, "guard_slots"),
        ]);
    }
    Ok(table)
}

fn speed<K: Key>(outcome: &mut Outcome, count: u64, asked: u64) -> Result<()> {
    let keys = Keys::<K>::new(count, asked);
    let entries = vec![
        Entry::single::<K, Guarded>("guarded", &keys, Contender::build)?,
        Entry::batch::<K, Guarded>("guarded, batch", &keys, Contender::build)?,
        Entry::single::<K, WithNegatives<4>>(
            "guarded, as many negatives",
            &keys,
            Contender::build,
        )?,
        Entry::single::<K, WithNegatives<3>>("guarded, arity 3", &keys, Contender::build)?,
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys, Contender::build)?,
    ];
    let title = format!("{count} keys of 8 bytes");
    race::run(&title, &keys, entries, &PAIRS, outcome)
}

/// Runs all.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Guarded filters: the rates that budgets lead to beside the information limit, and their speed beside a binary fuse filter of another crate, all built on one core. YCSB keys for rates. The limit is for a filter that is right on all known negatives; where this one is not, there is none to compare with.",
    );
    outcome.tables.push(accuracy(options)?);
    let [small, large, asked] = [1_500_000, 8_000_000, 4_000_000].map(|n| options.scaled(n, 1000));
    speed::<u64>(&mut outcome, small, small)?;
    speed::<u64>(&mut outcome, large, asked)?;
    Ok(outcome)
}
