//! Queries and changes of shards.

use super::MAX_SHARDS;
use crate::codec::Body;
use crate::error::{Error, Result, expect_equal};
use crate::family::Family;
use crate::filter::{Filter, Lookup, query_rolling, sealed};
use crate::format::parts::Part;
use crate::hash::Digest;
use crate::info::{Info, Value};
use crate::prefetch::{AHEAD, AHEAD_OF_LINES};
use crate::profile::Profile;
use std::ops::Range;
use std::sync::OnceLock;

/// Some or all of the shards of a filter.
#[derive(Clone, Debug)]
pub struct Sharded<F> {
    /// What the shards have in common, and the sums of their keys and capacities.
    pub(super) profile: Profile,
    /// A number that stands for the plan of the shards. Shards of different plans are not joined.
    pub(super) plan: u64,
    /// The number of shards of the whole filter.
    pub(super) of: u64,
    /// The first shard that is here.
    pub(super) first: u64,
    /// The shards that are here, at least one.
    pub(super) parts: Vec<Part<F>>,
    /// Whether each shard is sound, once that is known.
    pub(super) sound: Vec<OnceLock<bool>>,
}

/// What has been verified does not matter.
impl<F: PartialEq> PartialEq for Sharded<F> {
    fn eq(&self, other: &Self) -> bool {
        let rest = |shards: &Self| (shards.profile, shards.plan, shards.of, shards.first);
        rest(self) == rest(other) && self.parts == other.parts
    }
}

impl<F: Body> Sharded<F> {
    /// The shards from number `first` on, of a filter of `of` shards that were made by one plan.
    ///
    /// # Errors
    ///
    /// There are no shards or too many, or they are of different families or hashings.
    pub(crate) fn new(plan: u64, of: u64, first: u64, filters: Vec<F>) -> Result<Self> {
        let parts: Vec<Part<F>> = filters.into_iter().map(Part::new).collect();
        let shards = Self::over(plan, of, first, parts)?;
        shards.trust();
        Ok(shards)
    }

    /// The shards that were read or made; whether they are sound is not known yet.
    pub(super) fn over(plan: u64, of: u64, first: u64, parts: Vec<Part<F>>) -> Result<Self> {
        let count = parts.len() as u64;
        check_range(of, &(first..first.saturating_add(count)))?;
        let head = &parts[0].filter;
        for part in &parts {
            expect_equal("kind", head.family().name(), part.filter.family().name())?;
            head.profile()
                .hashing
                .expect(part.filter.profile().hashing)?;
        }
        let profiles = || parts.iter().map(|part| part.filter.profile());
        let mut capacities = profiles().map(|profile| profile.capacity);
        let profile = Profile {
            keys: profiles().fold(0, |sum, profile| sum.saturating_add(profile.keys)),
            capacity: capacities
                .try_fold(0u64, |sum, capacity| Some(sum.saturating_add(capacity?))),
            ..*head.profile()
        };
        Ok(Sharded {
            profile,
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

    /// The shards that are here: the number of the first, and how many there are.
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
    pub(crate) fn filters(&self) -> impl Iterator<Item = &F> {
        self.parts.iter().map(|part| &part.filter)
    }

    /// One filter of shards that belong together, in any order.
    ///
    /// # Errors
    ///
    /// They were made by different plans, a shard is missing, or one is there twice.
    pub(crate) fn joined(mut ranges: Vec<Self>) -> Result<Self> {
        ranges.sort_by_key(|range| range.first);
        let wrong = |got: String| {
            let expected = "each shard once";
            Err(Error::parameter("the list of parts", got, expected))
        };
        let Some(head) = ranges.first() else {
            return wrong("none".to_string());
        };
        let (plan, of, mut next) = (head.plan, head.of, 0);
        for range in &ranges {
            expect_equal("number of shards", of, range.of)?;
            let (first, count) = range.range();
            if range.plan != plan {
                let last = first + count - 1;
                return wrong(format!(
                    "with shards {first} to {last}, built with another kind, size or setting than shard {}",
                    head.first
                ));
            }
            if first > next {
                return wrong(format!("without shard {next}"));
            }
            if first < next {
                return wrong(format!("with shard {first} twice"));
            }
            next += count;
        }
        if next < of {
            return wrong(format!("without shard {next}"));
        }
        let sound = ranges
            .iter()
            .flat_map(|range| range.sound.clone())
            .collect();
        let parts = ranges.into_iter().flat_map(|range| range.parts).collect();
        Ok(Sharded {
            sound,
            ..Self::over(plan, of, 0, parts)?
        })
    }

    /// Changes the shard of a digest, and counts keys that were added or removed.
    pub(crate) fn change<T>(
        &mut self,
        digest: Digest,
        act: impl FnOnce(&mut F) -> Result<T>,
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
        let before = filter.profile().keys;
        let result = act(filter);
        let after = filter.profile().keys;
        self.profile.keys = self
            .profile
            .keys
            .saturating_sub(before)
            .saturating_add(after);
        result
    }

    /// Where the shard of a digest is, if it is here.
    #[inline]
    fn place(&self, digest: Digest) -> Option<usize> {
        let place = digest.shard(self.of).checked_sub(self.first)? as usize;
        (place < self.parts.len()).then_some(place)
    }

    /// Whether a shard is sound. Reads all of it the first time, unless it is known.
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

    /// The mean of a number of all shards. Each shard gets the same share of other keys.
    fn mean(&self, number: impl Fn(&F) -> f64) -> f64 {
        self.filters().map(number).sum::<f64>() / self.parts.len() as f64
    }
}

/// An error unless these are some of `of` shards, and there may be as many.
pub(crate) fn check_range(of: u64, range: &Range<u64>) -> Result<()> {
    if !(1..=MAX_SHARDS).contains(&of) {
        let expected = format!("a number from 1 to {MAX_SHARDS}");
        return Err(Error::parameter("the number of shards", of, expected));
    }
    if range.is_empty() || range.end > of {
        let count = range.end.saturating_sub(range.start);
        let got = format!("{count} from number {} on", range.start);
        let expected = format!("at least one, and those of a filter of {of}");
        return Err(Error::parameter("the range of shards", got, expected));
    }
    Ok(())
}

/// Parameters that count something, so that those of shards add up.
const COUNTS: [&str; 6] = [
    "bits",
    "counters",
    "cells",
    "buckets",
    "known_negatives",
    "wrong",
];

/// Parameters that describe each shard, and the whole if all shards agree.
const SETTINGS: [&str; 9] = [
    "k",
    "block",
    "scheme",
    "choices",
    "cell_bits",
    "second_round",
    "fingerprint",
    "guard",
    "threshold",
];

/// The parameters of shards that say something about the whole.
fn common(infos: &[Info]) -> impl Iterator<Item = (&'static str, Value)> {
    infos[0].parameters.iter().filter_map(|(name, value)| {
        let mut others = infos.iter().map(|info| info.parameter(name));
        let value = if COUNTS.contains(name) {
            Value::Whole(others.map(|value| value?.as_u64()).sum::<Option<u64>>()?)
        } else {
            let same = SETTINGS.contains(name) && others.all(|other| other == Some(value));
            same.then(|| value.clone())?
        };
        Some((*name, value))
    })
}

impl<F> sealed::Sealed for Sharded<F> {}

impl<F: Body> Lookup for Sharded<F> {
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
        let distance = match self.family() {
            // One line per key, or two.
            Family::Blocked | Family::Balanced | Family::HabfCache => AHEAD,
            _ => AHEAD_OF_LINES,
        };
        query_rolling(self, distance, digests, answers);
    }
}

impl<F: Body> Filter for Sharded<F> {
    fn family(&self) -> Family {
        self.parts[0].filter.family()
    }

    fn rate(&self) -> f64 {
        self.mean(Filter::rate)
    }

    fn size_in_bits(&self) -> u64 {
        let sizes = self.filters().map(Filter::size_in_bits);
        sizes.fold(0, u64::saturating_add)
    }

    fn info(&self) -> Info {
        let infos: Vec<Info> = self.filters().map(Filter::info).collect();
        let mean =
            |number: fn(&Info) -> f64| infos.iter().map(number).sum::<f64>() / infos.len() as f64;
        let keys = || infos.iter().map(|info| info.keys);
        let mut parameters = vec![
            ("shards", Value::Whole(self.of)),
            ("smallest shard", Value::Whole(keys().min().unwrap_or(0))),
            ("largest shard", Value::Whole(keys().max().unwrap_or(0))),
        ];
        match self.damaged() {
            0 => {}
            damaged => parameters.push(("damaged shards", Value::Whole(damaged))),
        }
        parameters.extend(common(&infos));
        Info::new(
            self.family(),
            &self.profile,
            parameters,
            mean(|info| info.fill),
            mean(|info| info.predicted_fpr),
        )
    }
}
