//! One kind of filter at one budget: built and measured several times, in turn with the other kinds.

use super::evaluation::QueryTimes;
use super::{Evaluation, PASSES, Pace, Samples};
use bloomwise::{AnyFilter, Family, KeySets, Spec};
use std::time::{Duration, Instant};

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
    /// Builds and measures filters of one budget. They take turns in each of the passes. `begin` is called at the start of a turn.
    pub fn of_budget(
        budget: f64,
        specs: Vec<(Family, bloomwise::Result<Spec>)>,
        sets: &KeySets,
        samples: &Samples,
        begin: impl Fn(Family),
    ) -> Vec<Self> {
        let start = |(kind, spec): (Family, bloomwise::Result<Spec>)| {
            begin(kind);
            let turns = spec.and_then(|spec| Turns::new(spec, sets, samples));
            (kind, turns)
        };
        let mut all: Vec<_> = specs.into_iter().map(start).collect();
        for _ in 0..PASSES {
            for (kind, turns) in &mut all {
                begin(*kind);
                if let Ok(filter) = turns
                    && let Err(error) = filter.take_turn(sets, samples)
                {
                    *turns = Err(error);
                }
            }
        }
        let allowed = budget * sets.positives().len() as f64 + WORD;
        let finish = |(kind, turns): (Family, bloomwise::Result<Turns>)| {
            let result = turns.map(|turns| turns.finish(sets, samples));
            Row {
                kind,
                budget,
                over_budget: (result.as_ref())
                    .is_ok_and(|row| 8.0 * row.evaluation.bytes as f64 > allowed),
                result: result.map_err(|error| error.to_string()),
            }
        };
        all.into_iter().map(finish).collect()
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

/// A filter whose times are being measured.
struct Turns {
    spec: Spec,
    filter: AnyFilter,
    builds: Vec<Duration>,
    queries: QueryTimes,
    evaluation: Evaluation,
}

impl Turns {
    /// Builds the filter and measures its answers.
    fn new(spec: Spec, sets: &KeySets, samples: &Samples) -> bloomwise::Result<Self> {
        let filter = spec.build(sets)?;
        Ok(Turns {
            evaluation: Evaluation::of_answers(&filter, samples),
            spec,
            filter,
            builds: Vec::new(),
            queries: QueryTimes::default(),
        })
    }

    /// Builds the filter again, and looks up all keys once.
    fn take_turn(&mut self, sets: &KeySets, samples: &Samples) -> bloomwise::Result<()> {
        let start = Instant::now();
        self.filter = self.spec.build(sets)?;
        self.builds.push(start.elapsed());
        self.queries.pass(&self.filter, samples);
        Ok(())
    }

    /// The measurements.
    fn finish(mut self, sets: &KeySets, samples: &Samples) -> Measured {
        self.evaluation.set_times(self.queries, samples);
        Measured {
            build: Pace::new(self.builds, sets.positives().len() as u64),
            evaluation: self.evaluation,
        }
    }
}
