//! Settings: options of a family by name, for users who choose at run time.
//!
//! Each family lists its settings once, in its `options.rs`. A [`Setting`] has the name, the help, the valid values and the check, so that they cannot
//! disagree. [`crate::Spec`] takes values by name. The command line, Python and Redis derive names, help, checks and the configured builder from
//! these lists.
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
use std::fmt;

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
    /// What the setting does, in one line, without its values and its default.
    pub about: &'static str,
    /// The values it accepts.
    pub values: Values,
    /// What a builder uses if the setting is not given.
    pub default: &'static str,
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
    about: "number of hash functions",
    values: Values::Whole(1, MAX_FUNCTIONS),
    default: "the best for the size",
};

/// The size of a block.
pub(crate) const BLOCK: Setting = Setting {
    name: "block",
    about: "bits of a block",
    values: Values::OneOf(&[256, 512]),
    default: "512",
};

/// The share of the cost that unseen keys have.
pub(crate) const UNSEEN_SHARE: Setting = Setting {
    name: "unseen-share",
    about: "share of the cost that comes from unseen keys",
    values: Values::Real(0.0, 1.0),
    default: "0.1",
};

/// The values as users read them: `1 to 32`, `256 or 512`, `single, sequential or mht`.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Whole(low, high) => write!(f, "{low} to {}", short(*high)),
            Values::Real(low, high) => write!(f, "{low} to {high}"),
            Values::OneOf(numbers) => f.write_str(&alternatives(numbers)),
            Values::Word(words) => f.write_str(&alternatives(words)),
        }
    }
}

/// A number, as a power of two if that is shorter.
fn short(number: u32) -> String {
    match u64::from(number) {
        whole if whole < 1 << 20 => whole.to_string(),
        power if power.is_power_of_two() => format!("2^{}", power.ilog2()),
        below if (below + 1).is_power_of_two() => format!("2^{} - 1", (below + 1).ilog2()),
        whole => whole.to_string(),
    }
}

/// `a`, `a or b`, `a, b or c`.
fn alternatives(all: &[impl fmt::Display]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl Setting {
    /// What the setting does, the values it accepts, and its default, in one line.
    ///
    /// ```
    /// use bloomwise::{Family, settings::Setting};
    ///
    /// let block = Setting::of(Family::Blocked).find(|setting| setting.name == "block").unwrap();
    /// assert_eq!(block.help(), "bits of a block, 256 or 512 (default: 512)");
    /// ```
    pub fn help(&self) -> String {
        let Setting {
            about,
            values,
            default,
            ..
        } = self;
        let before = match values {
            Values::Word(_) => ":",
            _ => ",",
        };
        format!("{about}{before} {values} (default: {default})")
    }

    /// Returns an error unless a number is valid. Words are checked when they are read.
    pub(crate) fn check(&self, number: impl Into<f64>) -> Result<()> {
        self.check_as(self.name, "a number", number)
    }

    /// [`Setting::check`], with words of its own for the error: the name of the option, and what its numbers are.
    pub(crate) fn check_as(
        &self,
        name: &'static str,
        what: &str,
        number: impl Into<f64>,
    ) -> Result<()> {
        let number: f64 = number.into();
        let (low, high) = match self.values {
            Values::Whole(low, high) => (low.into(), high.into()),
            Values::Real(low, high) => (low, high),
            Values::OneOf(valid) if valid.iter().all(|&one| f64::from(one) != number) => {
                return Err(Error::parameter(name, number, alternatives(valid)));
            }
            Values::OneOf(_) | Values::Word(_) => return Ok(()),
        };
        if (low..=high).contains(&number) {
            return Ok(());
        }
        let expected = format!("{what} from {low} to {high}");
        Err(Error::parameter(name, number, expected))
    }

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
            (Values::Real(low, high), _) => format!("a number from {low} to {high}"),
            (Values::OneOf(_), _) => self.values.to_string(),
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
            default: "the best",
            values: Values::Word(&["single", "mht"]),
            ..share
        };
        assert!(accepts(word, Value::from("mht")) && !accepts(word, Value::Whole(1)));
        let text = word.accept(Value::from("mt")).expect_err("no scheme");
        assert_eq!(text.to_string(), "scheme is \"mt\", expected single or mht");
    }

    #[test]
    fn help_and_checks_name_the_same_values() {
        let setting = |values| Setting {
            values,
            ..UNSEEN_SHARE
        };
        for (values, shown, right, wrong) in [
            (Values::Whole(0, 100), "0 to 100", 100.0, 101.0),
            (Values::Whole(4096, 1 << 30), "4096 to 2^30", 4096.0, 4095.0),
            (Values::Whole(0, u32::MAX), "0 to 2^32 - 1", 0.0, -1.0),
            (Values::Real(0.0, 0.9), "0 to 0.9", 0.9, f64::NAN),
            (Values::OneOf(&[4]), "4", 4.0, 5.0),
            (Values::OneOf(&[1, 2, 4]), "1, 2 or 4", 2.0, 3.0),
        ] {
            assert_eq!(values.to_string(), shown);
            let setting = setting(values);
            assert!(setting.help().contains(&format!(", {shown} (")));
            assert!(setting.check(right).is_ok());
            let text = setting.check(wrong).expect_err("wrong").to_string();
            assert!(text.starts_with("unseen-share is "), "{text}");
        }
        let default = crate::filter::forecast::DEFAULT_UNSEEN_SHARE.to_string();
        assert_eq!(UNSEEN_SHARE.default, default);
        let text = setting(Values::Whole(0, 100)).check_as("the share", "a share", 101);
        let text = text.expect_err("wrong").to_string();
        assert_eq!(text, "the share is 101, expected a share from 0 to 100");
        let words = setting(Values::Word(&["one", "two", "three"])).help();
        assert!(words.contains(": one, two or three (default: "), "{words}");
    }
}
