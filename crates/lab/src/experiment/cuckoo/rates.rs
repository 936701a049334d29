//! Known and unseen negatives in equal space.

use crate::measure::Answers;
use crate::options::Options;
use crate::output::{Cell, Table};
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::{Family, Size, Spec};

/// Bits per key, and known negatives for ten keys.
const CASES: [(f64, u64); 5] = [(11.0, 1), (12.0, 1), (12.0, 10), (20.0, 10), (36.0, 10)];

/// The kinds that remove keys.
const KINDS: [Family; 4] = [
    Family::Cuckoo,
    Family::Counting,
    Family::Seesaw,
    Family::SeesawAdaptive,
];

/// The table of rates.
pub(super) fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(1_000_000, 10_000);
    let columns = [
        "bits per key",
        "known negatives",
        "filter",
        "bits per key taken",
        "known, wrong",
        "known, by cost",
        "unseen",
    ];
    let title = format!("Rates, {keys} keys, negatives with costs by Zipf's law (1.0)");
    let mut table = Table::new(title, columns);
    for (bits, negatives) in CASES {
        let set = Set::sized(Source::Users, keys, keys * negatives / 10, keys);
        let costs = zipf::costs(set.negatives.len(), 1.0, 0);
        let sets = set.with_costs(&costs)?;
        for family in KINDS {
            let spec = Spec::new(family).size(Size::BitsPerKey(bits));
            let (filter, _) = spec.build_and_report(&sets)?;
            let answers = Answers::of(&filter, &set)?;
            let wrong = answers.known(&set) * set.negatives.len() as f64;
            table.row([
                Cell::number(bits, 0),
                Cell::number(set.negatives.len() as f64, 0),
                family.name().into(),
                Cell::number(answers.bits_per_key, 2),
                Cell::number(wrong, 0),
                Cell::rate(answers.weighted(&costs)),
                Cell::rate(answers.unseen),
            ]);
        }
    }
    Ok(table)
}
