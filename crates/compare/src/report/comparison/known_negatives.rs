//! The sentence about known negatives: whose mistakes cost least.
//!
//! A few costly keys decide what mistakes cost. So of two kinds that make equally many mistakes, one can look far better by luck.
//! A kind is called better only if it also makes significantly fewer mistakes. The exception is a kind without any mistake:
//! all such kinds are named, and the sentence says if this may be chance.

use super::summary::{BuiltRow, baseline, names, significantly_fewer};
use crate::measure::Comparison;
use crate::report::text;

/// Mistakes on known negatives: their share of the cost, and their number.
type Mistakes = (f64, u64);

/// The mistakes of a filter, if costs have shares.
fn mistakes(row: &BuiltRow<'_>) -> Option<Mistakes> {
    let known = row.1.evaluation.known.as_ref()?;
    Some((known.weighted_rate?, known.false_positives))
}

/// The filters that are best on known negatives: the one whose mistakes cost least, and those that do not make significantly more
/// mistakes. All of them, if there are no known negatives.
pub(super) fn best<'a>(rows: &[BuiltRow<'a>]) -> Vec<BuiltRow<'a>> {
    let count = |row: &BuiltRow<'_>| Some(row.1.evaluation.known.as_ref()?.false_positives);
    // All filters have the same known negatives, so shares compare as costs do.
    let cost = |row: &BuiltRow<'_>| mistakes(row).map_or(0.0, |(share, _)| share);
    let least = rows.iter().min_by(|one, other| {
        cost(one)
            .total_cmp(&cost(other))
            .then(count(one).cmp(&count(other)))
    });
    let least = least.and_then(count);
    let is_best = |row: &&BuiltRow<'_>| {
        least
            .zip(count(row))
            .is_none_or(|(least, count)| !significantly_fewer(least, count))
    };
    rows.iter().filter(is_best).copied().collect()
}

/// The sentence about the filters of one budget.
pub(super) fn sentence(comparison: &Comparison, rows: &[BuiltRow<'_>]) -> Option<String> {
    if let Some(reason) = comparison.why_no_cost_shares() {
        return Some(format!("Known negatives: {reason}."));
    }
    let all = rows.iter().filter_map(mistakes);
    let best = all.min_by(|one, other| one.0.total_cmp(&other.0))?;
    let result = if best.0 == 0.0 {
        without_mistakes(comparison.known, rows, best)
    } else {
        with_mistakes(rows, best)
    };
    Some(format!("Known negatives: {result}."))
}

/// The kinds whose mistakes cost nothing.
fn without_mistakes(known: u64, rows: &[BuiltRow<'_>], best: Mistakes) -> String {
    let is_free = |row: &&BuiltRow<'_>| mistakes(row).is_some_and(|(share, _)| share == 0.0);
    let winners = || rows.iter().filter(is_free);
    let errs = |row: &BuiltRow<'_>| mistakes(row).is_some_and(|(_, count)| count > 0);
    let none = if winners().any(errs) {
        "no mistake that costs anything"
    } else {
        "no mistake"
    };
    let (known, names) = (text::count(known), names(winners()));
    match baseline(rows).and_then(mistakes) {
        Some((0.0, _)) => format!("bloom makes {none} on any of {known}"),
        Some(bloom) if !significantly_fewer(best.1, bloom.1) => {
            let bloom = versus(bloom);
            format!("{none} on any of {known} with {names}{bloom}, which may be chance")
        }
        bloom => {
            let bloom = bloom.map_or(String::new(), versus);
            format!("{none} on any of {known} with {names}{bloom}")
        }
    }
}

/// The kinds whose mistakes cost least, together with those that do not make significantly more mistakes.
fn with_mistakes(rows: &[BuiltRow<'_>], best: Mistakes) -> String {
    let bloom = baseline(rows).and_then(mistakes);
    if let Some((share, _)) = bloom.filter(|bloom| !significantly_fewer(best.1, bloom.1)) {
        let better = if share == best.0 {
            "better"
        } else {
            "significantly better"
        };
        let share = text::percent(Some(share));
        return format!("no kind is {better} than bloom, which is wrong on {share} of their cost");
    }
    let is_best = |row: &&BuiltRow<'_>| {
        mistakes(row).is_some_and(|(_, count)| !significantly_fewer(best.1, count))
    };
    let winners: Vec<&BuiltRow<'_>> = rows.iter().filter(is_best).collect();
    let shares = (winners.iter()).filter_map(|row| Some(mistakes(row)?.0));
    let [least, most] =
        [best.0, shares.fold(best.0, f64::max)].map(|share| text::percent(Some(share)));
    let range = if least == most {
        least
    } else {
        format!("{least} to {most}")
    };
    let verb = if winners.len() > 1 { "are" } else { "is" };
    let (names, bloom) = (
        names(winners.into_iter()),
        bloom.map_or(String::new(), versus),
    );
    format!("{names} {verb} wrong on {range} of their cost{bloom}")
}

/// What `bloom` does, for comparison.
fn versus((share, _): Mistakes) -> String {
    let share = text::percent(Some(share));
    format!("; bloom is wrong on {share} of their cost")
}

impl Comparison {
    /// Why a mistake has no share of the cost of all known negatives; `None` if it has one.
    pub fn why_no_cost_shares(&self) -> Option<&'static str> {
        let free = self.known_cost == 0.0;
        free.then_some("every cost is 0, so the share of the cost is undefined")
    }
}
