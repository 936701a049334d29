//! Reads the digests of all keys of some files into memory.

use super::Sources;
use crate::io::keys::read_keys;
use anyhow::{Context, Result};
use bloomwise::keys::KeySetsBuilder;
use bloomwise::{Hashing, KeySets};
use bloomwise_compare::input::Role;
use bloomwise_compare::keys::memory;

/// Reads the digests of all keys into memory. `too_many` is the error if memory runs out.
pub fn read_digests(
    hashing: Hashing,
    sources: &Sources<'_>,
    too_many: &'static str,
) -> Result<KeySetsBuilder> {
    let mut sets = KeySets::builder(hashing);
    let (path, columns) = (sources.positives, sources.columns);
    read_keys(path, Role::Keys, columns, |key, _| {
        memory::try_add_positive(&mut sets, key).context(too_many)
    })?;
    if let Some(path) = sources.negatives {
        read_keys(path, Role::Negatives, columns, |key, cost| {
            memory::try_add_negative(&mut sets, key, cost).context(too_many)
        })?;
    }
    Ok(sets)
}
