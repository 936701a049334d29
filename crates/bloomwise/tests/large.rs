//! Builds within a memory limit make the same filter as builds in memory.
#![cfg(feature = "mmap")]

use bloomwise::large::{LargeBuilder, LargeBuilt};
use bloomwise::{Error, Family, Filter, Hashing, KeySets, Persist, Size, Spec};
use std::path::Path;

const KEYS: u64 = 20_000;
const MEMORY: u64 = LargeBuilder::MIN_MEMORY;

fn spec(family: Family) -> Spec {
    let hashing = Hashing::Xxh3 { seed: 3 };
    Spec::new(family)
        .size(Size::BitsPerKey(20.0))
        .hashing(hashing)
}

/// Builds from keys in an order of their own; some are given twice, some negatives are keys of the set.
fn build(
    spec: Spec,
    memory: u64,
    shards: Option<u64>,
    folder: &Path,
) -> bloomwise::Result<LargeBuilt> {
    let mut build = LargeBuilder::new(spec, memory, shards, folder)?;
    for key in (0..KEYS).rev().chain(0..100) {
        build.positive(key)?;
    }
    for key in KEYS - 50..2 * KEYS {
        build.negative(key, (key % 5) as f64)?;
    }
    build.negative(KEYS, 3.0)?;
    build.finish(|done, all| assert!(done <= all))
}

fn sets() -> KeySets {
    let mut sets = KeySets::builder(Hashing::Xxh3 { seed: 3 });
    sets.positives((0..KEYS).chain(0..100));
    let negatives = (KEYS - 50..2 * KEYS).map(|key| (key, (key % 5) as f64));
    sets.negatives(negatives.chain([(KEYS, 3.0)]));
    sets.build().expect("sound costs")
}

#[test]
fn bytes_are_those_of_a_build_in_memory_whatever_the_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    for family in Family::ALL {
        for shards in [1, 3, 16] {
            let (expected, report) = spec(family).build_sharded(&sets(), shards).expect("sound");
            for memory in [MEMORY, 4 * MEMORY] {
                let built = build(spec(family), memory, Some(shards), folder.path());
                let built = built.expect("it fits");
                assert_eq!(built.filter.to_bytes(), expected.to_bytes(), "{family:?}");
                assert_eq!(built.report, report);
                assert_eq!((built.keys, built.duplicates), (KEYS, 100));
                assert_eq!((built.negatives, built.overlap), (KEYS, 50));
                assert!((0..KEYS).all(|key| built.filter.contains(key)));
            }
        }
    }
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0, "temporary files are left");
}

#[test]
fn one_filter_is_enough_if_everything_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = build(spec(Family::Guarded), MEMORY, None, folder.path()).expect("it fits");
    let plain = spec(Family::Guarded).build(&sets()).expect("sound");
    assert_eq!(built.filter, plain);
}

#[test]
fn size_in_bits_is_shared_by_the_distinct_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    for shards in [None, Some(5)] {
        let bits = spec(Family::Guarded).size(Size::Bits(24 * KEYS));
        let built = build(bits.clone(), MEMORY, shards, folder.path()).expect("it fits");
        let plain = match shards {
            Some(shards) => bits.build_sharded(&sets(), shards).expect("sound").0,
            None => bits.build(&sets()).expect("sound"),
        };
        assert_eq!(built.filter.to_bytes(), plain.to_bytes());
        assert!(built.filter.size_in_bits() <= 24 * KEYS);
        assert!((0..KEYS).all(|key| built.filter.contains(key)));
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let new =
        |spec, memory, shards| LargeBuilder::new(spec, memory, shards, folder.path()).map(|_| ());
    let text = |result: bloomwise::Result<()>| result.expect_err("wrong").to_string();
    assert!(text(new(spec(Family::Bloom), 1000, None)).contains("memory"));
    assert!(text(new(spec(Family::Bloom), MEMORY, Some(0))).contains("shards"));
    assert!(text(new(spec(Family::Bloom), MEMORY, Some(1 << 20))).contains("shards"));
    let nothing = spec(Family::Bloom).size(Size::Bits(0));
    assert!(text(new(nothing, MEMORY, None)).contains("bits"));
    let missing = folder.path().join("missing");
    assert!(LargeBuilder::new(spec(Family::Bloom), MEMORY, None, &missing).is_err());
    let mut build =
        LargeBuilder::new(spec(Family::Bloom), MEMORY, None, folder.path()).expect("sound");
    build.negative(1, 1.0).expect("sound");
    let error = build.negative(2, f64::NAN).expect_err("no cost");
    assert!(matches!(error, Error::Cost { index: 1, .. }));
}

#[test]
fn shard_that_does_not_fit_is_an_error_that_says_what_would() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut build =
        LargeBuilder::new(spec(Family::Bloom), MEMORY, Some(1), folder.path()).expect("sound");
    for key in 0..1_100_000u64 {
        build.positive(key).expect("room on the disk");
    }
    let text = build
        .finish(|_, _| {})
        .expect_err("too many keys")
        .to_string();
    assert!(text.contains("bytes for one of 1 shards"), "{text}");
}
