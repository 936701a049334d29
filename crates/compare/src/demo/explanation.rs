//! The sentences that introduce the example and say what its result means.

use super::DemoData;
use crate::measure::{Comparison, Row};
use crate::report::text;
use bloomwise::Family;

/// Introduces the example, one sentence per item.
pub fn introduction(data: &DemoData, budget: f64) -> Vec<String> {
    let [blocked, popular, unlisted] = [data.blocked, data.popular, data.unlisted].map(text::count);
    let known = if data.popular == 1 {
        "The filter knows one popular site and how much traffic it gets".to_string()
    } else {
        format!("The filter knows {popular} popular sites and how much traffic each gets")
    };
    vec![
        format!("A browser keeps a block list of {blocked} host names in {budget} bits per name."),
        "A filter that small makes mistakes: it flags some sites that are not on the list."
            .to_string(),
        format!("{known} (Zipf's law). Another {unlisted} sites are unknown to it."),
        "All names and visits are generated; the filters are real.".to_string(),
    ]
}

/// What the result means for the users of the browser.
pub fn takeaway(comparison: &Comparison, budget: f64) -> Option<String> {
    let flagged = |row: &Row| {
        let known = row.comparable()?.evaluation.known.as_ref()?;
        Some((known.weighted_rate?, known.false_positives))
    };
    let of = |kind: Family| {
        let mut rows = comparison.at(budget);
        rows.find(|row| row.kind == kind).and_then(flagged)
    };
    let (plain, guarded) = (of(Family::Bloom)?, of(Family::Guarded)?);
    let sites = |(share, count): (f64, u64)| {
        let share = text::percent(Some(share));
        match count {
            0 => "none".to_string(),
            1 => format!("one, with {share} of their traffic"),
            _ => format!("{} with {share} of their traffic", text::count(count)),
        }
    };
    Some(format!(
        "Of the popular sites, a plain Bloom filter would wrongly flag {}; guarded, in the same space: {}.",
        sites(plain),
        sites(guarded)
    ))
}
