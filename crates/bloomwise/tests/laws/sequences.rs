//! What holds after any sequence of operations.

use crate::life::{Life, key, spec, steps};
use bloomwise::{AnyFilter, Error, Family, Filter, Persist};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_false_negative_under_any_legal_sequence(spec in spec(), steps in steps()) {
        let mut life = Life::new(&spec);
        for step in steps {
            life.take(step);
            for (&name, _) in life.held.iter().filter(|(_, count)| **count > 0) {
                prop_assert!(life.filter.contains(key(name)), "{name} is denied after {step:?}");
            }
        }
        if life.filter.family() == Family::Growing {
            // It counts a key once, or never if it was a false positive, and its capacity grows.
            prop_assert!(life.filter.len() <= life.held.len() as u64);
            prop_assert!(life.filter.load_factor() <= Some(1.0));
            return Ok(());
        }
        let count = life.held.values().map(|&count| u64::from(count)).sum::<u64>();
        prop_assert_eq!((life.filter.len(), life.filter.info().keys), (count, count));
        prop_assert_eq!((life.filter.capacity(), life.filter.load_factor()), (Some(30), Some(count as f64 / 30.0)));
    }

    #[test]
    fn every_answer_is_that_of_the_naive_model(spec in spec(), steps in steps()) {
        let life = Life::after(&spec, &steps);
        for name in 0..=255 {
            let expected = life.model.contains(life.filter.hashing().digest(key(name)));
            prop_assert_eq!(life.filter.contains(key(name)), expected, "key {}", name);
        }
    }

    #[test]
    fn decoded_filter_is_equal_and_continues_alike(
        spec in spec(),
        before in steps(),
        after in steps(),
    ) {
        let mut life = Life::after(&spec, &before);
        let bytes = life.filter.to_bytes();
        let mut decoded = life.clone();
        decoded.filter = AnyFilter::from_bytes(&bytes).expect("what was written can be read");
        prop_assert_eq!(&decoded.filter, &life.filter);
        prop_assert_eq!(decoded.filter.to_bytes(), bytes);
        for step in after {
            life.take(step);
            decoded.take(step);
        }
        prop_assert_eq!(decoded.filter.to_bytes(), life.filter.to_bytes());
    }

    #[test]
    fn equal_sequences_give_equal_bytes(spec in spec(), steps in steps()) {
        let bytes = || Life::after(&spec, &steps).filter.to_bytes();
        prop_assert_eq!(bytes(), bytes());
    }

    #[test]
    fn order_of_a_set_does_not_change_the_bytes(
        spec in spec(),
        names in prop::collection::vec(any::<u8>(), 0..100),
        shift in 0usize..100,
    ) {
        let build = |names: &[u8]| {
            let keys = names.iter().map(|&name| key(name));
            let built = spec.build_from_keys(keys);
            match built {
                // A cuckoo filter may be too small for them, in any order.
                Err(Error::Full { .. }) => None,
                built => Some(built.expect("a sound spec").to_bytes()),
            }
        };
        let mut other = names.clone();
        other.reverse();
        other.rotate_left(shift.min(names.len()));
        other.extend(names.first());
        prop_assert_eq!(build(&names), build(&other));
    }
}
