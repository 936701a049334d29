//! The measurements of one filter, as JSON and as text.

use super::text;
use crate::measure::{Costly, Evaluation, Mistakes, Pace};
use serde_json::{Value, json};
use std::io::{self, Write};

impl Evaluation {
    /// The measurements as a JSON object. A field is `null` if nothing was measured for it. `None` stands for a filter that
    /// could not be built: all fields are `null`.
    pub fn json(all: Option<&Self>) -> Value {
        let known = all.and_then(|all| all.known.as_ref());
        let unseen = all.and_then(|all| all.unseen.as_ref());
        let median = |pace: Option<Pace>| pace.map(|pace| pace.median);
        json!({
            "kind": all.map(|all| all.kind),
            "bytes": all.map(|all| all.bytes),
            "bits_per_key": all.and_then(|all| all.bits_per_key),
            "false_negatives": all.map(|all| all.members.denied),
            "positives": all.map(|all| all.members.count),
            "positive_ns": median(all.and_then(|all| all.members.pace)),
            "known_negatives": known.map(|known| known.count),
            "known_false_positives": known.map(|known| known.false_positives),
            "fpr": known.and_then(|known| known.rate),
            "weighted_fpr": known.and_then(|known| known.weighted_rate),
            "negative_ns": median(all.and_then(Self::non_member_pace)),
            "unseen": unseen.map(|unseen| unseen.count),
            "unseen_false_positives": unseen.map(|unseen| unseen.false_positives),
            "unseen_fpr": unseen.and_then(|unseen| unseen.rate),
            "known_lookups": known.map(|known| known.lookups),
            "fpr_by_lookups": known.and_then(|known| known.lookup_rate),
            "known_cost": known.map(|known| known.cost.total()),
            "costliest": known.map(|known| costliest(&known.costliest)),
            "unseen_lookups": unseen.map(|unseen| unseen.lookups),
            "unseen_fpr_by_lookups": unseen.and_then(|unseen| unseen.lookup_rate),
            "overlap": all.map(|all| all.overlap),
            "skipped": all.map(|all| all.skipped),
        })
    }

    /// Prints a table with known and unseen negatives side by side.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let members = &self.members;
        let rows = [
            ("filter", self.kind.to_string()),
            ("size", text::size(self.bytes, self.bits_per_key)),
            ("positives", text::count(members.count)),
            ("false negatives", text::count(members.denied)),
            (
                "query time",
                text::decimal(members.pace.map(|pace| pace.median), " ns"),
            ),
            (
                "left out",
                format!(
                    "{} negatives that are also positives",
                    text::count(self.overlap)
                ),
            ),
        ];
        text::list(out, &rows)?;
        let row = |out: &mut dyn Write, name: &str, value: &dyn Fn(&Mistakes) -> String| {
            let cell = |side: &Option<Mistakes>| side.as_ref().map_or("-".to_string(), value);
            writeln!(
                out,
                "{name:16}{:>16}{:>16}",
                cell(&self.known),
                cell(&self.unseen)
            )
        };
        writeln!(out, "\n{:16}{:>16}{:>16}", "", "known", "unseen")?;
        row(out, "negatives", &|side| text::count(side.count))?;
        row(out, "false positives", &|side| {
            text::count(side.false_positives)
        })?;
        row(out, "rate", &|side| text::percent(side.rate))?;
        row(out, "look-ups", &|side| text::count(side.lookups))?;
        row(out, "rate by look-up", &|side| {
            text::percent(side.lookup_rate)
        })?;
        row(out, "rate by cost", &|side| {
            text::percent(side.weighted_rate)
        })?;
        row(out, "time", &|side| {
            text::decimal(side.pace.map(|pace| pace.median), " ns")
        })
    }
}

/// The costliest mistakes as JSON. A key that is not UTF-8 has replacement characters.
fn costliest(all: &[Costly]) -> Vec<Value> {
    let costly =
        |costly: &Costly| json!({"key": String::from_utf8_lossy(&costly.key), "cost": costly.cost});
    all.iter().map(costly).collect()
}
