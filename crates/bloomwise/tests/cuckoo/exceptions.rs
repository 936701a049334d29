//! Exceptions: known negatives are denied, the costliest first, and keys of the set are not.

use crate::changes::whole;
use bloomwise::{Cuckoo, Filter, KeySets, Persist, Remove, Size, Workload};

/// A filter of keys and of negatives whose cost falls with their rank.
fn built(bits: f64, keys: u64, negatives: u64) -> (Cuckoo, u64) {
    let builder = Cuckoo::builder(Size::BitsPerKey(bits));
    let mut sets = KeySets::builder(Default::default());
    let known = (0..negatives).map(|rank| (keys + rank, 1.0 / (rank + 1) as f64));
    sets.positives(0..keys).negatives(known);
    let sets = sets.build().expect("sound costs");
    let (filter, report) = builder.build_and_report(&sets).expect("sound");
    (filter, report.wrong.expect("it counts them"))
}

#[test]
fn no_known_negative_is_wrong_if_there_is_room() {
    let keys = 100_000;
    for (bits, negatives) in [(11.0, 10_000), (12.4, 100_000)] {
        let (filter, wrong) = built(bits, keys, negatives);
        assert_eq!(wrong, 0);
        assert!((keys..keys + negatives).all(|key| !filter.contains(key)));
        assert!((0..keys).all(|key| filter.contains(key)));
        assert!(filter.rate() < 0.008, "{}", filter.rate());
        assert!(filter.size_in_bits() as f64 <= bits * keys as f64);
        let workload = Workload::new(keys, negatives);
        let builder = Cuckoo::builder(Size::BitsPerKey(bits));
        let forecast = builder.forecast(&workload).expect("sound");
        assert_eq!(forecast.wrong, Some(0), "said beforehand");
        assert_eq!(forecast.bits, filter.size_in_bits());
    }
}

#[test]
fn costliest_mistakes_are_excepted_first_and_the_rest_is_counted() {
    let (keys, negatives) = (20_000, 400_000);
    let (filter, wrong) = built(10.7, keys, negatives);
    let mistakes: Vec<u64> = (0..negatives)
        .filter(|rank| filter.contains(keys + rank))
        .collect();
    assert!(wrong > 0 && wrong == mistakes.len() as u64, "{wrong}");
    assert_eq!(whole(&filter, "given_up"), wrong);
    // Those before the first mistake that is left are all right, by exceptions.
    let exceptions = whole(&filter, "exceptions");
    let before = filter.rate() * mistakes[0] as f64;
    assert!(
        (before - exceptions as f64).abs() < 6.0 * before.sqrt(),
        "{before} {exceptions}"
    );
}

#[test]
fn guarding_denies_at_once_and_insertion_undoes_it() {
    let mut filter = Cuckoo::builder(Size::Rate(0.03))
        .exceptions(0.3)
        .capacity(1000)
        .create()
        .expect("sound");
    filter.extend(0..1000u64).expect("its capacity");
    let wrong: Vec<u64> = (1000..3000)
        .filter(|key| filter.contains(key))
        .take(12)
        .collect();
    assert_eq!(wrong.len(), 12);
    for &key in &wrong {
        assert!(filter.guard(key, 1.0).expect("a cost"));
        assert!(
            !filter.contains(key) && !filter.remove(key),
            "refused: it is excepted"
        );
    }
    assert!((0..1000u64).all(|key| filter.contains(key)));
    assert_eq!(whole(&filter, "exceptions"), 12);
    let loaded = Cuckoo::from_bytes(&filter.to_bytes()).expect("sound");
    assert!(wrong.iter().all(|key| !loaded.contains(key)));
    filter.remove(0u64);
    assert!(filter.insert(wrong[0]).expect("room"), "it is new");
    assert!(filter.contains(wrong[0]) && !filter.contains(wrong[1]));
    assert_eq!(whole(&filter, "exceptions"), 11);
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(filter.guard(1u64, cost).is_err(), "{cost}");
    }
    assert!(
        filter.guard(5000u64, f64::MAX).expect("a cost")
            && filter.guard(5001u64, 0.0).expect("a cost")
    );
}

#[test]
fn full_table_gives_up_the_lowest_score() {
    let builder = Cuckoo::builder(Size::BitsPerKey(9.0)).fingerprint(7);
    let mut filter = builder.capacity(2000).create().expect("sound");
    filter.extend(0..2000u64).expect("its capacity");
    let room = whole(&filter, "room");
    let wrong: Vec<u64> = (10_000..1_000_000)
        .filter(|key| filter.contains(key))
        .take(3 * room as usize)
        .collect();
    for (rank, &key) in wrong.iter().enumerate() {
        filter.guard(key, (rank + 1) as f64).expect("a cost");
    }
    // The later, the costlier.
    let (cheap, costly) = wrong.split_at(2 * room as usize);
    assert!(costly.iter().all(|key| !filter.contains(key)));
    assert!(cheap.iter().all(|key| filter.contains(key)));
    assert_eq!(whole(&filter, "given_up"), 2 * room);
    assert!(!filter.guard(cheap[0], 1.0).expect("a cost"), "too cheap");
    assert_eq!(whole(&filter, "given_up"), 2 * room + 1);
    // Cost adds up: reported often enough, it replaces another.
    for _ in 0..10 {
        filter.guard(costly[0], 1e6).expect("a cost");
    }
    assert!(filter.guard(cheap[0], 1e5).expect("a cost") && !filter.contains(costly[0]));
    assert!((0..2000u64).all(|key| filter.contains(key)));
}

#[test]
fn costly_keys_stay_right_while_keys_come_and_go() {
    let keys = 30_000u64;
    let mut filter = Cuckoo::builder(Size::BitsPerKey(12.0))
        .exceptions(0.1)
        .capacity(keys)
        .create()
        .expect("sound");
    filter.extend(0..keys).expect("its capacity");
    let costly = (1 << 40)..(1 << 40) + 100u64;
    for key in costly.clone() {
        assert!(filter.guard(key, 1000.0).expect("a cost"));
    }
    for key in 0..5 * keys {
        assert!(filter.remove(key));
        filter.insert(key + keys).expect("room");
        if key % 500 == 0 {
            assert!(
                costly.clone().all(|key| !filter.contains(key)),
                "after {key}"
            );
        }
    }
}

#[test]
fn late_report_does_not_deny_a_key_that_has_come() {
    let mut filter = Cuckoo::builder(Size::Rate(0.01))
        .capacity(10_000)
        .create()
        .expect("sound");
    let (_, stamp) = filter.contains_stamped("ant");
    filter.insert("ant").expect("room");
    assert!(!filter.guard_since("ant", 1.0, stamp).expect("a cost"));
    assert!(filter.contains("ant"));
    // Without a stamp the caller is trusted, and wrong.
    filter.guard("ant", 1.0).expect("a cost");
    assert!(!filter.contains("ant"));
    filter.insert("ant").expect("room");
    assert!(filter.contains("ant"));
    // After many insertions the filter cannot know any more, and refuses.
    filter.extend(0..2000u64).expect("room");
    assert!(!filter.guard_since("bee", 1.0, stamp).expect("a cost"));
    let (_, stamp) = filter.contains_stamped("bee");
    assert!(filter.guard_since("bee", 1.0, stamp).expect("a cost"));
    // A copy may have keys that the stamp does not know of.
    let mut copy = Cuckoo::from_bytes(&filter.to_bytes()).expect("sound");
    assert!(!copy.guard_since("cow", 1.0, stamp).expect("a cost"));
    assert!(
        !filter
            .clone()
            .guard_since("cow", 1.0, stamp)
            .expect("a cost")
    );
}

#[test]
fn exceptions_of_equal_cost_are_spread_over_the_table() {
    // Far more mistakes than room, all of the same cost.
    let (keys, negatives) = (20_000u64, 400_000);
    let known = (keys..keys + negatives).map(|key| (key, 1.0));
    let builder = Cuckoo::builder(Size::BitsPerKey(11.3));
    let filter = builder.build_from(0..keys, known).expect("sound");
    // The same buckets, without exceptions.
    let bits = whole(&filter, "fingerprint") as u32;
    let plain = builder.fingerprint(bits).build_from_keys(0..keys);
    let plain = plain.expect("sound");
    let negatives = keys..keys + negatives;
    let excepted = negatives.filter(|key| plain.contains(key) && !filter.contains(key));
    let (mut upper, mut all) = (0u64, 0u64);
    for key in excepted {
        all += 1;
        upper += (u128::from(filter.hashing().digest(key)) >> 127) as u64;
    }
    assert_eq!(all, whole(&filter, "exceptions"));
    let deviations = (upper as f64 - all as f64 / 2.0) / (all as f64 / 4.0).sqrt();
    assert!(all > 50 && deviations.abs() < 5.0, "{upper} of {all}");
}

/// A filter of 2000 keys with room for few exceptions, and twice as many keys that it wrongly accepts.
fn crowded() -> (Cuckoo, Vec<u64>) {
    let builder = Cuckoo::builder(Size::BitsPerKey(9.0)).fingerprint(7);
    let mut filter = builder.capacity(2000).create().expect("sound");
    filter.extend(0..2000u64).expect("its capacity");
    let room = whole(&filter, "room") as usize;
    let wrong = (10_000..1_000_000).filter(|key| filter.contains(key));
    let wrong = wrong.take(2 * room).collect();
    (filter, wrong)
}

#[test]
fn mistake_that_is_reported_often_gets_in_though_there_is_no_room() {
    let (mut filter, wrong) = crowded();
    let (early, late) = wrong.split_at(wrong.len() / 2);
    for &key in early {
        assert!(
            filter.report_mistake(key, 1.0).expect("a cost").denied,
            "there is room"
        );
    }
    assert!(early.iter().all(|&key| !filter.contains(key)));
    // Those that came late come often; the others are reported again when they are wrong.
    for _ in 0..200 {
        for &key in late.iter().take(late.len() / 2) {
            if filter.contains(key) {
                filter.report_mistake(key, 1.0).expect("a cost");
            }
        }
    }
    let hot = late.iter().take(late.len() / 2);
    let denied = hot.filter(|&&key| !filter.contains(key)).count();
    assert!(
        denied * 10 >= late.len() / 2 * 9,
        "{denied} of {}",
        late.len() / 2
    );
    assert!((0..2000u64).all(|key| filter.contains(key)));
}

#[test]
fn report_of_a_key_that_is_denied_takes_no_room() {
    let (mut filter, wrong) = crowded();
    let denied = (2_000_000..).find(|key: &u64| !filter.contains(key));
    let reported = filter
        .report_mistake(denied.expect("most"), 5.0)
        .expect("a cost");
    assert!(reported.denied && reported.guarded.is_none());
    assert_eq!(whole(&filter, "exceptions"), 0);
    assert!(filter.report_mistake(wrong[0], f64::NAN).is_err());
    let stamp = filter.stamp();
    assert!(!filter.may_have_been_inserted(wrong[0], stamp));
    assert!(filter.report_mistake(wrong[0], 1.0).expect("a cost").denied);
    filter.remove(7u64);
    filter.insert(wrong[1]).expect("room");
    assert!(filter.may_have_been_inserted(wrong[1], stamp) && filter.contains(wrong[1]));
}

#[test]
fn report_of_a_key_that_the_exact_table_holds_as_a_member_changes_nothing() {
    let (mut filter, _) = crowded();
    // The same key fills its buckets; what finds no room there goes to the table.
    while whole(&filter, "extras") == 0 {
        filter.insert(7u64).expect("room");
    }
    let before = filter.to_bytes();
    let reported = filter.report_mistake(7u64, 5.0).expect("a cost");
    assert_eq!((reported.denied, reported.guarded), (false, None));
    assert_eq!(filter.to_bytes(), before);
}

#[test]
fn loaded_copy_changes_as_the_original_does() {
    let (mut filter, wrong) = crowded();
    let (early, late) = wrong.split_at(wrong.len() * 3 / 4);
    for (rank, &key) in early.iter().enumerate() {
        filter.guard(key, (rank % 7) as f64).expect("a cost");
    }
    let mut copy = Cuckoo::from_bytes(&filter.to_bytes()).expect("sound");
    for (rank, &key) in late.iter().enumerate() {
        for filter in [&mut filter, &mut copy] {
            filter.guard(key, (rank % 9) as f64).expect("a cost");
            filter.remove(rank as u64);
            filter.insert(key + 1).expect("room");
        }
        // A copy does not know who waits; it is told what the original has made of the report.
        let reported = filter.report_mistake(early[rank], 2.0).expect("a cost");
        if let Some(cost) = reported.guarded {
            let denied = copy.guard(early[rank], cost).expect("a cost");
            assert_eq!(denied, reported.denied);
        }
    }
    assert_eq!(filter.to_bytes(), copy.to_bytes());
}
