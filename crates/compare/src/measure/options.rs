//! What to compare: kinds, sizes, hashing and settings.

use crate::{Error, Message, Result};
use bloomwise::info::Value;
use bloomwise::settings::Setting;
use bloomwise::{Family, Hashing, Size, Spec};
use std::collections::BTreeSet;

/// What to compare.
pub struct Options {
    /// The kinds of filters.
    pub kinds: Vec<Family>,
    /// The budgets in bits per key, in ascending order.
    pub budgets: Vec<f64>,
    /// How keys are hashed.
    pub hashing: Hashing,
    /// Settings, for the kinds that have them.
    pub settings: Vec<(String, Value)>,
}

impl Options {
    /// The filter of this kind and size.
    pub fn spec(&self, kind: Family, size: Size) -> bloomwise::Result<Spec> {
        let spec = Spec::new(kind).size(size).hashing(self.hashing);
        let mut settings = self.settings_of(kind);
        settings.try_fold(spec, |spec, (name, value)| spec.set(name, value.clone()))
    }

    /// The settings that this kind has.
    pub fn settings_of(&self, kind: Family) -> impl Iterator<Item = &(String, Value)> {
        let has = move |name: &str| Setting::of(kind).any(|setting| setting.name == name);
        self.settings.iter().filter(move |(name, _)| has(name))
    }

    /// An error unless each setting is valid for the kinds that have it, and one of the kinds does.
    pub fn check(&self) -> Result<()> {
        for (name, _) in &self.settings {
            let all = self.kinds.iter().flat_map(|&kind| Setting::of(kind));
            if !all.clone().any(|setting| setting.name == name) {
                let valid: BTreeSet<&str> = all.map(|setting| setting.name).collect();
                let valid: Vec<&str> = valid.into_iter().collect();
                return Err(Error::Invalid(
                    Message::from(crate::Setting::named("settings"))
                        + format!(
                            ": no kind that is compared has a setting {name:?}; they have: {}",
                            valid.join(", ")
                        ),
                ));
            }
        }
        let mut kinds = self.kinds.iter();
        kinds.try_for_each(|&kind| Ok(self.spec(kind, Size::BitsPerKey(10.0)).map(|_| ())?))
    }
}

/// The kinds that are compared by default: those that make sense at equal size.
pub fn default_kinds() -> Vec<Family> {
    vec![
        Family::Bloom,
        Family::Blocked,
        Family::Habf,
        Family::HabfFast,
        Family::HabfCache,
        Family::Balanced,
        Family::Guarded,
        Family::Cuckoo,
    ]
}

/// Parses the setting of a kind, `NAME=VALUE`. The value is a whole number, a real number or a word.
pub fn parse_setting(text: &str) -> Result<(String, Value)> {
    let (name, value) =
        (text.split_once('=')).ok_or_else(|| Error::invalid("expected NAME=VALUE"))?;
    let Ok(value) = value.parse::<Value>();
    Ok((name.to_string(), value))
}
