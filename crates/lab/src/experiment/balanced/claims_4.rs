//! The paper's claims about Figure 4, and which of them hold.

use super::figure_4::{Measured, Rates};
use super::model::{self, Kind};
use crate::experiment::orders;
use crate::output::{Cell, Claim};

/// Describes the bits per key at which `holds` is true.
fn places(rates: &[Rates], holds: impl Fn(&Rates) -> bool) -> String {
    let bits: Vec<u32> = rates
        .iter()
        .filter(|of| holds(of))
        .map(|of| of.bits)
        .collect();
    match bits.as_slice() {
        [] => "nowhere".to_string(),
        [only] => format!("at {only}"),
        [first, .., last] if (last - first) as usize + 1 == bits.len() => {
            format!("at {first} to {last}")
        }
        all => format!(
            "at {} places from {} to {}",
            all.len(),
            all[0],
            all[all.len() - 1]
        ),
    }
}

/// Describes the range of `values`.
fn range(values: impl Iterator<Item = f64> + Clone, digits: usize) -> String {
    let low = values.clone().fold(f64::NAN, f64::min);
    let high = values.fold(f64::NAN, f64::max);
    format!("{low:.digits$} to {high:.digits$}")
}

/// Claims about the model, which is computed for these bits per key.
pub fn of_model(rates: &[Rates]) -> Vec<Claim> {
    let two = "two orders of magnitude, at larger bits per key";
    let lead = |of: fn(&Rates) -> f64| {
        format!(
            "two orders {}; 100 times {}",
            places(rates, |rates| orders(of(rates)) >= 2),
            places(rates, |rates| of(rates) >= 100.0)
        )
    };
    let over_single: fn(&Rates) -> f64 = |of| of.single / of.mht;
    let over_blocked: fn(&Rates) -> f64 = |of| of.blocked / of.mht;
    let behind = |of: &Rates| of.mht / of.bloom;
    let two_of = |of: fn(&Rates) -> f64| rates.iter().any(|rates| orders(of(rates)) >= 2);
    let both = |lead: fn(&Rates) -> f64| {
        move |of: &Rates| orders(lead(of)) >= 2 && orders(behind(of)) <= 1
    };
    let strict = |of: &Rates| over_blocked(of) >= 100.0 && behind(of) <= 10.0;
    let last = rates.last().map_or(f64::NAN, |of| of.blocked / of.single);
    let uncounted = rates.iter().all(|of| of.single_uncounted <= of.blocked);
    vec![
        Claim::holds(
            "MHT is better than SINGLE by",
            two,
            lead(over_single),
            two_of(over_single),
            "in the model, from 8 to 48 bits per key; orders of magnitude are rounded logarithms",
        ),
        Claim::holds(
            "MHT is better than a blocked filter by",
            two,
            lead(over_blocked),
            two_of(over_blocked),
            "in the model, from 8 to 48 bits per key; orders of magnitude are rounded logarithms",
        ),
        Claim::holds(
            "and at the same time worse than a Bloom filter by",
            "only one order of magnitude",
            format!(
                "both for SINGLE {}, for blocked {}; 100 times better than blocked and 10 times worse than Bloom {}",
                places(rates, both(over_single)),
                places(rates, both(over_blocked)),
                places(rates, strict)
            ),
            rates.iter().any(both(over_single)),
            "the lead over SINGLE and the distance to a Bloom filter grow together: with more bits MHT falls two orders behind",
        ),
        Claim::holds(
            "SINGLE is slightly better than a blocked filter",
            "yes",
            format!(
                "better {}, {last:.1} times at the largest size; worse {}",
                places(rates, |of| of.single < of.blocked),
                places(rates, |of| of.single >= of.blocked)
            ),
            rates.iter().all(|of| of.single < of.blocked),
            if uncounted {
                "where it is worse, the counter takes more space from the block than the list saves: without the counter's bits it is nowhere worse"
            } else {
                "not known why"
            },
        ),
        Claim::holds(
            "MHT is worse at low bits per key",
            "yes",
            format!(
                "worse than blocked {}, than SINGLE {}",
                places(rates, |of| of.mht > of.blocked),
                places(rates, |of| of.mht > of.single)
            ),
            rates
                .first()
                .is_some_and(|of| of.mht > of.blocked && of.mht > of.single),
            "",
        ),
        Claim::same(
            "functions at 24 bits per key",
            Cell::whole(17),
            Cell::whole(model::functions(24.0).into()),
            0.0,
            "",
        ),
        Claim::same(
            "bits that a Bloom filter reads at 30 bits per key, about",
            Cell::whole(21),
            Cell::whole(model::functions(30.0).into()),
            0.0,
            "",
        ),
    ]
}

/// Claims about measured filters.
pub fn of_filters(measured: &[Measured]) -> Vec<Claim> {
    let mht = || measured.iter().filter(|of| of.kind == Kind::Mht);
    let mean = mht().map(|of| of.overflow).sum::<f64>() / mht().count() as f64;
    let insertions = || mht().map(|of| of.reads[0]);
    let members = || mht().map(|of| of.reads[1]);
    let non_members = || mht().map(|of| of.reads[2]);
    let accurate = measured
        .iter()
        .all(|of| (of.by_model - 1.0).abs() < 0.05 + 2.0 * of.deviation);
    // With fewer than 400 false positives, a range would show chance instead of the model.
    let counted = || measured.iter().filter(|of| of.deviation < 0.05);
    let lists = measured.iter().filter(|of| of.kind != Kind::Blocked);
    let lists = lists.map(|of| of.overflow / model::overflow());
    vec![
        Claim::same(
            "share of keys in the list, a = 1.2 and d = 3",
            Cell::rate(0.0049),
            Cell::rate(mean),
            0.0,
            "",
        ),
        Claim::holds(
            "memory accesses of an insertion",
            "1.2",
            range(insertions(), 3),
            insertions().all(|reads| (reads - 1.2).abs() < 0.012),
            "",
        ),
        Claim::holds(
            "memory accesses, more than with SINGLE",
            "20 %",
            format!(
                "blocks read: insertions {}, members {}, non-members {}",
                range(insertions(), 2),
                range(members(), 2),
                range(non_members(), 2)
            ),
            non_members().all(|reads| reads < 1.25),
            "a lookup continues at every block that has reached its level, and most blocks have; the paper counts insertions",
        ),
        Claim::holds(
            "the model of the list agrees with simulations",
            "yes",
            format!("{} times the model's share", range(lists.clone(), 3)),
            lists.clone().all(|ratio| (ratio - 1.0).abs() < 0.15),
            "",
        ),
        Claim::holds(
            "the model of the rate agrees with simulations",
            "yes",
            format!(
                "{} times the model's rate, where 400 false positives were counted",
                range(counted().map(|of| of.by_model), 2)
            ),
            accurate,
            &format!(
                "the paper's rate of a block ignores that the share of set bits varies from block to block; the ratio to a model that includes this is {}",
                range(counted().map(|of| of.by_exact), 2)
            ),
        ),
    ]
}

/// The claim of Theorem 5. `furthest` is the largest distance of a share from the model, in standard deviations.
pub fn of_subtables(furthest: f64) -> Claim {
    let holds = furthest < 5.0;
    Claim::holds(
        "all blocks of MHT have the same distribution of loads (Theorem 5)",
        "yes",
        format!("shares are at most {furthest:.1} deviations of chance away from the model"),
        holds,
        if holds { "" } else { "not known why" },
    )
}
