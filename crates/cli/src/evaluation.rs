//! A filter measured on samples: the numbers, as an object and as a table.

use crate::measure::{self, Members, Mistakes};
use crate::pace::Pace;
use crate::samples::Samples;
use crate::text;
use bloomwise::{AnyFilter, Filter};
use serde_json::{Value, json};
use std::io::{self, Write};

/// All that was measured.
pub struct Evaluation {
    /// The kind of the filter.
    kind: &'static str,
    /// The bytes it needs to answer.
    pub bytes: u64,
    /// The bits of it for each of its keys.
    pub bits_per_key: Option<f64>,
    /// The answers for positives.
    pub members: Members,
    /// The answers for known negatives, where there are any.
    pub known: Option<Mistakes>,
    /// The answers for unseen negatives, where there are any.
    pub unseen: Option<Mistakes>,
    /// Negatives that were left out because they are positives.
    overlap: u64,
    /// Empty keys that were skipped.
    skipped: u64,
}

impl Evaluation {
    /// Measures a filter.
    pub fn of(filter: &AnyFilter, samples: &Samples) -> Self {
        let mistakes = |negatives| measure::mistakes(filter, negatives);
        Evaluation {
            kind: filter.family().name(),
            bytes: filter.size_in_bits() / 8,
            bits_per_key: text::per(filter.size_in_bits() as f64, filter.info().keys),
            members: measure::members(filter, &samples.positives),
            known: samples.known.as_ref().map(mistakes),
            unseen: samples.unseen.as_ref().map(mistakes),
            overlap: samples.overlap(),
            skipped: samples.skipped,
        }
    }

    /// One object; `null` where no file was given or nothing was in it.
    pub fn json(&self) -> Value {
        Self::object(Some(self))
    }

    /// The object of a filter that could not be measured: all `null`.
    pub fn absent() -> Value {
        Self::object(None)
    }

    fn object(all: Option<&Self>) -> Value {
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
            "negative_ns": median(all.and_then(Self::strangers)),
            "unseen": unseen.map(|unseen| unseen.count),
            "unseen_false_positives": unseen.map(|unseen| unseen.false_positives),
            "unseen_fpr": unseen.and_then(|unseen| unseen.rate),
            "overlap": all.map(|all| all.overlap),
            "skipped": all.map(|all| all.skipped),
        })
    }

    /// The time of a query for a key outside of the set.
    pub fn strangers(&self) -> Option<Pace> {
        let negatives = self.known.as_ref().or(self.unseen.as_ref());
        negatives.and_then(|negatives| negatives.pace)
    }

    /// A table, known and unseen negatives side by side.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let members = &self.members;
        let rows = [
            ("filter", self.kind.to_string()),
            ("size", text::size(self.bytes, self.bits_per_key)),
            ("positives", text::grouped(members.count)),
            ("denied", text::grouped(members.denied)),
            (
                "time",
                text::decimal(members.pace.map(|pace| pace.median), " ns per positive"),
            ),
            (
                "left out",
                format!(
                    "{} negatives that are positives",
                    text::grouped(self.overlap)
                ),
            ),
        ];
        text::list(out, &rows)?;
        let row = |out: &mut dyn Write, name: &str, value: &dyn Fn(&Mistakes) -> String| {
            let shown = |side: &Option<Mistakes>| side.as_ref().map_or("-".to_string(), value);
            writeln!(
                out,
                "{name:16}{:>16}{:>16}",
                shown(&self.known),
                shown(&self.unseen)
            )
        };
        writeln!(out, "\n{:16}{:>16}{:>16}", "", "known", "unseen")?;
        row(out, "negatives", &|side| text::grouped(side.count))?;
        row(out, "false positives", &|side| {
            text::grouped(side.false_positives)
        })?;
        row(out, "rate", &|side| text::percent(side.rate))?;
        row(out, "rate by cost", &|side| {
            text::percent(side.weighted_rate)
        })?;
        row(out, "time", &|side| {
            text::decimal(side.pace.map(|pace| pace.median), " ns")
        })
    }
}
