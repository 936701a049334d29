//! What a false positive on a key costs: a number, finite and not below zero, or nothing at all, which means 1.

use std::str;

/// The cost of a key for which nobody named one.
pub const DEFAULT: f64 = 1.0;

/// The cost that a text stands for; else what is wrong with it.
pub fn parse(text: &[u8]) -> Result<f64, String> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(DEFAULT);
    }
    let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let shown: String = String::from_utf8_lossy(text).chars().take(40).collect();
    check(number.ok_or_else(|| format!("the cost {shown:?} is no number"))?)
}

/// The cost itself, if it can be one.
pub fn check(cost: f64) -> Result<f64, String> {
    if cost.is_finite() && cost >= 0.0 {
        return Ok(cost);
    }
    Err(format!(
        "the cost {cost} cannot be; costs are finite and not below zero"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_numbers_from_zero_up() {
        for (text, cost) in [("", 1.0), ("0", 0.0), (" 2.5 ", 2.5), ("1e3", 1000.0)] {
            assert_eq!(parse(text.as_bytes()), Ok(cost), "{text:?}");
        }
        for text in ["-1", "nan", "inf", "1e999", "x", "1,5", "\u{e9}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
