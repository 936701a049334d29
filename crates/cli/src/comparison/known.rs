//! The sentence about known negatives: whose mistakes cost least.
//!
//! What mistakes cost is a matter of a few costly keys, so that of two kinds which err equally often one can look far better
//! by luck. A kind is called better only if it makes surely fewer mistakes, too. The exception is no mistake at all, which
//! is no estimate: then the kinds are named that make none, and it is said if this may be chance.

use super::Comparison;
use super::words::{Built, names, surely_fewer, yardstick};
use crate::text;

/// Mistakes on known negatives: their share of all cost, and how many there are.
type Mistakes = (f64, u64);

fn mistakes(built: &Built<'_>) -> Option<Mistakes> {
    let known = built.1.evaluation.known.as_ref()?;
    Some((known.weighted_rate?, known.false_positives))
}

/// The sentence, about filters of one budget.
pub(super) fn sentence(comparison: &Comparison, built: &[Built<'_>]) -> Option<String> {
    if let Some(reason) = comparison.without_shares() {
        return Some(format!("Known negatives: {reason}."));
    }
    let all = || built.iter().filter_map(mistakes);
    let best = all().min_by(|one, other| one.0.total_cmp(&other.0))?;
    let told = match best.0 == 0.0 {
        true => without_mistakes(comparison.known, built, best),
        false => with_mistakes(built, best),
    };
    Some(format!("Known negatives: {told}."))
}

/// The kinds whose mistakes cost nothing.
fn without_mistakes(known: u64, built: &[Built<'_>], best: Mistakes) -> String {
    let free = |row: &&Built<'_>| mistakes(row).is_some_and(|(share, _)| share == 0.0);
    let winners = || built.iter().filter(free);
    let errs = |row: &Built<'_>| mistakes(row).is_some_and(|(_, count)| count > 0);
    let none = match winners().any(errs) {
        true => "no mistake that costs anything",
        false => "no mistake",
    };
    let (known, names) = (text::grouped(known), names(winners()));
    match yardstick(built).and_then(mistakes) {
        Some((0.0, _)) => format!("the plain bloom makes {none} on any of {known}"),
        Some(bloom) if !surely_fewer(best.1, bloom.1) => {
            let bloom = beside(bloom);
            format!("{none} on any of {known} with {names}{bloom}, which may be chance")
        }
        bloom => {
            let bloom = bloom.map_or(String::new(), beside);
            format!("{none} on any of {known} with {names}{bloom}")
        }
    }
}

/// The kinds whose mistakes cost least, with those that err no more often.
fn with_mistakes(built: &[Built<'_>], best: Mistakes) -> String {
    let bloom = yardstick(built).and_then(mistakes);
    if let Some((share, _)) = bloom.filter(|bloom| !surely_fewer(best.1, bloom.1)) {
        let better = match share == best.0 {
            true => "does better",
            false => "is surely better",
        };
        let share = text::percent(Some(share));
        return format!(
            "no kind {better} than the plain bloom, which is wrong on {share} of their cost"
        );
    }
    let near =
        |row: &&Built<'_>| mistakes(row).is_some_and(|(_, count)| !surely_fewer(best.1, count));
    let winners: Vec<&Built<'_>> = built.iter().filter(near).collect();
    let shares = (winners.iter()).filter_map(|row| Some(mistakes(row)?.0));
    let [least, most] =
        [best.0, shares.fold(best.0, f64::max)].map(|share| text::percent(Some(share)));
    let range = match least == most {
        true => least,
        false => format!("{least} to {most}"),
    };
    let verb = if winners.len() > 1 { "are" } else { "is" };
    let (names, bloom) = (
        names(winners.into_iter()),
        bloom.map_or(String::new(), beside),
    );
    format!("{names} {verb} wrong on {range} of their cost{bloom}")
}

/// What the plain filter does, for comparison.
fn beside((share, _): Mistakes) -> String {
    let share = text::percent(Some(share));
    format!("; bloom is wrong on {share} of their cost")
}

impl Comparison {
    /// Why false positives have no share of the cost of all known negatives, if they have none.
    pub fn without_shares(&self) -> Option<&'static str> {
        match self.known_cost {
            0.0 => {
                Some("none of them costs anything, so that no mistake has a share of their cost")
            }
            cost if !cost.is_finite() => Some(
                "their costs add up to more than a number can hold, so that no mistake has a share of them; use smaller ones",
            ),
            _ => None,
        }
    }
}
