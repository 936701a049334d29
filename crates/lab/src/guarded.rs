//! Guarded filters: the rates that budgets lead to beside the information limit, and their speed beside a binary fuse
//! filter of another crate.

use crate::contender::{Contender, Fuse, WithNegatives};
use crate::known::{Data, NEGATIVES, POSITIVES, UNSEEN, rates, spec};
use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::{Filter, Guarded};

/// Who is compared with whom.
const PAIRS: [(&str, &str); 4] = [
    ("guarded", "xorf BinaryFuse8"),
    ("guarded, arity 3", "xorf BinaryFuse8"),
    ("guarded, as many negatives", "xorf BinaryFuse8"),
    ("guarded", "guarded, batch"),
];

/// Rates for budgets and numbers of negatives.
fn accuracy() {
    println!(
        "\n| bits per key | negatives per key | costs | known, by cost | left | unseen | limit | times limit | slots | bits of a slot | guard slots |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let equal = Data::new(POSITIVES, NEGATIVES, UNSEEN, 0.0);
    let skewed = Data::new(POSITIVES, NEGATIVES, UNSEEN, 1.0);
    let many = Data::new(POSITIVES, 20 * POSITIVES, UNSEEN, 0.0);
    let none = Data::new(POSITIVES, 0, UNSEEN, 0.0);
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
        let spec = spec("guarded", bits, "", &[]);
        let (filter, report) = spec.build_and_report(&data.sets()).expect("sound");
        let (known, unseen) = rates(&filter, data);
        let info = filter.info();
        let of = |list: &[(&'static str, bloomwise::Value)], name: &str| {
            let found = list.iter().find(|(known, _)| *known == name);
            found.map_or("-".to_string(), |(_, value)| value.to_string())
        };
        let negatives = data.negatives.len() as f64 / POSITIVES as f64;
        let limit = limit_rate(bits, negatives);
        let times = |limit: f64| format!("{:.3} % | {:.2}", 100.0 * limit, unseen / limit);
        println!(
            "| {bits:.2} | {negatives:.2} | {costs} | {known:.2e} | {} | {:.3} % | {} | {} | {} | {} |",
            of(&report.facts, "left"),
            100.0 * unseen,
            limit.map_or("- | -".to_string(), times),
            of(&info.parameters, "slots"),
            of(&info.parameters, "slot_bits"),
            of(&info.parameters, "guard_slots"),
        );
    }
}

fn speed<K: Key>(title: &str, count: u64) {
    let keys = Keys::<K>::new(count, count);
    let entries = vec![
        Entry::single::<K, Guarded>("guarded", &keys, Contender::build),
        Entry::batch::<K, Guarded>("guarded, batch", &keys, Contender::build),
        Entry::single::<K, WithNegatives<4>>("guarded, as many negatives", &keys, Contender::build),
        Entry::single::<K, WithNegatives<3>>("guarded, arity 3", &keys, Contender::build),
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys, Contender::build),
    ];
    race::run(title, &keys, entries, &PAIRS);
}

/// Prints all tables.
pub fn run() {
    accuracy();
    speed::<u64>("1.5 M keys of 8 bytes", 1_500_000);
    speed::<u64>("10 M keys of 8 bytes", 10_000_000);
}
