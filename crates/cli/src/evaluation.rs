//! A filter measured on samples: the numbers, as an object and as a table.

use crate::measure::{self, Members, Mistakes};
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
    bytes: u64,
    /// The bits of it for each of its keys.
    bits_per_key: Option<f64>,
    /// The answers for positives.
    pub members: Members,
    /// The answers for known negatives, where there are any.
    known: Option<Mistakes>,
    /// The answers for unseen negatives, where there are any.
    unseen: Option<Mistakes>,
    /// Negatives that were left out because they are positives.
    overlap: u64,
    /// Empty keys that were skipped.
    skipped: u64,
}

impl Evaluation {
    /// Measures a filter.
    pub fn of(filter: &AnyFilter, samples: &Samples) -> Self {
        let mistakes = |negatives| measure::mistakes(filter, negatives);
        let negatives = [&samples.known, &samples.unseen];
        Evaluation {
            kind: filter.family().name(),
            bytes: filter.size_in_bits() / 8,
            bits_per_key: text::per(filter.size_in_bits() as f64, filter.info().keys),
            members: measure::members(filter, &samples.positives),
            known: samples.known.as_ref().map(mistakes),
            unseen: samples.unseen.as_ref().map(mistakes),
            overlap: negatives.into_iter().flatten().map(|n| n.overlap).sum(),
            skipped: samples.skipped,
        }
    }

    /// One object; `null` where no file was given or nothing was in it.
    pub fn json(&self) -> Value {
        let (known, unseen) = (self.known.as_ref(), self.unseen.as_ref());
        json!({
            "kind": self.kind,
            "bytes": self.bytes,
            "bits_per_key": self.bits_per_key,
            "false_negatives": self.members.denied,
            "positives": self.members.count,
            "positive_ns": self.members.nanoseconds,
            "known_negatives": known.map(|known| known.count),
            "known_false_positives": known.map(|known| known.false_positives),
            "fpr": known.and_then(|known| known.rate),
            "weighted_fpr": known.and_then(|known| known.weighted_rate),
            "negative_ns": known.or(unseen).and_then(|negatives| negatives.nanoseconds),
            "unseen": unseen.map(|unseen| unseen.count),
            "unseen_false_positives": unseen.map(|unseen| unseen.false_positives),
            "unseen_fpr": unseen.and_then(|unseen| unseen.rate),
            "overlap": self.overlap,
            "skipped": self.skipped,
        })
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
                text::decimal(members.nanoseconds, " ns per positive"),
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
        row(out, "time", &|side| text::decimal(side.nanoseconds, " ns"))
    }
}
