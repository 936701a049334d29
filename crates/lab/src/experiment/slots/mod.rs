//! How full the array of a guarded filter can be. The curve `slots_for` and the constants of peeling are fitted to
//! these measurements.
//!
//! This module rebuilds the library's array as far as peeling is concerned: a key has 3 or 4 slots, one in each segment
//! of a window with a random start. `least_slots` finds the fewest slots with which half of all tries peel, with the
//! best segment length. `overfull` gives up negatives where peeling stalls, as the library does, and counts them:
//!
//! | constant | in the library | measured |
//! |---|---|---|
//! | `FULL` | 0.97 | the share of slots in use after negatives were given up |
//! | `GIVEN_UP` | 0.33 | negatives given up per key beyond what the array peels by itself |
//! | `CHOICE` | 8 | negatives to choose from per key too many; with fewer, more must be given up |
//!
//! `WORTH`, how much better two arrays must be than one, is a choice between two estimates and cannot be measured here.

mod peeling;

use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use anyhow::Result;
use bloomwise::guarded::theory::slots_for;
use bloomwise::unstable::bisect;
use peeling::{Peeling, Shape, hashes};
use rayon::prelude::*;

/// The fewest slots per key with which more than half of the tries peel, and the bits of the best segment.
fn least_slots(keys: usize, arity: usize, tries: u64) -> (f64, u32) {
    let guess = (0.7 * (keys as f64).log2() - 2.05).round().max(3.0) as u32;
    let peels = |slots: u64, segment_bits: u32| {
        let shape = Shape {
            arity,
            slots,
            segment_bits,
        };
        if slots < (arity as u64) << segment_bits {
            return false;
        }
        let done = (0..tries).into_par_iter().filter(|&seed| {
            let hashes = hashes(keys, seed);
            let mut peeling = Peeling::new(shape, &hashes);
            peeling.run();
            peeling.left == 0
        });
        2 * done.count() as u64 > tries
    };
    let of_segment = |segment_bits: u32| {
        let stalls = |per_key: f64| !peels((per_key * keys as f64) as u64, segment_bits);
        // Ten steps leave less than a thousandth of a slot per key.
        let (_, least) = bisect((1.0, 1.6), 10, f64::midpoint, stalls);
        (least, segment_bits)
    };
    let all = (guess - 1..=guess + 1).map(of_segment);
    all.min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((f64::NAN, guess))
}

/// Fills an array with `offered` keys per slot, half of them positives. Returns the share of slots in use and the
/// number of negatives given up; `None` if it does not peel.
fn overfull(slots: u64, offered: f64, choice: f64) -> Option<(f64, f64)> {
    // Half as long as where nothing is given up: peeling spreads better in short windows.
    let segment_bits = (0.7 * (slots as f64).log2() - 2.05).round() as u32 - 1;
    let shape = Shape {
        arity: 4,
        slots,
        segment_bits,
    };
    let count = (offered * slots as f64) as usize;
    let hashes = hashes(count, 7);
    let mut peeling = Peeling::new(shape, &hashes);
    peeling.run();
    // Negatives are the second half, with the cheapest at the end. The more there are to choose from, the fewer must be
    // given up.
    let too_many = count as f64 - 0.97 * slots as f64;
    let mut choose_from = (choice * too_many).max(count as f64 / 20.0) as usize;
    let mut given_up = 0;
    while peeling.left > 0 {
        let first = count - choose_from.min(count / 2);
        given_up += peeling.give_up(first);
        if choose_from >= count / 2 {
            break;
        }
        choose_from *= 2;
    }
    (peeling.left == 0).then(|| {
        let kept = (count - given_up) as f64 / slots as f64;
        (kept, given_up as f64)
    })
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Guarded filters: the fewest slots per key with which half of all tries can be peeled, beside the curve of the library, which is 0.4 % above its fit; and how many negatives have to be given up in arrays that are too full.",
    );
    let columns = [
        "keys",
        "slots of a key",
        "least slots per key",
        "bits of the best segment",
        "slots_for",
        "slots_for / least",
    ];
    let mut table = Table::new("Slots", columns);
    let mut chart = Chart::new(
        "Slots per key that peel",
        Axis::log("keys"),
        Axis::linear("slots per key"),
    );
    let (mut lowest, mut highest) = (f64::MAX, 0f64);
    for arity in [3u32, 4] {
        for full in [
            1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000,
        ] {
            if full as f64 > 3e6 * options.scale.max(0.003) {
                continue;
            }
            let tries = (1_000_000 / full).clamp(3, 51) | 1;
            let (least, segment) = least_slots(full as usize, arity as usize, tries);
            let curve = slots_for(full, arity) as f64 / full as f64;
            table.row([
                Cell::whole(full),
                Cell::whole(arity.into()),
                Cell::number(least, 3),
                Cell::whole(segment.into()),
                Cell::number(curve, 3),
                Cell::number(curve / least, 4),
            ]);
            chart.point(
                &format!("{arity} slots of a key, measured"),
                full as f64,
                least,
                0.0,
            );
            chart.point(
                &format!("{arity} slots of a key, slots_for"),
                full as f64,
                curve,
                0.0,
            );
            lowest = lowest.min(curve / least);
            highest = highest.max(curve / least);
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    outcome.notes.push(format!(
        "The curve is {:+.1} % to {:+.1} % from the fewest slots that peel in half of the tries. Below 0 means that at this size more than half of the tries stall.",
        100.0 * (lowest - 1.0),
        100.0 * (highest - 1.0)
    ));
    let slots = options.scaled(1_000_000, 20_000);
    let peels = slots as f64 / (slots_for(slots, 4) as f64 / slots as f64);
    let columns = [
        "keys per slot",
        "choice",
        "given up",
        "per key too many",
        "slots in use",
    ];
    let mut table = Table::new(
        format!("Giving up, {slots} slots, 4 per key, half of the keys are positives"),
        columns,
    );
    for offered in [0.96, 0.98, 1.0, 1.05, 1.1] {
        for choice in [2.0, 4.0, 8.0, 16.0] {
            let found = overfull(slots, offered, choice);
            let beyond = offered * slots as f64 - peels;
            table.row([
                Cell::number(offered, 2),
                Cell::number(choice, 0),
                Cell::or_dash(found, |(_, given_up)| Cell::whole(given_up as u64)),
                Cell::or_dash(found, |(_, given_up)| Cell::number(given_up / beyond, 3)),
                Cell::or_dash(found, |(kept, _)| Cell::number(kept, 4)),
            ]);
        }
    }
    outcome.tables.push(table);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peeling_needs_about_as_many_slots_as_the_library() {
        let (least, _) = least_slots(2000, 4, 9);
        let curve = slots_for(2000, 4) as f64 / 2000.0;
        assert!((curve / least - 1.0).abs() < 0.06, "{least}, {curve}");
        let shape = Shape {
            arity: 4,
            slots: 3000,
            segment_bits: 5,
        };
        let hashes = hashes(2000, 1);
        assert!(
            hashes
                .iter()
                .all(|&hash| shape.places(hash).all(|place| place < 3000))
        );
        let mut peeling = Peeling::new(shape, &hashes);
        peeling.run();
        assert!(peeling.left == 0 && peeling.slots.iter().all(|slot| slot.1 == 0));
    }

    #[test]
    fn overfull_array_gives_up_negatives_and_is_nearly_full() {
        let (kept, given_up) = overfull(20_000, 1.05, 8.0).expect("peels after giving up");
        assert!(
            (0.9..1.0).contains(&kept) && given_up > 1000.0,
            "{kept}, {given_up}"
        );
    }
}
