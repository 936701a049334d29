//! Builds the filter.

use super::Construction;
use super::add::insert;
use super::start::{Kind, Way};
use crate::choose::planner::{Advice, Planner};
use crate::choose::spec::Spec;
use crate::compose::any::AnyFilter;
use crate::error::Result;
use crate::filter::family::Operation;
use crate::filter::forecast::Workload;
use crate::filter::info::Report;
use crate::filter::sizing::Size;
use crate::keys::sets::KeySets;

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

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "mmap")]
    use crate::choose::large::LargeBuilder;
    use crate::filter::Filter;
    use crate::filter::family::Family;
    use crate::keys::hash::Hashing;

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
