//! What a filter tells about itself: how full it is, and the rates that follow.

use super::Seesaw;
use super::footprint::Cells;
use super::theory::State;
use crate::codec::Head;
use crate::filter::{Filter, Info, Value};

impl Cells {
    /// How full the cells are now.
    pub fn state(&self) -> State {
        let (shape, census) = (&self.shape, self.census());
        let share = |part: u64, whole: u64| match whole {
            0 => 0.0,
            _ => part as f64 / whole as f64,
        };
        let unmarked = shape.counters() - census.marked;
        State {
            marked: share(census.marked, shape.counters()),
            marked_fill: share(census.mixed, census.marked),
            plain_fill: share(census.used - census.mixed, unmarked),
            load: (self.modulator.as_ref())
                .map(|modulator| share(modulator.census(shape).0, shape.cells())),
            functions: shape.functions,
            index_bits: shape.index_bits,
        }
    }

    /// All that is worth knowing.
    pub fn info(&self, head: &Head) -> Info {
        let (shape, census, state) = (&self.shape, self.census(), self.state());
        let whole = |number: u32| Value::Whole(u64::from(number));
        let stuck_cells = self.modulator.as_ref().map_or(0, |m| m.census(shape).1);
        let mut parameters = vec![
            ("counters", Value::Whole(shape.counters())),
            ("k", whole(shape.functions)),
            ("segments", Value::Whole(shape.segments)),
            ("backups", whole(shape.backups())),
            ("modulator_cells", Value::Whole(shape.cells())),
            ("marked", Value::Whole(census.marked)),
        ];
        if shape.adaptive {
            parameters.push(("pending", Value::Whole(census.pending)));
        }
        parameters.push(("stuck", Value::Whole(census.stuck)));
        if self.modulator.is_some() {
            parameters.push(("count_bits", whole(shape.count_bits)));
            parameters.push(("stuck_cells", Value::Whole(stuck_cells)));
        }
        let guarded = Value::Real(state.guarded_rate());
        parameters.push(("predicted_guarded_fpr", guarded));
        Info {
            family: head.family,
            keys: head.keys,
            parameters,
            fill: census.used as f64 / shape.counters() as f64,
            predicted_fpr: state.unseen_rate(),
        }
    }
}

impl Seesaw {
    /// How full it is, in the terms of its theory.
    pub fn state(&self) -> State {
        self.cells.state()
    }

    /// The share of counters that count keys.
    pub fn fill(&self) -> f64 {
        self.info().fill
    }

    /// The number of counters that have reached their maximum and stay there.
    pub fn stuck(&self) -> u64 {
        self.cells.census().stuck
    }

    /// The number of counters that are marked.
    pub fn marked(&self) -> u64 {
        self.cells.census().marked
    }

    /// The number of counters that shall be marked as soon as they are empty.
    pub fn pending(&self) -> u64 {
        self.cells.census().pending
    }
}
