//! The keys that filters are measured on, held in memory, so that times are those of the filter and not of the disk.
//!
//! A negative that stands among the positives is no negative, whatever a filter says about it: it is left out and
//! counted.

use crate::args::Columns;
use crate::input::{Role, read_keys};
use crate::key_list::KeyList;
use crate::memory;
use anyhow::{Context, Result};
use bloomwise::{Digest, Hashing};
use std::path::Path;

/// What to do about keys that cannot be held.
const TOO_MANY: &str = "the keys do not fit into memory; measure on fewer of them";

/// Positives, known negatives, and negatives that no filter has seen.
pub struct Samples {
    /// Keys of the set.
    pub positives: KeyList,
    /// Known keys outside of it, where there is a file of them.
    pub known: Option<Negatives>,
    /// Unseen keys outside of it, where there is a file of them.
    pub unseen: Option<Negatives>,
    /// Empty keys that were skipped in all files.
    pub skipped: u64,
}

/// Keys outside of the set, and what a false positive on each costs.
#[derive(Default)]
pub struct Negatives {
    /// The keys, each as often as it was given.
    pub keys: KeyList,
    /// Their costs, in the same order.
    pub costs: Vec<f64>,
    /// How many were left out because they are positives.
    pub overlap: u64,
}

impl Samples {
    /// Reads the files.
    pub fn read(
        positives: &Path,
        known: Option<&Path>,
        unseen: Option<&Path>,
        columns: &Columns,
    ) -> Result<Self> {
        // Any hashing would do: digests only tell which keys are the same.
        let hashing = Hashing::default();
        let mut set: Vec<Digest> = Vec::new();
        let mut keys = KeyList::default();
        let counts = read_keys(positives, Role::Members, columns, &mut |key, _| {
            keys.push(key).context(TOO_MANY)?;
            memory::push(&mut set, hashing.digest(key)).context(TOO_MANY)
        })?;
        set.sort_unstable();
        let mut skipped = counts.skipped;
        let mut read = |path: &Path| {
            let mut negatives = Negatives::default();
            let counts = read_keys(path, Role::Negatives, columns, &mut |key, cost| {
                if set.binary_search(&hashing.digest(key)).is_ok() {
                    negatives.overlap += 1;
                    return Ok(());
                }
                negatives.keys.push(key).context(TOO_MANY)?;
                memory::push(&mut negatives.costs, cost).context(TOO_MANY)
            })?;
            skipped += counts.skipped;
            Ok::<_, anyhow::Error>(negatives)
        };
        Ok(Samples {
            positives: keys,
            known: known.map(&mut read).transpose()?,
            unseen: unseen.map(&mut read).transpose()?,
            skipped,
        })
    }

    /// Negatives that were left out because they are positives.
    pub fn overlap(&self) -> u64 {
        let negatives = [&self.known, &self.unseen];
        negatives.into_iter().flatten().map(|n| n.overlap).sum()
    }
}
