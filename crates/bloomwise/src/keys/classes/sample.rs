//! The keys that a rule is made from: all of them, or an even sample if there are too many.
//!
//! A sample of random keys would depend on their order. So a key is in the sample if its digest is below a threshold, which halves whenever the
//! sample becomes too large. The result is the same for every order of the keys.
//!
//! Every tenth negative, again chosen by its digest, is *held out*: training never sees it. What held-out negatives look like to the model is what unseen
//! keys will look like; what negatives of the training look like is too good.

use crate::keys::hash::{Digest, Hashing, reduce};
use crate::keys::key::Key;
use crate::keys::sort;
use std::ops::Range;

/// The most keys and the most bytes of keys of a sample.
const MOST_KEYS: usize = 1 << 22;
const MOST_BYTES: usize = 1 << 28;

/// One in this many negatives is held out.
const HELD_OUT: u64 = 10;

/// Whether a negative with this digest is held out of training.
#[inline]
pub(crate) fn is_held_out(digest: Digest) -> bool {
    // Not the bits that decide about the sample.
    reduce(digest.low.rotate_left(32), HELD_OUT) == 0
}

/// Collects the keys that a rule is made from.
///
/// ```
/// use bloomwise::{Hashing, unstable::classes::Sample};
///
/// let mut sample = Sample::new(Hashing::default());
/// sample.positive("ads.example");
/// sample.negative("bank.example");
/// assert_eq!(sample.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    /// The hashing whose digests choose the sample.
    hashing: Hashing,
    /// The bytes of all keys.
    bytes: Vec<u8>,
    /// The keys in any order. Repeated keys occur as often as they were added.
    keys: Vec<Sampled>,
    /// The upper bits of a digest that must be 0.
    halvings: u32,
}

/// A key of a sample.
#[derive(Clone, Copy, Debug)]
struct Sampled {
    /// Its digest.
    digest: Digest,
    /// Where its bytes start.
    start: usize,
    /// The number of its bytes.
    length: usize,
    /// Whether it is in the set.
    positive: bool,
}

/// A key that a rule learns from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example<'a> {
    /// Its bytes.
    pub key: &'a [u8],
    /// What is known about it.
    pub side: Side,
}

/// What is known about a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It is in the set.
    Positive,
    /// It is a known negative that training may see.
    Negative,
    /// It is a known negative that training must not see.
    HeldOut,
}

impl Sample {
    /// A sample of no keys. Use the hashing of the filter.
    pub fn new(hashing: Hashing) -> Self {
        Sample {
            hashing,
            bytes: Vec::new(),
            keys: Vec::new(),
            halvings: 0,
        }
    }

    /// Adds a key of the set, if the sample takes it.
    pub fn positive(&mut self, key: impl Key) {
        self.add(key, true);
    }

    /// Adds a known negative, if the sample takes it.
    pub fn negative(&mut self, key: impl Key) {
        self.add(key, false);
    }

    /// The number of keys of the sample; repeated keys count again.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the sample has no keys.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    fn add(&mut self, key: impl Key, positive: bool) {
        let digest = self.hashing.digest(&key);
        if !self.takes(digest) {
            return;
        }
        let start = self.bytes.len();
        key.with_bytes(|bytes| self.bytes.extend_from_slice(bytes));
        self.keys.push(Sampled {
            digest,
            start,
            length: self.bytes.len() - start,
            positive,
        });
        while self.keys.len() > MOST_KEYS || self.bytes.len() > MOST_BYTES {
            self.halve();
        }
    }

    /// Whether the sample has the keys of this digest.
    fn takes(&self, digest: Digest) -> bool {
        digest.low.leading_zeros() >= self.halvings
    }

    /// Drops every second key.
    fn halve(&mut self) {
        self.halvings += 1;
        let mut bytes = Vec::new();
        let mut keys = std::mem::take(&mut self.keys);
        keys.retain_mut(|key| {
            let keep = self.takes(key.digest);
            if keep {
                let start = bytes.len();
                bytes.extend_from_slice(&self.bytes[key.range()]);
                key.start = start;
            }
            keep
        });
        (self.keys, self.bytes) = (keys, bytes);
    }

    /// The distinct keys, in the order of their digests, which is as good as a random one. A key of both sides is a positive.
    pub(super) fn examples(mut self) -> Examples {
        sort::by_digest(&mut self.keys, |key| key.digest);
        // `dedup_by` drops the later one of two equal keys.
        self.keys.dedup_by(|next, kept| {
            let same = next.digest == kept.digest;
            kept.positive |= same && next.positive;
            same
        });
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let examples = self.keys.iter().map(|key| {
            bytes.extend_from_slice(&self.bytes[key.range()]);
            let side = match (key.positive, is_held_out(key.digest)) {
                (true, _) => Side::Positive,
                (false, true) => Side::HeldOut,
                (false, false) => Side::Negative,
            };
            (bytes.len(), side)
        });
        let ends = examples.collect();
        Examples { bytes, ends }
    }
}

/// The keys of a sample in the order of training, side by side.
#[derive(Debug)]
pub(super) struct Examples {
    /// The bytes of all keys.
    bytes: Vec<u8>,
    /// For each key, where its bytes end, and what is known about it.
    ends: Vec<(usize, Side)>,
}

impl Examples {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The keys in order.
    pub fn iter(&self) -> impl Iterator<Item = Example<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, side)| {
            let key = &self.bytes[start..end];
            start = end;
            Example { key, side }
        })
    }
}

impl Sampled {
    /// Where its bytes are.
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_of(sample: Sample) -> Vec<(Vec<u8>, Side)> {
        let examples = sample.examples();
        let keys = examples.iter();
        keys.map(|one| (one.key.to_vec(), one.side)).collect()
    }

    #[test]
    fn halving_keeps_the_same_keys_for_every_order() {
        let key = |n: u32| format!("key number {n}");
        let (mut early, mut late) = (
            Sample::new(Hashing::default()),
            Sample::new(Hashing::default()),
        );
        (0..1000).for_each(|n| early.positive(key(n)));
        early.halve();
        early.halve();
        late.halve();
        (0..500).rev().for_each(|n| late.positive(key(n)));
        late.halve();
        (500..1000).rev().for_each(|n| late.positive(key(n)));
        let kept = keys_of(early);
        assert!((200..300).contains(&kept.len()), "{}", kept.len());
        assert_eq!(kept, keys_of(late));
    }

    #[test]
    fn repeated_keys_count_once_and_positives_win() {
        let mut sample = Sample::new(Hashing::default());
        sample.negative("ant");
        sample.positive("ant");
        sample.positive("ant");
        assert_eq!(keys_of(sample), [(b"ant".to_vec(), Side::Positive)]);
    }

    #[test]
    fn every_tenth_negative_is_held_out() {
        let mut sample = Sample::new(Hashing::default());
        (0..10_000).for_each(|n| sample.negative(n));
        let sides = keys_of(sample).into_iter().map(|(_, side)| side);
        let count = sides.filter(|&side| side == Side::HeldOut).count();
        // Five standard deviations of 30.
        assert!((850..1150).contains(&count), "{count}");
    }
}
