//! All ways to query, and all ways to insert, agree.

use crate::life::{key, spec};
use bloomwise::{Digests, Error, Filter};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_ways_to_query_give_the_same_answers(
        spec in spec(),
        names in prop::collection::vec(any::<u8>(), 0..60),
        asked in prop::collection::vec(any::<[u8; 4]>(), 0..400),
    ) {
        let mut filter = spec.create().expect("a sound spec");
        for &name in &names {
            let new = !filter.contains(key(name));
            match filter.insert(key(name)) {
                Err(Error::Full { .. }) => break,
                inserted => prop_assert_eq!(inserted.expect("all of them grow"), new),
            }
        }
        let inside = names.iter().map(|&name| key(name));
        let keys: Vec<[u8; 4]> = inside.chain(asked).collect();
        let one_by_one: Vec<bool> = keys.iter().map(|key| filter.contains(key)).collect();
        prop_assert_eq!(&filter.contains_batch(&keys), &one_by_one);
        let digests = Digests::of(filter.hashing(), &keys);
        prop_assert_eq!(&filter.contains_digests(&digests).expect("one hashing"), &one_by_one);
        let mut bitmap = vec![0xFF; keys.len().div_ceil(8)];
        filter.contains_digests_bitmap(&digests, &mut bitmap).expect("one hashing");
        let bit = |at: usize| bitmap.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        prop_assert!((0..8 * bitmap.len()).all(|at| bit(at) == one_by_one.get(at).copied().unwrap_or(false)));
        let by_dyn: &dyn Filter = &filter;
        prop_assert_eq!(by_dyn.contains_digests(&digests).expect("one hashing"), &one_by_one[..]);
        for (&key, &answer) in keys.iter().zip(&one_by_one) {
            let hashed = filter.hashing().hash(key);
            prop_assert_eq!(filter.contains_hashed(hashed).expect("one hashing"), answer);
        }
    }

    #[test]
    fn bulk_insertion_equals_insertion_one_by_one(
        spec in spec(),
        names in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        let mut at_once = spec.create().expect("a sound spec");
        let mut single = at_once.clone();
        let mut extended = at_once.clone();
        let keys = names.iter().map(|&name| key(name));
        let digests = Digests::of(at_once.hashing(), keys.clone());
        // A cuckoo filter that is full has the keys up to then.
        let fits = |result| match result {
            Err(Error::Full { .. }) => false,
            result => result.map(|()| true).expect("all of them grow"),
        };
        let fit = fits(at_once.insert_digests(&digests));
        prop_assert_eq!(fits(extended.extend(keys.clone())), fit);
        for key in keys {
            if !fits(single.insert(key).map(|_| ())) {
                break;
            }
        }
        prop_assert_eq!(&at_once, &single);
        prop_assert_eq!(extended, single);
    }
}
