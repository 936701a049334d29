//! Totals over all keys, for `INFO bloomwise`.
//!
//! Each value of a key holds a [`Share`] of the totals, and gives it back when it is freed, in the background or not.

use bloomwise::Family;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that counts up and down.
#[derive(Debug, Default)]
pub struct Total(AtomicU64);

impl Total {
    /// Zero.
    const fn new() -> Self {
        Total(AtomicU64::new(0))
    }

    /// The total.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds to the total.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Takes from the total.
    fn sub(&self, less: u64) {
        self.0.fetch_sub(less, Ordering::Relaxed);
    }
}

/// Bytes of all filters and of parts that were loaded so far.
pub static BYTES: Total = Total::new();

/// Keys that are being loaded.
pub static LOADING: Total = Total::new();

/// Keys of each kind.
static KEYS: [Total; Family::ALL.len()] = [const { Total::new() }; Family::ALL.len()];

/// Reports of misses that a filter has taken.
pub static MISSES: Total = Total::new();

/// Reports of misses that were refused, because the item may have been inserted meanwhile.
pub static REFUSED: Total = Total::new();

/// How often a limit has refused memory.
pub static TOO_LARGE: Total = Total::new();

/// The kinds, with the number of keys of each.
pub fn kinds() -> impl Iterator<Item = (Family, u64)> {
    Family::ALL.into_iter().zip(KEYS.iter().map(Total::get))
}

/// What one key adds to the totals.
#[derive(Debug, Default)]
pub struct Share {
    /// Its kind; `None` if it is being loaded.
    kind: Option<Family>,
    /// Whether it was counted.
    counted: bool,
    /// Its bytes.
    bytes: u64,
}

impl Share {
    /// Replaces what the key adds to the totals.
    pub fn set(&mut self, kind: Option<Family>, bytes: u64) {
        if !self.counted || self.kind != kind {
            self.leave();
            keys_of(kind).add(1);
            self.kind = kind;
            self.counted = true;
        }
        if self.bytes != bytes {
            BYTES.add(bytes);
            BYTES.sub(self.bytes);
            self.bytes = bytes;
        }
    }

    /// Takes the key from the number of keys.
    fn leave(&mut self) {
        if self.counted {
            keys_of(self.kind).sub(1);
        }
        self.counted = false;
    }
}

/// The number of keys of a kind, or of those that are being loaded.
fn keys_of(kind: Option<Family>) -> &'static Total {
    let at = |kind| Family::ALL.into_iter().position(|other| other == kind);
    kind.and_then(at).map_or(&LOADING, |at| &KEYS[at])
}

impl Drop for Share {
    fn drop(&mut self) {
        self.leave();
        BYTES.sub(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_are_given_back() {
        let of = |kind| {
            kinds()
                .find(|(other, _)| *other == kind)
                .map_or(0, |(_, keys)| keys)
        };
        // Other tests do not count this kind.
        let kind = Family::PersonalizedRejecting;
        let mut share = Share::default();
        share.set(Some(kind), 10);
        share.set(Some(kind), 30);
        let other = {
            let mut other = Share::default();
            other.set(Some(kind), 5);
            other
        };
        assert_eq!(of(kind), 2);
        drop(other);
        share.set(Some(Family::Habf), 30);
        assert_eq!((of(kind), of(Family::Habf)), (0, 1));
        drop(share);
        assert_eq!(of(Family::Habf), 0);
    }
}
