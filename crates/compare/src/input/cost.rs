//! The cost of a false positive on a key: a finite number of at least 0. An empty field means 1.
//!
//! Costs of events are added up, so they have a limit. `-`, which the Common Log Format writes for nothing, is then a cost of 0.

use bloomwise::learn::Learner;
use std::fmt;
use std::str;

/// The cost of a key without an explicit cost.
pub const DEFAULT: f64 = 1.0;

/// Why a field is not a valid cost.
#[derive(Debug, PartialEq)]
pub enum CostError {
    /// The field is not a number; holds its first characters.
    NotANumber(String),
    /// The number is negative, infinite or NaN.
    OutOfRange(f64),
    /// The number is more than an event can cost.
    TooLarge(f64),
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CostError::NotANumber(text) => write!(f, "the cost {text:?} is not a number"),
            CostError::OutOfRange(cost) => {
                write!(f, "the cost is {cost}; use a finite cost of at least 0")
            }
            CostError::TooLarge(cost) => {
                let most = Learner::MAX_COST;
                write!(f, "the cost is {cost:e}; an event costs at most {most:e}")
            }
        }
    }
}

/// Parses a cost.
pub fn parse(text: &[u8]) -> Result<f64, CostError> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(DEFAULT);
    }
    let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let shown = || String::from_utf8_lossy(text).chars().take(40).collect();
    check(number.ok_or_else(|| CostError::NotANumber(shown()))?)
}

/// Returns `cost` if it is valid.
pub fn check(cost: f64) -> Result<f64, CostError> {
    if cost.is_finite() && cost >= 0.0 {
        return Ok(cost);
    }
    Err(CostError::OutOfRange(cost))
}

/// Parses the cost of an event in a log.
pub fn parse_event(text: &[u8]) -> Result<f64, CostError> {
    if text.trim_ascii() == b"-" {
        return Ok(0.0);
    }
    check_event(parse(text)?)
}

/// Returns `cost` if an event can cost that much.
pub fn check_event(cost: f64) -> Result<f64, CostError> {
    match check(cost)? {
        cost if cost <= Learner::MAX_COST => Ok(cost),
        cost => Err(CostError::TooLarge(cost)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_events_have_a_limit_and_may_be_missing() {
        for (text, cost) in [("-", 0.0), ("", 1.0), ("1e100", 1e100)] {
            assert_eq!(parse_event(text.as_bytes()), Ok(cost), "{text:?}");
        }
        assert_eq!(parse_event(b"1e101"), Err(CostError::TooLarge(1e101)));
        assert_eq!(parse_event(b"-1"), Err(CostError::OutOfRange(-1.0)));
    }

    #[test]
    fn costs_are_finite_and_at_least_zero() {
        for (text, cost) in [("", 1.0), ("0", 0.0), (" 2.5 ", 2.5), ("1e3", 1000.0)] {
            assert_eq!(parse(text.as_bytes()), Ok(cost), "{text:?}");
        }
        for text in ["-1", "nan", "inf", "1e999"] {
            let parsed = parse(text.as_bytes());
            assert!(matches!(parsed, Err(CostError::OutOfRange(_))), "{text:?}");
        }
        for text in ["x", "1,5", "\u{e9}"] {
            let error = CostError::NotANumber(text.to_string());
            assert_eq!(parse(text.as_bytes()), Err(error));
        }
    }
}
