//! What a filter tells about itself: how full it is, and the rates that follow.

use super::Seesaw;
use super::counters::Census;
use super::footprint::Cells;
use super::theory::State;
use crate::codec::Head;
use crate::filter::{Info, Value};

/// What a look at all cells has found.
struct Survey {
    counters: Census,
    /// Modulator cells in use, and those of them that are stuck, if there are cells.
    cells: Option<(u64, u64)>,
}

/// A part of the whole; none of nothing.
fn share(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        _ => part as f64 / whole as f64,
    }
}

impl Cells {
    fn survey(&self) -> Survey {
        let modulator = self.modulator.as_ref();
        Survey {
            counters: self.census(),
            cells: modulator.map(|modulator| modulator.census(&self.shape)),
        }
    }

    /// How full the cells are, as the survey found them.
    fn state(&self, survey: &Survey) -> State {
        let (shape, census) = (&self.shape, &survey.counters);
        let unmarked = shape.counters() - census.marked;
        State {
            marked: share(census.marked, shape.counters()),
            marked_fill: share(census.mixed, census.marked),
            settled: 1.0 - share(census.pending, census.marked + census.pending),
            plain_fill: share(census.used - census.mixed, unmarked),
            load: survey.cells.map(|(used, _)| share(used, shape.cells())),
            functions: shape.functions,
            index_bits: shape.index_bits,
        }
    }

    /// All that is worth knowing.
    pub fn info(&self, head: &Head) -> Info {
        let (shape, survey) = (&self.shape, self.survey());
        let (census, state) = (&survey.counters, self.state(&survey));
        let whole = |number: u32| Value::Whole(u64::from(number));
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
        if let Some((_, stuck)) = survey.cells {
            parameters.push(("count_bits", whole(shape.count_bits)));
            parameters.push(("stuck_cells", Value::Whole(stuck)));
        }
        // Where nothing is guarded there is no rate on what is.
        if census.marked + census.pending > 0 {
            let guarded = Value::Real(state.guarded_rate());
            parameters.push(("predicted_guarded_fpr", guarded));
        }
        Info {
            family: head.family,
            keys: head.keys,
            parameters,
            fill: share(census.used, shape.counters()),
            predicted_fpr: state.unseen_rate(),
        }
    }
}

impl Seesaw {
    /// How full it is, in the terms of its theory.
    pub fn state(&self) -> State {
        self.cells.state(&self.cells.survey())
    }

    /// The share of counters that count keys.
    pub fn fill(&self) -> f64 {
        share(self.cells.census().used, self.cells.shape.counters())
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
