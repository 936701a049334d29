//! The plan of a filter: the shapes of its one or two arrays.

use super::array::{MAX_WIDTH, Shape};
use super::theory::segment_bits_for;
use crate::info::Value;

/// The shapes of the arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// The array of the fingerprint, and of the guard unless it has an array of its own.
    pub first: Shape,
    /// The array of the guard, if it has one of its own.
    pub second: Option<Shape>,
}

impl Plan {
    /// A plan for `bits` bits in total, with `slots` slots in the first array and `guard_slots` in the second. There is no
    /// second array if `guard_slots` is 0. Returns `None` if an array cannot have such a shape.
    pub fn new(arity: u32, bits: u64, slots: u64, guard_slots: u64) -> Option<Self> {
        let shape = |slots: u64, bits: u64| {
            // Add slots if they would be too wide.
            let slots = slots.max(bits.div_ceil(MAX_WIDTH + 1) + 1);
            Shape::new(arity, slots, segment_bits_for(slots, arity), bits)
        };
        let second = match guard_slots {
            0 => None,
            slots => Some(shape(slots, slots)?),
        };
        let first = shape(slots, bits.checked_sub(guard_slots)?)?;
        Some(Plan { first, second })
    }

    /// The plan with `times` as many slots, where the bits of the first array are multiplied by `bits`. Returns `None` if
    /// an array cannot have such a shape.
    pub fn with_more_slots(self, times: f64, bits: f64) -> Option<Self> {
        let more = |slots: u64| (slots as f64 * times) as u64;
        let reshape =
            |shape: Shape, slots, bits| Shape::new(shape.arity, slots, shape.segment_bits, bits);
        let whole = |bits: f64| (bits as u64).next_multiple_of(64);
        let (mut bits, mut second) = (whole(self.first.bits as f64 * bits), None);
        if let Some(shape) = self.second {
            // The first array gives up the bits that the second one gains.
            let slots = more(shape.slots).next_multiple_of(64);
            bits = (bits + shape.slots)
                .checked_sub(slots)
                .filter(|&bits| bits > 0)?;
            second = Some(reshape(shape, slots, slots)?);
        }
        let first = reshape(self.first, more(self.first.slots), bits)?;
        Some(Plan { first, second })
    }

    /// The plan with segments of half the length in the array that has the guard. Peeling gives up fewer keys if windows
    /// are short.
    pub fn with_shorter_segments(mut self) -> Self {
        let guard = self.second.as_mut().unwrap_or(&mut self.first);
        guard.segment_bits = guard.segment_bits.saturating_sub(1);
        self
    }

    /// The number of bits of both arrays.
    pub fn bits(&self) -> u64 {
        self.first.bits + self.second.map_or(0, |shape| shape.bits)
    }

    /// The parameters that [`crate::Info`] and [`crate::Forecast`] list: name and value.
    pub fn parameters(&self) -> Vec<(&'static str, Value)> {
        let Shape { slots, bits, .. } = self.first;
        let guard_slots = self.second.map_or(0, |shape| shape.slots);
        vec![
            ("bits", Value::Whole(self.bits())),
            ("arity", Value::Whole(u64::from(self.first.arity))),
            ("slots", Value::Whole(slots)),
            ("slot_bits", Value::Real(bits as f64 / slots as f64)),
            ("guard_slots", Value::Whole(guard_slots)),
            ("segment", Value::Whole(1 << self.first.segment_bits)),
        ]
    }

    /// The predicted false positive rate on non-members.
    pub fn rate(&self) -> f64 {
        rate(&self.first) * self.second.as_ref().map_or(1.0, rate)
    }
}

/// The share of non-members that satisfy their equation in an array.
fn rate(shape: &Shape) -> f64 {
    let narrow = 0.5f64.powi(shape.width as i32);
    narrow * (1.0 - 0.5 * shape.wide_share())
}
