//! Lets the events of absent keys through.
//!
//! Events are handled in batches, which are several times as fast as single look-ups in large tables.

use super::KeySet;
use crate::io::key_list::KeyList;
use std::io;

/// The number of events in a batch.
const BATCH: usize = 1 << 10;

/// A batch of events, and the keys that are present.
pub struct Sieve<'a> {
    set: &'a KeySet,
    /// The keys of the batch, and their costs.
    keys: KeyList,
    costs: Vec<f64>,
}

impl<'a> Sieve<'a> {
    /// An empty batch.
    pub fn new(set: &'a KeySet) -> Self {
        Sieve {
            set,
            keys: KeyList::default(),
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
        self.costs.push(cost);
        Ok(self.costs.len() >= BATCH)
    }

    /// The events of the batch whose keys are absent.
    pub fn absent(&self) -> Vec<(&[u8], f64)> {
        let keys: Vec<&[u8]> = self.keys.iter().collect();
        let present = self.set.contains(&keys);
        let events = keys.into_iter().zip(self.costs.iter().copied());
        let events = events.zip(present);
        events
            .filter_map(|(event, present)| (!present).then_some(event))
            .collect()
    }

    /// Empties the batch.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.costs.clear();
    }
}
