//! One kind at one budget: built a few times, measured once it stands.

use crate::evaluation::Evaluation;
use crate::pace::{PASSES, Pace};
use crate::samples::Samples;
use bloomwise::{Family, Hashing, KeySets, Size, Spec};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// A kind at a budget.
pub struct Row {
    /// The kind.
    pub kind: Family,
    /// The bits per key that it was given.
    pub budget: f64,
    /// What was measured, or why there is no such filter.
    pub result: Result<Measured, String>,
    /// Whether the filter takes more than its budget: some kinds have a least size, which a small set does not fill.
    pub is_over: bool,
}

/// The bits by which a filter may miss its budget: it consists of whole words.
const WORD: f64 = 64.0;

/// What was measured.
pub struct Measured {
    /// The time of the build, for each key.
    pub build: Option<Pace>,
    /// Everything else.
    pub evaluation: Evaluation,
}

impl Row {
    /// Builds and measures a filter.
    pub fn new(
        kind: Family,
        budget: f64,
        hashing: Hashing,
        sets: &KeySets,
        samples: &Samples,
    ) -> Self {
        let result = Measured::new(kind, budget, hashing, sets, samples);
        let allowed = budget * sets.positives().len() as f64 + WORD;
        Row {
            kind,
            budget,
            is_over: (result.as_ref()).is_ok_and(|row| 8.0 * row.evaluation.bytes as f64 > allowed),
            result: result.map_err(|error| error.to_string()),
        }
    }

    /// What was measured, if it was in the space that all have.
    pub fn comparable(&self) -> Option<&Measured> {
        self.result.as_ref().ok().filter(|_| !self.is_over)
    }

    /// How the filter was asked for, beside its kind.
    pub fn setting(&self) -> String {
        format!("{} bits per key", self.budget)
    }

    /// Kind, setting, time of the build, and all that `eval` tells; then what is told here only.
    pub fn json(&self) -> Value {
        let measured = self.result.as_ref().ok();
        let build = measured.and_then(|measured| measured.build);
        let mut all = Map::new();
        all.insert("kind".to_string(), json!(self.kind.name()));
        all.insert("setting".to_string(), json!(self.setting()));
        let median = build.map(|build| build.median);
        all.insert("build_ns_per_key".to_string(), json!(median));
        let evaluation = measured.map_or_else(Evaluation::absent, |row| row.evaluation.json());
        if let Value::Object(mut fields) = evaluation {
            fields.shift_remove("kind");
            all.extend(fields);
        }
        let spread = |pace: Option<Pace>| json!(pace.map(|pace| pace.spread()));
        let members = measured.and_then(|row| row.evaluation.members.pace);
        let strangers = measured.and_then(|row| row.evaluation.strangers());
        all.insert("budget".to_string(), json!(self.budget));
        let is_over = measured.map(|_| self.is_over);
        all.insert("over_budget".to_string(), json!(is_over));
        all.insert("build_spread".to_string(), spread(build));
        all.insert("positive_spread".to_string(), spread(members));
        all.insert("negative_spread".to_string(), spread(strangers));
        all.insert("error".to_string(), json!(self.result.as_ref().err()));
        Value::Object(all)
    }
}

impl Measured {
    fn new(
        kind: Family,
        budget: f64,
        hashing: Hashing,
        sets: &KeySets,
        samples: &Samples,
    ) -> bloomwise::Result<Self> {
        let size = Size::BitsPerKey(budget);
        let spec = Spec::new(kind.name())?.size(size).hashing(hashing);
        let build = || {
            let start = Instant::now();
            let filter = spec.build(sets)?;
            Ok((filter, start.elapsed()))
        };
        let (filter, time) = build()?;
        let mut times = vec![time];
        for _ in 1..PASSES {
            times.push(build()?.1);
        }
        Ok(Measured {
            build: Pace::new(times, sets.positives().len() as u64),
            evaluation: Evaluation::of(&filter, samples),
        })
    }
}
