//! The info of a filter: its parameters, its fill and its predicted rate.

use super::filter::Habf;
use super::model::chains::{CellShares, ChainGroup, chain_groups, second_round_rate};
use super::shape::{Kind, Shape};
use super::tables::Tables;
use crate::cells::Block;
use crate::filter::Filter;
use crate::filter::info::{Info, Parameter};

impl Habf {
    /// The filter's parameters, fill and predicted rate.
    pub(super) fn inspect(&self) -> Info {
        let (bits, cells) = (&self.tables.bits, &self.tables.cells);
        let used = cells.count(|cell| cell != 0);
        let mut parameters = self.shape.parameters();
        parameters.push(Parameter::measure("cells_used", used));
        let fill = bits.ones() as f64 / bits.len() as f64;
        let rate = self.tables.scanned_rate(&self.shape);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Shape {
    /// The shape as named values, for [`Info`] and forecasts.
    pub fn parameters(&self) -> Vec<Parameter> {
        let second_round = if self.strict { "strict" } else { "plain" };
        vec![
            Parameter::total("bits", self.segments * self.bits),
            Parameter::setting("k", u64::from(self.functions)),
            Parameter::total("cells", self.segments * self.cells),
            Parameter::setting("cell_bits", u64::from(self.cell_bits)),
            Parameter::measure("segments", self.segments),
            Parameter::setting("second_round", second_round),
        ]
    }
}

impl Tables {
    /// The predicted rate on unseen keys, from the current bits and cells.
    fn scanned_rate(&self, shape: &Shape) -> f64 {
        let groups = self.chain_groups(shape);
        let of_fill = |fill: f64| {
            let first_round = fill.powi(shape.functions as i32);
            first_round + second_round_rate(&groups, shape.functions, shape.strict, fill)
        };
        let region = match shape.kind {
            Kind::Full | Kind::Fast => shape.bits,
            Kind::Cache => Block::BITS,
        };
        let (mut regions, mut total) = (0.0, 0.0);
        let mut words = self.bits.storage().words();
        while words.len() > 0 {
            let part = words.by_ref().take(region as usize / 64);
            let ones: u64 = part.map(|word| u64::from(word.count_ones())).sum();
            regions += 1.0;
            total += of_fill(ones as f64 / region as f64);
        }
        (total / regions).min(1.0)
    }

    /// The chains that unseen keys read in the current cells.
    fn chain_groups(&self, shape: &Shape) -> Vec<ChainGroup> {
        if shape.cells == 0 {
            return Vec::new();
        }
        let end = 1 << (shape.cell_bits - 1);
        let all = self.cells.len() as f64;
        let share = |holds: &dyn Fn(u64) -> bool| self.cells.count(holds) as f64 / all;
        let name = |cell: u64| cell & (end - 1);
        let shares = CellShares {
            initial: share(&|cell| (1..=u64::from(shape.functions)).contains(&name(cell))),
            others: share(&|cell| name(cell) > u64::from(shape.functions)),
            ends: share(&|cell| cell & end != 0 && name(cell) != 0),
        };
        chain_groups(shares, shape.functions, shape.pool())
    }
}
