//! An axis of a chart: where values are placed, and its ticks and labels.
//!
//! A logarithmic axis ends at 1, 2 or 5 times a power of ten, whichever is nearest, so that the chart is not half
//! empty. The value 0 has no place on a logarithmic axis; it is drawn below all others, at a tick labelled 0.

use std::ops::Range;

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether the axis is logarithmic.
    pub log: bool,
    /// The names of the values 0, 1, 2 and so on, from the top down. Empty for a numeric axis.
    pub(super) names: Vec<String>,
}

/// Where a linear axis starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At the lowest value.
    Lowest,
    /// At 0 if that is close to the lowest value, otherwise at the lowest value.
    NearZero,
    /// At 0 unless a value is negative.
    Zero,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis {
            label: label.into(),
            log: false,
            names: Vec::new(),
        }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Axis {
            log: true,
            ..Self::linear(label)
        }
    }

    /// An axis whose values are indices into `names`. Only for the vertical axis.
    pub fn names(names: impl IntoIterator<Item = String>) -> Self {
        Axis {
            names: names.into_iter().collect(),
            ..Self::linear("")
        }
    }

    /// The position of `value`: the value itself on a linear axis, its logarithm on a logarithmic one. On a logarithmic
    /// axis, values up to 0 go to the start of `range`.
    pub(super) fn place(&self, value: f64, range: &Range<f64>) -> f64 {
        if self.log {
            if value > 0.0 {
                value.log10().clamp(range.start, range.end)
            } else {
                range.start
            }
        } else if self.names.is_empty() {
            value
        } else {
            self.names.len() as f64 - 1.0 - value
        }
    }

    /// The range of positions for `values`, with a margin.
    pub(super) fn range(&self, values: impl Iterator<Item = f64>, start: Start) -> Range<f64> {
        if !self.names.is_empty() {
            return -0.5..self.names.len() as f64 - 0.5;
        }
        let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let zeros = finite.contains(&0.0);
        let drawn = finite.into_iter().filter(|value| !self.log || *value > 0.0);
        let (low, high) = drawn.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low > high {
            return 0.0..1.0;
        }
        if self.log {
            let (mut low, mut high) = (below(low), above(high));
            if high - low < 0.1 {
                (low, high) = (
                    below(10f64.powf(low) * 0.99),
                    above(10f64.powf(high) * 1.01),
                );
            }
            let room = if zeros {
                0.1 * (high - low).max(1.0)
            } else {
                0.0
            };
            return low - room..high;
        }
        let near = match start {
            Start::Lowest => false,
            Start::NearZero => low < 0.6 * high,
            Start::Zero => true,
        };
        let margin = ((high - low) * 0.04).max(1e-9);
        if near && low >= 0.0 {
            0.0..(1.05 * high).max(1e-9)
        } else {
            low - margin..high + margin
        }
    }

    /// The positions of the ticks. If `zeros` is set, the first tick is the one for 0.
    pub(super) fn ticks(&self, range: &Range<f64>, zeros: bool) -> Vec<f64> {
        if !self.names.is_empty() {
            return (0..self.names.len()).map(|number| number as f64).collect();
        }
        let span = range.end - range.start;
        if !self.log {
            let step = step(span / 7.0);
            let numbers = (range.start / step).ceil() as i64..=(range.end / step + 1e-9) as i64;
            return numbers.map(|number| number as f64 * step).collect();
        }
        let powers = range.start.floor() as i32..=range.end.ceil() as i32;
        // Every power, some powers, or parts of powers: six to ten ticks in all.
        let parts: &[f64] = if span > 3.0 {
            &[1.0]
        } else if span > 0.8 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]
        };
        let each = (span / 9.0).ceil() as i32;
        let places = powers
            .filter(|power| power.rem_euclid(each.max(1)) == 0)
            .flat_map(|power| {
                parts
                    .iter()
                    .map(move |part| f64::from(power) + part.log10())
            });
        // No tick so close to the one for 0 that their labels overlap.
        let least = if zeros {
            range.start + 0.05 * span
        } else {
            range.start - 1e-9
        };
        let places = places.filter(|place| (least..=range.end + 1e-9).contains(place));
        zeros
            .then_some(range.start)
            .into_iter()
            .chain(places)
            .collect()
    }

    /// The label of the tick at `place`. `zero` is the position of the tick for 0, if there is one.
    pub(super) fn tick(&self, place: f64, zero: Option<f64>) -> String {
        if zero.is_some_and(|zero| (place - zero).abs() < 1e-6) {
            return "0".to_string();
        }
        if !self.names.is_empty() {
            let number = self.names.len() as f64 - 1.0 - place;
            let name = self.names.get(number.round() as usize);
            return name.cloned().unwrap_or_default();
        }
        if !self.log {
            return match place.abs() {
                size if size >= 1e4 || (size != 0.0 && size < 1e-3) => format!("{place:.0e}"),
                _ => format!("{}", (place * 1e4).round() / 1e4),
            };
        }
        let power = (place + 1e-6).floor();
        let part = (10f64.powf(place - power) * 100.0).round() / 100.0;
        if (-3.0..4.0).contains(&power) {
            format!("{}", (10f64.powf(place) * 1e4).round() / 1e4)
        } else if part == 1.0 {
            format!("10{}", superscript(power as i32))
        } else {
            format!("{part}·10{}", superscript(power as i32))
        }
    }
}

/// The logarithm of the largest number of the form 1, 2 or 5 times a power of ten that is at most `value`.
fn below(value: f64) -> f64 {
    let power = value.log10().floor();
    let parts = [5f64, 2.0, 1.0].map(|part| power + part.log10());
    let fits = parts.into_iter().find(|part| *part <= value.log10() + 1e-9);
    fits.unwrap_or(power)
}

/// The logarithm of the smallest number of the form 1, 2 or 5 times a power of ten that is at least `value`. The
/// inverses of 1, 2 and 5 are 1, 5 and 2 tenths.
fn above(value: f64) -> f64 {
    -below(1.0 / value)
}

/// The smallest step of the form 1, 2 or 5 times a power of ten that is at least `least`.
fn step(least: f64) -> f64 {
    10f64.powf(above(least))
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

    fn near(range: Range<f64>, low: f64, high: f64) -> bool {
        (range.start - low.log10()).abs() < 1e-9 && (range.end - high.log10()).abs() < 1e-9
    }

    #[test]
    fn exponents_are_superscripts() {
        assert_eq!(superscript(-10), "⁻¹⁰");
        assert_eq!(superscript(2345), "²³⁴⁵");
    }

    #[test]
    fn log_axis_ends_at_round_numbers_and_has_a_place_for_zero() {
        let axis = Axis::log("rate");
        let range = |values: &[f64]| axis.range(values.iter().copied(), Start::Lowest);
        assert!(near(range(&[0.01, 1.0]), 0.01, 1.0));
        assert!(near(range(&[0.03, 0.3, f64::NAN]), 0.02, 0.5));
        assert!(near(range(&[0.02]), 0.01, 0.05));
        let with_zero = range(&[0.0, 0.02, 0.1]);
        assert!(with_zero.start < -1.75, "{with_zero:?}");
        assert_eq!(axis.place(0.0, &with_zero), with_zero.start);
        assert_eq!(axis.tick(with_zero.start, Some(with_zero.start)), "0");
    }

    #[test]
    fn number_of_ticks_is_moderate() {
        let axis = Axis::log("rate");
        for (low, high) in [
            (1e-9, 1.0),
            (1e-3, 1.0),
            (0.02, 0.5),
            (0.9, 1.1),
            (2e-30, 1.0),
        ] {
            let range = axis.range([low, high].into_iter(), Start::Lowest);
            for zeros in [false, true] {
                let count = axis.ticks(&range, zeros).len();
                assert!((3..=12).contains(&count), "{low} to {high}: {count}");
            }
        }
        let linear = Axis::linear("ns").ticks(&(0.0..31.5), false);
        let written = linear
            .iter()
            .map(|&place| Axis::linear("").tick(place, None));
        assert!(written.eq(["0", "5", "10", "15", "20", "25", "30"]));
        assert_eq!(axis.tick(-1.0, None), "0.1");
        assert_eq!(axis.tick(-4.0 + 2f64.log10(), None), "2·10⁻⁴");
        assert_eq!(axis.tick(-5.0, None), "10⁻⁵");
    }

    #[test]
    fn linear_axis_starts_as_requested() {
        let range = |start| Axis::linear("ns").range([28.0, 31.0].into_iter(), start);
        assert_eq!(range(Start::Zero).start, 0.0);
        assert!(range(Start::NearZero).start > 20.0);
        let below = Axis::linear("lead").range([-1.0, 2.0].into_iter(), Start::Zero);
        assert!(below.start < -1.0);
    }
}
