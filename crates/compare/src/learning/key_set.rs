//! The keys that are present.

use crate::input::Columns;
use crate::input::{Role, name, read_keys};
use crate::key_list::KeyList;
use anyhow::{Context, Result, bail};
use bloomwise::keys::{Digest, Digests};
use bloomwise::learn::ExactSet;
use bloomwise::{AnyFilter, Filter, Hashing};
use std::path::Path;

/// The error if memory runs out.
const TOO_MANY: &str =
    "the digests of the positives do not fit into memory; build a filter of them and use --filter";

/// Tells present keys from absent ones.
pub enum KeySet {
    /// Exactly.
    Exact(ExactSet),
    /// As a filter answers: it takes some absent keys for present ones.
    Filter(Box<AnyFilter>),
    /// Nothing is known of the set: the sketches were made without its keys.
    Unknown,
}

impl KeySet {
    /// The keys in a file. Their digests are in memory, 18 bytes each.
    pub fn read(positives: &Path, columns: &Columns) -> Result<Self> {
        let hashing = Hashing::default();
        let mut digests: Vec<Digest> = Vec::new();
        read_keys(positives, Role::Keys, columns, &mut |key, _| {
            digests.try_reserve(1).context(TOO_MANY)?;
            digests.push(hashing.digest(key));
            Ok(())
        })?;
        if digests.is_empty() {
            let name = name(positives);
            bail!("{name} has no keys; name a file with the keys of the set");
        }
        let digests = Digests::from_raw(hashing, digests);
        Ok(KeySet::Exact(ExactSet::new(digests).context(TOO_MANY)?))
    }

    /// These keys.
    pub fn of(positives: &KeyList) -> Result<Self> {
        let digests = Digests::of(Hashing::default(), positives.iter());
        Ok(KeySet::Exact(ExactSet::new(digests).context(TOO_MANY)?))
    }

    /// Whether a key is present.
    pub fn has(&self, key: &[u8]) -> bool {
        match self {
            KeySet::Exact(members) => members.contains(key),
            KeySet::Filter(filter) => filter.contains(key),
            KeySet::Unknown => false,
        }
    }

    /// Whether each key is present. `digests` are those of the default hashing.
    pub fn contains(&self, keys: &[&[u8]], digests: &Digests<'_>) -> Result<Vec<bool>> {
        Ok(match self {
            KeySet::Exact(members) => members.contains_digests(digests)?,
            KeySet::Filter(filter) if filter.hashing() == digests.hashing() => {
                filter.contains_digests(digests)?
            }
            KeySet::Filter(filter) => filter.contains_batch(keys),
            KeySet::Unknown => vec![false; keys.len()],
        })
    }
}
