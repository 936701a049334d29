//! Settings: options of a family by name, for users who choose at run time.
//!
//! A family lists its settings once, each with its values and the setter of its [`Builder`]. [`crate::Spec`], the command line and the
//! bindings derive names, help, checks and the configured builder from that list.

use crate::error::{Error, Result};
use crate::filter::builder::{Buildable, Builder};
use crate::filter::info::Value;
use crate::filter::sizing::MAX_FUNCTIONS;

/// A setting of a family.
///
/// ```
/// use bloomwise::{Family, Setting};
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
/// use bloomwise::{Family, Setting, Values};
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

/// A preset: its name and its setter.
pub type Preset<F> = (&'static str, fn(Builder<F>) -> Builder<F>);

/// A setting and its setter.
#[derive(Debug)]
pub struct Knob<F: Buildable> {
    /// Name, help and values, as users see them.
    pub(crate) setting: Setting,
    /// The setter of the builder.
    set: Setter<F>,
}

/// A setter of a builder.
#[derive(Debug)]
enum Setter<F: Buildable> {
    /// A setter for a whole number.
    Whole(fn(Builder<F>, u32) -> Builder<F>),
    /// A setter for a real number.
    Real(fn(Builder<F>, f64) -> Builder<F>),
    /// A setter for a word.
    Word(fn(Builder<F>, &str) -> Builder<F>),
}

impl<F: Buildable> Knob<F> {
    /// A setting that is a whole number.
    pub(crate) const fn whole(setting: Setting, set: fn(Builder<F>, u32) -> Builder<F>) -> Self {
        let set = Setter::Whole(set);
        Knob { setting, set }
    }

    /// A setting that is a real number.
    pub(crate) const fn real(setting: Setting, set: fn(Builder<F>, f64) -> Builder<F>) -> Self {
        let set = Setter::Real(set);
        Knob { setting, set }
    }

    /// A setting that is a word. The setter is called only with words listed in [`Setting::values`].
    pub(crate) const fn word(setting: Setting, set: fn(Builder<F>, &str) -> Builder<F>) -> Self {
        let set = Setter::Word(set);
        Knob { setting, set }
    }

    /// The builder with this setting. `value` must come from [`Setting::accept`].
    pub(crate) fn apply(&self, builder: Builder<F>, value: &Value) -> Builder<F> {
        match (&self.set, value) {
            (Setter::Whole(set), &Value::Whole(number)) => match u32::try_from(number) {
                Ok(number) => set(builder, number),
                Err(_) => builder,
            },
            (Setter::Real(set), &Value::Real(number)) => set(builder, number),
            (Setter::Word(set), Value::Word(word)) => set(builder, word),
            _ => builder,
        }
    }
}

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
