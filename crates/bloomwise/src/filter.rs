//! What every filter can do, and what it tells about itself.
//!
//! [`Filter`] is usable as `dyn Filter`; all families implement it. It has one law: a key that is in the set is always
//! answered with `true`. A key that is not may be answered with `true` too, at the filter's false positive rate.
//!
//! Batches come with the trait: hash a group of keys, ask the memory for what each of them needs ([`Filter::prefetch`]),
//! then answer them. A family that knows a better order has a batch of its own.

use crate::family::Family;
use crate::hash::{Digest, Hashing};
use crate::prefetch::GROUP;
use std::fmt;

/// A set of keys that may answer "yes" for a key it does not hold, and never "no" for one it does.
pub trait Filter: fmt::Debug + Send + Sync {
    /// How this filter makes digests of keys.
    fn hashing(&self) -> Hashing;

    /// Whether the key of this digest may be in the set. The digest must come from [`Filter::hashing`].
    fn contains_digest(&self, digest: Digest) -> bool;

    /// Asks for the memory that a query for this digest will read. Without it the answers are the same.
    fn prefetch(&self, digest: Digest);

    /// The bits of everything the filter needs to answer; the payload of its file.
    fn size_in_bits(&self) -> u64;

    /// What there is to know about the filter.
    fn info(&self) -> Info;

    /// Whether the key may be in the set.
    // Always inlined, because hashing a key whose length is known where it is asked takes a third of the instructions.
    #[inline(always)]
    fn contains(&self, key: &[u8]) -> bool {
        self.contains_digest(self.hashing().digest(key))
    }

    /// The answer for each digest, in order, added to `answers`.
    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        contains_in_groups(self, digests, answers);
    }

    /// The answer for each key, in order. On filters larger than the cache this is faster than one query after the
    /// other. Keys of one known length are faster still as digests: [`Hashing::digest`], then
    /// [`Filter::contains_digests`].
    fn contains_batch(&self, keys: &[&[u8]]) -> Vec<bool> {
        let mut answers = Vec::with_capacity(keys.len());
        digest_groups(self.hashing(), keys, |digests| {
            self.contains_digests(digests, &mut answers);
        });
        answers
    }
}

/// Asks for what all keys of a group need, then answers them, group by group.
#[inline]
pub(crate) fn contains_in_groups<F: Filter + ?Sized>(
    filter: &F,
    digests: &[Digest],
    answers: &mut Vec<bool>,
) {
    for group in digests.chunks(GROUP) {
        for &digest in group {
            filter.prefetch(digest);
        }
        answers.extend(group.iter().map(|&digest| filter.contains_digest(digest)));
    }
}

/// Hashes keys and hands their digests on, some groups at a time.
#[inline]
pub(crate) fn digest_groups<K: AsRef<[u8]>>(
    hashing: Hashing,
    keys: impl IntoIterator<Item = K>,
    mut act: impl FnMut(&[Digest]),
) {
    let mut group = [Digest { high: 0, low: 0 }; 8 * GROUP];
    let mut filled = 0;
    for key in keys {
        group[filled] = hashing.digest(key.as_ref());
        filled += 1;
        if filled == group.len() {
            act(&group);
            filled = 0;
        }
    }
    act(&group[..filled]);
}

/// What a filter tells about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Its family.
    pub family: Family,
    /// How many keys it holds, as far as it can know.
    pub keys: u64,
    /// What it was built with, and what became of it: name and value.
    pub parameters: Vec<(&'static str, Value)>,
    /// The share of its cells that are in use.
    pub fill: f64,
    /// The false positive rate on keys nobody has seen, predicted from the cells as they are now.
    pub predicted_fpr: f64,
}

/// What the making of a filter tells, beyond what the filter itself tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Known negatives that the build has made sure of: the filter answers them with "no".
    pub guarded: u64,
    /// What else there is to say, in the family's words: name and value.
    pub facts: Vec<(&'static str, Value)>,
}

/// A parameter of a filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number that is whole.
    Whole(u64),
    /// A number that need not be.
    Real(f64),
    /// A word.
    Word(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(n) => n.fmt(f),
            Value::Real(x) => x.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}
