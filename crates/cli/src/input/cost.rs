//! What a false positive on a key costs: a number, finite and not below zero, or nothing at all, which means 1.

use std::fmt;
use std::str;

/// The cost of a key for which nobody named one.
pub const DEFAULT: f64 = 1.0;

/// Why something is no cost.
#[derive(Debug, PartialEq)]
pub enum Wrong {
    /// It is no number; this is how it begins.
    NoNumber(String),
    /// It is a number that costs cannot be.
    Impossible(f64),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::NoNumber(text) => write!(f, "the cost {text:?} is no number"),
            Wrong::Impossible(cost) => write!(
                f,
                "the cost {cost} cannot be; costs are finite and not below zero"
            ),
        }
    }
}

/// The cost that a text stands for; else what is wrong with it.
pub fn parse(text: &[u8]) -> Result<f64, Wrong> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(DEFAULT);
    }
    let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let shown = || String::from_utf8_lossy(text).chars().take(40).collect();
    check(number.ok_or_else(|| Wrong::NoNumber(shown()))?)
}

/// The cost itself, if it can be one.
pub fn check(cost: f64) -> Result<f64, Wrong> {
    if cost.is_finite() && cost >= 0.0 {
        return Ok(cost);
    }
    Err(Wrong::Impossible(cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_numbers_from_zero_up() {
        for (text, cost) in [("", 1.0), ("0", 0.0), (" 2.5 ", 2.5), ("1e3", 1000.0)] {
            assert_eq!(parse(text.as_bytes()), Ok(cost), "{text:?}");
        }
        for text in ["-1", "nan", "inf", "1e999"] {
            let parsed = parse(text.as_bytes());
            assert!(matches!(parsed, Err(Wrong::Impossible(_))), "{text:?}");
        }
        for text in ["x", "1,5", "\u{e9}"] {
            let wrong = Wrong::NoNumber(text.to_string());
            assert_eq!(parse(text.as_bytes()), Err(wrong));
        }
    }
}
