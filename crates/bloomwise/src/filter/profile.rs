//! The facts that every filter keeps in addition to its cells: its hashing, its number of keys, and what it was planned for.

use crate::filter::sizing::Size;
use crate::keys::hash::Hashing;

/// The facts that all families store in memory and in files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// How keys are hashed.
    pub hashing: Hashing,
    /// The number of keys, as the family counts them.
    pub keys: u64,
    /// The number of keys that the filter was planned for, if one was given. It is not 0.
    pub capacity: Option<u64>,
    /// The false positive rate that was asked for, if one was. It is above 0 and below 1.
    pub target_rate: Option<f64>,
}

/// The share of a capacity that `keys` keys use; above 1 for a filter beyond its capacity.
pub fn load_factor(keys: u64, capacity: Option<u64>) -> Option<f64> {
    Some(keys as f64 / capacity?.max(1) as f64)
}

impl Profile {
    /// The profile of an empty filter planned for `capacity` keys and `size`.
    pub fn new(hashing: Hashing, capacity: u64, size: Size) -> Self {
        Profile {
            hashing,
            keys: 0,
            capacity: Some(capacity).filter(|&keys| keys > 0),
            target_rate: match size {
                Size::Rate(rate) => Some(rate),
                Size::Bits(_) | Size::BitsPerKey(_) => None,
            },
        }
    }

    /// Counts added keys. A file may state any number, so the count saturates.
    pub fn add_keys(&mut self, count: usize) {
        self.keys = self.keys.saturating_add(count as u64);
    }

    /// Counts a removed key, if `removed` is true.
    pub fn remove_key(&mut self, removed: bool) {
        self.keys = self.keys.saturating_sub(u64::from(removed));
    }
}
