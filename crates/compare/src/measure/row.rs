//! One kind of filter at one budget: built and measured several times, in turn with the other kinds.

use super::evaluation::QueryTimes;
use super::steps::Steps;
use super::{Evaluation, PASSES, Pace, Samples, per};
use crate::Result;
use crate::host::{Host, Muted};
use bloomwise::{AnyFilter, Family, KeySets, Spec};
use std::time::Duration;

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
    /// Builds and measures filters of one budget. They take turns in each of the [`PASSES`].
    pub fn of_budget(
        budget: f64,
        specs: Vec<(Family, bloomwise::Result<Spec>)>,
        sets: &KeySets,
        samples: &Samples,
        steps: &mut Steps<'_>,
    ) -> Result<Vec<Self>> {
        let host = &Muted(steps.host());
        let name = |kind: Family| format!("{} at {budget} bits per key", kind.name());
        let mut all = Vec::new();
        for (kind, spec) in specs {
            let start = || spec.and_then(|spec| Turns::new(spec, sets, samples, host));
            all.push((kind, steps.run(&name(kind), start)?));
        }
        for _ in 1..PASSES {
            for (kind, turns) in &mut all {
                steps.run(&name(*kind), || {
                    if let Ok(filter) = turns
                        && let Err(error) = filter.take_turn(sets, samples, host)
                    {
                        *turns = Err(error);
                    }
                })?;
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
        Ok(all.into_iter().map(finish).collect())
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
    builds: Vec<Duration>,
    queries: QueryTimes,
    evaluation: Evaluation,
}

impl Turns {
    /// The first turn, which also measures the answers of the filter.
    fn new(
        spec: Spec,
        sets: &KeySets,
        samples: &Samples,
        host: &dyn Host,
    ) -> bloomwise::Result<Self> {
        let (filter, time) = timed_build(&spec, sets, host)?;
        let mut queries = QueryTimes::default();
        // Counting the answers warms the caches.
        let evaluation = Evaluation::of_answers(&filter, samples, host);
        queries.pass(&filter, samples, host);
        Ok(Turns {
            spec,
            builds: vec![time],
            queries,
            evaluation,
        })
    }

    /// Builds the filter again, and looks up all keys once.
    fn take_turn(
        &mut self,
        sets: &KeySets,
        samples: &Samples,
        host: &dyn Host,
    ) -> bloomwise::Result<()> {
        let (filter, time) = timed_build(&self.spec, sets, host)?;
        self.builds.push(time);
        self.queries.pass(&filter, samples, host);
        Ok(())
    }

    /// The measurements.
    fn finish(mut self, sets: &KeySets, samples: &Samples) -> Measured {
        self.evaluation.set_times(self.queries, samples);
        // Some kinds do not count a key that they already accept.
        let bits = 8.0 * self.evaluation.bytes as f64;
        self.evaluation.bits_per_key = per(bits, sets.positives().len() as u64);
        Measured {
            build: Pace::new(self.builds, sets.positives().len() as u64),
            evaluation: self.evaluation,
        }
    }
}

/// Builds a filter, and returns how long that took.
fn timed_build(
    spec: &Spec,
    sets: &KeySets,
    host: &dyn Host,
) -> bloomwise::Result<(AnyFilter, Duration)> {
    let start = host.now();
    let filter = spec.build(sets)?;
    Ok((filter, host.now() - start))
}
