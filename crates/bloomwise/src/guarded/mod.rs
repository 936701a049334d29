//! Guarded filters: no false positive on any known negative, near the information limit.
//!
//! # The idea
//!
//! A fixed set can be stored as a system of equations over bits. Every key has a few *slots* of an array, and the XOR of
//! these slots must be the key's fingerprint. A non-member satisfies its equation only by chance. Known negatives
//! are equations too. One more column of bits, the *guard*, is solved for the positives and for the *survivors*: the known
//! negatives that match the fingerprint by chance. For a survivor, the guard holds the opposite of the bit that a positive
//! would have.
//!
//! Here is an example with a fingerprint of 2 bits. "ant" is in the set, and "dog" is a known negative:
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
//! With `f` columns of fingerprint, one known negative in `2^f` survives. So the guard has only a few more equations than
//! the fingerprint. For an unseen key, the guard is one more bit of fingerprint. Hence exactness costs almost nothing.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `array` | the slots of a key, slots of fractional width, the query |
//! | `peel_region` | a region of the array from which keys are peeled |
//! | `peel` | the order in which keys are solved; which negatives are given up if there is no room |
//! | `solve` | the steps of a build with one salt |
//! | `builder` | the options; one salt after the other |
//! | `plan` | the shapes of the one or two arrays |
//! | `tuning` | how the bits are spent: width, room for survivors, one array or two |
//! | [`theory`] | the information limit; slots per key |
//!
//! | symbol | name |
//! |---|---|
//! | S, O | positives, known negatives |
//! | r | negatives per key |
//! | m, c | slots, slots per key |
//! | f | columns of the fingerprint |
//! | T | `narrow`: slots from this index on have one more bit |
//! | mu | `unseen_share` |
//!
//! # Invariants
//!
//! *No false negative.* The filter says "yes" to a positive if the XOR of its slots is its fingerprint in all its columns.
//! Each column is solved once, in an order in which a key's pivot is in no equation that already holds (`peel`). So all
//! equations hold in the end, and columns do not affect each other. If a positive cannot be solved, the build retries with
//! another salt. It returns a filter only when all positives are solved.
//!
//! *No false positive on a known negative*, if none was given up. A negative that does not survive differs from its
//! fingerprint in a column that solving the guard does not change. For a survivor, the guard bit differs. If the size has
//! no room for all survivors, the costliest are guarded; the report says how many known negatives are false positives
//! and what they cost.
//!
//! # Costs
//!
//! With 1.5 million keys of each kind and 8.44 bits per key, there is no false positive on known negatives, and the rate
//! on other keys is 0.47 %. A Bloom filter has 1.7 % on both, and the limit is 0.29 %. A query reads 4 slots. If the guard
//! has its own array, a query reads 4 more slots for keys that pass the first array.
//!
//! Any size is possible. Below about 1.07 bits per key some keys have no bit, and the answer for them is always "yes".
//! Building takes at most 48 bytes per key of both sets, for up to 16 bits per key. For larger sizes, slots get as wide as
//! possible, and then their number grows. The set is fixed: keys cannot be inserted or removed.
//!
//! # Differences from the papers
//!
//! 1. Windows of slots start anywhere, so an array can have any number of slots (`array`).
//! 2. Slots have two widths, so every bit of the size is used.
//! 3. The guard is in the array of the fingerprint or in an array of its own. Cascades (`CRLite`) and clubcards are exact on
//!    known negatives too. A cascade stores the false positives of a filter in the next filter, so a query reads as many
//!    filters as there are levels. Clubcards have an approximate and an exact system, which is the second form here.
//! 4. Negatives can be given up during peeling (`peel`), so costly ones are guarded at any size.
//!
//! # Papers
//!
//! Graf, Lemire, "Binary fuse filters: fast and smaller than xor filters", 2022: windows of segments, peeling.
//! Walzer, "Peeling close to the orientability threshold: spatial coupling in hashing-based data structures", 2021: why
//! windows make arrays so full. Larisch et al., "`CRLite`", 2017, and Schanck, "Clubcards for the `WebPKI`", 2025: exactness
//! on a known universe.

mod array;
mod builder;
mod peel;
mod peel_region;
mod plan;
mod solve;
pub mod theory;
mod tuning;

use crate::builder::Builder;
use crate::codec::{Body, Head, Parameters, Payload, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Lookup, sealed};
use crate::hash::Digest;
use crate::info::Info;
use crate::prefetch::GROUP;
use crate::profile::Profile;
use crate::sizing::Size;
use array::{Array, MAX_SEGMENT_BITS, Shape};
use builder::MAX_TRIES;
use plan::Plan;
use solve::{first_hash, second_hash};
use std::io;

/// A filter for a fixed set, without false positives on known negatives.
///
/// ```
/// use bloomwise::{Filter, Guarded, KeySets, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let blocked = (0..1000).map(|n| format!("bad{n}.example"));
/// let popular = (0..1000).map(|n| (format!("good{n}.example"), 1.0));
/// let sets = KeySets::new(blocked, popular)?;
/// let (filter, report) = Guarded::builder(Size::BitsPerKey(10.0)).build_and_report(&sets)?;
/// assert_eq!(report.guarded, 1000);
/// assert!(filter.contains("bad7.example"));
/// assert!((0..1000).all(|n| !filter.contains(format!("good{n}.example"))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Guarded {
    /// The salt of the hashes that the filter was solved with.
    salt: u64,
    /// The fingerprint, and the guard unless it has an array of its own.
    first: Array,
    /// The guard, if it has an array of its own.
    second: Option<Array>,
    /// Its keys are the positives.
    profile: Profile,
}

impl Guarded {
    /// Options for a filter of this size. The capacity, if it is given, changes the size in bits only: the set is fixed.
    pub fn builder(size: Size) -> Builder<Guarded> {
        Builder::new(size)
    }

    /// Looks up one key.
    #[inline]
    fn answer<const ARITY: usize>(&self, digest: Digest) -> bool {
        let first = self.first.contains::<ARITY>(first_hash(digest, self.salt));
        self.with_second::<ARITY>(digest, first)
    }

    /// The answer of the filter, given the answer `first` of the first array. It branches on the second array before it
    /// branches on `first`: that branch is the same for all keys, so the processor predicts it.
    #[inline]
    fn with_second<const ARITY: usize>(&self, digest: Digest, first: bool) -> bool {
        match &self.second {
            None => first,
            Some(second) => first && second.contains::<ARITY>(second_hash(digest, self.salt)),
        }
    }

    /// Looks up many keys. It prefetches the slots of a whole group before it reads the first one.
    fn answer_batch<const ARITY: usize>(&self, digests: &[Digest], answers: &mut [bool]) {
        let prefetched = |digest: Digest| {
            let hash = first_hash(digest, self.salt);
            let equation = self.first.shape.equation::<ARITY>(hash);
            self.first.prefetch(&equation);
            equation
        };
        for (digests, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut equations = [None; GROUP];
            for (equation, &digest) in equations.iter_mut().zip(digests) {
                *equation = Some(prefetched(digest));
            }
            let both = digests.iter().zip(equations.iter().flatten());
            for ((&digest, equation), answer) in both.zip(answers) {
                let first = self.first.satisfies(equation, u64::MAX);
                *answer = self.with_second::<ARITY>(digest, first);
            }
        }
    }

    /// The shapes of the arrays.
    fn plan(&self) -> Plan {
        Plan {
            first: self.first.shape,
            second: self.second.as_ref().map(|array| array.shape),
        }
    }
}

impl sealed::Sealed for Guarded {}

impl Lookup for Guarded {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        match self.first.shape.arity {
            3 => self.answer::<3>(digest),
            _ => self.answer::<4>(digest),
        }
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        match self.first.shape.arity {
            3 => self.answer_batch::<3>(digests, answers),
            _ => self.answer_batch::<4>(digests, answers),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let hash = first_hash(digest, self.salt);
        match self.first.shape.arity {
            3 => self.first.prefetch(&self.first.shape.equation::<3>(hash)),
            _ => self.first.prefetch(&self.first.shape.equation::<4>(hash)),
        }
    }
}

impl Filter for Guarded {
    fn family(&self) -> Family {
        Family::Guarded
    }

    fn rate(&self) -> f64 {
        self.plan().rate()
    }

    fn size_in_bits(&self) -> u64 {
        self.plan().bits()
    }

    /// The information about this filter. Its `fill` is the share of slots that are not 0.
    fn info(&self) -> Info {
        let arrays = std::iter::once(&self.first).chain(&self.second);
        let (used, slots) = arrays.fold((0, 0), |(used, slots), array| {
            (used + array.nonzero_slots(), slots + array.shape.slots)
        });
        let plan = self.plan();
        let fill = used as f64 / slots as f64;
        let parameters = plan.parameters();
        Info::new(self.family(), &self.profile, parameters, fill, plan.rate())
    }
}

impl Body for Guarded {
    fn parameters(&self) -> Vec<u64> {
        let (first, second) = (self.first.shape, self.second.as_ref());
        vec![
            u64::from(first.arity),
            first.bits,
            first.slots,
            u64::from(first.segment_bits),
            second.map_or(0, |array| array.shape.slots),
            second.map_or(0, |array| u64::from(array.shape.segment_bits)),
            self.salt,
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.first.storage())?;
        self.second
            .as_ref()
            .map_or(Ok(()), |array| writer.storage(array.storage()))
    }

    // A slot may hold any value and the arrays are whole words, so there are no cells that a check could reject.
    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Guarded])?;
        let segment = 0..=u64::from(MAX_SEGMENT_BITS);
        let arity = parameters.word_in(3..=4, "the slots of a key")? as u32;
        let bits = parameters.multiple_of(64, "the bits of the slots")?;
        let slots = parameters.word("the slots")?;
        let segment_bits = parameters.word_in(segment.clone(), "the bits of a segment")? as u32;
        let guard_slots = parameters.word("the slots of the guard")?;
        let guard_bits = parameters.word_in(segment, "the bits of a guard segment")? as u32;
        let salt = parameters.word_in(0..=MAX_TRIES - 1, "the number of the hash")?;
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
            salt,
            first,
            second,
            profile: head.profile,
        })
    }
}
