//! A spec in JSON, TOML and the like: names, numbers, and a map of settings.
//!
//! Reading calls [`Spec::set`] and [`Spec::preset`], so it makes the same checks as they do.

use super::Spec;
use crate::error::Error;
use crate::filter::family::Family;
use crate::filter::info::Value;
use crate::filter::sizing::Size;
use crate::keys::hash::Hashing;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fields of a serialized spec.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    /// The family.
    kind: Family,
    /// The size.
    size: Size,
    /// The number of keys to plan for, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
    /// How keys are hashed, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hashing: Option<Hashing>,
    /// The name of the preset, if one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preset: Option<String>,
    /// The settings that were set, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<String, Value>,
}

impl From<Spec> for Fields {
    fn from(spec: Spec) -> Self {
        let settings = spec.values.into_iter();
        Fields {
            kind: spec.family,
            size: spec.size,
            capacity: spec.capacity,
            hashing: spec.hashing,
            preset: spec.preset.map(str::to_string),
            settings: settings
                .map(|(name, value)| (name.to_string(), value))
                .collect(),
        }
    }
}

impl TryFrom<Fields> for Spec {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self, Error> {
        let mut spec = Spec::new(fields.kind).size(fields.size);
        spec.capacity = fields.capacity;
        spec.hashing = fields.hashing;
        if let Some(preset) = fields.preset {
            spec = spec.preset(&preset)?;
        }
        let mut settings = fields.settings.into_iter();
        settings.try_fold(spec, |spec, (name, value)| spec.set(&name, value))
    }
}

impl Serialize for Family {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Family {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// As the text that `FromStr` reads. It contains the key of SipHash.
impl Serialize for Hashing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Hashing::Xxh3 { seed } => serializer.collect_str(&format_args!("xxh3:{seed}")),
            Hashing::SipHash { key } => serializer.collect_str(&format_args!("siphash:{key:032x}")),
        }
    }
}

impl<'de> Deserialize<'de> for Hashing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_survives_the_way_through_json() {
        let spec = Spec::new(Family::HabfFast)
            .size(Size::BitsPerKey(8.5))
            .capacity(9);
        let spec = spec
            .hashing(Hashing::SipHash { key: 77 })
            .preset("paper")
            .expect("it has one");
        let spec = spec
            .set("k", 4)
            .and_then(|spec| spec.set("ratio", 0.25))
            .expect("sound");
        let json = serde_json::to_string(&spec).expect("can be written");
        assert_eq!(
            json,
            r#"{"kind":"habf-fast","size":{"bits_per_key":8.5},"capacity":9,"hashing":"siphash:0000000000000000000000000000004d","preset":"paper","settings":{"k":4,"ratio":0.25}}"#
        );
        assert_eq!(
            serde_json::from_str::<Spec>(&json).expect("can be read"),
            spec
        );
    }

    #[test]
    fn impossible_spec_is_an_error_that_says_why() {
        for (json, why) in [
            (r#"{"kind":"blom","size":{"bits":64}}"#, "there is no kind"),
            (
                r#"{"kind":"bloom","size":{"bits":64},"settings":{"k":99}}"#,
                "from 1 to 32",
            ),
            (
                r#"{"kind":"bloom","size":{"bits":64},"preset":"paper"}"#,
                "no preset",
            ),
            (
                r#"{"kind":"bloom","size":{"bits":64},"seed":1}"#,
                "unknown field",
            ),
            (
                r#"{"kind":"bloom","size":{"bits":64},"hashing":"md5"}"#,
                "xxh3",
            ),
        ] {
            let error = serde_json::from_str::<Spec>(json)
                .expect_err("no spec")
                .to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
