//! Axes: map numbers to positions in a drawing, and choose ticks with labels.
//!
//! Rates have a logarithmic axis, because they differ by powers of ten, and labels in words: `1 in 1,000`. Zero has no place on such
//! an axis. It gets a place of its own beside it, labelled `none`.

use super::labels::width_of;
use crate::report::text::{count, odds};

/// The lowest power of ten on an axis of rates. Lower rates are drawn there.
const LOWEST: i32 = -12;

/// An axis.
pub struct Axis {
    /// The numbers at the ends; on a logarithmic axis, their logarithms.
    domain: (f64, f64),
    /// The positions of the ends.
    range: (f64, f64),
    /// Whether the axis is logarithmic.
    log: bool,
    /// The position of zero on a logarithmic axis of rates.
    zero: Option<f64>,
    /// The ticks: number and label.
    ticks: Vec<(f64, String)>,
}

/// What an axis shows.
#[derive(Clone, Copy)]
pub enum Scale<'a> {
    /// Numbers, with ticks at these.
    At(&'a [f64]),
    /// These numbers. The axis starts at zero if that is near.
    Linear(&'a [f64]),
    /// These numbers above zero, on a logarithmic axis.
    Log(&'a [f64]),
    /// Numbers from zero to this one, with the label of a tick.
    FromZero(f64, fn(f64) -> String),
    /// Rates: these.
    Rates(&'a [f64]),
    /// How many zeros rates have; ticks at these rates.
    Odds(&'a [f64]),
}

impl Scale<'_> {
    /// The axis of these numbers. `zero` is where a rate of zero is drawn.
    pub fn axis(self, numbers: &[f64], range: (f64, f64), zero: f64) -> Axis {
        match self {
            Scale::At(ticks) => Axis::with_ticks(ticks, numbers, range),
            Scale::Linear(numbers) => Axis::linear(numbers, range),
            Scale::Log(numbers) => Axis::logarithmic(numbers, range),
            Scale::FromZero(most, label) => Axis::between(0.0, most, label, range),
            Scale::Rates(rates) => Axis::of_rates(rates, range, zero),
            Scale::Odds(rates) => {
                let zeros: Vec<f64> = rates.iter().map(|rate| -rate.log10()).collect();
                let mut axis = Axis::with_ticks(&zeros, numbers, range);
                axis.ticks = zeros
                    .into_iter()
                    .zip(rates.iter().map(|&rate| odds(rate)))
                    .collect();
                axis
            }
        }
    }
}

/// The minimum width of an axis with given ticks.
const WIDTH: f64 = 2.0;

impl Axis {
    /// A linear axis that covers ticks and numbers.
    fn with_ticks(ticks: &[f64], numbers: &[f64], range: (f64, f64)) -> Self {
        let (least, most) = ends(ticks.iter().chain(numbers).copied());
        // Filters of one budget differ by hundredths of a bit; these differences must not fill the axis.
        let margin = f64::max(0.05 * (most - least), (WIDTH - (most - least)) / 2.0);
        Axis {
            domain: (least - margin, most + margin),
            range,
            log: false,
            zero: None,
            ticks: ticks.iter().map(|&tick| (tick, short(tick))).collect(),
        }
    }

    /// A linear axis that covers all numbers, with a margin.
    fn linear(numbers: &[f64], range: (f64, f64)) -> Self {
        let (least, most) = ends(numbers.iter().copied());
        let margin = f64::max(0.05 * (most - least), 1e-9);
        let near_zero = least >= 0.0 && least < 0.25 * most;
        let least = if near_zero { 0.0 } else { least - margin };
        Axis::between(least, most + margin, short, range)
    }

    /// A linear axis from `least` to `most`, with about four ticks at round numbers.
    fn between(least: f64, most: f64, label: fn(f64) -> String, range: (f64, f64)) -> Self {
        let rough = (most - least) / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = (steps.into_iter()).find(|&step| step >= rough);
        let step = step.unwrap_or(most);
        let (first, last) = ((least / step - 1e-9).ceil(), (most / step + 1e-9).floor());
        let ticks = (first as i64..=last as i64).map(|tick| tick as f64 * step);
        Axis {
            domain: (least, most),
            range,
            log: false,
            zero: None,
            ticks: ticks.map(|tick| (tick, label(tick))).collect(),
        }
    }

    /// A logarithmic axis that covers all numbers. The ticks are 1, 2 and 5 times powers of ten, or powers of ten alone if there are many.
    fn logarithmic(numbers: &[f64], range: (f64, f64)) -> Self {
        let positive = numbers.iter().filter(|&&number| number > 0.0);
        let (least, most) = ends(positive.map(|number| number.log10()));
        let domain = (least - 0.05, most + 0.05);
        let parts: &[f64] = if most - least > 2.5 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let powers = domain.0.floor() as i32..=domain.1.ceil() as i32;
        let ticks = powers.flat_map(|power| parts.iter().map(move |part| part * 10f64.powi(power)));
        let inside = |tick: &f64| (domain.0..=domain.1).contains(&tick.log10());
        Axis {
            domain,
            range,
            log: true,
            zero: None,
            ticks: ticks
                .filter(inside)
                .map(|tick| (tick, short(tick)))
                .collect(),
        }
    }

    /// A logarithmic axis that covers all rates. The ticks are powers of ten, or every second or third one if there are many. If there are few,
    /// also 2 and 5 times each power.
    fn of_rates(rates: &[f64], range: (f64, f64), zero: f64) -> Self {
        let logs = || rates.iter().filter(|&&rate| rate > 0.0).map(|r| r.log10());
        let least = logs().fold(f64::INFINITY, f64::min);
        let most = logs().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if least <= most {
            // A power of ten must not be rounded to a lower one.
            let low = ((least + 1e-9).floor() as i32).max(LOWEST);
            (low, (most - 1e-9).floor() as i32 + 1)
        } else {
            // All rates are zero, so any axis will do.
            (-4, -1)
        };
        let high = high.clamp(LOWEST + 1, 0);
        let low = low.min(high - 1);
        let decades = high - low;
        let step = (decades / 6 + 1) as usize;
        let mut ticks: Vec<f64> = (low..=high).step_by(step).map(|e| 10f64.powi(e)).collect();
        let mut domain = (f64::from(low), f64::from(high));
        if decades <= 2 {
            ticks.extend((low..high).flat_map(|e| [2.0, 5.0].map(|part| part * 10f64.powi(e))));
            ticks.sort_by(f64::total_cmp);
            // Rates that are close together do not need the whole of a decade.
            let below = ticks.iter().rfind(|tick| tick.log10() <= least + 1e-9);
            let above = ticks.iter().find(|tick| tick.log10() >= most - 1e-9);
            if let (Some(below), Some(above)) = (below, above)
                && below < above
            {
                domain = (below.log10(), above.log10());
            }
            ticks.retain(|tick| (domain.0 - 1e-9..=domain.1 + 1e-9).contains(&tick.log10()));
        }
        Axis {
            domain,
            range,
            log: true,
            zero: Some(zero),
            ticks: ticks.into_iter().map(|tick| (tick, odds(tick))).collect(),
        }
    }

    /// The position of a number.
    pub fn position(&self, number: f64) -> f64 {
        let ((low, high), (from, to)) = (self.domain, self.range);
        let number = match self.zero {
            Some(zero) if number <= 0.0 => return zero,
            _ if self.log => number.log10().max(low),
            _ => number,
        };
        from + (number - low) / (high - low) * (to - from)
    }

    /// The positions of the ends.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    /// The position of zero beside a logarithmic axis.
    pub fn zero(&self) -> Option<f64> {
        self.zero
    }

    /// The ticks: position and label.
    pub fn ticks(&self) -> impl Iterator<Item = (f64, &str)> {
        (self.ticks.iter()).map(|(tick, label)| (self.position(*tick), label.as_str()))
    }

    /// The ticks of a horizontal axis. Labels that would overlap one before are empty.
    pub fn horizontal_ticks(&self) -> Vec<(f64, &str)> {
        let gap = 8.0;
        let mut ticks: Vec<(f64, &str)> = self.ticks().collect();
        ticks.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut free = self
            .zero
            .map_or(f64::NEG_INFINITY, |zero| zero + width_of(NONE) / 2.0 + gap);
        for (at, label) in &mut ticks {
            let half = width_of(label) / 2.0;
            if *at - half < free {
                *label = "";
            } else {
                free = *at + half + gap;
            }
        }
        ticks
    }

    /// The width of the widest label.
    pub fn label_width(&self) -> f64 {
        let labels = self.ticks.iter().map(|(_, label)| width_of(label));
        labels.fold(width_of(NONE), f64::max)
    }
}

/// The label of zero.
pub const NONE: &str = "none";

/// The least and the largest number; zeros if there are none.
fn ends(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = numbers.clone().fold(f64::INFINITY, f64::min);
    let most = numbers.fold(f64::NEG_INFINITY, f64::max);
    if least <= most {
        (least, most)
    } else {
        (0.0, 0.0)
    }
}

/// A number in as few digits as its size needs, so that labels do not overlap.
fn short(number: f64) -> String {
    if number.abs() >= 1000.0 {
        return count(number.round() as u64);
    }
    if number != 0.0 && number.abs() < 0.01 {
        return format!("{number:.0e}");
    }
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axis_covers_all_rates_and_zero_is_separate() {
        let axis = Axis::of_rates(&[0.03, 0.0, 0.000_4], (100.0, 0.0), 120.0);
        assert_eq!(axis.position(0.1), 0.0);
        assert_eq!(axis.position(0.000_1), 100.0);
        assert!((axis.position(0.01) - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(axis.position(0.0), 120.0);
        assert_eq!(axis.ticks().count(), 4);
        for rates in [vec![], vec![0.0], vec![1.0], vec![1e-300, 1.0], vec![1e-13]] {
            let axis = Axis::of_rates(&rates, (100.0, 0.0), 120.0);
            for &rate in &rates {
                assert!((0.0..=120.0).contains(&axis.position(rate)), "{rates:?}");
            }
            assert!((2..12).contains(&axis.ticks().count()), "{rates:?}");
        }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        let axis = Axis::between(0.0, 47.0, short, (0.0, 470.0));
        let ticks: Vec<_> = axis.ticks().collect();
        assert_eq!(ticks, [(0.0, "0"), (200.0, "20"), (400.0, "40")]);
        assert_eq!(axis.position(47.0), 470.0);
    }

    #[test]
    fn nearly_equal_sizes_are_close_together() {
        let axis = Axis::with_ticks(&[10.0], &[10.0, 9.98], (0.0, 100.0));
        assert!(axis.position(10.0) - axis.position(9.98) < 2.0);
        assert!((axis.position(10.0) - 50.0).abs() < 2.0);
    }

    #[test]
    fn labels_that_would_overlap_are_left_out() {
        let ticks = [8.0, 8.1, 9.123_456_789, 100.0];
        let axis = Axis::with_ticks(&ticks, &[], (0.0, 300.0));
        let labels: Vec<&str> = axis.horizontal_ticks().iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["8", "", "", "100"]);
        let axis = Axis::with_ticks(&ticks[..3], &[], (0.0, 3000.0));
        let labels: Vec<&str> = axis.horizontal_ticks().iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["8", "8.1", "9.12"]);
    }
}
