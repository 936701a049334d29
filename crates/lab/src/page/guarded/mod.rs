//! Guarded filters: their rates against the information limit, and their speed against a binary fuse filter of another
//! crate.
//!
//! The limit is that of a filter without false positives on known negatives ([`limit_rate`]). If the budget is too
//! small for all known negatives, some are left to chance. The limit does not apply then, and none is shown.

mod builds;

use crate::filter::contender::{Contender, with_negatives};
use crate::filter::peers::crates::Fuse;
use crate::prelude::*;
use crate::times::race::{self, Entry, Keys};
use bloomwise::Guarded;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::info::Value;
use bloomwise::unstable::Kernel;

/// The filter that all others are compared with.
const FUSE: &str = "xorf BinaryFuse8";

/// Rates at several sizes and numbers of negatives.
fn accuracy(options: &Options) -> Result<Table> {
    let columns = "keys | bits per key {2} | negatives per key {2} | costs | known, by cost {%} | wrong | unseen {%} | limit {%} | times limit {2} | columns {2} | rows | guard rows";
    let mut table = Table::new("Rates", columns);
    let [positives, negatives, _] = Set::paper_sizes(options);
    // Enough to know a rate of 0.3 % to half a percent of itself.
    let unseen = options.scaled(10_000_000, 20_000);
    let set = |positives, negatives, skew| Set::costed([positives, negatives, unseen], skew);
    let equal = set(positives, negatives, 0.0);
    let skewed = set(positives, negatives, 1.0);
    let many = set(positives, 20 * positives, 0.0);
    let none = set(positives, 0, 0.0);
    let [thousand, ten_thousand] = [1000, 10_000].map(|keys| set(keys, keys, 0.0));
    let guarded = Subject::kind(Family::Guarded);
    for (bits, set, costs) in [
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
        let (filter, report) = guarded.build_and_report(&set.sets()?, set.bits(bits))?;
        let [known, unseen] = set.rates(&filter)?;
        let info = filter.info();
        let parameter = |name| match info.parameter(name) {
            Some(Value::Real(value)) => Cell::from(*value),
            value => value.map_or(Cell::Nothing, |value| Cell::Text(value.to_string())),
        };
        let keys = set.positives.len();
        let negatives = set.negatives.len() as f64 / keys as f64;
        let has_errors = known > 0.0;
        let limit = limit_rate(bits, negatives).filter(|_| !has_errors);
        let wrong = report.wrong.map(|count| count.to_string());
        let times = limit.map(|limit| unseen / limit);
        let shape = ["columns", "rows", "guard_rows"].map(parameter);
        let about = (keys, bits, negatives, costs);
        table.row((about, known, wrong, unseen, limit, times, shape));
    }
    Ok(table)
}

fn speed<K: Key>(outcome: &mut Outcome, count: u64, queries: u64) -> Result<()> {
    let keys = Keys::<K>::new(count, queries);
    let mut entries = vec![
        Entry::single::<K, Fuse>(FUSE, &keys, Contender::build)?,
        Entry::single::<K, Guarded>("guarded", &keys, Contender::build)?,
        Entry::single("guarded, as many negatives", &keys, with_negatives)?,
    ];
    // A filter keeps the kernel that it was built with.
    let chosen = Kernel::current();
    for kernel in Kernel::available() {
        kernel.choose();
        let filter: Guarded = Contender::build(&keys.members)?;
        entries.extend(Entry::both(&format!("guarded, {kernel}"), &keys, filter)?);
    }
    chosen.choose();
    let others = entries[1..].iter();
    let pairs: Vec<String> = others
        .map(|entry| format!("{} / {FUSE}", entry.name))
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
