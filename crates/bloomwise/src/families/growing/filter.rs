//! The filter.

use super::MAX_LAYERS;
use super::schedule::Schedule;
use crate::error::{Error, Result};
use crate::families::bloom::Bloom;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, GROUP, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::forecast::Workload;
use crate::filter::info::{Info, Parameter};
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::key_list::KeyList;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::keys::sets::KeySets;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use std::fmt;

/// A set that accepts any number of insertions at a bounded false positive rate.
///
/// [`Filter::capacity`] is the capacity of all layers so far. When a filter is at capacity, the next new key adds a layer.
///
/// ```
/// use bloomwise::{Filter, Growing, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// // Planned for a thousand keys; a hundred thousand come.
/// let mut seen = Growing::builder(Size::Rate(0.01)).capacity(1000).create()?;
/// for key in 0..100_000 {
///     seen.insert(key);
/// }
/// assert!((0..100_000).all(|key| seen.contains(key)));
/// assert!(!seen.insert(7), "it is not new");
/// assert_eq!(seen.layers(), 7);
/// assert!(seen.rate() < 0.01);
///
/// // One layer answers faster than seven, and takes less space.
/// let before = seen.size_in_bits();
/// seen.compact(0..100_000)?;
/// assert_eq!(seen.layers(), 1);
/// assert!(seen.size_in_bits() < before);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Growing {
    /// The layers, at least one, with the newest last.
    pub(super) layers: Vec<Bloom>,
    /// The capacities and rates of the layers.
    pub(super) schedule: Schedule,
    /// Hashing, the number of keys that were new, and the capacity of all layers.
    profile: Profile,
}

impl Growing {
    /// Options for a filter of this size. [`Builder::capacity`] is the capacity of the first layer; by default 1000, or the number of keys
    /// that the filter is built from.
    ///
    /// A [`Size::Rate`] is the rate of all layers together, however many there will be. Any other size applies to the first layer alone.
    /// The rate then stays below twice the rate of the first layer at its capacity.
    pub fn builder(size: Size) -> Builder<Growing> {
        Builder::new(size)
    }

    /// The filter of these layers. `capacity` is the capacity of the first.
    pub(super) fn over(
        mut layers: Vec<Bloom>,
        capacity: u64,
        expansion: u32,
        mut profile: Profile,
    ) -> Self {
        let schedule = Schedule::new(&layers[0], capacity, profile.target_rate, expansion);
        let mut all = 0u64;
        for (number, layer) in layers.iter_mut().enumerate() {
            let (capacity, rate) = schedule.layer(number);
            layer.plan_for(capacity, rate);
            all = all.saturating_add(capacity);
        }
        profile.capacity = Some(all);
        Growing {
            layers,
            schedule,
            profile,
        }
    }

    /// Replaces the chain by one layer for these keys. They must include all keys of the set; other keys and repetitions are allowed.
    /// It takes 16 bytes per key while it works. The layer is planned for the number of distinct keys.
    ///
    /// # Errors
    ///
    /// The filter accepts fewer of the distinct keys than it holds, so some are missing; or there is not enough memory. Then the filter
    /// does not change.
    pub fn compact<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let mut sets = KeySets::builder(self.profile.hashing);
        sets.positives(keys);
        let sets = sets.build()?;
        let distinct = sets.positives();
        let mut answers = vec![false; distinct.len()];
        self.query_batch(distinct, &mut answers);
        // Each key of the set is accepted. The filter does not count keys that it already accepted when they were inserted, so there may be more.
        let accepted = answers.iter().filter(|&&accepted| accepted).count() as u64;
        if accepted < self.len() {
            let expected = format!("all {} keys of the filter", self.len());
            let name = "the number of distinct keys that the filter accepts";
            return Err(Error::parameter(name, accepted, expected));
        }
        let (first_capacity, rate) = self.schedule.layer(0);
        let capacity = first_capacity.max(distinct.len() as u64);
        let first = layer(&self.profile, capacity, rate)?;
        let empty = Profile {
            keys: 0,
            ..self.profile
        };
        let expansion = self.schedule.expansion;
        let mut compacted = Growing::over(vec![first], capacity, expansion, empty);
        compacted.add_digests(distinct, Checked(()));
        *self = compacted;
        Ok(())
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// The layers, with the newest last. Each has its own capacity and rate.
    pub fn chain(&self) -> &[Bloom] {
        &self.layers
    }

    /// The factor between the capacities of consecutive layers.
    pub fn expansion(&self) -> u32 {
        self.schedule.expansion
    }

    /// The bits that inserting `key` adds to [`Filter::size_in_bits`]: the bits of another layer if the newest one is full and the filter
    /// denies the key, otherwise 0. A program with little memory can refuse the key instead. Call this before you insert into a filter that
    /// you did not build: its next layer can be 32,768 times as large as the last one.
    ///
    /// # Errors
    ///
    /// No filter can have so large a layer.
    pub fn growth(&self, key: impl Key) -> Result<u64> {
        self.growth_for(self.profile.hashing.digest(key))
    }

    /// The bits of the next layer; 0 if there can be no more layers.
    fn next_layer(&self) -> Result<u64> {
        if self.layers.len() == MAX_LAYERS {
            return Ok(0);
        }
        let (capacity, rate) = self.schedule.layer(self.layers.len());
        let next = layer_builder(&self.profile, capacity, rate);
        Ok(next.forecast(&Workload::new(capacity, 0))?.bits)
    }

    /// The number of new keys that the newest layer takes before it is full.
    pub(crate) fn room(&self) -> u64 {
        let newest = &self.layers[self.layers.len() - 1];
        let capacity = newest.capacity().unwrap_or(0);
        capacity.saturating_sub(newest.len())
    }

    /// Adds a layer, if there is enough memory.
    fn grow(&mut self) {
        let (capacity, rate) = self.schedule.layer(self.layers.len());
        if self.layers.len() < MAX_LAYERS
            && let Ok(layer) = layer(&self.profile, capacity, rate)
        {
            self.layers.push(layer);
            let all = self.profile.capacity.unwrap_or(0);
            self.profile.capacity = Some(all.saturating_add(capacity));
        }
    }
}

/// An empty layer of a filter of this profile.
fn layer(profile: &Profile, capacity: u64, rate: f64) -> Result<Bloom> {
    layer_builder(profile, capacity, rate).create()
}

/// The options of a layer.
fn layer_builder(profile: &Profile, capacity: u64, rate: f64) -> Builder<Bloom> {
    let builder = Bloom::builder(Size::Rate(rate)).capacity(capacity);
    builder.hashing(profile.hashing)
}

/// The rate of a chain whose layers have these rates.
fn together(rates: impl Iterator<Item = f64>) -> f64 {
    // In this form, small rates are not lost to rounding, as they would be in a product of `1 - rate`.
    rates.fold(0.0, |all, rate| all + rate * (1.0 - all))
}

impl fmt::Debug for Growing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Growing {}

impl Lookup for Growing {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.layers.iter().rev().any(|layer| layer.query(digest))
    }

    /// Looks up all keys in the newest layer. Keys that it denies are looked up in the next older one, and so on.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        answers.fill(false);
        for (digests, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut denied = KeyList::<GROUP>::new();
            (0..digests.len()).for_each(|at| denied.push_if(at, true));
            let mut rest = [Digest { high: 0, low: 0 }; GROUP];
            for layer in self.layers.iter().rev() {
                let count = denied.keys().len();
                for (digest, &at) in rest.iter_mut().zip(denied.keys()) {
                    *digest = digests[at];
                }
                let mut found = [false; GROUP];
                layer.query_batch(&rest[..count], &mut found[..count]);
                let mut found = found.into_iter();
                denied.retain(|at| {
                    answers[at] = found.next().unwrap_or(false);
                    !answers[at]
                });
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.layers.iter().for_each(|layer| layer.prefetch(digest));
    }
}

impl Filter for Growing {
    fn family(&self) -> Family {
        Family::Growing
    }

    fn rate(&self) -> f64 {
        together(self.layers.iter().map(Bloom::rate))
    }

    fn size_in_bits(&self) -> u64 {
        self.layers.iter().map(Bloom::size_in_bits).sum()
    }

    fn info(&self) -> Info {
        let infos: Vec<Info> = self.layers.iter().map(Bloom::info).collect();
        let bits = self.size_in_bits();
        let shares = self.layers.iter().zip(&infos);
        let fill: f64 = shares
            .map(|(layer, info)| info.fill * layer.size_in_bits() as f64 / bits as f64)
            .sum();
        let parameters = vec![
            Parameter::total("bits", bits),
            Parameter::setting("k", u64::from(self.layers[0].functions())),
            Parameter::measure("layers", self.layers.len() as u64),
            Parameter::measure("expansion", u64::from(self.schedule.expansion)),
        ];
        let rate = together(infos.iter().map(|info| info.predicted_fpr));
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

/// If a key is not new, the filter does not change.
impl Insert for Growing {
    /// Adds a key to the newest layer, unless a layer has it, and returns whether it is new.
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        let (newest, older) = self.layers.split_last().expect("there is a layer");
        if older.iter().any(|layer| layer.query(digest)) {
            return false;
        }
        if Some(newest.len()) >= newest.capacity() {
            if newest.query(digest) {
                return false;
            }
            self.grow();
        }
        let newest = self.layers.last_mut().expect("there is a layer");
        let new = newest.insert_if_new(digest);
        self.profile.add_keys(usize::from(new));
        new
    }

    fn add_digests(&mut self, digests: &[Digest], checked: Checked) {
        prefetch::rolling(
            self,
            digests,
            AHEAD_OF_LINES,
            Lookup::prefetch,
            |filter, _, digest| _ = filter.add_digest(digest, checked),
        );
    }
}

impl Change for Growing {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn keys_until_growth(&self) -> u64 {
        self.room()
    }

    fn growth_for(&self, digest: Digest) -> Result<u64> {
        match self.room() > 0 || self.query(digest) {
            true => Ok(0),
            false => self.next_layer(),
        }
    }

    fn bytes_beside_cells(&self) -> u64 {
        (self.layers() * size_of::<Bloom>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Persist;

    fn filter(rate: f64, capacity: u64, expansion: u32) -> Growing {
        let builder = Growing::builder(Size::Rate(rate)).capacity(capacity);
        builder.expansion(expansion).create().expect("sound")
    }

    #[test]
    fn rate_stays_below_the_one_that_was_asked_for() {
        for (rate, expansion) in [(0.03, 1), (0.03, 2), (0.01, 2), (0.01, 10)] {
            let mut seen = filter(rate, 1000, expansion);
            for keys in [1000, 10_000, 100_000] {
                seen.extend(seen.len()..keys);
                let unseen = 1 << 40..(1 << 40) + 200_000;
                let wrong = unseen.filter(|key: &u64| seen.contains(key)).count();
                let measured = wrong as f64 / 200_000.0;
                assert!(
                    measured < rate && seen.rate() < rate,
                    "{measured} at {keys} keys"
                );
                let deviations = (measured - seen.rate()) / (seen.rate() / 200_000.0).sqrt();
                assert!(deviations.abs() < 5.0, "{measured} and {}", seen.rate());
                let scanned = seen.info().predicted_fpr;
                assert!((scanned / seen.rate() - 1.0).abs() < 0.1);
            }
        }
    }

    #[test]
    fn growth_is_known_before_it_happens() {
        let mut seen = filter(0.01, 100, 3);
        assert_eq!(seen.expansion(), 3);
        for key in 0..20_000u64 {
            let (growth, before) = (seen.growth(key).expect("small"), seen.size_in_bits());
            let grown = before + if seen.insert(key) { growth } else { 0 };
            assert_eq!(seen.size_in_bits(), grown, "at {key}");
        }
        assert_eq!(seen.layers(), 6);
        let sum: u64 = seen.chain().iter().map(Bloom::size_in_bits).sum();
        assert_eq!(sum, seen.size_in_bits());
    }

    #[test]
    fn key_that_comes_again_takes_no_room() {
        let mut seen = filter(0.01, 100, 2);
        for _ in 0..50 {
            seen.extend(0..100);
        }
        assert_eq!((seen.layers(), seen.capacity()), (1, Some(100)));
        assert!(seen.len() >= 98 && seen.len() <= 100, "{}", seen.len());
    }

    #[test]
    fn layers_follow_the_expansion_without_an_end() {
        for (expansion, layers) in [(1, 10), (2, 4), (3, 3), (32768, 2)] {
            let mut seen = filter(1e-9, 100, expansion);
            seen.extend(0..1000);
            assert_eq!(seen.layers(), layers, "{expansion}");
            assert_eq!(seen.len(), 1000);
            assert!(seen.capacity() >= Some(1000) && seen.load_factor() <= Some(1.0));
        }
        let mut smallest = filter(0.01, 1, 1);
        smallest.extend(0..5000);
        assert!((0..5000).all(|key| smallest.contains(key)));
        assert!(smallest.layers() < MAX_LAYERS && smallest.rate() < 0.01);
        assert_eq!(
            Growing::from_bytes(&smallest.to_bytes()).expect("sound"),
            smallest
        );
    }

    #[test]
    fn compacted_filter_has_one_layer_and_grows_again() {
        for size in [Size::Rate(0.01), Size::BitsPerKey(10.0)] {
            let builder = Growing::builder(size).capacity(100);
            let mut seen = builder.create().expect("sound");
            seen.extend(0..5000);
            let before = seen.clone();
            let error = seen
                .compact(0..seen.len() - 1)
                .expect_err("keys are missing");
            assert!(error.to_string().contains("all 49"), "{error}");
            assert_eq!(seen, before);
            seen.compact(0..5000).expect("all keys");
            assert_eq!((seen.layers(), seen.capacity()), (1, Some(5000)));
            let mut unknown = before.clone();
            let keys = (0..6000).filter(|&key| key < 5000);
            unknown.compact(keys).expect("all keys");
            assert_eq!(unknown.layers(), 1);
            assert!(seen.size_in_bits() < before.size_in_bits() && seen.rate() < before.rate());
            assert_eq!(Growing::from_bytes(&seen.to_bytes()).expect("sound"), seen);
            seen.extend(5000..20_000);
            assert!(seen.layers() > 1 && (0..20_000).all(|key| seen.contains(key)));
        }
    }

    #[test]
    fn compact_counts_distinct_keys_and_not_what_an_iterator_claims() {
        /// An iterator whose size hint is a single key.
        struct Modest<I>(I);

        impl<I: Iterator> Iterator for Modest<I> {
            type Item = I::Item;

            fn next(&mut self) -> Option<I::Item> {
                self.0.next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (1, None)
            }
        }
        let mut seen = filter(0.01, 100, 2);
        seen.extend(0..2000);
        let before = seen.clone();
        let half = (0..1000).chain(0..1000);
        let error = seen.compact(half).expect_err("keys are missing");
        assert!(error.to_string().contains("is 1000, expected"), "{error}");
        // Keys that the filter denies were never inserted, so they cannot stand in for missing keys.
        let others = (10_000..20_000).filter(|key| !before.contains(key));
        let error = seen.compact((0..1000).chain(others));
        assert!(error.is_err() && seen == before);
        seen.compact(Modest(0..2000)).expect("all keys");
        assert_eq!((seen.layers(), seen.capacity()), (1, Some(2000)));
        assert!((0..2000).all(|key| seen.contains(key)));
    }

    #[test]
    fn filter_without_a_capacity_starts_small() {
        let seen = Growing::builder(Size::Rate(0.01))
            .create()
            .expect("no capacity needed");
        assert_eq!(seen.capacity(), Some(1000));
        for expansion in [0, 32769] {
            let builder = Growing::builder(Size::Rate(0.01)).expansion(expansion);
            let text = builder.create().expect_err("no expansion").to_string();
            assert!(text.contains("expected a number from 1 to 32768"), "{text}");
        }
        for rate in [0.0, 1.0, 1.5, f64::NAN, 1e-19] {
            assert!(
                Growing::builder(Size::Rate(rate)).create().is_err(),
                "{rate}"
            );
        }
    }
}
