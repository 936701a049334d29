//! What a filter says about itself.

use super::Guarded;
use super::query::layer::rate;
use super::query::reader::Reader;
use super::query::shape::Shape;
use crate::filter::Filter;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter, Value};

impl Guarded {
    /// The shape of the column of the guard in the first layer.
    fn woven_guard(&self) -> Option<Shape> {
        let first = self.fingerprint.first().filter(|_| self.woven)?;
        let rows = first.layer.shape.rows;
        Shape::new(rows, 1, rows.div_ceil(64))
    }
}

/// The shapes of layers.
fn shapes_of(layers: &[Reader]) -> Vec<Shape> {
    layers.iter().map(|reader| reader.layer.shape).collect()
}

impl Filter for Guarded {
    fn family(&self) -> Family {
        Family::Guarded
    }

    fn rate(&self) -> f64 {
        let mut shapes = shapes_of(&self.fingerprint);
        let mut guard = shapes_of(&self.guard);
        if let Some(woven) = self.woven_guard() {
            guard.push(woven);
            // The guard counts once.
            if let Some(first) = shapes.first_mut() {
                first.width -= 1;
            }
        }
        rate(&shapes) * rate(&guard)
    }

    fn size_in_bits(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// The information about this filter. Its `fill` is the share of bits that are set.
    fn info(&self) -> Info {
        let ones: u64 = self
            .bytes
            .words()
            .map(|word| u64::from(word.count_ones()))
            .sum();
        let fill = ones as f64 / self.size_in_bits().max(1) as f64;
        let rows = |layers: &[Reader]| {
            let rows = shapes_of(layers).iter().map(|shape| shape.rows).sum();
            Value::Whole(rows)
        };
        let first = shapes_of(&self.fingerprint).first().copied();
        let columns = first.map_or(0.0, |shape| shape.bits() as f64 / shape.rows as f64);
        let guard = match (self.woven, self.guard.is_empty()) {
            (true, _) => "woven",
            (false, false) => "apart",
            (false, true) => "none",
        };
        let layers = self.fingerprint.len() + self.guard.len();
        let parameters = vec![
            Parameter::total("bits", self.size_in_bits()),
            Parameter::setting("guard", guard),
            Parameter::measure("columns", columns),
            Parameter::measure("rows", rows(&self.fingerprint)),
            Parameter::measure("guard_rows", rows(&self.guard)),
            Parameter::measure("layers", layers as u64),
            Parameter::total("known_negatives", self.negatives),
            Parameter::total("wrong", self.wrong),
        ];
        Info::new(self.family(), &self.profile, parameters, fill, self.rate())
    }
}
