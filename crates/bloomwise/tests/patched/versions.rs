//! Sequences of versions beside exact sets.

use crate::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The keys of some bits of a number.
fn keys_of(bits: u64) -> BTreeSet<u64> {
    (0..64).filter(|key| bits >> key & 1 == 1).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_version_agrees_with_an_exact_set_on_all_that_is_known(
        family in prop::sample::select(&Family::ALL[..]),
        bits_per_key in 1.0..12.0f64,
        shards in 1..3u64,
        first: u64,
        versions in prop::collection::vec((any::<u64>(), any::<u64>()), 1..5),
    ) {
        let hashing = Hashing::Xxh3 { seed: first };
        let digested = |positives: &BTreeSet<u64>, negatives: &BTreeSet<u64>| {
            let mut sets = KeySets::builder(hashing);
            sets.positives(positives).negatives(negatives.iter().map(|key| (key, 1.0)));
            sets.build().expect("sound costs")
        };
        let old = keys_of(first);
        let old_sets = digested(&old, &BTreeSet::new());
        let spec = Spec::new(family).size(Size::BitsPerKey(bits_per_key)).capacity(64);
        // Some families cannot have any size; then there is nothing to patch.
        let base = match shards {
            1 => spec.build(&old_sets),
            _ => spec.build_sharded(&old_sets, shards).map(|(filter, _)| filter),
        };
        let Ok(mut filter) = base else { return Ok(()) };
        for (positives, negatives) in versions {
            let (new, known) = (keys_of(positives), keys_of(negatives));
            let patch = Patch::build(&filter, &old_sets, &digested(&new, &known)).expect("its keys");
            let patch = Patch::from_bytes(&patch.to_bytes()).expect("it was just written");
            filter = patch.apply(filter).expect("its base");
            filter = AnyFilter::from_bytes(&filter.to_bytes()).expect("it was just written");
            prop_assert_eq!(filter.len(), new.len() as u64);
            for key in 0..64 {
                if new.contains(&key) {
                    prop_assert!(filter.contains(key), "{} is denied", key);
                } else if known.contains(&key) || old.contains(&key) {
                    prop_assert!(!filter.contains(key), "{} is accepted", key);
                }
            }
        }
    }
}
