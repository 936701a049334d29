//! Section V-F of the paper: keys first, guarded keys after them, then rounds in which some keys are replaced by others.

use crate::known::{Data, rates, spec};
use crate::output::{Cell, Outcome, Table};
use bloomwise::{AnyFilter, Digest};

const ROUNDS: u64 = 40;

/// The rounds that are shown.
const SHOWN: [u64; 7] = [0, 1, 2, 5, 10, 20, 40];

/// The costliest negatives, one for twenty positives.
fn costliest(data: &Data) -> Vec<Digest> {
    let mut negatives = data.negatives.clone();
    negatives.sort_unstable_by(|a, b| b.cost.total_cmp(&a.cost));
    let guarded = negatives.iter().take(data.positives.len() / 20);
    guarded.map(|negative| negative.digest).collect()
}

fn remove(filter: &mut AnyFilter, digest: Digest) -> bool {
    match filter {
        AnyFilter::Seesaw(filter) => filter.remove_digest(digest),
        AnyFilter::Counting(filter) => filter.remove_digest(digest),
        _ => false,
    }
}

/// The rates after each of the rounds that are shown: by cost on known negatives, and on unseen keys.
fn churn(keys: u64, kind: &str, bits: f64, skew: f64, percent: u64) -> Vec<(f64, f64)> {
    // Keys that come later are taken from the end of the unseen ones, which are then no longer asked for.
    let replaced = keys * percent / 100;
    let mut data = Data::new(keys, keys, keys + ROUNDS * replaced, skew);
    let mut later = data.unseen.split_off(keys as usize).into_iter();
    let wish = spec(kind, bits, "", &[]).capacity(keys);
    let mut filter = wish.create().expect("sound");
    filter.insert_digests(&data.positives).expect("it grows");
    if let AnyFilter::Seesaw(filter) = &mut filter {
        for digest in costliest(&data) {
            filter.guard_digest(digest).expect("it is adaptive");
        }
    }
    let mut shown = vec![rates(&filter, &data)];
    for round in 1..=ROUNDS {
        for (at, new) in later.by_ref().take(replaced as usize).enumerate() {
            // Which key goes is read from the one that comes.
            let goes = new.low as usize % data.positives.len();
            let old = std::mem::replace(&mut data.positives[goes], new);
            assert!(
                remove(&mut filter, old),
                "key {at} of round {round} was there"
            );
            filter.insert_digests(&[new]).expect("it grows");
        }
        if SHOWN.contains(&round) {
            shown.push(rates(&filter, &data));
        }
    }
    shown
}

/// The table.
pub(super) fn run(outcome: &mut Outcome, keys: u64) {
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after they came; known, by cost (unseen)"
    );
    let rounds = SHOWN.map(|round| format!("round {round}"));
    let columns = ["filter", "bits per key", "skew", "replaced in a round"];
    let columns = columns.into_iter().chain(rounds.iter().map(String::as_str));
    let mut table = Table::new(title, columns);
    for (bits, skew) in [(28.0, 1.5), (36.0, 1.5), (36.0, 2.5)] {
        for percent in [2, 5, 10] {
            for kind in ["seesaw-adaptive", "counting"] {
                let cells = [
                    kind.into(),
                    Cell::number(bits, 0),
                    Cell::number(skew, 1),
                    format!("{percent} %").into(),
                ];
                let shown = churn(keys, kind, bits, skew, percent).into_iter();
                let shown = shown.map(|(known, unseen)| {
                    Cell::from(format!("{known:.1e} ({:.1} %)", 100.0 * unseen))
                });
                table.row(cells.into_iter().chain(shown));
            }
        }
    }
    outcome.tables.push(table);
}
