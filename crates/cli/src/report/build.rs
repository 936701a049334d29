//! The result of `build`, as JSON and as text.

use crate::construct::Built;
use bloomwise::Filter;
use bloomwise::info::Value as Number;
use bloomwise_compare::measure::per;
use bloomwise_compare::report::{json, text};
use bloomwise_compare::system_file;
use serde_json::{Value, json};

impl Built {
    /// The report as a JSON object.
    pub fn json(&self) -> Value {
        let info = self.made.filter.info();
        let filled = json!({
            "fill": info.fill,
            "predicted_fpr": info.predicted_fpr,
            "skipped": self.skipped,
        });
        json!({
            "kind": info.family.name(),
            "keys": self.made.keys,
            "duplicates": self.made.duplicates,
            "known_negatives": self.made.known_negatives,
            "overlap": self.made.overlap,
            "guarded": self.made.report.guarded,
            "exact": self.made.report.wrong.map(|wrong| wrong == 0),
            "wrong": self.made.report.wrong,
            "bytes": self.made.filter.size_in_bits() / 8,
            "bits_per_key": self.bits_per_key(),
            "build_ns_per_key": self.nanoseconds(),
            "peak_bytes": system_file::peak_bytes(),
            "parameters": json::parameters(&info.parameters),
            "report": json::merge([filled, json::facts(self.made.report.named())]),
            "shards": self.made.filter.shards(),
        })
    }

    /// The report as names and values. `written_to` is where the filter was saved.
    pub fn rows(&self, written_to: String) -> Vec<(&'static str, String)> {
        let info = self.made.filter.info();
        let count = |count: Option<u64>| count.map_or("-".to_string(), text::count);
        let mut rows = vec![
            ("built", info.family.name().to_string()),
            ("keys", text::count(self.made.keys)),
            ("duplicates", count(self.made.duplicates)),
        ];
        rows.extend(self.first.text().map(|keys| ("first keys", keys)));
        if self.made.known_negatives.is_some() {
            let known = count(self.made.known_negatives);
            let wrong = match self.made.report.wrong {
                None => String::new(),
                Some(0) => ", none answered wrong".to_string(),
                Some(wrong) => format!(", {} still answered wrong", text::count(wrong)),
            };
            rows.push(("known negatives", known + &wrong));
            let first = self.first_negatives.text();
            rows.extend(first.map(|keys| ("first negatives", keys)));
            rows.push(("overlap", count(self.made.overlap)));
            rows.push(("guarded", text::count(self.made.report.guarded)));
        }
        let facts = self.made.report.named().into_iter();
        for (name, value) in facts.filter(|(name, _)| *name != "wrong") {
            let text = match &value {
                // Rates are small, so percent are easier to read.
                Number::Real(rate) if name.ends_with("fpr") => text::percent(Some(*rate)),
                value => text::parameter(value),
            };
            rows.push((name, text));
        }
        if self.made.filter.shards() > 1 {
            rows.push(("shards", text::count(self.made.filter.shards())));
        }
        rows.extend([
            (
                "size",
                text::size(self.made.filter.size_in_bits() / 8, self.bits_per_key()),
            ),
            ("predicted rate", text::percent(Some(info.predicted_fpr))),
            ("time", self.duration()),
            ("written", written_to),
        ]);
        rows
    }

    /// The remark if known negatives are still answered wrong, and what to do about it.
    pub fn inexact_remark(&self) -> Option<String> {
        let wrong = self.made.report.wrong.filter(|&wrong| wrong > 0)?;
        let remedy = match self.made.report.exact_bits_per_key {
            Some(enough) => {
                let enough = (enough * 100.0).ceil() / 100.0;
                format!("none would be with --bits-per-key {enough:.2}")
            }
            None => "use more bits per key, or guarded if the set is fixed".to_string(),
        };
        Some(format!(
            "known negatives still answered wrong: {} of {}, with {} of the cost of all; {remedy}",
            text::count(wrong),
            text::count(self.made.known_negatives.unwrap_or(0)),
            text::percent(self.made.report.weighted_fpr),
        ))
    }

    /// The bits per key, if there are keys.
    fn bits_per_key(&self) -> Option<f64> {
        per(self.made.filter.size_in_bits() as f64, self.made.keys)
    }

    /// The build time, and that per key, if there are keys.
    fn duration(&self) -> String {
        match self.made.keys {
            0 => "-".to_string(),
            keys => {
                let each = self.time.as_secs_f64() / keys as f64;
                let all = text::duration(self.time.as_secs_f64());
                format!("{all}, {} per key", text::duration(each))
            }
        }
    }

    /// The build time in nanoseconds per key, if there are keys.
    fn nanoseconds(&self) -> Option<f64> {
        per(self.time.as_nanos() as f64, self.made.keys)
    }
}
