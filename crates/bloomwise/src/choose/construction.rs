//! Builds a filter from keys that come one after the other, in the way that fits.
//!
//! | way | when | memory beside the filter |
//! |---|---|---|
//! | in memory | otherwise | 16 bytes for each key and 24 for each known negative |
//! | streaming | a capacity, no known negatives, no shards | none: each key is inserted as it comes, and duplicates cannot be counted |
//! | large | a memory limit | as much as it allows; digests wait in temporary files, and shards are built one after the other |
//!
//! In memory and large, the order of the keys does not change the filter.
//!
//! ```
//! use bloomwise::construction::Construction;
//! use bloomwise::{Family, Filter, Size, Spec};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(12.0));
//! let mut construction = Construction::new(spec, None, true)?;
//! for key in ["ant", "bee", "ant"] {
//!     construction.positive(key)?;
//! }
//! construction.negative("cow", 2.5)?;
//! let built = construction.finish(|_, _| {})?;
//! assert!(built.filter.contains("bee") && !built.filter.contains("cow"));
//! assert_eq!((built.keys, built.duplicates, built.known_negatives), (2, Some(1), Some(1)));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "mmap")]
use crate::choose::large::LargeBuilder;
use crate::choose::planner::{Advice, Planner};
use crate::choose::spec::Spec;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::filter::family::Operation;
use crate::filter::forecast::Workload;
use crate::filter::info::Report;
use crate::filter::sizing::Size;
use crate::keys::digests::Digests;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use crate::keys::sets::{Costed, KeySets, KeySetsBuilder};
use crate::machine::memory::Need;
#[cfg(feature = "mmap")]
use std::path::Path;

/// How many digests are collected before they are inserted together.
const BATCH: usize = 4096;

/// A filter that is being built. The [module's page](self) has an example.
pub struct Construction {
    /// Where keys go.
    way: Way,
    /// Whether there may be known negatives.
    negatives: bool,
}

/// Where keys go.
enum Way {
    /// Into lists of digests, from which the filter is built.
    InMemory(KeySetsBuilder, Kind, Option<u64>),
    /// Into the filter, in batches.
    Streaming(Box<AnyFilter>, Vec<Digest>, u64),
    /// Into temporary files.
    #[cfg(feature = "mmap")]
    Large(Box<LargeBuilder>),
}

/// What to build from sets in memory.
enum Kind {
    /// This.
    Given(Spec),
    /// What [`Planner`] recommends for this size, and for this capacity if there is one.
    Advised(Size, Option<u64>),
}

/// A filter, and what is known of its keys.
#[derive(Debug)]
#[non_exhaustive]
pub struct Built {
    /// The filter. If it was built within a memory limit and has several shards, it answers from a temporary file, so save it to keep it.
    pub filter: AnyFilter,
    /// The report of the build.
    pub report: Report,
    /// The number of keys: distinct ones, or all of them if they were streamed.
    pub keys: u64,
    /// The number of repeated keys; `None` if they were streamed.
    pub duplicates: Option<u64>,
    /// The number of distinct negatives that are not keys of the set, if there could be negatives.
    pub known_negatives: Option<u64>,
    /// The number of distinct negatives that were dropped because they are keys of the set, if there could be negatives.
    pub overlap: Option<u64>,
    /// Why this kind was chosen, if it was chosen here.
    pub advice: Option<Advice>,
}

impl Construction {
    /// Starts a filter of this spec, made of some shards if there is a number. `negatives` says whether there will be known negatives.
    ///
    /// # Errors
    ///
    /// The filter cannot be built, as far as this is known before the keys.
    pub fn new(spec: Spec, shards: Option<u64>, negatives: bool) -> Result<Self> {
        if spec.capacity.is_some() && !negatives && shards.is_none() {
            let way = Way::Streaming(Box::new(spec.create()?), Vec::with_capacity(BATCH), 0);
            return Ok(Construction { way, negatives });
        }
        if let Some(shards) = shards {
            spec.check_shards(shards)?;
        }
        check(&spec, negatives)?;
        let sets = KeySets::builder(spec.chosen_hashing());
        let way = Way::InMemory(sets, Kind::Given(spec), shards);
        Ok(Construction { way, negatives })
    }

    /// Starts a filter of the kind that [`Planner`] recommends for the keys. With a capacity, the kind accepts keys later.
    ///
    /// ```
    /// use bloomwise::construction::Construction;
    /// use bloomwise::{Family, Filter, Hashing, Size};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let size = Size::BitsPerKey(10.0);
    /// let mut construction = Construction::advised(size, None, Hashing::default(), None, true);
    /// for key in 0..1000 {
    ///     construction.positive(key)?;
    ///     construction.negative(1000 + key, 1.0)?;
    /// }
    /// let built = construction.finish(|_, _| {})?;
    /// assert_eq!(built.filter.family(), Family::Guarded);
    /// assert!(built.advice.is_some_and(|advice| !advice.why.is_empty()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn advised(
        size: Size,
        capacity: Option<u64>,
        hashing: Hashing,
        shards: Option<u64>,
        negatives: bool,
    ) -> Self {
        let sets = KeySets::builder(hashing);
        let way = Way::InMemory(sets, Kind::Advised(size, capacity), shards);
        Construction { way, negatives }
    }

    /// Starts a filter of this spec that is built with at most `memory` bytes, with temporary files in `folder`.
    ///
    /// # Errors
    ///
    /// Those of [`LargeBuilder::new`].
    #[cfg(feature = "mmap")]
    pub fn within(
        spec: Spec,
        shards: Option<u64>,
        negatives: bool,
        memory: u64,
        folder: &Path,
    ) -> Result<Self> {
        let build = LargeBuilder::new(spec, memory, shards, folder)?;
        let way = Way::Large(Box::new(build));
        Ok(Construction { way, negatives })
    }

    /// Whether the digests of all keys are held in memory, and all work is done at the end.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.way, Way::InMemory(..))
    }

    /// Adds a key of the set.
    ///
    /// # Errors
    ///
    /// There is not enough memory, the filter is full, or a temporary file cannot be written.
    #[inline]
    pub fn positive(&mut self, key: impl Key) -> Result<()> {
        match &mut self.way {
            Way::InMemory(sets, ..) => {
                let reserved = sets.try_reserve(1, 0);
                reserved.map_err(|_| out_of_memory(size_of::<Digest>()))?;
                sets.positive(key);
                Ok(())
            }
            Way::Streaming(filter, batch, keys) => {
                batch.push(filter.hashing().digest(key));
                match batch.len() < BATCH {
                    true => Ok(()),
                    false => insert(filter, batch, keys),
                }
            }
            #[cfg(feature = "mmap")]
            Way::Large(build) => build.positive(key),
        }
    }

    /// Adds keys of the set.
    ///
    /// # Errors
    ///
    /// Those of [`Construction::positive`].
    #[inline]
    pub fn positives<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let mut keys = keys.into_iter();
        if let Way::InMemory(sets, ..) = &mut self.way {
            // An iterator that knows its length is hashed in one loop.
            let count = keys.size_hint().0;
            let bytes = count.saturating_mul(size_of::<Digest>());
            let reserved = sets.try_reserve(count, 0);
            reserved.map_err(|_| out_of_memory(bytes))?;
            sets.positives(keys.by_ref().take(count));
        }
        keys.try_for_each(|key| self.positive(key))
    }

    /// Adds a known negative and what a false positive on it costs. It is lost if there was to be none.
    ///
    /// # Errors
    ///
    /// There is not enough memory, the cost is negative, infinite or not a number, or a temporary file cannot be written.
    #[inline]
    pub fn negative(&mut self, key: impl Key, cost: f64) -> Result<()> {
        match &mut self.way {
            Way::InMemory(sets, ..) => {
                let reserved = sets.try_reserve(0, 1);
                reserved.map_err(|_| out_of_memory(size_of::<Costed>()))?;
                sets.negative(key, cost);
                Ok(())
            }
            Way::Streaming(..) => Ok(()),
            #[cfg(feature = "mmap")]
            Way::Large(build) => build.negative(key, cost),
        }
    }

    /// Builds the filter. A build within a memory limit calls `progress` with the number of finished shards and the number of all shards.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`]; there is not enough memory; a temporary file cannot be read or written.
    pub fn finish(
        self,
        #[cfg_attr(
            not(feature = "mmap"),
            expect(unused_variables, reason = "for builds within a memory limit")
        )]
        progress: impl FnMut(u64, u64),
    ) -> Result<Built> {
        let negatives = self.negatives;
        let known = |count| negatives.then_some(count);
        match self.way {
            Way::InMemory(sets, kind, shards) => {
                let (hashing, sets) = (sets.hashing(), sets.build()?);
                let (spec, advice) = match kind {
                    Kind::Given(spec) => (spec, None),
                    Kind::Advised(size, capacity) => {
                        let advice = advise(size, capacity, &sets)?;
                        let spec = Spec::new(advice.recommended).size(size).hashing(hashing);
                        let spec = match capacity {
                            Some(capacity) => spec.capacity(capacity),
                            None => spec,
                        };
                        (spec, Some(advice))
                    }
                };
                let (filter, report) = match shards {
                    Some(shards) => spec.build_sharded(&sets, shards)?,
                    None => spec.build_and_report(&sets)?,
                };
                Ok(Built {
                    filter,
                    report,
                    keys: sets.positives().len() as u64,
                    duplicates: Some(sets.duplicates()),
                    known_negatives: known(sets.negatives().len() as u64),
                    overlap: known(sets.overlap()),
                    advice,
                })
            }
            Way::Streaming(mut filter, mut batch, mut keys) => {
                insert(&mut filter, &mut batch, &mut keys)?;
                Ok(Built {
                    report: filter.report(),
                    filter: *filter,
                    keys,
                    duplicates: None,
                    known_negatives: None,
                    overlap: None,
                    advice: None,
                })
            }
            #[cfg(feature = "mmap")]
            Way::Large(build) => {
                let built = build.finish(progress)?;
                Ok(Built {
                    filter: built.filter,
                    report: built.report,
                    keys: built.keys,
                    duplicates: Some(built.duplicates),
                    known_negatives: known(built.negatives),
                    overlap: known(built.overlap),
                    advice: None,
                })
            }
        }
    }
}

/// Inserts a batch of digests, which is empty then.
fn insert(filter: &mut AnyFilter, batch: &mut Vec<Digest>, keys: &mut u64) -> Result<()> {
    let digests = Digests::from_raw(filter.hashing(), &batch[..]);
    filter.insert_digests(&digests)?;
    *keys += batch.len() as u64;
    batch.clear();
    Ok(())
}

/// The advice for these keys.
fn advise(size: Size, capacity: Option<u64>, sets: &KeySets) -> Result<Advice> {
    let workload = Workload::of(sets);
    let planner = Planner::new(&workload, size);
    // A capacity is for keys that come later.
    match capacity {
        Some(_) => planner.needs(Operation::Insert).advise(),
        None => planner.advise(),
    }
}

/// Returns an error if no filter can be built, as far as this is known before the keys.
fn check(spec: &Spec, negatives: bool) -> Result<()> {
    spec.forecast(&Workload::new(1, u64::from(negatives)))?;
    let capacity = spec.capacity.unwrap_or(1);
    match spec.clone().capacity(capacity).create() {
        // A kind with a fixed set has no empty filter; building it reports what is wrong.
        Ok(_) | Err(Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

#[cold]
fn out_of_memory(bytes: usize) -> Error {
    Need::Keys.refused(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::family::Family;

    fn built(mut construction: Construction) -> Built {
        for key in 0..5000u64 {
            construction.positive(key).expect("room");
        }
        construction.positives(4000..6000u64).expect("room");
        if construction.negatives {
            for key in 5990..7000u64 {
                construction.negative(key, 1.0).expect("a cost");
            }
        }
        construction.finish(|_, _| {}).expect("sound")
    }

    #[test]
    fn every_way_counts_what_it_can() {
        let spec = Spec::new(Family::Bloom).size(Size::Rate(0.01));
        let counts = |built: &Built| (built.keys, built.duplicates, built.known_negatives);
        let in_memory = built(Construction::new(spec.clone(), None, false).expect("sound"));
        assert_eq!(counts(&in_memory), (6000, Some(1000), None));
        let with_capacity = spec.clone().capacity(6000);
        let streaming = Construction::new(with_capacity, None, false).expect("sound");
        assert!(!streaming.is_in_memory());
        let streaming = built(streaming);
        assert_eq!(counts(&streaming), (7000, None, None));
        assert!((0..6000u64).all(|key| streaming.filter.contains(key)));
        let sharded = built(Construction::new(spec, Some(3), true).expect("sound"));
        assert_eq!(counts(&sharded), (6000, Some(1000), Some(1000)));
        assert_eq!((sharded.overlap, sharded.filter.shards()), (Some(10), 3));
    }

    #[cfg(feature = "mmap")]
    #[test]
    fn memory_limit_gives_the_same_filter() {
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(10.0));
        let in_memory = built(Construction::new(spec.clone(), Some(2), true).expect("sound"));
        let folder = std::env::temp_dir();
        let within = Construction::within(spec, Some(2), true, LargeBuilder::MIN_MEMORY, &folder);
        let within = built(within.expect("sound"));
        assert_eq!(within.filter, in_memory.filter);
        let counts = |built: &Built| (built.keys, built.duplicates, built.overlap);
        assert_eq!(counts(&within), counts(&in_memory));
    }

    #[test]
    fn advice_heeds_the_capacity() {
        let construction = |capacity| {
            let size = Size::BitsPerKey(10.0);
            Construction::advised(size, capacity, Hashing::default(), None, true)
        };
        let fixed = built(construction(None));
        assert_eq!(fixed.filter.family(), Family::Guarded);
        assert!(fixed.advice.is_some());
        let growing = built(construction(Some(10_000)));
        assert!(growing.filter.family().can(Operation::Insert));
        assert_eq!(growing.filter.capacity(), Some(10_000));
    }

    #[test]
    fn what_cannot_be_built_is_an_error_before_the_keys() {
        let spec = Spec::new(Family::Cuckoo).size(Size::Bits(u64::MAX));
        assert!(Construction::new(spec.clone(), None, true).is_err());
        assert!(Construction::new(spec.capacity(10), None, false).is_err());
        let spec = Spec::new(Family::Bloom);
        assert!(Construction::new(spec, Some(0), false).is_err());
    }
}
