//! Sizes: every kind refuses those that no filter can have, before memory is taken, and all shards of a filter keep theirs together.

use bloomwise::planner::Planner;
use bloomwise::sharded::Sharded;
use bloomwise::{
    Error, Family, Filter, Hashing, KeySets, Operation, Persist, Size, Spec, Workload,
};

/// Sizes that no filter can have, and what the error says.
const IMPOSSIBLE: [(Size, &str); 12] = [
    (Size::Bits(0), "the size is 0 bits, expected at least 1 bit"),
    (
        Size::Bits(u64::MAX),
        "the size is 18446744073709551615 bits, expected at most",
    ),
    (
        Size::Bits((1 << 46) + 1),
        "the size is 70368744177665 bits, expected at most",
    ),
    (Size::BitsPerKey(0.0), "bits per key is 0, expected"),
    (Size::BitsPerKey(-1.0), "bits per key is -1, expected"),
    (Size::BitsPerKey(f64::NAN), "bits per key is NaN, expected"),
    (
        Size::BitsPerKey(f64::INFINITY),
        "bits per key is inf, expected",
    ),
    (Size::BitsPerKey(1e300), "expected at most"),
    (
        Size::Rate(-0.1),
        "the false positive rate is -0.1, expected",
    ),
    (Size::Rate(0.0), "the false positive rate is 0, expected"),
    (Size::Rate(1.0), "the false positive rate is 1, expected"),
    (
        Size::Rate(f64::NAN),
        "the false positive rate is NaN, expected",
    ),
];

#[test]
fn every_kind_refuses_impossible_sizes_with_the_same_error() {
    let sets = KeySets::of_positives(0..100);
    for (family, (size, expected)) in Family::ALL
        .into_iter()
        .flat_map(|family| IMPOSSIBLE.map(|size| (family, size)))
    {
        let spec = Spec::new(family).size(size);
        let mut errors = vec![
            spec.forecast(&Workload::new(100, 0)).err(),
            spec.forecast(&Workload::new(100, 50)).err(),
            spec.build(&sets).err(),
            spec.build_sharded(&sets, 3).err(),
            spec.check_shards(3).err(),
            spec.clone().capacity(100).build_sharded(&sets, 3).err(),
        ];
        if family.can(Operation::Insert) {
            errors.push(spec.clone().capacity(100).create().err());
        }
        for error in errors {
            let text = error.expect("impossible").to_string();
            assert!(text.contains(expected), "{family:?} {size:?}: {text}");
        }
    }
}

#[test]
fn the_planner_refuses_impossible_sizes() {
    for (size, expected) in IMPOSSIBLE {
        for workload in [Workload::new(100, 0), Workload::new(100, 100)] {
            let error = Planner::new(&workload, size).advise().expect_err("no size");
            assert!(error.to_string().contains(expected), "{size:?}: {error}");
        }
    }
}

/// The most bits of the smallest filter of any kind.
const LEAST: u64 = 512;

/// Checks a filter of shards against its budget. An error must name a number of shards that fits better.
fn check_shards(spec: &Spec, sets: &KeySets, shards: u64, budget: u64) {
    let what = format!("{spec:?}, {} keys, {shards} shards", sets.positives().len());
    match spec.build_sharded(sets, shards) {
        Ok((filter, _)) => {
            let least = if shards == 1 { LEAST } else { 0 };
            let bits = filter.size_in_bits();
            assert!(bits <= budget.max(least), "{what}: {bits} of {budget} bits");
            let keys = 0..sets.positives().len() as u64;
            assert!(keys.into_iter().all(|key| filter.contains(key)), "{what}");
        }
        Err(error) => {
            let text = error.to_string();
            let most = text.split_once("shards is ").and_then(|(_, rest)| {
                let (_, most) = rest.split_once("expected at most ")?;
                most.split_once(':')?.0.parse::<u64>().ok()
            });
            // Some kinds need some bits for each key.
            let needy = matches!(spec.family(), Family::Cuckoo | Family::Balanced);
            let full = needy && text.contains("bits") && !text.contains("shards");
            let fewer = most.is_some_and(|most| most < shards);
            assert!(full || fewer, "{what}: {text}");
            if let Some(most) = most {
                check_shards(spec, sets, most, budget);
            }
        }
    }
}

#[test]
fn shards_may_use_every_bit_of_the_size() {
    // 128 bits for 49 keys are not a whole number of bits per key.
    let sets = KeySets::of_positives(0..49u64);
    let spec = Spec::new(Family::Bloom).size(Size::Bits(128));
    for spec in [spec.clone(), spec.capacity(49)] {
        let (filter, _) = spec.build_sharded(&sets, 2).expect("two of 64 bits");
        assert_eq!(filter.size_in_bits(), 128);
    }
}

#[test]
fn fixed_set_without_keys_can_have_shards() {
    let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(12.0));
    let none = KeySets::empty(Hashing::default());
    let (filter, _) = spec.build_sharded(&none, 2).expect("a fixed set");
    assert!(!filter.contains("ant"));
}

#[test]
fn shards_of_every_kind_hold_as_many_keys_as_their_capacity() {
    let sets = KeySets::of_positives(0..10_000u64);
    for family in Family::ALL {
        let spec = Spec::new(family).size(Size::BitsPerKey(14.0));
        let spec = spec.capacity(10_000);
        let (filter, _) = spec.build_sharded(&sets, 100).expect("room for all");
        assert!((0..10_000u64).all(|key| filter.contains(key)), "{family:?}");
        let bits = filter.size_in_bits();
        assert!(bits <= 140_000, "{family:?}: {bits} bits");
    }
}

#[test]
fn shards_keep_the_size_together() {
    for family in Family::ALL {
        for keys in [1u32, 12, 400] {
            let sets = KeySets::of_positives(0..u64::from(keys));
            for shards in [1, 3, 100] {
                for bits in [1, 500, 20_000, 1_001_000] {
                    let spec = Spec::new(family).size(Size::Bits(bits));
                    check_shards(&spec, &sets, shards, bits);
                    check_shards(&spec.capacity(1001), &sets, shards, bits);
                }
                for each in [0.5, 11.0, 700.0] {
                    let spec = Spec::new(family).size(Size::BitsPerKey(each));
                    check_shards(&spec, &sets, shards, (each * f64::from(keys)) as u64);
                    if family != Family::Growing {
                        let budget = (each * 1001.0) as u64;
                        check_shards(&spec.capacity(1001), &sets, shards, budget);
                    }
                }
            }
        }
    }
}

#[test]
fn one_key_in_many_shards_takes_the_size_that_was_asked_for() {
    let one = KeySets::of_positives(0..1u64);
    for family in Family::ALL {
        let spec = Spec::new(family).size(Size::Bits(8_000_000));
        let (filter, _) = spec.build_sharded(&one, 100).expect("it fits");
        assert!(filter.size_in_bits() <= 8_000_000, "{family:?}");
        assert!(filter.contains(0u64));
    }
    let spec = Spec::new(Family::Bloom).size(Size::Bits(8 * 125_125));
    let (filter, _) = spec
        .capacity(1001)
        .build_sharded(&one, 1000)
        .expect("it fits");
    assert!(filter.size_in_bits() <= 8 * 125_125);
    assert!(filter.size_in_bits() > 8 * 100_000, "nearly all of it");
}

#[test]
fn shards_made_apart_share_the_bits_of_their_capacity() {
    let sets = KeySets::of_positives(0..500u64);
    for family in Family::ALL {
        let spec = Spec::new(family)
            .size(Size::BitsPerKey(333.3))
            .capacity(1001);
        let (whole, _) = spec.build_sharded(&sets, 7).expect("it fits");
        let part = |range| spec.build_shards(&sets, 7, range).expect("it fits").0;
        let joined = Sharded::join(vec![part(4..7), part(0..1), part(1..4)]).expect("all");
        assert_eq!(joined.to_bytes(), whole.to_bytes());
        let few = spec.size(Size::BitsPerKey(1.0)).capacity(1000);
        let error = few
            .build_shards(&sets, 100, 3..4)
            .expect_err("10 bits each");
        assert!(error.to_string().contains("the number of shards is 100"));
        assert!(few.check_shards(100).is_err());
    }
}

#[cfg(feature = "mmap")]
#[test]
fn large_builds_divide_the_size_like_builds_in_memory() {
    use bloomwise::large::LargeBuilder;
    let folder = tempfile::tempdir().expect("a folder");
    for family in Family::ALL {
        for (size, capacity) in [
            (Size::Bits(80_000), None),
            (Size::Bits(800_000), Some(1001)),
            (Size::BitsPerKey(700.0), Some(1001)),
            (Size::BitsPerKey(1.0), None),
        ] {
            let spec = Spec::new(family).size(size);
            let spec = capacity.into_iter().fold(spec, Spec::capacity);
            let expected = spec.build_sharded(&KeySets::of_positives(0..5u64), 100);
            let build = LargeBuilder::new(spec, 64 << 20, Some(100), folder.path());
            let built = build.and_then(|mut build| {
                (0..5u64).try_for_each(|key| build.positive(key))?;
                build.finish(|_, _| {})
            });
            match (expected, built) {
                (Ok((expected, _)), Ok(built)) => {
                    assert_eq!(built.filter.to_bytes(), expected.to_bytes());
                }
                (Err(expected), Err(error)) => assert_eq!(error.to_string(), expected.to_string()),
                (expected, built) => panic!("{family:?} {size:?}: {expected:?} and {built:?}"),
            }
        }
    }
}

#[test]
fn kinds_that_accept_keys_later_are_not_built_from_no_keys_without_a_capacity() {
    let none = KeySets::empty(Hashing::default());
    for family in Family::ALL {
        for size in [Size::Bits(1000), Size::BitsPerKey(10.0), Size::Rate(0.01)] {
            let spec = Spec::new(family).size(size);
            let mut results = vec![
                spec.build(&none).map(|_| ()),
                spec.build_from_keys(0..0u64).map(|_| ()),
            ];
            if let Size::Rate(_) = size {
                results.push(spec.build_sharded(&none, 2).map(|_| ()));
                let parts = [0..1, 1..2].map(|range| spec.build_shards(&none, 2, range));
                let parts = parts.map(|part| part.expect("a shard may be empty").0);
                let joined = Sharded::join(parts.into()).map(|_| ());
                // Shards that grow have room for a thousand keys each.
                assert_eq!(
                    joined.is_ok(),
                    family == Family::Growing || !family.can(Operation::Insert)
                );
            }
            for result in results {
                match result {
                    Err(Error::NoCapacity) => assert!(family.can(Operation::Insert)),
                    result => assert_eq!(result.is_ok(), !family.can(Operation::Insert)),
                }
            }
            assert!(spec.capacity(10).build(&none).is_ok(), "{family:?}");
        }
    }
}
