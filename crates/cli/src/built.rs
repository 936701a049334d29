//! What came of a build: the filter, and the report about its making.

use crate::text;
use bloomwise::{AnyFilter, Filter, Report, Value as Number};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;

/// A filter, and what there is to tell about its making.
pub struct Built {
    /// The filter.
    pub filter: AnyFilter,
    /// What its build told.
    pub report: Report,
    /// Keys that were put in: distinct ones where keys were held, all where they were streamed.
    pub keys: u64,
    /// Keys that came again, where keys were held.
    pub duplicates: Option<u64>,
    /// Distinct negatives that are no positives, where a file of negatives was given.
    pub known_negatives: Option<u64>,
    /// Distinct negatives that are positives too and were dropped.
    pub overlap: Option<u64>,
    /// Empty keys that were skipped in all files.
    pub skipped: u64,
    /// The time it took: after reading where keys were held, all of it where they were streamed.
    pub time: Duration,
}

impl Built {
    /// The report as an object.
    pub fn json(&self) -> Value {
        let info = self.filter.info();
        let mut report = json!({
            "fill": info.fill,
            "predicted_fpr": info.predicted_fpr,
            "skipped": self.skipped,
        });
        if let (Value::Object(all), Value::Object(facts)) =
            (&mut report, text::parameters_json(&self.report.facts))
        {
            all.extend(facts);
        }
        json!({
            "kind": info.family.name(),
            "keys": self.keys,
            "duplicates": self.duplicates,
            "known_negatives": self.known_negatives,
            "overlap": self.overlap,
            "guarded": self.report.guarded,
            "bytes": self.filter.size_in_bits() / 8,
            "bits_per_key": self.bits_per_key(),
            "build_ns_per_key": self.nanoseconds(),
            "peak_bytes": peak_bytes(),
            "parameters": text::parameters_json(&info.parameters),
            "report": report,
        })
    }

    /// The report for people, of a filter that was written to this place.
    pub fn rows(&self, place: String) -> Vec<(&'static str, String)> {
        let info = self.filter.info();
        let count = |count: Option<u64>| count.map_or("-".to_string(), text::grouped);
        let mut rows = vec![
            ("built", info.family.name().to_string()),
            ("keys", text::grouped(self.keys)),
            ("duplicates", count(self.duplicates)),
        ];
        if self.known_negatives.is_some() {
            rows.push(("negatives", count(self.known_negatives)));
            rows.push(("overlap", count(self.overlap)));
            rows.push(("guarded", text::grouped(self.report.guarded)));
        }
        for (name, value) in &self.report.facts {
            let text = match value {
                // Rates are small, and read better as such.
                Number::Real(rate) if name.ends_with("fpr") => text::percent(Some(*rate)),
                value => text::parameter(value),
            };
            rows.push((name, text));
        }
        rows.extend([
            (
                "size",
                text::size(self.filter.size_in_bits() / 8, self.bits_per_key()),
            ),
            ("predicted rate", text::percent(Some(info.predicted_fpr))),
            ("time", text::decimal(self.nanoseconds(), " ns per key")),
            ("written", place),
        ]);
        rows
    }

    fn bits_per_key(&self) -> Option<f64> {
        text::per(self.filter.size_in_bits() as f64, self.keys)
    }

    fn nanoseconds(&self) -> Option<f64> {
        text::per(self.time.as_nanos() as f64, self.keys)
    }
}

/// The most memory this program has used so far, where the operating system tells.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
