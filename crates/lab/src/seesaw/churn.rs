//! Section V-F of the paper: keys first, guarded keys after them, then rounds in which some keys are replaced by others.

use super::SHUFFLES;
use crate::known::{Data, rates, spec};
use crate::output::{Cell, Outcome, Table};
use bloomwise::{AnyFilter, Digest, Filter};

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

/// The rate by cost on known negatives, the rate on guarded ones, and that on unseen keys.
type Rates = [f64; 3];

/// The rates after each of the rounds that are shown.
fn churn(
    keys: u64,
    kind: &str,
    bits: f64,
    (skew, percent): (f64, u64),
    shuffle: u64,
) -> Vec<Rates> {
    // Keys that come later are taken from the end of the unseen ones, which are then no longer asked for.
    let replaced = keys * percent / 100;
    let mut data = Data::shuffled(keys, keys, keys + ROUNDS * replaced, skew, shuffle);
    let mut later = data.unseen.split_off(keys as usize).into_iter();
    let guarded = costliest(&data);
    let wish = spec(kind, bits, "", &[]).capacity(keys);
    let mut filter = wish.create().expect("sound");
    filter.insert_digests(&data.positives).expect("it grows");
    if let AnyFilter::Seesaw(filter) = &mut filter {
        for &digest in &guarded {
            filter.guard_digest(digest).expect("it is adaptive");
        }
    }
    let measure = |filter: &AnyFilter, data: &Data| {
        let (known, unseen) = rates(filter, data);
        let wrong = guarded
            .iter()
            .filter(|&&digest| filter.contains_digest(digest));
        [known, wrong.count() as f64 / guarded.len() as f64, unseen]
    };
    let mut shown = vec![measure(&filter, &data)];
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
            shown.push(measure(&filter, &data));
        }
    }
    shown
}

/// The table.
pub(super) fn run(outcome: &mut Outcome, keys: u64) {
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after they came, means of {SHUFFLES}; by cost on known negatives / on guarded ones"
    );
    let rounds = SHOWN.map(|round| format!("round {round}"));
    let columns = [
        "filter",
        "bits per key",
        "skew",
        "replaced in a round",
        "unseen",
    ];
    let columns = columns.into_iter().chain(rounds.iter().map(String::as_str));
    let mut table = Table::new(title, columns);
    for (bits, skew) in [(28.0, 1.5), (36.0, 1.5)] {
        for percent in [2, 5, 10] {
            for kind in ["seesaw-adaptive", "counting"] {
                let all: Vec<_> = (0..SHUFFLES)
                    .map(|shuffle| churn(keys, kind, bits, (skew, percent), shuffle))
                    .collect();
                let mean = |at: usize, what: usize| {
                    let sum: f64 = all.iter().map(|rounds| rounds[at][what]).sum();
                    sum / all.len() as f64
                };
                let cells = [
                    kind.into(),
                    Cell::number(bits, 0),
                    Cell::number(skew, 1),
                    format!("{percent} %").into(),
                    Cell::rate(mean(SHOWN.len() - 1, 2)),
                ];
                let shown = (0..SHOWN.len())
                    .map(|at| format!("{:.1e} / {:.1e}", mean(at, 0), mean(at, 1)).into());
                table.row(cells.into_iter().chain(shown));
            }
        }
    }
    outcome.tables.push(table);
}
