//! A filter described by data: its family, its size, and settings by name.
//!
//! Front ends fill in a [`Spec`]. Settings are checked when they are set: the error for an unknown setting lists the
//! known ones, and the error for an impossible value lists the possible ones. Builds check size and capacity. [`Spec::build`] makes the filter of a
//! set that is completely known. [`Spec::create`] makes an empty filter to insert into, for sets that are too large to hold
//! or that change.

mod division;
#[cfg(feature = "serde")]
mod serialized;
mod shards;

#[cfg(feature = "mmap")]
pub(crate) use division::{Division, add_up};

use crate::choose::makers::Makers;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::did_you_mean::did_you_mean;
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Report, Value};
use crate::filter::setting::Setting;
use crate::filter::sizing::Size;
use crate::keys::hash::Hashing;
use crate::keys::key::Key;
use crate::keys::sets::KeySets;

/// A name from a family's table. With the type alias, Serde does not take it for a reference that it could borrow from its input.
type Name = &'static str;

/// A description of a filter: a family, a size and settings.
///
/// ```
/// use bloomwise::{Family, Filter, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new(Family::Blocked).size(Size::BitsPerKey(12.0)).set("k", 6)?;
/// let filter = spec.build_from_keys(["ant", "bee", "cow"])?;
/// assert!(filter.contains("bee"));
///
/// let error = Spec::new(Family::Bloom).set("blocks", 9).unwrap_err();
/// assert_eq!(error.to_string(), "bloom has no setting \"blocks\"; it has: k");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "serialized::Fields", into = "serialized::Fields")
)]
pub struct Spec {
    /// The family.
    pub(super) family: Family,
    /// The size of the filter.
    pub(super) size: Size,
    /// The number of keys to plan for, if given.
    pub(super) capacity: Option<u64>,
    /// How keys are hashed, if given.
    pub(super) hashing: Option<Hashing>,
    /// The settings, sorted by name, so that the order of the calls does not matter.
    values: Vec<(&'static str, Value)>,
    /// The name of the preset, if one was chosen.
    pub(super) preset: Option<Name>,
}

impl Spec {
    /// A spec for a filter of this family, at 10 bits per key.
    pub fn new(family: Family) -> Self {
        Spec {
            family,
            size: Size::BitsPerKey(10.0),
            capacity: None,
            hashing: None,
            values: Vec::new(),
            preset: None,
        }
    }

    /// The size of the filter.
    pub fn size(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// The number of keys to plan for; by default the number of keys that the filter is built from.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// How [`Spec::create`], [`Spec::build_from_keys`] and [`Spec::build_from`] hash keys; by default XXH3 with seed 0.
    /// [`Spec::build`] uses the hashing of its sets. It returns an error if another one is given here.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = Some(hashing);
        self
    }

    /// Sets one of the family's settings, see [`Setting::of`].
    ///
    /// # Errors
    ///
    /// The family has no setting of this name, or the setting does not take this value.
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Result<Self> {
        let mut known = Setting::of(self.family);
        let Some(setting) = known.find(|setting| setting.name == name) else {
            let known = Setting::of(self.family);
            let valid: Vec<_> = known.map(|setting| setting.name).collect();
            return Err(self.unknown("setting", name, &valid));
        };
        let value = setting.accept(value.into())?;
        let by_name = |(set, _): &(&str, Value)| set.cmp(&setting.name);
        match self.values.binary_search_by(by_name) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (setting.name, value)),
        }
        Ok(self)
    }

    /// Chooses a named preset. Settings override it. `habf`, `habf-fast` and `habf-cache` have the preset `paper`, the
    /// parameters of the paper.
    ///
    /// # Errors
    ///
    /// The family has no preset of this name.
    pub fn preset(mut self, name: &str) -> Result<Self> {
        let known = (Makers::of(self.family).presets)();
        self.preset = known.iter().copied().find(|preset| *preset == name);
        if self.preset.is_none() {
            return Err(self.unknown("preset", name, &known));
        }
        Ok(self)
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The hashing of [`Spec::create`] and [`Spec::build_from`]: the one that was set, or the default.
    pub fn chosen_hashing(&self) -> Hashing {
        self.hashing.unwrap_or_default()
    }

    /// Predicts what the filter for a workload will do, without building it.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these settings.
    pub fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        (Makers::of(self.family).forecast)(self, workload)
    }

    /// An empty filter to insert into.
    ///
    /// # Errors
    ///
    /// The family has a fixed set; the size depends on the number of keys and no capacity was given; no filter can have
    /// this size or these settings; or there is not enough memory.
    pub fn create(&self) -> Result<AnyFilter> {
        (Makers::of(self.family).create)(self)
    }

    /// The filter of these sets.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these settings; there is not enough memory; the hashing of the sets is not the one given to
    /// [`Spec::hashing`]; or there are no keys and no capacity, and the family accepts keys later ([`Error::NoCapacity`]).
    pub fn build(&self, sets: &KeySets) -> Result<AnyFilter> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of these sets, and what the build did.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(AnyFilter, Report)> {
        (Makers::of(self.family).build)(self, sets)
    }

    /// The filter of these keys, without known negatives.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`].
    pub fn build_from_keys<K: Key>(&self, keys: impl IntoIterator<Item = K>) -> Result<AnyFilter> {
        self.build_from(keys, std::iter::empty::<(&[u8], f64)>())
    }

    /// The filter of these keys and known negatives, each with the cost of a false positive on it.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`]; or a cost is negative, infinite or not a number.
    pub fn build_from<K: Key, N: Key>(
        &self,
        keys: impl IntoIterator<Item = K>,
        negatives: impl IntoIterator<Item = (N, f64)>,
    ) -> Result<AnyFilter> {
        let mut sets = KeySets::builder(self.chosen_hashing());
        sets.positives(keys).negatives(negatives);
        self.build(&sets.build()?)
    }

    /// The value of a setting, if it was set.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        let set = self.values.iter().find(|(set, _)| *set == name);
        set.map(|(_, value)| value)
    }

    fn unknown(&self, what: &'static str, got: &str, valid: &[&'static str]) -> Error {
        Error::UnknownName {
            family: self.family.name(),
            what,
            got: got.to_string(),
            closest: did_you_mean(got, valid.iter().copied()),
            valid: match valid {
                [] => "none".to_string(),
                names => names.join(", "),
            },
        }
    }
}
