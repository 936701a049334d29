//! Queries and changes of shards.

use super::join::check_range;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result, expect_equal};
use crate::filter::codec::Body;
use crate::filter::contract::{Filter, Lookup, query_rolling, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::format::nested::Nested;
use crate::keys::hash::Digest;
use crate::machine::prefetch::{AHEAD, AHEAD_OF_LINES};
use std::fmt;
use std::sync::OnceLock;

/// Some or all shards of a filter, as [`Spec::build_shards`](crate::Spec::build_shards) builds them on one of many machines.
/// [`Sharded::join`] makes one filter of them.
///
/// ```
/// use bloomwise::sharded::Sharded;
/// use bloomwise::{Family, Filter, KeySets, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let (spec, sets) = (Spec::new(Family::Blocked), KeySets::of_positives(0..1000));
/// let (first, _) = spec.build_shards(&sets, 3, 0..1)?;
/// let (rest, _) = spec.build_shards(&sets, 3, 1..3)?;
/// assert_eq!((rest.of(), rest.range(), rest.is_complete()), (3, (1, 2), false));
/// let filter = Sharded::join(vec![rest, first])?;
/// assert!((0..1000).all(|key| filter.contains(key)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Sharded {
    /// The common hashing, and the sums of keys and capacities.
    pub(super) profile: Profile,
    /// A number that identifies the plan of the shards. Only shards of the same plan can be joined.
    pub(super) plan: u64,
    /// The number of shards of the whole filter.
    pub(super) of: u64,
    /// The number of the first shard that is here.
    pub(super) first: u64,
    /// The shards that are here, at least one.
    pub(super) parts: Vec<Nested<AnyFilter>>,
    /// For each shard, whether it is sound, once that is known.
    pub(super) sound: Vec<OnceLock<bool>>,
}

/// Ignores which shards have been verified.
impl PartialEq for Sharded {
    fn eq(&self, other: &Self) -> bool {
        let rest = |shards: &Self| (shards.profile, shards.plan, shards.of, shards.first);
        rest(self) == rest(other) && self.parts == other.parts
    }
}

impl Sharded {
    /// Shards of a filter of `of` shards that were built by one plan. The first of them has the number `first`.
    ///
    /// # Errors
    ///
    /// There are no shards or too many, or they have different families or hashings.
    pub(crate) fn new(plan: u64, of: u64, first: u64, filters: Vec<AnyFilter>) -> Result<Self> {
        let parts: Vec<Nested<AnyFilter>> = filters.into_iter().map(Nested::new).collect();
        let shards = Self::over(plan, of, first, parts)?;
        shards.trust();
        Ok(shards)
    }

    /// Shards that were read or built. They have not been verified.
    pub(super) fn over(
        plan: u64,
        of: u64,
        first: u64,
        parts: Vec<Nested<AnyFilter>>,
    ) -> Result<Self> {
        let count = parts.len() as u64;
        check_range(of, &(first..first.saturating_add(count)))?;
        let head = &parts[0].filter;
        for part in &parts {
            expect_equal("kind", head.family().name(), part.filter.family().name())?;
            head.profile()
                .hashing
                .expect(part.filter.profile().hashing)?;
        }
        Ok(Sharded {
            profile: total(&parts),
            plan,
            of,
            first,
            sound: parts.iter().map(|_| OnceLock::new()).collect(),
            parts,
        })
    }

    /// The number of shards of the whole filter.
    pub fn of(&self) -> u64 {
        self.of
    }

    /// The shards that are here: the number of the first, and how many.
    pub fn range(&self) -> (u64, u64) {
        (self.first, self.parts.len() as u64)
    }

    /// Whether all shards are here.
    pub fn is_complete(&self) -> bool {
        self.parts.len() as u64 == self.of
    }

    /// The number of shards that are known to be damaged.
    pub(crate) fn damaged(&self) -> u64 {
        let damaged = |sound: &&OnceLock<bool>| sound.get() == Some(&false);
        self.sound.iter().filter(damaged).count() as u64
    }

    /// The filters of the shards that are here, in order.
    pub(crate) fn filters(&self) -> impl Iterator<Item = &AnyFilter> {
        self.parts.iter().map(|part| &part.filter)
    }

    /// The filter of the shard of a digest, if the shard is here.
    pub(crate) fn shard_of(&self, digest: Digest) -> Option<&AnyFilter> {
        self.place(digest).map(|place| &self.parts[place].filter)
    }

    /// Changes the shard of a digest and updates the totals: the number of keys, and the capacity if a growing shard gets a layer.
    pub(crate) fn change<T>(
        &mut self,
        digest: Digest,
        act: impl FnOnce(&mut AnyFilter) -> Result<T>,
    ) -> Result<T> {
        let Some(place) = self.place(digest) else {
            let got = format!("in shard {}", digest.shard(self.of));
            return Err(Error::parameter(
                "the key",
                got,
                "a key of a shard that is here",
            ));
        };
        if !self.is_sound(place) {
            self.parts[place].check()?;
        }
        let filter = self.parts[place].filter_mut();
        let before = *filter.profile();
        let result = act(filter);
        let after = *filter.profile();
        // A sum below the maximum has not saturated, so it is exact.
        if before.capacity == after.capacity && self.profile.keys < u64::MAX {
            let others = self.profile.keys - before.keys;
            self.profile.keys = others.saturating_add(after.keys);
        } else {
            self.profile = total(&self.parts);
        }
        result
    }

    /// The index of the shard of a digest, if the shard is here.
    #[inline]
    fn place(&self, digest: Digest) -> Option<usize> {
        let place = digest.shard(self.of).checked_sub(self.first)? as usize;
        (place < self.parts.len()).then_some(place)
    }

    /// Whether a shard is sound. The first call reads all of it, unless it has been verified before.
    #[inline]
    fn is_sound(&self, place: usize) -> bool {
        match self.sound[place].get() {
            Some(&sound) => sound,
            None => self.verify(place),
        }
    }

    #[cold]
    fn verify(&self, place: usize) -> bool {
        *self.sound[place].get_or_init(|| self.parts[place].check().is_ok())
    }
}

/// The profile of all shards: their common settings, and the sums of keys and capacities. Sums saturate, because files may state any number.
fn total(parts: &[Nested<AnyFilter>]) -> Profile {
    let profiles = || parts.iter().map(|part| part.filter.profile());
    let mut capacities = profiles().map(|profile| profile.capacity);
    Profile {
        keys: profiles().fold(0, |sum, profile| sum.saturating_add(profile.keys)),
        capacity: capacities.try_fold(0u64, |sum, capacity| Some(sum.saturating_add(capacity?))),
        ..*parts[0].filter.profile()
    }
}

impl fmt::Debug for Sharded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Sharded", f)
    }
}

impl sealed::Sealed for Sharded {}

impl Lookup for Sharded {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        match self.place(digest) {
            Some(place) => !self.is_sound(place) || self.parts[place].filter.query(digest),
            None => true,
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        if let Some(place) = self.place(digest) {
            self.parts[place].filter.prefetch(digest);
        }
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let distance = match self.family().reads_few_lines() {
            true => AHEAD,
            false => AHEAD_OF_LINES,
        };
        query_rolling(self, distance, digests, answers);
    }
}

impl Filter for Sharded {
    fn family(&self) -> Family {
        self.parts[0].filter.family()
    }

    fn rate(&self) -> f64 {
        self.whole_rate(self.filters().map(Filter::rate))
    }

    fn size_in_bits(&self) -> u64 {
        let sizes = self.filters().map(Filter::size_in_bits);
        sizes.fold(0, u64::saturating_add)
    }

    /// The information about the shards that are here. Its `fill` weighs each shard by its bits.
    fn info(&self) -> Info {
        self.describe()
    }
}
