//! What Figures 13 to 15 say of the paper's filter beside the others: ratios of rates by cost, and which of them chance
//! alone could make.

use super::subjects;
use crate::measure::RatesBySize;
use crate::output::{Claim, Outcome};

/// The skews of the panels.
pub(super) const SKEWS: [f64; 4] = [1.0, 1.5, 2.0, 2.5];

/// Where the filters stand among the subjects.
pub(super) const STACKED: usize = 2;
pub(super) const STACKED_PAPER: usize = 3;
pub(super) const PAPER: usize = 4;
pub(super) const OWN: usize = 5;

/// All that the paper's filter is compared with.
pub(super) const OTHERS: [usize; 4] = [0, 1, STACKED, STACKED_PAPER];

/// What the paper says of a set.
pub(super) struct Published {
    /// Rates with skew 1.0 at 20 and at 36 bits per key: of the seesaw and of the stacked filter.
    pub rates: Option<[[f64; 2]; 2]>,
    /// By how many times it is better than all others at least, with skew 1.0.
    pub least: Option<f64>,
    /// How it is compared with skew 2.5: with these subjects, over two orders of magnitude.
    pub orders: &'static [usize],
}

/// For each skew and size, what the subjects came to.
pub(super) type Found = Vec<RatesBySize>;

/// How many times as good as each of these the paper's seesaw filter is at least, everywhere where both can be: its rate could
/// be a standard error higher.
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

/// The mean of ratios, which is that of their logarithms.
fn average(gains: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = gains.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// In how many comparisons the paper's filter is so many times as good or better, beyond chance; is not; and how many tell
/// nothing.
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

/// That something is so in all comparisons: a single "no" is enough against it, and what most of them leave open is open.
fn verdict([yes, no, open]: [usize; 3]) -> Option<bool> {
    match (no, yes > open) {
        (0, true) => Some(true),
        (0, false) => None,
        _ => Some(false),
    }
}

/// What the paper says of its filter beside the others.
pub(super) fn comparisons(outcome: &mut Outcome, found: &Found, published: &Published) {
    let others = &OTHERS;
    let in_words = |[yes, no, open]: [usize; 3]| {
        let all = yes + no + open;
        format!(
            "of {all} comparisons {yes} say yes, {no} no, and {open} cannot be told from chance"
        )
    };
    let counts = compared(found, others, 1.0);
    let beside: Vec<String> = others
        .iter()
        .map(|&other| {
            let name = &subjects(20.0)[other].name;
            format!("{name} {:.2}", least(gains(&found[..1], &[other])))
        })
        .collect();
    outcome.claims.push(Claim::told(
        "seesaw, paper: the lowest rate in all settings",
        "yes",
        format!("{}; with skew 1.0 at least as many times as good: {}", in_words(counts), beside.join(", ")),
        verdict(counts),
        "at low skew the negatives that nobody guards decide, and most other filters let fewer of those pass, as the rates on unseen keys show",
    ));
    if let Some(times) = published.least {
        let ours = least(gains(&found[..1], others));
        outcome.claims.push(Claim::holds(
            "seesaw, paper: better than all others, skew 1.0",
            format!("by {times} times at least"),
            format!("by {ours:.2} times"),
            ours >= times,
            "the paper's own numbers refute it: the two rates that its text gives for 36 bits per key, of the seesaw and of the stacked filter, are 1.11 (Shalla) and 1.06 (YCSB) times apart",
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
        "the abstract does not say an average of what",
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
        "mean of the ratios to all others, by their logarithms; the seesaw filter's rates taken a standard error higher than measured",
    ));
    if !published.orders.is_empty() {
        let high = &found[SKEWS.len() - 1..];
        let counts = compared(high, published.orders, 100.0);
        outcome.claims.push(Claim::told(
            "seesaw, paper: better with skew 2.5",
            "by over two orders of magnitude",
            format!("{}; {:.1} times at least by the means", in_words(counts), least(gains(high, published.orders))),
            verdict(counts),
            "the filters that guard are compared by their means over all orders of the costs; what was met by none of the guarded keys is bounded by their number",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_no_is_enough_and_an_open_question_stays_open() {
        assert_eq!(verdict([3, 0, 2]), Some(true));
        assert_eq!(verdict([2, 0, 3]), None);
        assert_eq!(verdict([9, 1, 0]), Some(false));
    }

    #[test]
    fn ratios_are_averaged_by_their_logarithms() {
        assert!((average([1.0, 100.0].into_iter()) - 10.0).abs() < 1e-9);
        assert_eq!(least([3.0, 2.0, 4.0].into_iter()), 2.0);
    }
}
