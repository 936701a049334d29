//! The info of a filter: its fill, and the rates computed from it.

use super::cells::CellStats;
use super::filter::Seesaw;
use super::shape::Shape;
use super::theory::{Setup, State};
use crate::filter::info::{Info, Parameter, Value};
use crate::filter::profile::Profile;

/// `part` divided by `whole`; 0 if `whole` is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

impl Shape {
    /// The predicted false positive rate on unseen keys of a filter that holds `keys` keys, if the share `marked` of its counters is
    /// marked.
    pub fn rate(&self, keys: u64, marked: f64) -> f64 {
        if keys == 0 {
            return 0.0;
        }
        let counters = self.counters() as f64 / keys as f64;
        // If all counters are marked, any number of guarded keys is possible; a filter with one counter unmarked is close enough.
        let unmarked = (1.0 - marked).max(1.0 / self.counters() as f64);
        let setup = Setup {
            guarded: -unmarked.ln() * counters / f64::from(self.functions),
            counters,
            cells: self.cells() as f64 / keys as f64,
            functions: self.functions,
            index_bits: self.index_bits,
        };
        setup.state().unseen_rate()
    }
}

impl CellStats {
    /// The fill of the cells of a filter of this shape.
    fn state(&self, shape: &Shape) -> State {
        let counters = &self.counters;
        let unmarked = shape.counters() - counters.marked;
        State {
            marked: share(counters.marked, shape.counters()),
            marked_fill: share(counters.marked_used, counters.marked),
            settled: 1.0 - share(counters.pending, counters.marked + counters.pending),
            plain_fill: share(counters.used - counters.marked_used, unmarked),
            load: self.modulator.map(|(used, _)| share(used, shape.cells())),
            functions: shape.functions,
            index_bits: shape.index_bits,
        }
    }

    /// The parameters, the fill and the predicted rates of a filter of this shape and profile.
    pub fn info(&self, shape: &Shape, profile: &Profile) -> Info {
        let (counters, state) = (&self.counters, self.state(shape));
        let whole = |number: u32| Value::Whole(u64::from(number));
        let mut parameters = vec![
            Parameter::total("counters", shape.counters()),
            Parameter::setting("k", whole(shape.functions)),
            Parameter::measure("segments", shape.segments),
            Parameter::measure("backups", whole(shape.backups())),
            Parameter::measure("modulator_cells", shape.cells()),
            Parameter::measure("marked", counters.marked),
        ];
        if shape.adaptive {
            parameters.push(Parameter::measure("pending", counters.pending));
        }
        parameters.push(Parameter::measure("stuck", counters.stuck));
        if let Some((_, stuck)) = self.modulator {
            parameters.push(Parameter::measure("count_bits", whole(shape.count_bits)));
            parameters.push(Parameter::measure("stuck_cells", stuck));
        }
        // Without guarded keys there is no rate on them.
        if counters.marked + counters.pending > 0 {
            let guarded = Value::Real(state.guarded_rate());
            parameters.push(Parameter::measure("predicted_guarded_fpr", guarded));
        }
        let fill = share(counters.used, shape.counters());
        let rate = state.unseen_rate();
        Info::new(shape.family(), profile, parameters, fill, rate)
    }
}

impl Seesaw {
    /// How full the filter is, measured on its cells. The theory computes rates from it.
    pub fn state(&self) -> State {
        self.cells().stats().state(&self.shape)
    }

    /// The share of counters that are in use.
    pub fn fill(&self) -> f64 {
        share(self.cells().stats().counters.used, self.shape.counters())
    }

    /// The number of counters that are stuck at their maximum: they never change again.
    pub fn stuck(&self) -> u64 {
        self.cells().stats().counters.stuck
    }

    /// The number of marked counters.
    pub fn marked(&self) -> u64 {
        self.cells().stats().counters.marked
    }

    /// The number of counters with a pending mark: each is marked when its count becomes 0.
    pub fn pending(&self) -> u64 {
        self.cells().stats().counters.pending
    }
}
