//! The exponential function and the logistic function, with the same bits on every machine.
//!
//! Mathematical libraries of operating systems round differently. Here only additions, multiplications and divisions occur, which IEEE 754
//! defines to the last bit.

/// `e^(-1/64)`.
const STEP: f64 = 0.984_496_437_005_408_4;

/// Steps of the table of the logistic function per unit.
const STEPS: usize = 64;

/// The logistic function is taken as 0 below minus this, and as 1 above it.
const RANGE: usize = 12;

/// `1 / (1 + e^x)` for the multiples of `1 / STEPS` from 0 to `RANGE`.
const TAIL: [f32; RANGE * STEPS] = {
    let mut table = [0.0; RANGE * STEPS];
    let (mut power, mut at) = (1.0, 0);
    while at < table.len() {
        table[at] = (power / (1.0 + power)) as f32;
        power *= STEP;
        at += 1;
    }
    table
};

/// `e^-x` for `x` of at least 0, to about ten digits.
pub(crate) fn exp_of_negative(x: f64) -> f64 {
    if x > 700.0 {
        return 0.0;
    }
    let steps = (x * 64.0) as u32;
    let rest = x - f64::from(steps) / 64.0;
    let (mut power, mut square, mut left) = (1.0, STEP, steps);
    while left > 0 {
        if left % 2 == 1 {
            power *= square;
        }
        square *= square;
        left /= 2;
    }
    power * (1.0 - rest * (1.0 - rest / 2.0 * (1.0 - rest / 3.0 * (1.0 - rest / 4.0))))
}

/// `1 / (1 + e^-x)`, to two digits and a half.
pub(super) fn logistic(x: f32) -> f32 {
    let at = (x.abs() * STEPS as f32) as usize;
    let tail = TAIL.get(at).copied().unwrap_or(0.0);
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_agrees_with_the_library() {
        for step in 0..20_000 {
            let x = f64::from(step) / 100.0;
            let error = exp_of_negative(x) / (-x).exp() - 1.0;
            assert!(error.abs() < 1e-9, "{x}: {error}");
        }
        assert_eq!(exp_of_negative(0.0), 1.0);
        assert_eq!(exp_of_negative(f64::INFINITY), 0.0);
    }

    #[test]
    fn logistic_function_agrees_with_the_library() {
        for step in -2000..2000 {
            let x = step as f32 / 100.0;
            let exact = 1.0 / (1.0 + (-x).exp());
            assert!((logistic(x) - exact).abs() < 0.005, "{x}");
            assert!((logistic(-x) + logistic(x) - 1.0).abs() < 1e-6, "{x}");
        }
    }
}
