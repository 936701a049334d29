//! What a policy counts: for a program that asks, and for the metrics recorder of its store.

use slatedb_common::metrics::{CounterFn, MetricsRecorder};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a policy has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Filters that were built.
    pub built: u64,
    /// Known negatives that those builds were given, each table counted.
    pub negatives: u64,
    /// Filters that could not be built, for lack of memory. Their tables are read without a filter.
    pub failed: u64,
    /// Filters whose bytes were damaged. Their tables are read without a filter.
    pub damaged: u64,
}

/// The counters behind [`Counts`].
#[derive(Default)]
pub(crate) struct Counters {
    pub built: Counter,
    pub negatives: Counter,
    pub failed: Counter,
    pub damaged: Counter,
}

/// A number that only grows.
#[derive(Default)]
pub(crate) struct Counter {
    value: AtomicU64,
    /// The same number in the metrics of the store.
    recorded: Option<Arc<dyn CounterFn>>,
}

impl Counters {
    /// Counters that also count in this recorder.
    pub fn in_recorder(recorder: &dyn MetricsRecorder) -> Self {
        let counter = |name: &str, description: &str| Counter {
            value: AtomicU64::new(0),
            recorded: Some(recorder.register_counter(name, description, &[])),
        };
        Counters {
            built: counter("bloomwise.filter.built", "Filters built."),
            negatives: counter(
                "bloomwise.filter.negatives",
                "Known negatives that filters were built with.",
            ),
            failed: counter(
                "bloomwise.filter.failed",
                "Filters that could not be built; their tables have none.",
            ),
            damaged: counter(
                "bloomwise.filter.damaged",
                "Damaged filters; their tables are read without one.",
            ),
        }
    }

    pub fn counts(&self) -> Counts {
        Counts {
            built: self.built.get(),
            negatives: self.negatives.get(),
            failed: self.failed.get(),
            damaged: self.damaged.get(),
        }
    }
}

impl Counter {
    pub fn add(&self, more: u64) {
        self.value.fetch_add(more, Ordering::Relaxed);
        if let Some(recorded) = &self.recorded {
            recorded.increment(more);
        }
    }

    pub fn get(&self) -> u64 {
        self.value.load(Ordering::Relaxed)
    }
}
