//! Filters of several shards: they answer what their shards answer, in whatever way they were made, saved and opened.
#![cfg(feature = "mmap")]

use bloomwise::format::{Check, Form, Header};
use bloomwise::sharded::Sharded;
use bloomwise::{
    AnyFilter, Error, Family, Filter, Hashing, KeySets, Operation, Persist, Size, Spec,
};
use readings::every_reading;
use signed::{payload_start, sign};
use xxhash_rust::xxh3::xxh3_64;

mod hostile;
#[path = "../readings/mod.rs"]
mod readings;
#[path = "../signed/mod.rs"]
mod signed;

const KEYS: u64 = 3000;

fn sets(hashing: Hashing) -> KeySets {
    let mut sets = KeySets::builder(hashing);
    let negatives = KEYS..2 * KEYS;
    sets.positives(0..KEYS)
        .negatives(negatives.map(|key| (key, 1.0 + (key % 7) as f64)));
    sets.build().expect("sound costs")
}

fn spec(family: Family) -> Spec {
    Spec::new(family).size(Size::BitsPerKey(40.0))
}

/// A filter of several shards, of each family.
fn filters() -> impl Iterator<Item = (Spec, KeySets, AnyFilter)> {
    let hashings = [Hashing::default(), Hashing::SipHash { key: 7 }];
    let families = Family::ALL.into_iter().zip(hashings.into_iter().cycle());
    families.map(|(family, hashing)| {
        let (spec, sets) = (spec(family), sets(hashing));
        let (filter, _) = spec.build_sharded(&sets, 5).expect("a sound spec");
        (spec, sets, filter)
    })
}

#[test]
fn no_key_is_denied_and_each_shard_answers_for_its_keys() {
    for (spec, sets, filter) in filters() {
        assert!((0..KEYS).all(|key| filter.contains(key)), "{spec:?}");
        assert_eq!((filter.shards(), filter.len()), (5, KEYS));
        assert_eq!(filter.family(), spec.family());
        // Each shard alone, from its keys alone.
        for shard in 0..5 {
            let of_shard = |key: &u64| sets.hashing().digest(key).shard(5) == shard;
            let mut own = KeySets::builder(sets.hashing());
            own.positives((0..KEYS).filter(of_shard));
            let negatives = (KEYS..2 * KEYS).filter(of_shard);
            own.negatives(negatives.map(|key| (key, 1.0 + (key % 7) as f64)));
            let alone = spec.build(&own.build().expect("sound")).expect("sound");
            for key in (0..5 * KEYS).filter(of_shard) {
                assert_eq!(filter.contains(key), alone.contains(key), "{spec:?}");
            }
        }
        let keys: Vec<u64> = (0..5 * KEYS).collect();
        let singly: Vec<bool> = keys.iter().map(|key| filter.contains(key)).collect();
        assert_eq!(filter.contains_batch(keys), singly);
    }
}

/// Costs so large that their sum is not a number.
#[test]
fn share_of_the_largest_costs_is_that_of_equal_costs() {
    for (family, bits) in [
        (Family::Guarded, 1.5),
        (Family::Cuckoo, 8.0),
        (Family::Seesaw, 5.0),
        (Family::Habf, 5.0),
    ] {
        let spec = Spec::new(family).size(Size::BitsPerKey(bits));
        let share = |cost: f64, shards: u64| {
            let negatives = (KEYS..3 * KEYS).map(|key| (key, cost));
            let sets = KeySets::new(0..KEYS, negatives).expect("finite costs");
            let (_, report) = match shards {
                0 => spec.build_and_report(&sets),
                shards => spec.build_sharded(&sets, shards),
            }
            .expect("sound");
            report.weighted_fpr.expect("it has negatives")
        };
        for shards in [0, 1, 3] {
            let (equal, largest) = (share(1.0, shards), share(f64::MAX, shards));
            assert!(
                equal > 0.0 && (largest / equal - 1.0).abs() < 1e-9,
                "{family:?}: {equal}, {largest}"
            );
        }
    }
}

#[test]
fn guarded_shards_are_right_on_all_known_negatives_and_reports_add_up() {
    let spec = spec(Family::Guarded).size(Size::BitsPerKey(9.0));
    let (filter, report) = spec
        .build_sharded(&sets(Hashing::default()), 5)
        .expect("sound");
    assert_eq!((report.guarded, report.wrong), (KEYS, Some(0)));
    assert!((KEYS..2 * KEYS).all(|key| !filter.contains(key)));
    assert!(filter.size_in_bits() <= 9 * KEYS);
    let small = spec.size(Size::BitsPerKey(1.0));
    let (filter, report) = small
        .build_sharded(&sets(Hashing::default()), 5)
        .expect("sound");
    let wrong = (KEYS..2 * KEYS).filter(|&key| filter.contains(key)).count() as u64;
    assert!(wrong > 0 && report.wrong == Some(wrong), "{report:?}");
}

#[test]
fn files_hold_the_same_filter_however_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("filter");
    for (spec, _, filter) in filters() {
        let header = Header::read(&filter.to_bytes()[..]).expect("a header");
        assert_eq!(
            (header.form(), header.family()),
            (Form::Sharded, spec.family())
        );
        assert_eq!(header.keys(), KEYS);
        for read in every_reading(&filter, &path) {
            assert!((0..KEYS).all(|key| read.contains(key)));
            assert_eq!(read.info(), filter.info());
        }
    }
}

#[test]
fn shards_made_apart_give_the_same_bytes_in_any_order() {
    for (spec, sets, filter) in filters() {
        let part = |range| {
            let (shards, _) = spec.build_shards(&sets, 5, range).expect("a sound spec");
            Sharded::from_bytes(&shards.to_bytes()).expect("it was just written")
        };
        let joined = Sharded::join(vec![part(3..5), part(0..1), part(1..3)]).expect("all shards");
        assert_eq!(joined.to_bytes(), filter.to_bytes());
        let error = AnyFilter::from_bytes(&part(1..3).to_bytes()).expect_err("not all shards");
        assert!(matches!(
            error,
            Error::Incomplete {
                first: 1,
                last: 2,
                shards: 5,
                ..
            }
        ));
    }
}

#[test]
fn changes_go_to_the_shard_of_the_key() {
    for family in Family::ALL {
        if !family.can(Operation::Insert) {
            continue;
        }
        let spec = spec(family).capacity(2 * KEYS);
        let (mut filter, _) = spec
            .build_sharded(&sets(Hashing::default()), 3)
            .expect("sound");
        let mut borrowed =
            AnyFilter::from_owner(filter.to_bytes(), Check::FirstUse).expect("sound");
        for changed in [&mut filter, &mut borrowed] {
            changed.extend(10_000..10_400u64).expect("room");
            assert!(changed.insert(9_999u64).is_ok());
            assert!(
                (0..KEYS)
                    .chain(9_999..10_400)
                    .all(|key| changed.contains(key))
            );
            if family.can(Operation::Remove) {
                assert!(changed.remove(9_999u64).expect("it can"));
            }
            if family.can(Operation::Guard) {
                changed.guard(20_000u64, 1.0).expect("it can");
            }
        }
        assert_eq!(filter, borrowed);
        let again = AnyFilter::from_bytes(&filter.to_bytes()).expect("it was just written");
        assert_eq!(again, filter);
    }
}

#[test]
fn information_about_shards_adds_up() {
    let spec = spec(Family::Guarded).size(Size::BitsPerKey(1.0));
    let sets = sets(Hashing::default());
    let (filter, report) = spec.build_sharded(&sets, 5).expect("sound");
    let info = filter.info();
    let whole = |name| {
        info.parameter(name)
            .and_then(bloomwise::info::Value::as_u64)
    };
    assert_eq!(whole("wrong"), report.wrong);
    assert_eq!(whole("known_negatives"), Some(KEYS));
    assert_eq!(whole("bits"), Some(filter.size_in_bits()));
    let layers = "differ from shard to shard, and say nothing about the whole";
    assert_eq!(info.parameter("layers"), None, "{layers}");
}

#[test]
fn rate_counts_absent_shards_as_yes() {
    for family in Family::ALL {
        let spec = Spec::new(family).size(Size::BitsPerKey(12.0));
        let sets = sets(Hashing::default());
        let (some, _) = spec.build_shards(&sets, 10, 2..5).expect("sound");
        let (all, _) = spec.build_sharded(&sets, 10).expect("sound");
        let unseen = 1_000_000..1_020_000u64;
        let yes = unseen.filter(|&key| some.contains(key)).count() as f64 / 20_000.0;
        for rate in [some.rate(), some.info().predicted_fpr] {
            assert!(
                rate > 0.7 && (rate - yes).abs() < 0.02,
                "{family:?}: {rate}, measured {yes}"
            );
        }
        assert!(all.rate() < some.rate() - 0.2, "{all:?}");
    }
}

#[test]
fn fill_weighs_shards_by_their_bits() {
    let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(10.0));
    let shard_of = |key: &u64| Hashing::default().digest(*key).shard(3);
    // Shard 0 gets ten times as many bits as the others, and the others get more keys than they were planned for.
    let planned: Vec<u64> = (0..KEYS)
        .filter(|key| shard_of(key) == 0 || key % 10 == 0)
        .collect();
    let more: Vec<u64> = (KEYS..4 * KEYS).filter(|key| shard_of(key) > 0).collect();
    let build = |shard: u64| {
        let own = |keys: &[u64]| {
            let keys = keys.iter().copied();
            keys.filter(|key| shard_of(key) == shard)
                .collect::<Vec<u64>>()
        };
        let mut filter = spec
            .build(&KeySets::of_positives(own(&planned)))
            .expect("sound");
        filter.extend(own(&more)).expect("it accepts keys");
        filter
    };
    let alone = [0, 1, 2].map(build);
    let sets = KeySets::of_positives(planned.iter().copied());
    let (mut filter, _) = spec.build_sharded(&sets, 3).expect("sound");
    filter.extend(more).expect("it accepts keys");
    let bits = |filter: &AnyFilter| filter.size_in_bits() as f64;
    let set = alone.iter().map(|shard| shard.info().fill * bits(shard));
    let expected = set.sum::<f64>() / bits(&filter);
    let mean = alone.iter().map(|shard| shard.info().fill).sum::<f64>() / 3.0;
    let fill = filter.info().fill;
    assert!(
        (fill - expected).abs() < 1e-9,
        "{fill}, expected {expected}"
    );
    assert!((fill - mean).abs() > 0.1, "{fill}, mean of shards {mean}");
}

#[test]
fn changed_shards_can_be_read_again() {
    for (spec, sets, filter) in filters() {
        let mut filter = match spec.family() {
            // It gets more layers.
            Family::Growing => {
                let small = spec.clone().size(Size::Rate(0.01));
                small.build_sharded(&sets, 5).expect("sound").0
            }
            _ => filter,
        };
        for round in 1..4 {
            for key in KEYS * round..KEYS * round + 200 {
                if spec.family().can(Operation::Insert) {
                    filter.insert(key).expect("room");
                }
                if spec.family().can(Operation::Remove) {
                    let old = key % KEYS + 200 * (round - 1);
                    assert!(filter.remove(old).expect("it can"));
                }
            }
            let read = AnyFilter::from_bytes(&filter.to_bytes()).expect("just written");
            assert_eq!(read, filter);
            assert_eq!(read.info(), filter.info());
        }
        let grows = spec.family() == Family::Growing;
        assert_eq!(grows, filter.capacity() > Some(KEYS), "{spec:?}");
    }
}
