//! Formats numbers for people, and lists of names and values.

use bloomwise::Value;
use indicatif::HumanCount;
use std::io::{self, Write};

/// A whole number with thousands separators: `1,250,000`.
pub fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A share of 1 as percent: `0.82 %`. Very small shares have two significant digits: `1.5e-5 %`.
pub fn percent(share: Option<f64>) -> String {
    decimal(share.map(|share| 100.0 * share), " %")
}

/// How many known negatives are wrong: `exact` if none is, else `2,060 wrong`.
pub fn exactness(wrong: u64) -> String {
    match wrong {
        0 => "exact".to_string(),
        _ => format!("{} wrong", count(wrong)),
    }
}

/// A number with two decimals and a unit; `-` if there is no number.
pub fn decimal(number: Option<f64>, unit: &str) -> String {
    match number.filter(|number| number.is_finite()) {
        None => "-".to_string(),
        Some(number) if number > 0.0 && number < 0.01 => format!("{number:.1e}{unit}"),
        Some(number) => format!("{number:.2}{unit}"),
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
        // Whole and large numbers need no decimals.
        Value::Real(number)
            if (0.0..1e18).contains(number) && (number.fract() == 0.0 || *number >= 1000.0) =>
        {
            count(number.round() as u64)
        }
        Value::Real(number) => decimal(Some(*number), ""),
        Value::Word(word) => (*word).to_string(),
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
    fn large_and_whole_parameters_have_no_decimals() {
        let texts = [0.0, 7.0, 0.5, 999.25, 1_250_000.4].map(|n| parameter(&Value::Real(n)));
        assert_eq!(texts, ["0", "7", "0.50", "999.25", "1,250,000"]);
    }

    #[test]
    fn small_rates_keep_two_digits_and_a_missing_rate_is_a_dash() {
        let rates = [Some(0.0082), Some(1.5e-7), Some(0.0), None, Some(f64::NAN)];
        let texts = rates.map(percent);
        assert_eq!(texts, ["0.82 %", "1.5e-5 %", "0.00 %", "-", "-"]);
    }
}
