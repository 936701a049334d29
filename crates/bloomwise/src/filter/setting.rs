//! Settings: options of a family by name, for users who choose at run time.
//!
//! Each family lists its settings once. [`crate::Spec`] takes their values. The command line, Python and Redis derive names, help, checks and
//! the configured builder from that list.
//!
//! ```
//! use bloomwise::{Family, Spec, settings::Setting};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let k = Setting::of(Family::Bloom).find(|setting| setting.name == "k");
//! assert!(k.is_some_and(|k| k.about.starts_with("number of hash functions")));
//! let spec = Spec::new(Family::Bloom).set("k", 3)?;
//! assert!(spec.set("k", 33).is_err(), "at most 32");
//! # Ok(())
//! # }
//! ```

use crate::error::{Error, Result};
use crate::filter::info::Value;
use crate::filter::sizing::MAX_FUNCTIONS;

/// A setting of a family.
///
/// ```
/// use bloomwise::{Family, settings::Setting};
///
/// let names: Vec<_> = Setting::of(Family::Blocked).map(|setting| setting.name).collect();
/// assert_eq!(names, ["k", "block"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// The name of the setting.
    pub name: &'static str,
    /// What the setting does, in one line.
    pub about: &'static str,
    /// The values it accepts.
    pub values: Values,
}

/// The values that a setting accepts.
///
/// ```
/// use bloomwise::Family;
/// use bloomwise::settings::{Setting, Values};
///
/// let block = Setting::of(Family::Blocked).find(|setting| setting.name == "block").unwrap();
/// assert_eq!(block.values, Values::OneOf(&[256, 512]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// One of these numbers.
    OneOf(&'static [u32]),
    /// A number from the first to the second.
    Real(f64, f64),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// The number of hash functions.
pub(crate) const FUNCTIONS: Setting = Setting {
    name: "k",
    about: "number of hash functions, 1 to 32 (default: the best for the size)",
    values: Values::Whole(1, MAX_FUNCTIONS),
};

/// The size of a block.
pub(crate) const BLOCK: Setting = Setting {
    name: "block",
    about: "bits of a block, 256 or 512 (default: 512)",
    values: Values::OneOf(&[256, 512]),
};

/// The share of the cost that unseen keys have.
pub(crate) const UNSEEN_SHARE: Setting = Setting {
    name: "unseen-share",
    about: "share of the cost that comes from unseen keys, 0 to 1 (default: 0.1)",
    values: Values::Real(0.0, 1.0),
};

impl Setting {
    /// Converts a value to the type of this setting (a whole number is also a real one), or returns an error if the setting does not accept it.
    pub(crate) fn accept(&self, value: Value) -> Result<Value> {
        let expected = match (self.values, &value) {
            (Values::Whole(low, high), &Value::Whole(n))
                if (u64::from(low)..=u64::from(high)).contains(&n) =>
            {
                return Ok(value);
            }
            (Values::OneOf(valid), Value::Whole(n))
                if valid.iter().any(|&v| u64::from(v) == *n) =>
            {
                return Ok(value);
            }
            (Values::Real(low, high), &Value::Real(x)) if (low..=high).contains(&x) => {
                return Ok(value);
            }
            (Values::Real(low, high), &Value::Whole(n)) if (low..=high).contains(&(n as f64)) => {
                return Ok(Value::Real(n as f64));
            }
            (Values::Word(valid), Value::Word(word)) if valid.contains(&&**word) => {
                return Ok(value);
            }
            (Values::Whole(low, high), _) => format!("a whole number from {low} to {high}"),
            (Values::OneOf(valid), _) => {
                let valid: Vec<_> = valid.iter().map(u32::to_string).collect();
                valid.join(" or ")
            }
            (Values::Real(low, high), _) => format!("a number from {low} to {high}"),
            (Values::Word(valid), _) => valid.join(" or "),
        };
        let got = match &value {
            Value::Word(word) => format!("{word:?}"),
            // Keep the decimals, or 5.0 would look like a whole number.
            Value::Real(number) if *number >= 0.0 => format!("{number:?}"),
            number => number.to_string(),
        };
        Err(Error::parameter(self.name, got, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_accept_their_values_and_no_others() {
        let accepts = |setting: Setting, value: Value| setting.accept(value).is_ok();
        assert!(accepts(FUNCTIONS, Value::Whole(32)) && !accepts(FUNCTIONS, Value::Whole(33)));
        assert!(!accepts(FUNCTIONS, Value::Real(5.0)) && !accepts(FUNCTIONS, Value::from("5")));
        assert!(accepts(BLOCK, Value::Whole(256)) && !accepts(BLOCK, Value::Whole(128)));
        let share = UNSEEN_SHARE;
        assert_eq!(share.accept(Value::Whole(0)).ok(), Some(Value::Real(0.0)));
        assert!(!accepts(share, Value::Real(f64::NAN)) && !accepts(share, Value::Real(-0.1)));
        let word = Setting {
            name: "scheme",
            values: Values::Word(&["single", "mht"]),
            ..share
        };
        assert!(accepts(word, Value::from("mht")) && !accepts(word, Value::Whole(1)));
        let text = word.accept(Value::from("mt")).expect_err("no scheme");
        assert_eq!(text.to_string(), "scheme is \"mt\", expected single or mht");
    }
}
