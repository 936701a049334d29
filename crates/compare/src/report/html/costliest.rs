//! The costliest mistakes by name: for each kind, the known negatives that it wrongly accepts and that cost most.

use super::markup::prose;
use crate::measure::{Comparison, Costly, Mistakes};
use crate::report::chart::Escaped;
use crate::report::text;

/// A card for each kind that was built at this budget, the one whose mistakes cost most first. Empty if there are no known negatives.
pub fn cards(comparison: &Comparison, budget: f64) -> String {
    let mut rows: Vec<_> = (comparison.at(budget))
        .filter_map(|row| {
            let measured = row.result.as_ref().ok()?;
            Some((row.kind.name(), measured.evaluation.known.as_ref()?))
        })
        .collect();
    let share = |known: &Mistakes| known.weighted_rate.unwrap_or(0.0);
    rows.sort_by(|one, other| share(other.1).total_cmp(&share(one.1)));
    rows.into_iter()
        .map(|(name, known)| card(name, known))
        .collect()
}

/// The card of one kind.
fn card(name: &str, known: &Mistakes) -> String {
    let sum = match known.false_positives {
        0 => format!(
            "No mistake on {} known negatives.",
            text::count(known.count)
        ),
        count => {
            let (count, of, cost) = (
                text::count(count),
                text::count(known.count),
                text::amount(known.cost.total()),
            );
            let share = known.weighted_rate.map_or(String::new(), |share| {
                format!(", {} of all", text::percent(Some(share)))
            });
            format!("{count} of {of} wrong. Cost: {cost}{share}.")
        }
    };
    let item = |costly: &Costly| {
        format!(
            "<li><span>{}</span> <b>{}</b></li>\n",
            Escaped(&text::key(&costly.key)),
            text::amount(costly.cost)
        )
    };
    let items: String = known.costliest.iter().map(item).collect();
    let list = match items.is_empty() {
        true => items,
        false => format!("<ol>\n{items}</ol>\n"),
    };
    format!(
        "<article>\n<h3>{}</h3>\n<p>{}</p>\n{list}</article>\n",
        Escaped(name),
        prose(&sum)
    )
}
