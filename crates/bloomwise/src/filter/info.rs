//! Facts about a filter, and the report of a build.

use crate::filter::family::Family;
use crate::filter::profile::{Profile, load_factor};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Facts about a filter.
///
/// ```
/// use bloomwise::{Bloom, Family, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Bloom::builder(Size::BitsPerKey(10.0)).build_from_keys(0..1000)?;
/// let info = filter.info();
/// assert_eq!((info.family, info.keys, info.load_factor()), (Family::Bloom, 1000, Some(1.0)));
/// assert!(info.fill > 0.4 && info.fill < 0.6 && info.predicted_fpr < 0.01);
/// assert!(info.parameter("k").is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Info {
    /// The family.
    pub family: Family,
    /// The number of keys that the filter counts.
    pub keys: u64,
    /// The number of keys that the filter was planned for, if one was given.
    pub capacity: Option<u64>,
    /// The false positive rate that was asked for, if one was.
    pub target_rate: Option<f64>,
    /// The parameters that the filter was built with, and measurements of its current state.
    pub parameters: Vec<Parameter>,
    /// The share of the cells that are in use.
    pub fill: f64,
    /// The false positive rate on unseen keys, predicted from the current state: from the cells, or from the sizes of parts whose cells follow
    /// chance (guarded filters and patches).
    pub predicted_fpr: f64,
}

impl Info {
    /// Info for a filter with this profile.
    pub(crate) fn new(
        family: Family,
        profile: &Profile,
        parameters: Vec<Parameter>,
        fill: f64,
        predicted_fpr: f64,
    ) -> Self {
        Info {
            family,
            keys: profile.keys,
            capacity: profile.capacity,
            target_rate: profile.target_rate,
            parameters,
            fill,
            predicted_fpr,
        }
    }

    /// The value of the parameter `name`.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        let found = self.parameters.iter().find(|known| known.name == name);
        found.map(|parameter| &parameter.value)
    }

    /// The share of the capacity that is in use, if a capacity was given. It is above 1 for a filter beyond its capacity.
    pub fn load_factor(&self) -> Option<f64> {
        load_factor(self.keys, self.capacity)
    }
}

/// A fact about a filter: its name, its value, and how the values of several shards combine.
///
/// ```
/// use bloomwise::info::{Role, Value};
/// use bloomwise::{Blocked, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Blocked::builder(Size::BitsPerKey(10.0)).functions(6).build_from_keys(0..1000)?;
/// let functions = filter.info().parameters.into_iter().find(|parameter| parameter.name == "k").unwrap();
/// assert_eq!((functions.value, functions.role), (Value::Whole(6), Role::Setting));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The value.
    pub value: Value,
    /// How the values of several shards combine.
    pub role: Role,
}

/// How the values of a parameter in several shards combine into one for the whole filter.
///
/// ```
/// use bloomwise::info::Value;
/// use bloomwise::{Family, Filter, KeySets, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new(Family::Blocked).size(Size::Bits(8192)).capacity(1000);
/// let (filter, _) = spec.build_sharded(&KeySets::of_positives(0..1000), 2)?;
/// let info = filter.info();
/// // The bits of both shards add up. Both shards have the same block size.
/// assert_eq!(info.parameter("bits"), Some(&Value::Whole(filter.size_in_bits())));
/// assert_eq!(info.parameter("block"), Some(&Value::Whole(512)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A count. The whole filter has the sum.
    Total,
    /// A choice. The whole filter has it if all shards agree.
    Setting,
    /// A fact about one shard only. The whole filter does not have it.
    Measure,
}

impl Parameter {
    /// A count.
    pub(crate) fn total(name: &'static str, count: u64) -> Self {
        Parameter {
            name,
            value: Value::Whole(count),
            role: Role::Total,
        }
    }

    /// A choice of the user or of the plan.
    pub(crate) fn setting(name: &'static str, value: impl Into<Value>) -> Self {
        Parameter {
            name,
            value: value.into(),
            role: Role::Setting,
        }
    }

    /// A measurement, or a value computed from other parameters.
    pub(crate) fn measure(name: &'static str, value: impl Into<Value>) -> Self {
        Parameter {
            name,
            value: value.into(),
            role: Role::Measure,
        }
    }
}

/// Serialized as name and value.
#[cfg(feature = "serde")]
impl serde::Serialize for Parameter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.name, &self.value).serialize(serializer)
    }
}

/// What the build of a filter did, beyond the facts that the filter itself knows.
///
/// ```
/// use bloomwise::{Guarded, KeySets, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let sets = KeySets::new(0..1000, (1000..2000).map(|key| (key, 1.0)))?;
/// let (_, report) = Guarded::builder(Size::BitsPerKey(10.0)).build_and_report(&sets)?;
/// assert_eq!((report.guarded, report.wrong), (1000, Some(0)));
/// assert!(report.named().iter().any(|(name, _)| *name == "wrong"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// The number of known negatives for which the build has verified that the filter denies them.
    pub guarded: u64,
    /// How many known negatives are false positives, if the build has checked all of them.
    pub wrong: Option<u64>,
    /// The share of the cost of all known negatives that these false positives have.
    pub weighted_fpr: Option<f64>,
    /// The size at which no known negative would be a false positive, if some are and the family can predict it.
    pub exact_bits_per_key: Option<f64>,
    /// Further facts that only this family has: name and value.
    pub facts: Vec<(&'static str, Value)>,
}

/// The order in which a report is printed. Other facts come last.
const ORDER: [&str; 12] = [
    "collisions",
    "adjusted_keys",
    "survivors",
    "chosen",
    "wrong",
    "wrong_no_owner",
    "wrong_does_not_fit",
    "wrong_too_costly",
    "wrong_disturbed",
    "passes_made",
    "cells_used",
    "weighted_fpr",
];

impl Report {
    /// All facts except `guarded`, with the names that the command line prints. Code should read the fields instead.
    pub fn named(&self) -> Vec<(&'static str, Value)> {
        let real = |(name, number): (_, Option<f64>)| Some((name, Value::Real(number?)));
        let reals = [
            ("weighted_fpr", self.weighted_fpr),
            ("exact_bits_per_key", self.exact_bits_per_key),
        ];
        let mut named = self.facts.clone();
        named.extend(self.wrong.map(|wrong| ("wrong", Value::Whole(wrong))));
        named.extend(reals.into_iter().filter_map(real));
        let place = |name| ORDER.iter().position(|known| *known == name);
        named.sort_by_key(|&(name, _)| place(name).unwrap_or(ORDER.len()));
        named
    }
}

/// The value of a parameter or of a setting.
///
/// ```
/// use bloomwise::info::Value;
///
/// assert_eq!(Value::from(6), Value::Whole(6));
/// assert_eq!("0.5".parse(), Ok(Value::Real(0.5)));
/// assert_eq!("mht".parse(), Ok(Value::from("mht")));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(untagged)
)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A real number.
    Real(f64),
    /// A word.
    Word(Cow<'static, str>),
}

impl Value {
    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Whole(n) => Some(*n as f64),
            Value::Real(x) => Some(*x),
            Value::Word(_) => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Whole(n) => Some(*n),
            Value::Real(_) | Value::Word(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(n) => n.fmt(f),
            Value::Real(x) => x.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

/// Reads a whole number, a real number, or else a word; every text is a value.
impl FromStr for Value {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let whole = text.parse().ok().map(Value::Whole);
        let real = || text.parse().ok().map(Value::Real);
        let word = || Value::Word(Cow::Owned(text.to_string()));
        Ok(whole.or_else(real).unwrap_or_else(word))
    }
}

// The only integer type with a conversion, so that a plain `6` has this type.
impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Whole(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Real(number)
    }
}

impl From<&'static str> for Value {
    fn from(word: &'static str) -> Self {
        Value::Word(Cow::Borrowed(word))
    }
}

impl From<String> for Value {
    fn from(word: String) -> Self {
        Value::Word(Cow::Owned(word))
    }
}
