//! Guarded filters: their rates against the information limit, and their speed against a binary fuse filter of another
//! crate.
//!
//! The limit is that of a filter without false positives on known negatives ([`limit_rate`]). If the budget is too
//! small for all known negatives, some are left to chance. The limit does not apply then, and none is shown.

mod builds;

use crate::baseline::crates::Fuse;
use crate::contender::{Contender, WithNegatives};
use crate::experiment::costed::{CostedSet, sizes};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::{self, Entry, Keys};
use crate::subject::Subject;
use crate::workload::Key;
use anyhow::Result;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::info::Value;
use bloomwise::unstable::Kernel;
use bloomwise::{Family, Filter, Guarded};

/// The filter that all others are compared with.
const FUSE: &str = "xorf BinaryFuse8";

/// Rates at several sizes and numbers of negatives.
fn accuracy(options: &Options) -> Result<Table> {
    let columns = [
        "keys",
        "bits per key",
        "negatives per key",
        "costs",
        "known, by cost",
        "wrong",
        "unseen",
        "limit",
        "times limit",
        "columns",
        "rows",
        "guard rows",
    ];
    let [positives, negatives, _] = sizes(options);
    // Enough to know a rate of 0.3 % to half a percent of itself.
    let unseen = options.scaled(10_000_000, 20_000);
    let mut table = Table::new("Rates", columns);
    let equal = CostedSet::new([positives, negatives, unseen], 0.0);
    let skewed = CostedSet::new([positives, negatives, unseen], 1.0);
    let many = CostedSet::new([positives, 20 * positives, unseen], 0.0);
    let none = CostedSet::new([positives, 0, unseen], 0.0);
    let guarded = Subject::kind(Family::Guarded);
    let [thousand, ten_thousand] =
        [1000, 10_000].map(|keys| CostedSet::new([keys, keys, unseen], 0.0));
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
        (10.0, &thousand, "equal"),
        (10.0, &ten_thousand, "equal"),
    ] {
        let (filter, report) = guarded.build_and_report(&data.sets()?, data.bits(bits))?;
        let [known, unseen] = data.rates(&filter)?;
        let info = filter.info();
        let shown = |value: Option<&Value>| {
            Cell::or_dash(value, |value| match value {
                Value::Real(value) => Cell::number(*value, 2),
                other => other.to_string().into(),
            })
        };
        let keys = data.set.positives.len() as u64;
        let negatives = data.set.negatives.len() as f64 / keys as f64;
        let wrong = known > 0.0;
        let limit = limit_rate(bits, negatives).filter(|_| !wrong);
        table.row([
            Cell::whole(keys),
            Cell::number(bits, 2),
            Cell::number(negatives, 2),
            costs.into(),
            Cell::rate(known),
            Cell::or_dash(report.wrong, |count| count.to_string().into()),
            Cell::rate(unseen),
            Cell::or_dash(limit, Cell::rate),
            Cell::or_dash(limit, |limit| Cell::number(unseen / limit, 2)),
            shown(info.parameter("columns")),
            shown(info.parameter("rows")),
            shown(info.parameter("guard_rows")),
        ]);
    }
    Ok(table)
}

fn speed<K: Key>(outcome: &mut Outcome, count: u64, queries: u64) -> Result<()> {
    let keys = Keys::<K>::new(count, queries);
    let mut entries = vec![
        Entry::single::<K, Fuse>(FUSE, &keys, Contender::build)?,
        Entry::single::<K, Guarded>("guarded", &keys, Contender::build)?,
        Entry::single::<K, WithNegatives>("guarded, as many negatives", &keys, Contender::build)?,
    ];
    // A filter keeps the kernel that it was built with.
    let chosen = Kernel::current();
    for kernel in Kernel::available() {
        kernel.choose();
        let filter: Guarded = Contender::build(&keys.members)?;
        entries.extend(Entry::both(&format!("guarded, {kernel}"), &keys, filter)?);
    }
    chosen.choose();
    let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    let pairs: Vec<(&str, &str)> = names[1..]
        .iter()
        .map(|name| (name.as_str(), FUSE))
        .collect();
    let title = format!("{count} keys of 8 bytes");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Guarded filters: rates for several budgets beside the information limit, and their speed beside a binary fuse filter of another crate, all built on one core. YCSB keys for rates. The limit is for a filter that is right on all known negatives; if the measured filter is not, there is no limit to compare with.",
    );
    outcome.tables.push(accuracy(options)?);
    let [small, large, queries] =
        [1_500_000, 8_000_000, 4_000_000].map(|n| options.scaled(n, 1000));
    speed::<u64>(&mut outcome, small, small)?;
    speed::<u64>(&mut outcome, large, queries)?;
    let counts = [small, options.scaled(10_000_000, 2000)];
    outcome.tables.push(builds::table(&counts)?);
    Ok(outcome)
}
