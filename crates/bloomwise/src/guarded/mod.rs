//! Guarded filters: no false positive on any known negative, near the information limit.
//!
//! # The idea
//!
//! A set that is fixed can be written down as a system of equations over bits. Every key has a few *slots* of an array, and
//! the exclusive or of what stands in them is to be the key's fingerprint. A key outside of the set has this property by
//! chance only. Known negatives are equations too: one more column of bits, the *guard*, is solved for the positives and
//! for those negatives that have the right fingerprint by chance, the *survivors*. To a survivor the guard says the
//! opposite of what it says to a positive.
//!
//! With a fingerprint of 2 bits, "ant" in the set, and "dog" known to be outside of it:
//!
//! ```text
//! slot             0    1    2    3    4
//! column 1, 2     01   00   11   10   00         the fingerprint
//! column 0         0    1    0    0    1         the guard
//!
//! "ant"  slots 0, 1, 3   01 ^ 00 ^ 10 = 11 and 0 ^ 1 ^ 0 = 1   its fingerprint is 11, its guard 1: yes
//! "dog"  slots 1, 2, 4   00 ^ 11 ^ 00 = 11 and 1 ^ 0 ^ 1 = 0   its fingerprint is 11 by chance, but its guard is 1: no
//! ```
//!
//! With `f` columns of fingerprint one known negative in `2^f` survives, so that the guard has few equations more than
//! the fingerprint, and to an unseen key it is one more bit of fingerprint. Hence the exactness costs next to nothing.
//!
//! # Parts
//!
//! | file | what |
//! |---|---|
//! | `array` | where the slots of a key are, slots of fractional width, the query |
//! | `front` | a stretch of the array from which keys are taken away |
//! | `peel` | the order in which keys are solved; what is given up where there is no room |
//! | `attempt` | the steps of a build, with one hash |
//! | `builder` | the wishes; one hash after the other |
//! | `tuning` | how the bits are spent: width, room for survivors, one array or two |
//! | [`theory`] | the information limit; slots per key |
//!
//! | symbol | name |
//! |---|---|
//! | S, O | positives, known negatives |
//! | r | negatives per key |
//! | m, c | slots, slots per key |
//! | f | columns of the fingerprint |
//! | T | `narrow`: the slots from here on have one bit more |
//! | mu | `unseen_share` |
//!
//! # Invariants
//!
//! *No false negative.* A positive is answered with "yes" if the exclusive or of its slots is its fingerprint in all of its
//! columns. Each column is solved once, in an order in which a key's pivot is in no equation that is true already
//! (`peel`), so that all equations are true in the end; columns do not touch each other. A positive that could not be
//! solved fails the attempt and another hash is tried; the filter is returned only when all are solved.
//!
//! *No false positive on a known negative*, if none was given up: a negative that does not survive differs from its
//! fingerprint in a column that the guard leaves alone, and to a survivor the guard says the opposite. Where the budget has no
//! room for all survivors, the costliest are taken; the report says how many are answered wrongly, and what they cost.
//!
//! # Costs
//!
//! With a million and a half keys of each kind, 8.44 bits per key: no false positive on known negatives and 0.47 % on others,
//! where a Bloom filter has 1.7 % on both, and the limit is 0.29 %. A query reads 4 slots; with a second array, 4 more for
//! keys that pass the first. Any size will do: below about 1.07 bits per key some keys have no bit, and are always answered
//! with "yes". Building takes at most 48 bytes for each key of both sets, up to 16 bits per key; more bits are slots that
//! are as wide as they can be, and then more of them. The set is fixed: keys can neither be inserted nor removed.
//!
//! # Where we differ from the papers
//!
//! 1. Windows of slots start anywhere, so that an array can have any number of slots (`array`).
//! 2. Slots of two widths, so that every bit of a budget is used.
//! 3. The guard, in the array of the fingerprint or in one of its own. Cascades (`CRLite`) and clubcards are exact on known
//!    negatives too: a cascade by filters of the false positives of filters, which takes as many
//!    visits as there are levels; clubcards by an approximate and an exact system, which is the second form here.
//! 4. Negatives that are given up at the front (`peel`), which leaves the costly ones guarded in any budget.
//!
//! # Papers
//!
//! Graf, Lemire, "Binary fuse filters: fast and smaller than xor filters", 2022: windows of segments, the peeling.
//! Walzer, "Peeling close to the orientability threshold: spatial coupling in hashing-based data structures", 2021: why
//! windows make arrays so full. Larisch et al., "`CRLite`", 2017, and Schanck, "Clubcards for the `WebPKI`", 2025: exactness on a
//! known universe.

mod array;
mod attempt;
mod builder;
mod front;
mod peel;
pub mod theory;
mod tuning;

pub use builder::GuardedBuilder;

use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Info};
use crate::hash::{Digest, Hashing};
use crate::prefetch::GROUP;
use crate::sizing::Size;
use array::{Array, MAX_SEGMENT_BITS, Shape};
use attempt::{first_hash, second_hash};
use builder::MAX_TRIES;
use std::io;
use tuning::Plan;

/// A fixed set without false positives on its known negatives.
///
/// ```
/// use bloomwise::{Costed, Filter, Guarded, Hashing, KeySets, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let hashing = Hashing::default();
/// let digest = |key: String| hashing.digest(key.as_bytes());
/// let blocked = (0..1000).map(|n| digest(format!("bad{n}.example")));
/// let popular = (0..1000).map(|n| Costed { digest: digest(format!("good{n}.example")), cost: 1.0 });
/// let sets = KeySets::new(blocked.collect(), popular.collect())?;
/// let (filter, report) = Guarded::builder(Size::BitsPerKey(10.0)).hashing(hashing).build_and_report(&sets)?;
/// assert_eq!(report.guarded, 1000);
/// assert!(filter.contains(b"bad7.example"));
/// assert!((0..1000).all(|n| !filter.contains(format!("good{n}.example").as_bytes())));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// Which of the hashes it was solved with.
    number: u64,
    /// The fingerprint, and the guard if it has no array of its own.
    first: Array,
    /// The guard, if it has.
    second: Option<Array>,
    /// Family, hashing, and the number of positives.
    head: Head,
}

impl Guarded {
    /// The wishes for a filter of this size.
    pub fn builder(size: Size) -> GuardedBuilder {
        GuardedBuilder::new(size)
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether it holds no key.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    #[inline]
    fn ask<const ARITY: usize>(&self, digest: Digest) -> bool {
        let first = self
            .first
            .contains::<ARITY>(first_hash(digest, self.number));
        self.with_second::<ARITY>(digest, first)
    }

    /// The answer, from that of the first array. Whether there is a second one is asked first: that is the same for all
    /// keys, and the processor need not guess.
    #[inline]
    fn with_second<const ARITY: usize>(&self, digest: Digest, first: bool) -> bool {
        match &self.second {
            None => first,
            Some(second) => first && second.contains::<ARITY>(second_hash(digest, self.number)),
        }
    }

    /// Places of a whole group are worked out and asked for before the first one is read.
    fn ask_all<const ARITY: usize>(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        let places = |digest: Digest| {
            let hash = first_hash(digest, self.number);
            let places = self.first.shape.places::<ARITY>(hash);
            self.first.prefetch(&places);
            places
        };
        for group in digests.chunks(GROUP) {
            let mut all = [None; GROUP];
            for (place, &digest) in all.iter_mut().zip(group) {
                *place = Some(places(digest));
            }
            let both = group.iter().zip(all.iter().flatten());
            answers.extend(both.map(|(&digest, places)| {
                self.with_second::<ARITY>(digest, self.first.agrees(places, u64::MAX))
            }));
        }
    }
}

impl Filter for Guarded {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        match self.first.shape.arity {
            3 => self.ask::<3>(digest),
            _ => self.ask::<4>(digest),
        }
    }

    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        match self.first.shape.arity {
            3 => self.ask_all::<3>(digests, answers),
            _ => self.ask_all::<4>(digests, answers),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let hash = first_hash(digest, self.number);
        match self.first.shape.arity {
            3 => self.first.prefetch(&self.first.shape.places::<3>(hash)),
            _ => self.first.prefetch(&self.first.shape.places::<4>(hash)),
        }
    }

    fn size_in_bits(&self) -> u64 {
        self.first.shape.bits + self.second.as_ref().map_or(0, |array| array.shape.bits)
    }

    /// The fill is the share of slots that are not 0.
    fn info(&self) -> Info {
        let arrays = std::iter::once(&self.first).chain(&self.second);
        let (used, slots) = arrays.fold((0, 0), |(used, slots), array| {
            (used + array.used(), slots + array.shape.slots)
        });
        let plan = Plan {
            first: self.first.shape,
            second: self.second.as_ref().map(|array| array.shape),
        };
        Info {
            family: Family::Guarded,
            keys: self.head.keys,
            parameters: plan.told(),
            fill: used as f64 / slots as f64,
            predicted_fpr: plan.rate(),
        }
    }
}

impl Body for Guarded {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        let (first, second) = (self.first.shape, self.second.as_ref());
        vec![
            u64::from(first.arity),
            first.bits,
            first.slots,
            u64::from(first.segment_bits),
            second.map_or(0, |array| array.shape.slots),
            second.map_or(0, |array| u64::from(array.shape.segment_bits)),
            self.number,
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.first.words())?;
        self.second
            .as_ref()
            .map_or(Ok(()), |array| writer.words(array.words()))
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Guarded])?;
        let segment = 0..=u64::from(MAX_SEGMENT_BITS);
        let arity = parameters.word_in(3..=4, "the slots of a key")? as u32;
        let bits = parameters.word_of(64, "the bits of the slots")?;
        let slots = parameters.word("the slots")?;
        let segment_bits = parameters.word_in(segment.clone(), "the bits of a segment")? as u32;
        let guard_slots = parameters.word("the slots of the guard")?;
        let guard_bits = parameters.word_in(segment, "the bits of a guard segment")? as u32;
        let number = parameters.word_in(0..=MAX_TRIES - 1, "the number of the hash")?;
        let impossible = |field, slots| Error::field(field, slots, "slots that fit their segments");
        let shape = Shape::new(arity, slots, segment_bits, bits);
        let shape = shape.ok_or_else(|| impossible("the slots", slots))?;
        let second = match (guard_slots, guard_bits) {
            (0, 0) => None,
            (slots, segment_bits) => {
                let whole = slots.is_multiple_of(64).then_some(slots);
                let shape = whole.and_then(|slots| Shape::new(arity, slots, segment_bits, slots));
                Some(shape.ok_or_else(|| impossible("the slots of the guard", slots))?)
            }
        };
        let first = Array::read(shape, payload)?;
        let second = second
            .map(|shape| Array::read(shape, payload))
            .transpose()?;
        Ok(Guarded {
            number,
            first,
            second,
            head: *head,
        })
    }
}
