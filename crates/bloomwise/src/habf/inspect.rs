//! What a filter is: its parameters, how full it is, and its predicted rate.

use super::filter::Habf;
use super::shape::{Kind, Shape};
use super::tables::Tables;
use super::theory::both_rounds;
use crate::cells::Block;
use crate::filter::Filter;
use crate::info::{Info, Value};

impl Habf {
    /// The filter's parameters, fill and predicted rate.
    pub(super) fn inspect(&self) -> Info {
        let (bits, cells) = (&self.tables.bits, &self.tables.cells);
        let used = cells.count(|cell| cell != 0);
        let mut parameters = self.shape.parameters();
        parameters.push(("cells_used", Value::Whole(used)));
        let fill = bits.ones() as f64 / bits.len() as f64;
        let rate = self.tables.predicted_rate(&self.shape);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Shape {
    /// The shape as named values, for [`Info`] and forecasts.
    pub fn parameters(&self) -> Vec<(&'static str, Value)> {
        let second_round = if self.strict { "strict" } else { "plain" };
        vec![
            ("bits", Value::Whole(self.segments * self.bits)),
            ("k", Value::Whole(u64::from(self.functions))),
            ("cells", Value::Whole(self.segments * self.cells)),
            ("cell_bits", Value::Whole(u64::from(self.cell_bits))),
            ("segments", Value::Whole(self.segments)),
            ("second_round", Value::from(second_round)),
        ]
    }
}

impl Tables {
    /// The predicted rate on unseen keys, from the bits and cells as they are now.
    ///
    /// A chain counts if none of its `k` cells is empty and the last has the end bit. The strict second round requires
    /// more: the chain must name, in any order, the `k - 1` initial functions whose bits are 1, and one function that
    /// is not initial.
    fn predicted_rate(&self, shape: &Shape) -> f64 {
        let k = f64::from(shape.functions);
        let region = match shape.kind {
            Kind::Full | Kind::Fast => shape.bits,
            Kind::Cache => Block::BITS,
        };
        let (mut regions, mut first_round, mut one_zero) = (0.0, 0.0, 0.0);
        let mut words = self.bits.storage().words();
        while words.len() > 0 {
            let part = words.by_ref().take(region as usize / 64);
            let ones: u64 = part.map(|word| u64::from(word.count_ones())).sum();
            let fill = ones as f64 / region as f64;
            regions += 1.0;
            first_round += fill.powf(k);
            one_zero += k * fill.powf(k) * (1.0 - fill);
        }
        let (first_round, one_zero) = (first_round / regions, one_zero / regions);
        if shape.cells == 0 {
            return first_round;
        }
        let end = 1 << (shape.cell_bits - 1);
        let all = self.cells.len() as f64;
        let share = |holds: &dyn Fn(u64) -> bool| self.cells.count(holds) as f64 / all;
        let name = |cell: u64| cell & (end - 1);
        let ends = share(&|cell| cell & end != 0 && name(cell) != 0);
        let initial = share(&|cell| (1..=u64::from(shape.functions)).contains(&name(cell)));
        let others = share(&|cell| name(cell) > u64::from(shape.functions));
        let used = initial + others;
        if used == 0.0 {
            return first_round;
        }
        let orders: f64 = (1..=shape.functions).map(f64::from).product();
        let rate = if shape.strict {
            let chain = orders * (initial / k).powf(k - 1.0) * others * (ends / used);
            first_round + one_zero * chain
        } else {
            both_rounds(first_round, used.powf(k - 1.0) * ends)
        };
        rate.min(1.0)
    }
}
