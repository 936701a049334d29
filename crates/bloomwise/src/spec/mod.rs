//! A filter wished for in words: the family by its name, its settings as text, its size.
//!
//! This is what front ends fill in. Everything is checked where it is said: an unknown family or setting is an error
//! that lists the known ones, a value that cannot be is an error that says which can. [`Spec::build`] makes the filter
//! of a set that is known as a whole; [`Spec::create`] makes an empty one to insert into, for sets that are too large
//! to hold or that change.

mod make;
mod setting;

pub use setting::Setting;

use crate::any::AnyFilter;
use crate::error::{Error, Result};
use crate::family::{Family, Operation};
use crate::filter::{Report, Value};
use crate::hash::Hashing;
use crate::key::KeySets;
use crate::sizing::Size;

/// A family, a size and settings, from which filters are made.
///
/// ```
/// use bloomwise::{Filter, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new("blocked")?.size(Size::BitsPerKey(12.0)).set("k", "6")?;
/// let filter = spec.build_from_keys(["ant", "bee", "cow"])?;
/// assert!(filter.contains(b"bee"));
///
/// let error = Spec::new("bloom")?.set("blocks", "9").unwrap_err();
/// assert_eq!(error.to_string(), "bloom has no setting \"blocks\"; it has: k");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    family: Family,
    size: Size,
    capacity: Option<u64>,
    hashing: Hashing,
    /// Values that were set, by the name of the setting.
    values: Vec<(&'static str, Value)>,
    /// Whether the preset `paper` was taken.
    paper: bool,
}

impl Spec {
    /// The family of this name, at 10 bits per key.
    ///
    /// # Errors
    ///
    /// There is no such family.
    pub fn new(family: &str) -> Result<Self> {
        Ok(Spec {
            family: family.parse()?,
            size: Size::BitsPerKey(10.0),
            capacity: None,
            hashing: Hashing::default(),
            values: Vec::new(),
            paper: false,
        })
    }

    /// How large the filter shall be.
    pub fn size(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// For how many keys it shall be planned; without this, for those it is built from.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// How keys are hashed.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// Sets one of the family's settings, see [`Setting::of`].
    ///
    /// # Errors
    ///
    /// The family has no such setting, or the setting no such value.
    pub fn set(mut self, name: &str, value: &str) -> Result<Self> {
        let known = Setting::of(self.family);
        let Some(setting) = known.iter().find(|setting| setting.name == name) else {
            let valid: Vec<_> = known.iter().map(|setting| setting.name).collect();
            return Err(Error::UnknownName {
                family: self.family.name(),
                what: "setting",
                got: name.to_string(),
                valid: valid.join(", "),
            });
        };
        let value = setting.parse(value)?;
        self.values.retain(|(set, _)| *set != setting.name);
        self.values.push((setting.name, value));
        Ok(self)
    }

    /// Takes over a named preset; settings that are set stay as they are. `habf`, `habf-fast` and `habf-cache` have
    /// `paper`, the setting of the paper.
    ///
    /// # Errors
    ///
    /// The family has no such preset.
    pub fn preset(mut self, name: &str) -> Result<Self> {
        let presets: &[&str] = match self.family {
            Family::Habf | Family::HabfFast | Family::HabfCache => &["paper"],
            _ => &[],
        };
        if !presets.contains(&name) {
            let valid = if presets.is_empty() { "none" } else { "paper" };
            return Err(Error::UnknownName {
                family: self.family.name(),
                what: "preset",
                got: name.to_string(),
                valid: valid.to_string(),
            });
        }
        self.paper = true;
        Ok(self)
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// How keys are to be hashed for [`Spec::build`].
    pub fn chosen_hashing(&self) -> Hashing {
        self.hashing
    }

    /// An empty filter to insert into.
    ///
    /// # Errors
    ///
    /// The family has a fixed set; the size needs a capacity and none was given; no filter can have this size; there is no
    /// memory for it.
    pub fn create(&self) -> Result<AnyFilter> {
        self.family.check(Operation::Insert)?;
        let capacity = match (self.capacity, self.size) {
            (Some(capacity), _) => capacity,
            // Blocks that are filled evenly need to know to what level.
            (None, Size::Bits(_))
                if self.value("k").is_some() && self.family != Family::Balanced =>
            {
                0
            }
            (None, _) => {
                let expected = "the number of keys the filter shall hold";
                return Err(Error::parameter("the capacity", "not given", expected));
            }
        };
        self.plan(capacity)
    }

    /// The filter of a set.
    ///
    /// # Errors
    ///
    /// No filter can have this size; there is no memory for it.
    pub fn build(&self, sets: &KeySets) -> Result<AnyFilter> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of a set, and what there is to tell about its making.
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(AnyFilter, Report)> {
        match self.family {
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                let (filter, report) = self.habf().build_and_report(sets)?;
                Ok((AnyFilter::Habf(filter), report))
            }
            Family::Seesaw | Family::SeesawAdaptive => {
                let keys = sets.positives().len() as u64;
                let builder = self.seesaw(self.capacity.unwrap_or(keys));
                let (filter, report) = builder.build_and_report(sets)?;
                Ok((AnyFilter::Seesaw(filter), report))
            }
            Family::Guarded => {
                let (filter, report) = self.guarded().build_and_report(sets)?;
                Ok((AnyFilter::Guarded(filter), report))
            }
            _ => {
                let keys = sets.positives().len() as u64;
                let mut filter = self.plan(self.capacity.unwrap_or(keys))?;
                filter.insert_digests(sets.positives())?;
                let report = Report {
                    guarded: 0,
                    facts: filter.facts(),
                };
                Ok((filter, report))
            }
        }
    }

    /// The filter of these keys; without known negatives.
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`].
    pub fn build_from_keys<K: AsRef<[u8]>>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<AnyFilter> {
        let digests = keys
            .into_iter()
            .map(|key| self.hashing.digest(key.as_ref()));
        self.build(&KeySets::new(digests.collect(), Vec::new())?)
    }
}
