//! Arguments that say which filter to build.

use super::{HashName, SizeArgs, parse_seed};
use anyhow::Result;
use bloomwise::info::Value;
use bloomwise::{Family, Hashing, Size, Spec};
use bloomwise_compare::parse_setting;

/// The size of a filter, its settings, and how it hashes keys.
#[derive(clap::Args)]
pub struct SpecArgs {
    /// The size of the filter.
    #[command(flatten)]
    size: SizeArgs,
    /// Preset of the kind: a named group of settings
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Setting of the kind (see below); may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, Value)>,
    /// Seed of the hash function, decimal or 0x…: 64 bits for xxh3 (default: 0), 128 for siphash (default: random)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// Hash function; use siphash if an attacker may choose keys to cause false positives
    #[arg(long, value_enum, value_name = "NAME", default_value = "xxh3")]
    hash: HashName,
}

impl SpecArgs {
    /// The size of the filter.
    pub fn size(&self) -> Result<Size> {
        self.size.size()
    }

    /// How the filter hashes keys. A random key differs from call to call.
    pub fn hashing(&self) -> Result<Hashing> {
        self.hash.hashing(self.seed)
    }

    /// Whether the hashing has a secret key that is random.
    pub fn has_random_key(&self) -> bool {
        matches!(self.hash, HashName::Siphash) && self.seed.is_none()
    }

    /// Whether there are settings that only some kinds have.
    pub fn has_settings(&self) -> bool {
        !self.settings.is_empty() || self.preset.is_some()
    }

    /// The filter of this kind.
    pub fn spec(&self, family: Family, hashing: Hashing) -> Result<Spec> {
        let mut spec = Spec::new(family).size(self.size()?).hashing(hashing);
        if let Some(preset) = &self.preset {
            spec = spec.preset(preset)?;
        }
        for (name, value) in &self.settings {
            spec = spec.set(name, value.clone())?;
        }
        Ok(spec)
    }
}
