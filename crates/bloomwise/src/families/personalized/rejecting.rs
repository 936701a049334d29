//! The rejecting variant: keys that would collide too much go to an exact list.
//!
//! # The idea
//!
//! A walk that meets `t` set slots in a row collides a lot. Inserting its key would set few bits, but would still fill the
//! filter a little more. So the key is rejected: it sets no bit, and its digest goes to a list ([`crate::cells::stash`]). A query
//! walks first, and looks into the list if the walk ends at an empty slot.
//!
//! # Invariants
//!
//! - *No false negative.* An insertion ends in one of three ways: the filter already said "yes", the digest is in the list,
//!   or all slots of the walk are set. No bit is ever cleared and no digest leaves the list, so all three last.
//! - The list has a limit. When it is full, keys are inserted into the slots even if they collide.
//! - The list is a part of the size: the slots get the bits that its limit leaves.
//!
//! # Costs
//!
//! A rejected key takes 128 bits, and an inserted key takes about ten. Rejecting saves only the few bits that the walk would
//! have set. With the default threshold, one less than the length of a walk, that does not pay; `docs/measurements.md` in the repository has the
//! rates. The variant is here because the paper has it.

use crate::cells::stash::Stash;
use crate::error::{Error, Result};
use crate::families::bloom::Bloom;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::change::Change;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Info, Parameter, Report};
use crate::filter::insert::Insert;
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::setting::{FUNCTIONS, Setting, Values};
use crate::filter::sizing::{Size, bloom_rate};
use crate::keys::hash::{Digest, Hashing};
use crate::keys::sets::KeySets;
use std::fmt;
use std::io;

/// A filter for a growing set that keeps keys with too many collisions in an exact list.
///
/// ```
/// use bloomwise::personalized::PersonalizedRejecting;
/// use bloomwise::{Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = PersonalizedRejecting::builder(Size::BitsPerKey(12.0)).capacity(1000);
/// let mut seen = builder.threshold(4).create()?;
/// seen.extend(0..1000);
/// assert!((0..1000).all(|key| seen.contains(key)));
/// assert!(seen.rejected() > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct PersonalizedRejecting {
    /// The slots of the keys that were not rejected. Its own number of keys stays 0.
    slots: Bloom,
    /// A key is rejected if its walk meets this many set slots in a row.
    threshold: u32,
    /// The most keys that can be rejected.
    limit: u64,
    /// The digests of the rejected keys.
    rejected: Stash,
    /// Hashing, capacity, and insertions so far.
    profile: Profile,
}

impl PersonalizedRejecting {
    /// The number of bits of a digest in the list.
    const ENTRY: u64 = 128;

    /// By default the list has room for one key in this many.
    const KEYS_PER_ENTRY: u64 = 200;

    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<PersonalizedRejecting> {
        Builder::new(size)
    }

    /// The number of rejected keys, which are in the list.
    pub fn rejected(&self) -> u64 {
        self.rejected.len() as u64
    }

    /// Sets the slots of a key or rejects it, without counting it, and returns whether it is new.
    fn add_one(&mut self, digest: Digest) -> bool {
        if self.query(digest) {
            return false;
        }
        if self.rejected() < self.limit && self.collides(digest) {
            self.rejected.insert(digest);
        } else {
            self.slots.set_all(digest);
        }
        true
    }

    /// Whether the walk of a key meets `threshold` set slots in a row.
    fn collides(&self, digest: Digest) -> bool {
        let mut run = 0;
        self.slots.bits_on_walk(digest).any(|set| {
            run = if set { run + 1 } else { 0 };
            run >= self.threshold
        })
    }
}

/// The options of [`PersonalizedRejecting`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The length of a walk; `None` for the best one.
    functions: Option<u32>,
    /// The number of set slots in a row at which a key is rejected; `None` for one less than the length of a walk.
    threshold: Option<u32>,
    /// The most keys that can be rejected; `None` for one in 200 of the capacity.
    list: Option<u32>,
}

impl Builder<PersonalizedRejecting> {
    /// The number of hash functions, which is the length of a walk; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The number of set slots in a row at which a key is rejected; by default one less than the length of a walk.
    pub fn threshold(mut self, slots: u32) -> Self {
        self.options.threshold = Some(slots);
        self
    }

    /// The most keys that can be rejected; by default one in 200 of the capacity. The list takes 128 bits of the size for
    /// each. If the size is a rate, the list is added to the size of the slots.
    pub fn list(mut self, keys: u32) -> Self {
        self.options.list = Some(keys);
        self
    }

    /// The size of the slots, and the limit of the list, which takes the rest.
    fn split(&self, capacity: u64) -> Result<(Size, u64)> {
        type Own = PersonalizedRejecting;
        let bits = self.size.budget(capacity)?.unwrap_or(u64::MAX);
        // By default the list takes at most an eighth of the bits.
        let default = (capacity / Own::KEYS_PER_ENTRY).min(bits / 8 / Own::ENTRY);
        let limit = self.options.list.map_or(default, u64::from);
        match self.size {
            Size::Rate(_) => Ok((self.size, limit)),
            _ if limit == 0 => Ok((self.size, limit)),
            _ if limit >= bits / Own::ENTRY => {
                let expected = format!(
                    "less than {}: the list must not take the whole size",
                    bits / Own::ENTRY
                );
                Err(Error::parameter("the limit of the list", limit, expected))
            }
            _ => Ok((Size::Bits(bits - limit * Own::ENTRY), limit)),
        }
    }

    /// Options for the slots, and the limit of the list.
    fn slots(&self, capacity: u64) -> Result<(Builder<Bloom>, u64)> {
        let (size, limit) = self.split(capacity)?;
        let mut slots = Bloom::builder(size).personalized();
        slots.options.functions = self.options.functions;
        Ok((slots, limit))
    }

    /// The threshold for walks of `functions` steps.
    fn threshold_of(&self, functions: u32) -> Result<u32> {
        let default = functions.saturating_sub(1).max(1);
        let threshold = self.options.threshold.unwrap_or(default);
        if !(1..=functions).contains(&threshold) {
            let expected = format!("a number from 1 to the length of a walk, {functions}");
            return Err(Error::parameter("the threshold", threshold, expected));
        }
        Ok(threshold)
    }
}

const THRESHOLD: Setting = Setting {
    name: "threshold",
    about: "number of consecutive set slots at which a key is rejected (default: k - 1)",
    values: FUNCTIONS.values,
};

const LIST: Setting = Setting {
    name: "list",
    about: "most keys in the rejection list, 128 bits each (default: one in 200 of the capacity)",
    values: Values::Whole(0, u32::MAX),
};

impl Buildable for PersonalizedRejecting {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = &[
        Knob::whole(FUNCTIONS, Builder::<Self>::functions),
        Knob::whole(THRESHOLD, Builder::<Self>::threshold),
        Knob::whole(LIST, Builder::<Self>::list),
    ];

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let (slots, limit) = builder.slots(workload.keys)?;
        let mut forecast = slots.forecast(workload)?;
        // A rejected key would set hardly any slot, so the slots fill as if all keys were inserted.
        forecast.bits += limit * Self::ENTRY;
        forecast.parameters.push(Parameter::measure("list", limit));
        Ok(forecast)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets)?, Report::default()))
    }
}

impl Growable for PersonalizedRejecting {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let (slots, limit) = builder.slots(capacity)?;
        let slots = Bloom::create(&slots, capacity, hashing)?;
        Ok(PersonalizedRejecting {
            threshold: builder.threshold_of(slots.functions())?,
            slots,
            limit,
            rejected: Stash::default(),
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        let Options {
            functions, list, ..
        } = builder.options;
        matches!(builder.size, Size::Bits(_)) && functions.is_some() && list.is_some()
    }
}

impl fmt::Debug for PersonalizedRejecting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for PersonalizedRejecting {}

impl Lookup for PersonalizedRejecting {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.slots.query(digest) || self.rejected.contains(digest)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.slots.prefetch(digest);
    }
}

impl Filter for PersonalizedRejecting {
    fn family(&self) -> Family {
        Family::PersonalizedRejecting
    }

    fn rate(&self) -> f64 {
        // As in the forecast, as if no key were rejected.
        let slots = self.slots.size_in_bits();
        bloom_rate(slots, self.profile.keys, self.slots.functions())
    }

    fn size_in_bits(&self) -> u64 {
        self.slots.size_in_bits() + self.rejected.size_in_bits()
    }

    fn info(&self) -> Info {
        let slots = self.slots.info();
        let share = self.rejected() as f64 / self.profile.keys.max(1) as f64;
        let mut parameters = slots.parameters;
        parameters.extend([
            Parameter::setting("threshold", u64::from(self.threshold)),
            Parameter::measure("list", self.limit),
            Parameter::measure("rejected", self.rejected()),
            Parameter::measure("rejected_share", share),
        ]);
        let (fill, rate) = (slots.fill, slots.predicted_fpr);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Body for PersonalizedRejecting {
    fn parameters(&self) -> Vec<u64> {
        let mut words = self.slots.parameters();
        words.extend([u64::from(self.threshold), self.limit, self.rejected()]);
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.slots.write_payload(writer)?;
        writer.words(self.rejected.words())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::PersonalizedRejecting])?;
        let inner = Head {
            family: Family::Personalized,
            form: head.form,
            profile: Profile {
                keys: 0,
                ..head.profile
            },
        };
        let slots = Bloom::read(&inner, parameters, payload)?;
        let longest = u64::from(slots.functions());
        let threshold = parameters.word_in(1..=longest, "the threshold")? as u32;
        let limit = parameters.word("the limit of the list")?;
        let rejected = parameters.word_in(0..=limit, "the length of the list")?;
        let list = payload.storage(rejected.saturating_mul(2), "the list")?;
        Ok(PersonalizedRejecting {
            slots,
            threshold,
            limit,
            rejected: Stash::over(list),
            profile: head.profile,
        })
    }

    fn check(&self) -> Result<()> {
        self.rejected.check()
    }
}

impl Insert for PersonalizedRejecting {
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        self.profile.add_keys(1);
        self.add_one(digest)
    }

    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        for &digest in digests {
            self.add_one(digest);
        }
        self.profile.add_keys(digests.len());
    }
}

impl Change for PersonalizedRejecting {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder() -> Builder<PersonalizedRejecting> {
        PersonalizedRejecting::builder(Size::Bits(2048)).functions(4)
    }

    fn filter(list: u32, threshold: u32) -> PersonalizedRejecting {
        let builder = builder().list(list).threshold(threshold);
        builder.create().expect("valid")
    }

    #[test]
    fn a_full_list_rejects_no_more_keys_and_no_key_is_lost() {
        let mut full = filter(3, 1);
        full.extend(0..200);
        assert_eq!(full.rejected(), 3);
        assert!((0..200).all(|key| full.contains(key)));
        assert!(full.size_in_bits() <= 2048);
        let mut without = filter(0, 1);
        without.extend(0..200);
        assert_eq!((without.rejected(), without.len()), (0, 200));
    }

    #[test]
    fn a_repeated_key_is_not_rejected() {
        let mut twice = filter(8, 2);
        assert!(twice.insert("ant"));
        for _ in 0..4 {
            assert!(!twice.insert("ant"));
        }
        assert_eq!((twice.rejected(), twice.len()), (0, 5));
    }

    #[test]
    fn insert_says_whether_the_key_is_new() {
        let mut seen = filter(8, 2);
        for key in 0..300 {
            let new = !seen.contains(key);
            assert_eq!(seen.insert(key), new);
        }
        assert_eq!((seen.rejected(), seen.len()), (8, 300));
    }

    #[test]
    fn thresholds_and_lists_out_of_range_are_errors() {
        let builder = || builder().capacity(100);
        for builder in [
            builder().threshold(0),
            builder().threshold(5),
            builder().list(16),
        ] {
            assert!(builder.create().is_err(), "{builder:?}");
        }
        assert!(builder().list(15).create().is_ok());
        let of = |bits_per_key| {
            let size = Size::BitsPerKey(bits_per_key);
            PersonalizedRejecting::builder(size).capacity(1000).create()
        };
        assert!(of(0.5).is_ok());
        assert!(of(f64::NAN).is_err());
    }

    #[test]
    fn a_capacity_is_needed_unless_slots_walk_and_list_are_given() {
        assert!(builder().create().is_err());
        assert!(builder().list(2).create().is_ok());
    }

    #[test]
    fn rate_without_a_scan_follows_the_keys_beyond_capacity() {
        let builder = PersonalizedRejecting::builder(Size::Rate(0.01)).capacity(10_000);
        let mut seen = builder.create().expect("valid");
        assert_eq!((seen.rate(), seen.load_factor()), (0.0, Some(0.0)));
        for keys in [10_000, 30_000] {
            seen.extend(seen.len()..keys);
            let (rate, scanned) = (seen.rate(), seen.info().predicted_fpr);
            assert!((rate / scanned - 1.0).abs() < 0.1, "{rate} and {scanned}");
        }
    }
}
