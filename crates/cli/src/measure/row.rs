//! One kind of filter at one budget: built several times, then measured.

use super::{Evaluation, PASSES, Pace, Samples};
use bloomwise::{Family, KeySets, Spec};
use std::time::Instant;

/// A kind of filter at a budget.
pub struct Row {
    /// The kind of filter.
    pub kind: Family,
    /// The budget in bits per key.
    pub budget: f64,
    /// The measurements, or why the filter cannot be built.
    pub result: Result<Measured, String>,
    /// Whether the filter is larger than the budget: some kinds have a minimum size that a small set does not fill.
    pub over_budget: bool,
}

/// How many bits a filter may exceed its budget: the size of a filter is a whole number of words.
const WORD: f64 = 64.0;

/// The measurements of a filter that was built.
pub struct Measured {
    /// The build time per key.
    pub build: Option<Pace>,
    /// All other measurements.
    pub evaluation: Evaluation,
}

impl Row {
    /// Builds a filter and measures it.
    pub fn new(
        kind: Family,
        budget: f64,
        spec: bloomwise::Result<Spec>,
        sets: &KeySets,
        samples: &Samples,
    ) -> Self {
        let result = spec.and_then(|spec| Measured::new(&spec, sets, samples));
        let allowed = budget * sets.positives().len() as f64 + WORD;
        Row {
            kind,
            budget,
            over_budget: (result.as_ref())
                .is_ok_and(|row| 8.0 * row.evaluation.bytes as f64 > allowed),
            result: result.map_err(|error| error.to_string()),
        }
    }

    /// The measurements, if the filter is within the budget.
    pub fn comparable(&self) -> Option<&Measured> {
        self.result.as_ref().ok().filter(|_| !self.over_budget)
    }

    /// The setting of the filter, for display.
    pub fn setting(&self) -> String {
        format!("{} bits per key", self.budget)
    }
}

impl Measured {
    /// Builds a filter [`PASSES`] times and measures it.
    fn new(spec: &Spec, sets: &KeySets, samples: &Samples) -> bloomwise::Result<Self> {
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
