//! Numbers as people read them, and lines that stand below each other.

use bloomwise::Value;
use serde_json::{Map, json};
use std::io::{self, Write};

/// A whole number with its thousands apart: `1,250,000`.
pub fn grouped(number: u64) -> String {
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

/// A share of one as percent: `0.82 %`; very small ones keep two digits: `1.5e-5 %`.
pub fn percent(share: Option<f64>) -> String {
    decimal(share.map(|share| 100.0 * share), " %")
}

/// A number with two decimals and a unit, `-` where there is none.
pub fn decimal(number: Option<f64>, unit: &str) -> String {
    match number.filter(|number| number.is_finite()) {
        None => "-".to_string(),
        Some(number) if number > 0.0 && number < 0.01 => format!("{number:.1e}{unit}"),
        Some(number) => format!("{number:.2}{unit}"),
    }
}

/// A size as `1,250,000 bytes, 10.00 bits per key`.
pub fn size(bytes: u64, bits_per_key: Option<f64>) -> String {
    let per_key = decimal(bits_per_key, " bits per key");
    format!("{} bytes, {per_key}", grouped(bytes))
}

/// A parameter of a filter.
pub fn parameter(value: &Value) -> String {
    match value {
        Value::Whole(number) => grouped(*number),
        // Decimals say nothing where there are none, and nothing of use on large numbers.
        Value::Real(number)
            if (0.0..1e18).contains(number) && (number.fract() == 0.0 || *number >= 1000.0) =>
        {
            grouped(number.round() as u64)
        }
        Value::Real(number) => decimal(Some(*number), ""),
        Value::Word(word) => (*word).to_string(),
    }
}

/// The parameters of a filter as an object.
pub fn parameters_json(parameters: &[(&'static str, Value)]) -> serde_json::Value {
    let entry = |(name, value): &(&str, Value)| {
        let value = match value {
            Value::Whole(number) => json!(number),
            Value::Real(number) => json!(number),
            Value::Word(word) => json!(word),
        };
        ((*name).to_string(), value)
    };
    parameters.iter().map(entry).collect::<Map<_, _>>().into()
}

/// A total for each of so many, if there are any.
pub fn per(total: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| total / count as f64)
}

/// Writes names and values, the values below each other.
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
    fn thousands_stand_apart() {
        let texts = [0, 999, 1000, 1_250_000].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,250,000"]);
    }

    #[test]
    fn large_and_whole_parameters_have_no_decimals() {
        let texts = [0.0, 7.0, 0.5, 999.25, 1_250_000.4].map(|n| parameter(&Value::Real(n)));
        assert_eq!(texts, ["0", "7", "0.50", "999.25", "1,250,000"]);
    }

    #[test]
    fn rates_keep_their_digits_and_what_is_not_there_is_a_dash() {
        let rates = [Some(0.0082), Some(1.5e-7), Some(0.0), None, Some(f64::NAN)];
        let texts = rates.map(percent);
        assert_eq!(texts, ["0.82 %", "1.5e-5 %", "0.00 %", "-", "-"]);
    }
}
