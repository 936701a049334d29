//! The keys that are present.

use crate::host::Host;
use crate::input::{Columns, Input, Role, name, read};
use crate::keys::KeyList;
use crate::{Error, Message, Result, Setting};
use bloomwise::keys::{Digest, Digests};
use bloomwise::learn::ExactSet;
use bloomwise::{AnyFilter, Filter, Hashing};
use std::path::Path;

/// The advice if memory runs out.
fn too_many() -> Message {
    Message::from(
        "the digests of the positives do not fit into memory; build a filter of them and use ",
    ) + Setting::named("filter")
}

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
    pub fn read(positives: &Path, columns: &Columns, host: &dyn Host) -> Result<Self> {
        let hashing = Hashing::default();
        let mut digests: Vec<Digest> = Vec::new();
        let input = Input::file(positives);
        read(input, Role::Keys, columns, host, |key, _| -> Result<()> {
            (digests.try_reserve(1)).map_err(Error::memory(too_many()))?;
            digests.push(hashing.digest(key));
            Ok(())
        })?;
        if digests.is_empty() {
            let name = name(positives);
            return Err(Error::invalid(format!(
                "{name} has no keys; name a file with the keys of the set"
            )));
        }
        let digests = Digests::from_raw(hashing, digests);
        Self::of_digests(digests)
    }

    /// These keys.
    pub fn of(positives: &KeyList) -> Result<Self> {
        let digests = Digests::of(Hashing::default(), positives.iter());
        Self::of_digests(digests)
    }

    /// The keys with these digests.
    fn of_digests(digests: Digests<'_>) -> Result<Self> {
        let members = ExactSet::new(digests).map_err(Error::memory(too_many()))?;
        Ok(KeySet::Exact(members))
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
