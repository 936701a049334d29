//! Axes: map numbers to positions in a drawing, and choose ticks.

/// A linear axis.
pub struct Linear {
    /// The numbers at the ends of the axis.
    pub domain: (f64, f64),
    /// The positions of the ends.
    pub range: (f64, f64),
}

impl Linear {
    /// The position of a number.
    pub fn position(&self, number: f64) -> f64 {
        let ((low, high), (from, to)) = (self.domain, self.range);
        from + (number - low) / (high - low) * (to - from)
    }

    /// About `count` ticks at round numbers, from zero to the end.
    pub fn ticks(&self, count: f64) -> Vec<f64> {
        let high = self.domain.1;
        let rough = high / count;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps
            .into_iter()
            .find(|&step| step >= rough)
            .unwrap_or(high);
        let steps = (high / step + 1e-9).floor() as u32;
        (0..=steps).map(|tick| f64::from(tick) * step).collect()
    }
}

/// A logarithmic axis for rates, with a separate position for zero.
pub struct Logarithmic {
    /// The powers of ten at the ends of the axis.
    exponents: (i32, i32),
    /// The positions of the ends and of zero.
    range: (f64, f64, f64),
}

impl Logarithmic {
    /// An axis from `bottom` to `top` that covers all rates; a rate of zero is at `zero`.
    pub fn new(rates: impl Iterator<Item = f64>, bottom: f64, top: f64, zero: f64) -> Self {
        let logs: Vec<f64> = rates.filter(|&rate| rate > 0.0).map(f64::log10).collect();
        let least = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let exponents = if logs.is_empty() {
            // All rates are zero, so any axis will do.
            (-4, -1)
        } else {
            (least.floor() as i32, (most.floor() as i32 + 1).min(0))
        };
        let exponents = (exponents.0.min(exponents.1 - 1), exponents.1);
        Logarithmic {
            exponents,
            range: (bottom, top, zero),
        }
    }

    /// The position of a rate.
    pub fn position(&self, rate: f64) -> f64 {
        let ((low, high), (bottom, top, zero)) = (self.exponents, self.range);
        if rate <= 0.0 {
            return zero;
        }
        let share = (rate.log10() - f64::from(low)) / f64::from(high - low);
        bottom + share * (top - bottom)
    }

    /// The ticks: every power of ten, or every second or third one if there are many. If there are few, also 2 and 5 times each
    /// power.
    pub fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.exponents;
        let decades = high - low;
        let step = (decades / 6 + 1) as usize;
        let mut ticks: Vec<f64> = (low..=high).step_by(step).map(|e| 10f64.powi(e)).collect();
        if decades <= 2 {
            let between = (low..high).flat_map(|e| [2.0, 5.0].map(|part| part * 10f64.powi(e)));
            ticks.extend(between);
            ticks.sort_by(f64::total_cmp);
        }
        ticks
    }
}

/// The label of a tick in percent: a decimal number, or a power of ten if the number is very small.
pub fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    if percent >= 0.000_9 {
        // As many decimals as the first significant digit needs.
        let digits = (-(percent * 1.000_001).log10().floor()).max(0.0) as usize;
        return format!("{percent:.digits$} %");
    }
    let exponent = percent.log10().round() as i32;
    let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
    let raised: String = (exponent.unsigned_abs().to_string().bytes())
        .map(|digit| digits[usize::from(digit - b'0')])
        .collect();
    format!("10⁻{raised} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axis_covers_all_rates_and_zero_is_separate() {
        let axis = Logarithmic::new([0.03, 0.0, 0.000_4].into_iter(), 100.0, 0.0, 120.0);
        assert_eq!(axis.position(0.1), 0.0);
        assert_eq!(axis.position(0.000_1), 100.0);
        assert!((axis.position(0.01) - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(axis.position(0.0), 120.0);
        assert_eq!(axis.ticks().len(), 4);
        for rates in [vec![], vec![0.0], vec![1.0], vec![1e-300, 1.0]] {
            let axis = Logarithmic::new(rates.iter().copied(), 100.0, 0.0, 120.0);
            let positions = rates.iter().map(|&rate| axis.position(rate));
            assert!(
                positions
                    .into_iter()
                    .all(|position| (0.0..=120.0).contains(&position))
            );
            assert!((2..12).contains(&axis.ticks().len()), "{rates:?}");
        }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        let axis = Linear {
            domain: (0.0, 47.0),
            range: (0.0, 470.0),
        };
        assert_eq!(axis.ticks(5.0), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(axis.position(47.0), 470.0);
    }

    #[test]
    fn tick_labels_are_percent() {
        let texts = [1.0, 0.05, 0.01, 0.002, 1e-5, 1e-7].map(percent);
        assert_eq!(texts, ["100 %", "5 %", "1 %", "0.2 %", "0.001 %", "10⁻⁵ %"]);
    }
}
