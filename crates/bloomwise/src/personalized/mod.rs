//! Item-personalized Bloom filters: every key finds its own way through the filter.
//!
//! # The idea
//!
//! In a Bloom filter all keys use the same `k` functions. Here every slot of the filter has a function of its own, and a
//! key walks: the first function leads it to a slot, the function of that slot to the next, `k` slots in all. Insertion
//! sets the slots of the walk; a query walks until it comes to a slot that is not set.
//!
//! With 8 slots and walks of 3: "ant" starts at 5, whose function sends it to 2, whose function sends it to 7.
//!
//! ```text
//! slot       0 1 2 3 4 5 6 7
//! after ant  . . 1 . . 1 . 1      "bee" starts at 2, which is set, goes on to 4, which is not: no.
//! ```
//!
//! Three types walk: [`Personalized`] over bits, [`PersonalizedCounting`] over counters, so that keys can be removed and
//! counted, and [`PersonalizedRejecting`], which turns away keys that would collide too much and keeps those in a list.
//!
//! # Invariants
//!
//! - *No false negative.* A walk depends on the digest of the key and on the number of slots, on nothing that changes:
//!   which functions it takes is decided by where it is, not by what is set there. So a query walks where the insertion
//!   walked, and finds all of those slots set, since nothing clears a bit.
//! - A walk that comes to a slot again does not go in circles, because the step is part of the function's number: it is
//!   `1 + slot + step * slots` ([`crate::probe::walk`]).
//!
//! # Costs
//!
//! The slots of a walk are as random, and as independent, as `k` functions of the digest, so the false positive rate is
//! that of a Bloom filter, [`crate::sizing::bloom_rate`]. What is different is the time: a step can only be worked out
//! after the one before it. Since the functions are numbers and not data, that is a chain of multiplications and not of
//! reads: the processor can still wait for several slots at once. `docs/choosing.md` has what was measured.
//!
//! # Papers
//!
//! Venkataraman and Vaddadi, "Item-personalized Bloom filters". Taken: the walk (section 3), its counting and its
//! rejecting variant. Differences, numbered:
//!
//! 1. The next slot depends on the step too, not only on the slot; see above.
//! 2. The paper stores a function in every slot. A numbered function needs no memory.
//! 3. Counters stick at their maximum ([`crate::cells::PackedArray`]).
//! 4. A key that the filter already answers with "yes" is neither set nor rejected: there is nothing to add. Without
//!    this, inserting a key twice would put it on the list of the rejected.
//! 5. The list of the rejected has a limit; beyond it keys are inserted after all.
//!
//! | paper | here |
//! |---|---|
//! | n, size of the filter | slots |
//! | m, number of insertions | keys |
//! | k, length of the path | functions |
//! | `h_0`, mother hash function | function 0 of the digest |
//! | t, threshold of rejection | threshold |
//!
//! The paper expects fewer false positives than a Bloom filter has, because there are more combinations of functions. The
//! experiment of its section 4, repeated with enough trials (`cargo run --release -p bloomwise-lab -- personalized`),
//! shows no difference; `docs/papers.md` has the numbers.

mod counting;
mod rejecting;

pub use counting::PersonalizedCounting;
pub use rejecting::PersonalizedRejecting;

use crate::builder::Builder;
use crate::cells::BitArray;
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Info, Value, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::sizing::{Layout, Size, bloom_rate};
use crate::{prefetch, probe};
use std::io;

/// A set that keys can be added to; each key walks its own way.
///
/// ```
/// use bloomwise::{Filter, Personalized, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Personalized::builder(1000, Size::Rate(0.01)).build()?;
/// seen.insert("ant");
/// assert!(seen.contains(b"ant"));
/// assert!(!seen.contains(b"bee"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Personalized {
    slots: BitArray,
    /// Length of a walk.
    functions: u32,
    /// Hashing, and as keys: insertions so far.
    head: Head,
}

impl Personalized {
    const LAYOUT: Layout<fn(u64, u64, u32) -> f64> = Layout {
        cell_bits: 1,
        step: 64,
        rate: bloom_rate,
    };

    /// The wishes for a filter of `capacity` keys.
    pub fn builder(capacity: u64, size: Size) -> Builder<Personalized> {
        Builder::new(capacity, size)
    }

    /// Adds a key.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.insert_digests(&[digest]);
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        prefetch::in_groups(self, digests, Filter::prefetch, Personalized::set_all);
        self.head.add_keys(digests.len());
    }

    /// The number of insertions, a key that was inserted twice counted twice.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    /// Sets the slots of a key.
    #[inline]
    fn set_all(&mut self, digest: Digest) {
        for slot in self.walk(digest) {
            self.slots.set(slot);
        }
    }

    /// The slots of a key, in order.
    #[inline]
    fn walk(&self, digest: Digest) -> impl Iterator<Item = usize> + use<> {
        probe::walk(digest, self.functions, self.slots.len())
    }
}

impl Builder<Personalized> {
    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size or number of functions that no filter can have; memory that is not there.
    pub fn build(&self) -> Result<Personalized> {
        let fit = self.fit(&Personalized::LAYOUT)?;
        Ok(Personalized {
            slots: BitArray::new(fit.cells)?,
            functions: fit.functions,
            head: Head::new(Family::Personalized, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Personalized {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Personalized {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        self.walk(digest).all(|slot| self.slots.get(slot))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.walk(digest).for_each(|slot| self.slots.prefetch(slot));
    }

    fn size_in_bits(&self) -> u64 {
        self.slots.len()
    }

    fn info(&self) -> Info {
        let fill = self.slots.ones() as f64 / self.slots.len() as f64;
        Info {
            family: Family::Personalized,
            keys: self.head.keys,
            parameters: vec![
                ("slots", Value::Whole(self.slots.len())),
                ("k", Value::Whole(u64::from(self.functions))),
            ],
            fill,
            predicted_fpr: fill.powi(self.functions as i32),
        }
    }
}

impl Body for Personalized {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.slots.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.slots.words().iter().copied())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(Family::Personalized)?;
        let functions = parameters.functions()?;
        let slots = parameters.word_of(64, "the slots")?;
        let words = payload.words(slots / 64, "the slots")?.collect();
        Ok(Personalized {
            slots: BitArray::from_words(words),
            functions,
            head: *head,
        })
    }
}
