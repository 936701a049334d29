//! What was learned from a log, as JSON and as text.

use super::text;
use crate::learning::{KeySet, Traffic};
use crate::system_file;
use bloomwise::Filter;
use serde_json::{Map, Value, json};

impl Traffic<'_> {
    /// The result of `learn` as a JSON object. `kept` is the number of keys in the list.
    pub fn json(&self, kept: usize) -> Value {
        let spread = self.spread();
        let coverage = (spread.coverage).map(|(length, share)| (length.to_string(), json!(share)));
        json!({
            "events": self.all.count,
            "cost": self.all.cost,
            "distinct": self.distinct,
            "absent_events": self.absent.count,
            "absent_cost": self.absent.cost,
            "learned_events": self.learner.events(),
            "learned_cost": self.learner.total(),
            "learned_distinct": self.learner.distinct().round() as u64,
            "exact_set": matches!(self.set, KeySet::Exact(_)),
            "kept": kept,
            "error_bound": self.learner.error_bound(),
            "complete_above": self.learner.certain_above(),
            "coverage": coverage.into_iter().collect::<Map<_, _>>(),
            "half_of_cost": spread.half,
            "memory_bytes": self.learner.memory(),
            "peak_bytes": system_file::peak_bytes(),
        })
    }

    /// The result of `learn` as names and values.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let share = |part: f64, all: f64| text::percent((all > 0.0).then(|| part / all));
        let mut rows = Vec::new();
        if self.all.count > 0 {
            rows.extend([
                ("events", text::count(self.all.count)),
                (
                    "distinct keys",
                    format!("about {}", text::count(self.distinct)),
                ),
                ("present keys", self.present()),
                (
                    "absent",
                    format!(
                        "{} events: {} of all, {} of the cost",
                        text::count(self.absent.count),
                        share(self.absent.count as f64, self.all.count as f64),
                        share(self.absent.cost, self.all.cost),
                    ),
                ),
            ]);
        }
        if self.learner.events() > self.absent.count {
            let events = text::count(self.learner.events());
            rows.push(("with sketches", format!("{events} absent events")));
        }
        let spread = self.spread();
        let keys = text::count(self.learner.distinct().round() as u64);
        let half = match spread.half {
            None => String::new(),
            Some(1) => "; one of them has half of the cost".to_string(),
            Some(half) => format!("; {} of them have half of the cost", text::count(half)),
        };
        rows.push(("absent keys", format!("about {keys}{half}")));
        for (length, share) in spread.coverage {
            let name = match length {
                1_000 => "costliest 1,000",
                10_000 => "costliest 10,000",
                _ => "costliest 100,000",
            };
            rows.push((name, bar(share)));
        }
        let error = self.learner.error_bound();
        let complete = text::amount(self.learner.certain_above());
        let accuracy = match self.learner.certain_above() {
            0.0 => "exact: every absent key was counted".to_string(),
            _ if error == 0.0 => format!("exact; every key above {complete} was kept"),
            _ => format!(
                "at most {} too low; every key above {complete} was kept",
                text::amount(error)
            ),
        };
        rows.push(("costs", accuracy));
        rows
    }

    /// How present keys were told from absent ones.
    fn present(&self) -> String {
        match self.set {
            KeySet::Exact(members) => {
                format!("{}, matched exactly", text::count(members.len() as u64))
            }
            KeySet::Filter(filter) => format!(
                "as the filter answers: it takes about {} of the absent keys for present ones",
                text::percent(Some(filter.rate()))
            ),
            KeySet::Unknown => "those that were left out of the sketches".to_string(),
        }
    }
}

/// The width of a bar in characters.
const WIDTH: f64 = 30.0;

/// A share as a number and a bar.
fn bar(share: Option<f64>) -> String {
    let filled = (WIDTH * share.unwrap_or(0.0)).round() as usize;
    let empty = WIDTH as usize - filled.min(WIDTH as usize);
    let number = text::percent(share);
    format!(
        "{}{} {number} of the absent cost",
        "█".repeat(filled),
        "░".repeat(empty)
    )
}
