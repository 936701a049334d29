//! Claims of Figures 13 to 15 on the paper's filter against the others: ratios of rates by cost, and which of them
//! could be chance.

use super::subjects;
use crate::measure::RatesBySize;
use crate::output::{Claim, Outcome};

/// The skews of the panels.
pub(super) const SKEWS: [f64; 4] = [1.0, 1.5, 2.0, 2.5];

/// The indices of the filters among the subjects.
pub(super) const STACKED: usize = 2;
pub(super) const STACKED_PAPER: usize = 3;
pub(super) const PAPER: usize = 4;
pub(super) const OWN: usize = 5;

/// The filters that the paper's filter is compared with.
pub(super) const OTHERS: [usize; 4] = [0, 1, STACKED, STACKED_PAPER];

/// The paper's numbers for a set.
pub(super) struct Published {
    /// Rates with skew 1.0 at 20 and at 36 bits per key, of the seesaw and of the stacked filter.
    pub rates: Option<[[f64; 2]; 2]>,
    /// The factor by which it is better than all others at least, with skew 1.0.
    pub least: Option<f64>,
    /// The subjects that it beats by over two orders of magnitude with skew 2.5.
    pub orders: &'static [usize],
}

/// The rates of the subjects, for each skew and size.
pub(super) type Found = Vec<RatesBySize>;

/// The factor by which the paper's seesaw filter is better than each of the others, wherever both have a rate. Its rate
/// is taken one standard error higher than measured.
fn gains<'a>(found: &'a [RatesBySize], others: &'a [usize]) -> impl Iterator<Item = f64> + 'a {
    found.iter().flatten().flat_map(|found| {
        let paper = found[PAPER];
        others.iter().filter_map(move |&other| {
            let paper = paper?;
            Some(found[other]?.known.mean / (paper.known.mean + paper.error))
        })
    })
}

fn least(gains: impl Iterator<Item = f64>) -> f64 {
    gains.fold(f64::INFINITY, f64::min)
}

/// The geometric mean.
fn average(gains: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = gains.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// Counts the comparisons in which the paper's filter is at least `times` times better beyond chance, in which it is
/// not, and which are undecided.
fn compared(found: &[RatesBySize], others: &[usize], times: f64) -> [usize; 3] {
    let mut counts = [0; 3];
    for found in found.iter().flatten() {
        for &other in others {
            let (Some(paper), Some(rates)) = (found[PAPER], found[other]) else {
                continue;
            };
            let within = rates.deviations().max(paper.deviations());
            let chance = within * rates.error.hypot(times * paper.error);
            counts[match rates.known.mean - times * paper.known.mean {
                better if better > chance => 0,
                worse if worse < -chance => 1,
                _ => 2,
            }] += 1;
        }
    }
    counts
}

/// The verdict on a statement about all comparisons. A single "no" refutes it; if most are undecided, so is the
/// statement.
fn verdict([yes, no, open]: [usize; 3]) -> Option<bool> {
    match (no, yes > open) {
        (0, true) => Some(true),
        (0, false) => None,
        _ => Some(false),
    }
}

/// Adds the paper's claims on its filter against the others.
pub(super) fn comparisons(outcome: &mut Outcome, found: &Found, published: &Published) {
    let others = &OTHERS;
    let in_words = |[yes, no, open]: [usize; 3]| {
        let all = yes + no + open;
        format!("of {all} comparisons, {yes} say yes and {no} say no; within chance: {open}")
    };
    let counts = compared(found, others, 1.0);
    let beside: Vec<String> = others
        .iter()
        .map(|&other| {
            let name = &subjects(20.0)[other].name;
            format!("{name} {:.2}", least(gains(&found[..1], &[other])))
        })
        .collect();
    outcome.claims.push(Claim::statement(
        "seesaw, paper: the lowest rate in all settings",
        "yes",
        format!("{}; smallest factors with skew 1.0: {}", in_words(counts), beside.join(", ")),
        verdict(counts),
        "at low skew the unguarded negatives decide, and most other filters let fewer of them pass, as the rates on unseen keys show",
    ));
    if let Some(times) = published.least {
        let ours = least(gains(&found[..1], others));
        outcome.claims.push(Claim::holds(
            "seesaw, paper: better than all others, skew 1.0",
            format!("by {times} times at least"),
            format!("by {ours:.2} times"),
            ours >= times,
            "the paper's own numbers contradict the claim: the rates that its text gives for the seesaw and the stacked filter at 36 bits per key are 1.11 (Shalla) and 1.06 (YCSB) times apart",
        ));
    }
    let mean = average(gains(found, others));
    outcome.claims.push(Claim::holds(
        "seesaw, paper: better on average (abstract)",
        "3 times",
        format!(
            "{mean:.0} times, over all skews and sizes; {:.2} times with skew 1.0",
            average(gains(&found[..1], others))
        ),
        mean >= 3.0,
        "the abstract does not say what the average is over",
    ));
    let steps: Vec<f64> = found
        .iter()
        .map(|found| average(gains(std::slice::from_ref(found), others)))
        .collect();
    let shown: Vec<String> = SKEWS
        .iter()
        .zip(&steps)
        .map(|(skew, gain)| format!("{gain:.1} at {skew}"))
        .collect();
    outcome.claims.push(Claim::holds(
        "the gap widens with the skew",
        "yes",
        shown.join(", "),
        steps.windows(2).all(|pair| pair[1] > pair[0]),
        "geometric mean of the ratios to all others; the seesaw filter's rates are taken one standard error higher than measured",
    ));
    if !published.orders.is_empty() {
        let high = &found[SKEWS.len() - 1..];
        let counts = compared(high, published.orders, 100.0);
        outcome.claims.push(Claim::statement(
            "seesaw, paper: better with skew 2.5",
            "by over two orders of magnitude",
            format!("{}; {:.1} times at least by the means", in_words(counts), least(gains(high, published.orders))),
            verdict(counts),
            "the filters that guard are compared by their means over all orders of the costs; if no guarded key passes, the number of guarded keys bounds the rate",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_no_refutes_and_mostly_undecided_stays_undecided() {
        assert_eq!(verdict([3, 0, 2]), Some(true));
        assert_eq!(verdict([2, 0, 3]), None);
        assert_eq!(verdict([9, 1, 0]), Some(false));
    }

    #[test]
    fn average_of_ratios_is_the_geometric_mean() {
        assert!((average([1.0, 100.0].into_iter()) - 10.0).abs() < 1e-9);
        assert_eq!(least([3.0, 2.0, 4.0].into_iter()), 2.0);
    }
}
