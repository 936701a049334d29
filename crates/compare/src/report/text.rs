//! Formats numbers for people, and lists of names and values.

pub use crate::keys::shown as key;
use bloomwise::info::Value;
use std::io::{self, Write};

/// A whole number with thousands separators: `1,250,000`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of 1 as percent: `0.82 %`. Small shares have two significant digits: `0.000015 %`.
pub fn percent(share: Option<f64>) -> String {
    decimal(share.map(|share| 100.0 * share), " %")
}

/// A measured share of 1 as percent, with at least three digits: `1.730 %`, `0.0437 %`. Small shares have two significant digits. NaN is a dash.
pub fn rate(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = match percent {
        0.0 => return "0".to_string(),
        _ if percent.is_nan() || (0.0..0.01).contains(&percent) => {
            return decimal(Some(percent), " %");
        }
        _ if percent < 0.1 => 4,
        _ if percent < 10.0 => 3,
        _ => 2,
    };
    format!("{percent:.decimals$} %")
}

/// A share of 1 that somebody chose, as percent without needless decimals: `50 %`.
pub fn round_percent(share: f64) -> String {
    format!("{} %", (1e4 * share).round() / 1e2)
}

/// How many known negatives are wrong: `exact` if none is, else `2,060 wrong`.
pub fn exactness(wrong: u64) -> String {
    match wrong {
        0 => "exact".to_string(),
        _ => format!("{} wrong", count(wrong)),
    }
}

/// The smallest number that is written out.
const SMALLEST: f64 = 1e-9;

/// A number with two decimals and a unit; `-` if there is no number. Small numbers have more decimals instead of a power of ten.
pub fn decimal(number: Option<f64>, unit: &str) -> String {
    match number.filter(|number| number.is_finite()) {
        None => "-".to_string(),
        Some(number) if number > 0.0 && number < SMALLEST => format!("< {SMALLEST:.9}{unit}"),
        Some(number) if number > 0.0 && number < 0.01 => {
            // Two digits after the zeros.
            let decimals = 1 + (-number.log10()).ceil() as usize;
            format!("{number:.decimals$}{unit}")
        }
        Some(number) => format!("{number:.2}{unit}"),
    }
}

/// A time with three digits and a unit: `1.25 s`, `84.0 ms`, `17.3 µs`, `92.1 ns`.
pub fn duration(seconds: f64) -> String {
    let units = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)];
    let fits = |&(_, unit): &(&str, f64)| seconds >= unit;
    let (name, unit) = units.into_iter().find(fits).unwrap_or(units[3]);
    let number = seconds / unit;
    let decimals = match number {
        number if number >= 99.95 => 0,
        number if number >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.decimals$} {name}")
}

/// A round number of bytes: `0`, `200 kB`, `1.5 MB`.
pub fn bytes(number: f64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.into_iter().find(|&(_, unit)| number >= unit) {
        Some((name, unit)) => format!("{} {name}", (100.0 * number / unit).round() / 100.0),
        None if number == 0.0 => "0".to_string(),
        None => format!("{} B", number.round()),
    }
}

/// A size: `1,250,000 bytes, 10.00 bits per key`.
pub fn size(bytes: u64, bits_per_key: Option<f64>) -> String {
    let per_key = decimal(bits_per_key, " bits per key");
    format!("{} bytes, {per_key}", count(bytes))
}

/// A parameter of a filter.
pub fn parameter(value: &Value) -> String {
    match value {
        Value::Whole(number) => count(*number),
        Value::Real(number) => amount(*number),
        Value::Word(word) => (*word).to_string(),
    }
}

/// A number that may be whole. Whole and large numbers need no decimals.
pub fn amount(number: f64) -> String {
    if (0.0..1e18).contains(&number) && (number.fract() == 0.0 || number >= 1000.0) {
        count(number.round() as u64)
    } else {
        decimal(Some(number), "")
    }
}

/// A rate in words: `1 in 1,000`.
pub fn odds(rate: f64) -> String {
    if rate <= 0.0 {
        return "none".to_string();
    }
    let one_in = (1.0 / rate).round();
    let units = [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")];
    match units.into_iter().find(|(unit, _)| one_in >= 0.9999 * unit) {
        None if one_in <= 1.0 => "all".to_string(),
        None => format!("1 in {}", count(one_in as u64)),
        Some((unit, name)) => match (one_in / unit).round() {
            1.0 => format!("1 in a {name}"),
            times => format!("1 in {} {name}", count(times as u64)),
        },
    }
}

/// Writes names and values, one pair per line, with the values aligned.
pub fn list(out: &mut impl Write, rows: &[(&str, String)]) -> io::Result<()> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in rows {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 12, 999, 1000, 123_456, 1_250_000].map(count);
        let expected = ["0", "12", "999", "1,000", "123,456", "1,250,000"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn large_and_whole_parameters_have_no_decimals() {
        let texts = [0.0, 7.0, 0.5, 999.25, 1_250_000.4].map(|n| parameter(&Value::Real(n)));
        assert_eq!(texts, ["0", "7", "0.50", "999.25", "1,250,000"]);
    }

    #[test]
    fn rates_are_in_words() {
        let rates = [1.0, 0.05, 0.01, 1e-5, 1e-6, 2e-7, 1e-9, 1e-12, 0.0];
        let expected = [
            "all",
            "1 in 20",
            "1 in 100",
            "1 in 100,000",
            "1 in a million",
            "1 in 5 million",
            "1 in a billion",
            "1 in a trillion",
            "none",
        ];
        assert_eq!(rates.map(odds), expected);
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let texts = [75.0, 1.25, 0.084, 17.3e-6, 92.1e-9, 0.5e-9].map(duration);
        let expected = [
            "75.0 s", "1.25 s", "84.0 ms", "17.3 µs", "92.1 ns", "0.50 ns",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn small_rates_keep_two_digits_and_a_missing_rate_is_a_dash() {
        let rates = [Some(0.0082), Some(1.5e-7), Some(0.0), None, Some(f64::NAN)];
        let texts = rates.map(percent);
        assert_eq!(texts, ["0.82 %", "0.000015 %", "0.00 %", "-", "-"]);
        let rates = [9.9e-5, 1e-5, 1.3e-6, 1e-9, 1e-40];
        let texts = rates.map(|rate| percent(Some(rate)));
        let expected = [
            "0.0099 %",
            "0.0010 %",
            "0.00013 %",
            "0.00000010 %",
            "< 0.000000001 %",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn measured_rates_have_at_least_three_digits() {
        let shares = [0.1234, 0.0173, 9.9e-4, 4.37e-4, 5.3e-5, 1.4e-5, 6.8e-6];
        let expected = [
            "12.34 %",
            "1.730 %",
            "0.0990 %",
            "0.0437 %",
            "0.0053 %",
            "0.0014 %",
            "0.00068 %",
        ];
        assert_eq!(shares.map(rate), expected);
        let shares = [1.2e-8, 3.2e-10, 1e-30, 0.0, f64::NAN];
        let expected = ["0.0000012 %", "0.000000032 %", "< 0.000000001 %", "0", "-"];
        assert_eq!(shares.map(rate), expected);
    }
}
