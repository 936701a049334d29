//! Keys to measure with, all from a counter, so that every run has the same.
//!
//! [`Key`] is for races, where keys are what a caller has in hand. [`Set`] is for rates: positives, known negatives and
//! strangers as digests, of one of the makes in [`Source`], or from files. Costs come from [`zipf`].

mod costliest;
mod files;
mod make;
mod set;
pub mod zipf;

pub use costliest::{costliest, vulnerable};
pub use files::read as read_files;
pub use make::{flow, url, user};
pub use set::{Set, Source};

use std::hash::Hash;

/// A key in the form in which a caller would have it.
pub trait Key: Hash + Clone + Sync + Send {
    /// The key number `n`; different numbers give different keys.
    fn number(n: u64) -> Self;

    /// The bytes that bloomwise hashes.
    fn bytes(&self) -> impl AsRef<[u8]> + '_;
}

impl Key for u64 {
    fn number(n: u64) -> Self {
        // A bijection that leaves no order behind: an odd factor, then the upper half into the lower.
        let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    }

    fn bytes(&self) -> impl AsRef<[u8]> + '_ {
        self.to_le_bytes()
    }
}

/// 25 bytes of text: `user` and a number with leading zeros.
pub type Text = [u8; 25];

impl Key for Text {
    fn number(n: u64) -> Self {
        let text = format!("user{:021}", u64::number(n));
        let mut key = [0; 25];
        key.copy_from_slice(text.as_bytes());
        key
    }

    fn bytes(&self) -> impl AsRef<[u8]> + '_ {
        self.as_slice()
    }
}

/// The set of a filter: keys `0..count`.
pub fn members<K: Key>(count: u64) -> Vec<K> {
    (0..count).map(K::number).collect()
}

/// As many keys that are not in it.
pub fn strangers<K: Key>(count: u64) -> Vec<K> {
    (count..2 * count).map(K::number).collect()
}
