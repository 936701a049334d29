//! An axis of a picture: where values stand, and what is written beside it.

use std::ops::Range;

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub log: bool,
    /// What 0, 1, 2 and so on stand for, from the top down, if they stand for something.
    pub(super) names: Vec<String>,
}

impl Axis {
    /// Equal steps are equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis {
            label: label.into(),
            log: false,
            names: Vec::new(),
        }
    }

    /// Equal steps are equal factors.
    pub fn log(label: impl Into<String>) -> Self {
        Axis {
            log: true,
            ..Self::linear(label)
        }
    }

    /// For numbers that stand for these names; upwards only.
    pub fn names(names: impl IntoIterator<Item = String>) -> Self {
        Axis {
            names: names.into_iter().collect(),
            ..Self::linear("")
        }
    }

    /// Where values stand: as they are, or their logarithm, or below all of them if they have none.
    pub(super) fn place(&self, value: f64, range: &Range<f64>) -> f64 {
        match self.log {
            true if value > 0.0 => value.log10().clamp(range.start, range.end),
            true => range.start,
            false if !self.names.is_empty() => self.names.len() as f64 - 1.0 - value,
            false => value,
        }
    }

    /// From the lowest to the highest of these, with some air around, or from 0 on if that is wanted and not far; whole
    /// powers of ten on a logarithmic axis.
    pub(super) fn range(&self, values: impl Iterator<Item = f64>, from_zero: bool) -> Range<f64> {
        if !self.names.is_empty() {
            return -0.5..self.names.len() as f64 - 0.5;
        }
        let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let zeros = finite.contains(&0.0);
        let drawn = finite.into_iter().filter(|value| !self.log || *value > 0.0);
        let ends = drawn.map(|value| if self.log { value.log10() } else { value });
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        match (low <= high, self.log) {
            (false, _) => 0.0..1.0,
            (true, true) => {
                let start = (low + 1e-9).floor() - f64::from(u8::from(zeros));
                start..(high - 1e-9).ceil().max(start + 1.0)
            }
            (true, false) if from_zero && low >= 0.0 && low < 0.6 * high => {
                0.0..(1.05 * high).max(1e-9)
            }
            (true, false) => {
                let air = ((high - low) * 0.04).max(1e-9);
                low - air..high + air
            }
        }
    }

    /// How a tick is written; the first one is 0 if zeros are drawn there.
    pub(super) fn tick(&self, place: f64, zero: Option<f64>) -> String {
        if zero.is_some_and(|zero| (place - zero).abs() < 1e-6) {
            return "0".to_string();
        }
        if !self.names.is_empty() {
            let number = self.names.len() as f64 - 1.0 - place;
            let whole = number.fract() == 0.0 && number >= 0.0;
            let name = whole.then(|| self.names.get(number as usize)).flatten();
            return name.cloned().unwrap_or_default();
        }
        match self.log {
            false if place.abs() >= 1e4 || (place != 0.0 && place.abs() < 1e-3) => {
                format!("{place:.0e}")
            }
            false => format!("{}", (place * 1e4).round() / 1e4),
            true if (place - place.round()).abs() > 1e-6 => String::new(),
            true => format!("10{}", superscript(place.round() as i32)),
        }
    }
}

fn superscript(number: i32) -> String {
    let digit = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + c as u32 - 0x30).unwrap_or(c),
        other => other,
    };
    number.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_written_as_such() {
        assert_eq!(superscript(-10), "⁻¹⁰");
        assert_eq!(superscript(2345), "²³⁴⁵");
    }

    #[test]
    fn a_logarithmic_axis_spans_powers_of_ten_and_has_a_place_for_zero() {
        let axis = Axis::log("rate");
        assert_eq!(axis.range([0.01, 1.0].into_iter(), false), -2.0..0.0);
        assert_eq!(
            axis.range([0.02, 0.3, f64::NAN].into_iter(), false),
            -2.0..0.0
        );
        let range = axis.range([0.0, 0.02].into_iter(), false);
        assert_eq!(range, -3.0..-1.0);
        assert_eq!(axis.place(0.0, &range), -3.0);
        assert_eq!(axis.tick(-3.0, Some(-3.0)), "0");
        assert_eq!(axis.tick(-2.0, Some(-3.0)), "10⁻²");
    }
}
