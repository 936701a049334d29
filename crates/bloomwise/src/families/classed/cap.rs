//! The highest rate that a class may have.

use crate::error::{Error, Result};
use crate::keys::classes::exponential::exp_of_negative;
use std::fmt;
use std::str::FromStr;

/// The highest rate that a class may have on unseen keys.
///
/// ```
/// use bloomwise::unstable::classes::Cap;
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!("bloom".parse::<Cap>()?, Cap::Bloom);
/// assert!((Cap::Bloom.rate(10.0) - 0.0082).abs() < 1e-4);
/// assert_eq!("0.05".parse::<Cap>()?.rate(10.0), 0.05);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cap {
    /// That of a Bloom filter of the same size.
    #[default]
    Bloom,
    /// This rate.
    Rate(f64),
    /// None.
    None,
}

/// The most functions of a Bloom filter.
const MOST_FUNCTIONS: u32 = 32;

impl Cap {
    /// The rate, for a filter of this many bits per key. It has the same bits on every machine.
    pub fn rate(self, bits_per_key: f64) -> f64 {
        match self {
            Cap::Rate(rate) => rate,
            Cap::None => 1.0,
            Cap::Bloom => (1..=MOST_FUNCTIONS).fold(1.0, |least, functions| {
                let set = 1.0 - exp_of_negative(f64::from(functions) / bits_per_key);
                let all = (0..functions).fold(1.0, |all, _| all * set);
                f64::min(least, all)
            }),
        }
    }
}

impl fmt::Display for Cap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cap::Bloom => f.write_str("bloom"),
            Cap::Rate(rate) => rate.fmt(f),
            Cap::None => f.write_str("none"),
        }
    }
}

impl FromStr for Cap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match (text, text.parse()) {
            ("bloom", _) => Ok(Cap::Bloom),
            ("none", _) => Ok(Cap::None),
            (_, Ok(rate)) if rate > 0.0 && rate <= 1.0 => Ok(Cap::Rate(rate)),
            _ => {
                let expected = "bloom, none, or a rate above 0 and at most 1";
                Err(Error::parameter("cap", format!("{text:?}"), expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::sizing::bloom_rate;

    #[test]
    fn cap_is_the_rate_of_the_best_bloom_filter() {
        for bits_per_key in [0.5, 1.0, 2.0, 4.0, 8.44, 10.0, 20.0, 40.0] {
            let keys = 1_000_000;
            let bits = (bits_per_key * keys as f64) as u64;
            let rates = (1..=MOST_FUNCTIONS).map(|k| bloom_rate(bits, keys, k));
            let best = rates.fold(1.0, f64::min);
            let error = Cap::Bloom.rate(bits_per_key) / best - 1.0;
            assert!(error.abs() < 1e-3, "{bits_per_key}: {error}");
        }
        assert_eq!(Cap::Bloom.rate(0.0), 1.0);
    }

    #[test]
    fn caps_are_read_and_shown() {
        for text in ["bloom", "none", "0.25", "1"] {
            assert_eq!(text.parse::<Cap>().expect("valid").to_string(), text);
        }
        for text in ["", "0", "-0.1", "1.5", "NaN", "blooms"] {
            assert!(text.parse::<Cap>().is_err(), "{text}");
        }
    }
}
