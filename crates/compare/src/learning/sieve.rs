//! Lets the events of absent keys through.
//!
//! Events are handled in batches, which are several times as fast as single look-ups in large tables.

use super::KeySet;
use crate::Result;
use crate::keys::KeyList;
use bloomwise::Hashing;
use bloomwise::keys::{Digest, Digests};
use std::io;

/// The number of events in a batch.
const BATCH: usize = 1 << 10;

/// A batch of events, and the keys that are present.
pub struct Sieve<'a> {
    set: &'a KeySet,
    /// The keys of the batch, their digests and their costs.
    keys: KeyList,
    digests: Vec<Digest>,
    costs: Vec<f64>,
}

impl<'a> Sieve<'a> {
    /// An empty batch.
    pub fn new(set: &'a KeySet) -> Self {
        Sieve {
            set,
            keys: KeyList::default(),
            digests: Vec::with_capacity(BATCH),
            costs: Vec::with_capacity(BATCH),
        }
    }

    /// The keys that are present.
    pub fn set(&self) -> &'a KeySet {
        self.set
    }

    /// Adds an event. Returns whether the batch is full, or an error if there is not enough memory.
    pub fn push(&mut self, key: &[u8], cost: f64) -> io::Result<bool> {
        self.keys.push(key)?;
        self.digests.push(Hashing::default().digest(key));
        self.costs.push(cost);
        Ok(self.costs.len() >= BATCH)
    }

    /// The digests of all keys of the batch, by the default hashing.
    pub fn digests(&self) -> &[Digest] {
        &self.digests
    }

    /// The events of the batch whose keys are absent.
    pub fn absent(&self) -> Result<Vec<(&[u8], f64)>> {
        let keys: Vec<&[u8]> = self.keys.iter().collect();
        let digests = Digests::from_raw(Hashing::default(), &self.digests[..]);
        let present = self.set.contains(&keys, &digests)?;
        let events = keys.into_iter().zip(self.costs.iter().copied());
        let absent = events.zip(present).filter(|(_, present)| !present);
        Ok(absent.map(|(event, _)| event).collect())
    }

    /// Empties the batch.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.digests.clear();
        self.costs.clear();
    }
}
