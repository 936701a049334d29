//! Patched filters: today's keys are accepted, known negatives and removed keys denied, whatever the base and however often it was patched.
#![cfg(feature = "mmap")]

use bloomwise::format::{Check, Form, Header};
use bloomwise::patched::Patch;
use bloomwise::{AnyFilter, Error, Family, Filter, Hashing, KeySets, Persist, Size, Spec};
use readings::every_reading;
use std::ops::Range;

mod hostile;
#[path = "../readings/mod.rs"]
mod readings;
#[path = "../signed/mod.rs"]
mod signed;
mod versions;

const KEYS: u64 = 2000;

fn sets(hashing: Hashing, positives: Range<u64>, negatives: Range<u64>) -> KeySets {
    let mut sets = KeySets::builder(hashing);
    sets.positives(positives)
        .negatives(negatives.map(|key| (key, 1.0)));
    sets.build().expect("sound costs")
}

/// Yesterday: keys from 0 on, and negatives from 10,000 on.
fn yesterday(hashing: Hashing) -> KeySets {
    sets(hashing, 0..KEYS, 10_000..10_000 + KEYS)
}

/// Today: a hundred keys are gone, two hundred new, and half of the negatives are others.
fn today(hashing: Hashing) -> KeySets {
    sets(hashing, 100..KEYS + 200, 11_000..11_000 + KEYS)
}

/// A base of every family, as one filter and as shards, and its patch.
fn cases() -> Vec<(AnyFilter, Patch)> {
    let hashings = [Hashing::default(), Hashing::SipHash { key: 7 }];
    let families = Family::ALL.into_iter().zip(hashings.into_iter().cycle());
    let bases = families.flat_map(|(family, hashing)| {
        // Small enough for some false positives.
        let bits = match family {
            Family::Cuckoo => 10.0,
            Family::Counting | Family::PersonalizedCounting => 24.0,
            Family::Seesaw | Family::SeesawAdaptive => 40.0,
            _ => 7.0,
        };
        let spec = Spec::new(family).size(Size::BitsPerKey(bits));
        let sets = yesterday(hashing);
        let (sharded, _) = spec.build_sharded(&sets, 3).expect("a sound spec");
        [spec.build(&sets).expect("a sound spec"), sharded]
    });
    let patched = |base: AnyFilter| {
        let hashing = base.hashing();
        let patch = Patch::build(&base, &yesterday(hashing), &today(hashing)).expect("its keys");
        (base, patch)
    };
    bases.map(patched).collect()
}

/// Whether a filter answers today's sets correctly, singly and in batches.
fn is_right(filter: &AnyFilter) -> bool {
    let today: Vec<u64> = (100..KEYS + 200).collect();
    let others: Vec<u64> = (0..100).chain(11_000..11_000 + KEYS).collect();
    today.iter().all(|key| filter.contains(key))
        && !others.iter().any(|key| filter.contains(key))
        && filter.contains_batch(today).iter().all(|&answer| answer)
        && !filter.contains_batch(others).iter().any(|&answer| answer)
}

#[test]
fn patch_of_a_base_with_hardly_any_error_is_built() {
    // The filter of added keys would need a lower rate than it can have.
    for seed in 0..60 {
        let hashing = Hashing::Xxh3 { seed };
        let old = sets(hashing, 0..4000, 10_000..21_000);
        let new = sets(hashing, 3000..7000, 10_000..21_000);
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(32.0));
        let base = spec.build(&old).expect("a sound spec");
        let patch = Patch::build(&base, &old, &new).expect("its keys");
        let patched = patch.apply(base).expect("its base");
        assert!((3000..7000u64).all(|key| patched.contains(key)));
        let mut denied = (0..3000u64).chain(10_000..21_000);
        assert!(!denied.any(|key| patched.contains(key)));
        assert!(patched.rate() < 1e-8);
    }
}

#[test]
fn patched_filter_of_every_family_is_right_on_todays_keys_and_negatives() {
    for (base, patch) in cases() {
        let (added, denied) = (patch.added(), patch.denied());
        assert!((1..=200).contains(&added) && denied >= 100);
        let patched = patch.clone().apply(base.clone()).expect("its base");
        assert!(is_right(&patched), "{:?}", base.family());
        assert_eq!(patched.len(), KEYS + 100);
        assert_eq!(
            (patched.family(), patched.shards()),
            (base.family(), base.shards())
        );
        assert_eq!((patched.base(), patched.patch()), (&base, Some(&patch)));
        assert_eq!((base.base(), base.patch()), (&base, None));
        assert!(patched.rate() <= 1.15 * base.rate() + 1e-9);
        let size = base.size_in_bits() + patch.size_in_bits();
        assert_eq!(patched.size_in_bits(), size);
        assert_eq!(
            (patch.keys(), patch.hashing()),
            (patched.len(), base.hashing())
        );
    }
}

#[test]
fn files_hold_the_same_filter_however_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("filter");
    for (base, patch) in cases() {
        for read in every_reading(&patch, &path) {
            assert_eq!(read, patch);
            let patched = read.apply(base.clone()).expect("its base");
            assert!(is_right(&patched));
        }

        let patched = patch.clone().apply(base).expect("its base");
        let header = Header::read(&patched.to_bytes()[..]).expect("a header");
        let form = (header.form(), header.family(), header.keys());
        assert_eq!(form, (Form::Patched, patched.family(), KEYS + 100));
        for read in every_reading(&patched, &path) {
            assert!(is_right(&read));
            assert_eq!(read.info(), patched.info());
        }
        // The patch is inside, byte for byte.
        let (bytes, inside) = (patched.to_bytes(), patch.to_bytes());
        assert!(bytes.windows(inside.len()).any(|window| window == inside));
    }
}

#[test]
fn next_patch_is_made_from_the_base_and_replaces_the_last_one() {
    let hashing = Hashing::default();
    let base = Spec::new(Family::Guarded).size(Size::BitsPerKey(8.0));
    let base = base.build(&yesterday(hashing)).expect("sound");
    let first = sets(hashing, 50..KEYS + 100, 0..0);
    let first = Patch::build(&base, &yesterday(hashing), &first).expect("its keys");
    let once = first.apply(base.clone()).expect("its base");
    let second = Patch::build(&once, &yesterday(hashing), &today(hashing)).expect("its keys");
    assert_eq!(second.base_checksum(), base.checksum());
    let direct = Patch::build(&base, &yesterday(hashing), &today(hashing)).expect("its keys");
    assert_eq!(second, direct);
    let twice = second.clone().apply(once).expect("its base");
    assert_eq!(twice, second.apply(base).expect("its base"));
    assert!(is_right(&twice));
}

#[test]
fn patch_of_one_percent_is_small_and_hardly_raises_the_rate() {
    let hashing = Hashing::default();
    let (keys, gone) = (200_000, 2000);
    let negatives = 1_000_000..1_000_000 + keys;
    let old = sets(hashing, 0..keys, negatives.clone());
    let new = sets(hashing, gone..keys + gone, negatives);
    let base = Spec::new(Family::Guarded).size(Size::BitsPerKey(8.44));
    let base = base.build(&old).expect("sound");
    let patch = Patch::build(&base, &old, &new).expect("its keys");
    let share = patch.encoded_len() as f64 / base.encoded_len() as f64;
    assert!(share < 0.03, "{share}");
    let patched = patch.apply(base.clone()).expect("its base");
    assert!(patched.rate() < 1.15 * base.rate());
    let unseen = 1_000_000u64;
    let accepted = (10_000_000..10_000_000 + unseen).filter(|key| patched.contains(key));
    let (got, expected) = (accepted.count() as f64, unseen as f64 * patched.rate());
    assert!(
        (got - expected).abs() < 5.0 * expected.sqrt(),
        "{got} {expected}"
    );
}

#[test]
fn empty_parts_and_whole_changes_are_patches_too() {
    let hashing = Hashing::default();
    let old = yesterday(hashing);
    let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(6.0));
    let base = spec.build(&old).expect("sound");
    let check = |new: Range<u64>, negatives: Range<u64>| {
        let new_sets = sets(hashing, new.clone(), negatives.clone());
        let patch = Patch::build(&base, &old, &new_sets).expect("its keys");
        let patch = Patch::from_bytes(&patch.to_bytes()).expect("it was just written");
        let counts = (patch.added(), patch.denied());
        let patched = patch.apply(base.clone()).expect("its base");
        assert!(new.clone().all(|key| patched.contains(key)));
        let denied = (0..KEYS).chain(negatives).filter(|key| !new.contains(key));
        assert!(!denied.into_iter().any(|key| patched.contains(key)));
        let again = AnyFilter::from_bytes(&patched.to_bytes()).expect("it was just written");
        assert_eq!(again, patched);
        counts
    };
    assert_eq!(check(0..KEYS, 0..0), (0, 0), "nothing changed");
    assert_eq!(check(5..KEYS, 0..0), (0, 5), "only removals");
    assert_eq!(check(0..0, 5000..9000).0, 0, "everything removed");
    let (added, denied) = check(0..KEYS + 50, 0..0);
    assert!(added > 0 && denied == 0, "only additions");
    let (added, denied) = check(0..KEYS, 5000..9000);
    assert!(added == 0 && denied > 0, "only new negatives");
    let (added, denied) = check(5000..5000 + KEYS, 0..0);
    assert!(added > 0 && denied == KEYS, "everything replaced");
    let (added, denied) = check(KEYS - 1..KEYS, 0..0);
    assert_eq!((added, denied), (0, KEYS - 1), "one key is left");

    let none = KeySets::empty(hashing);
    let empty = spec.capacity(10).build(&none).expect("sound");
    let patch = Patch::build(&empty, &none, &old).expect("no keys");
    assert_eq!((patch.added(), patch.denied()), (KEYS, 0));
    let patched = patch.apply(empty).expect("its base");
    assert!((0..KEYS).all(|key| patched.contains(key)));
}

#[test]
fn key_of_both_of_todays_lists_is_a_key() {
    let hashing = Hashing::default();
    let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(8.0));
    let base = spec.build(&yesterday(hashing)).expect("sound");
    let new = sets(hashing, 100..KEYS + 100, 0..2 * KEYS);
    let patch = Patch::build(&base, &yesterday(hashing), &new).expect("its keys");
    let patched = patch.apply(base).expect("its base");
    for key in 0..2 * KEYS {
        assert_eq!(patched.contains(key), (100..KEYS + 100).contains(&key));
    }
}

#[test]
fn wrong_bases_keys_and_hashings_are_errors() {
    let hashing = Hashing::default();
    let (old, new) = (yesterday(hashing), today(hashing));
    let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(9.0));
    let mut base = spec.build(&old).expect("sound");
    let patch = Patch::build(&base, &old, &new).expect("its keys");
    let error = Patch::build(&base, &new, &old).expect_err("not its keys");
    assert!(
        error.to_string().contains("2100 keys: it denies"),
        "{error}"
    );
    let fixed = Spec::new(Family::Guarded).build(&old).expect("sound");
    let fewer = sets(hashing, 0..KEYS - 1, 0..0);
    let error = Patch::build(&fixed, &fewer, &new).expect_err("not its keys");
    assert!(
        error.to_string().contains("1999 keys: it has 2000 keys"),
        "{error}"
    );
    let foreign = yesterday(Hashing::Xxh3 { seed: 1 });
    for (old, new) in [(&foreign, &new), (&old, &foreign)] {
        let error = Patch::build(&base, old, new).expect_err("another hashing");
        assert!(matches!(error, Error::Mismatch { .. }), "{error}");
    }
    let other = spec.build(&new).expect("sound");
    let error = patch.clone().apply(other).expect_err("another base");
    assert!(matches!(error, Error::OtherBase { .. }), "{error}");
    base.insert("new").expect("it can");
    let error = patch.apply(base).expect_err("a changed base");
    assert!(matches!(error, Error::OtherBase { .. }), "{error}");
}

#[test]
fn patch_is_no_filter_and_filter_is_no_patch() {
    let (base, patch) = cases().swap_remove(0);
    let error = AnyFilter::from_bytes(&patch.to_bytes()).expect_err("a patch");
    assert!(matches!(error, Error::IsPatch), "{error}");
    let error = Patch::from_bytes(&base.to_bytes()).expect_err("a filter");
    assert!(
        error
            .to_string()
            .contains("this is a bloom filter, not a patch"),
        "{error}"
    );
    let patched = patch.apply(base).expect("its base");
    let error = Patch::from_bytes(&patched.to_bytes()).expect_err("a filter");
    assert!(error.to_string().contains("patched"), "{error}");
    let error = bloomwise::Bloom::from_bytes(&patched.to_bytes()).expect_err("not plain");
    assert!(error.to_string().contains("patched"), "{error}");
}

#[test]
fn patched_filter_does_not_change() {
    for (base, patch) in cases() {
        let patched = patch.apply(base).expect("its base");
        let mut changed = patched.clone();
        let results = [
            changed.insert("key").map(|_| ()),
            changed.extend(["key"]),
            changed.remove(100u64).map(|_| ()),
            changed.guard("key", 1.0),
            changed.union_with(&patched),
        ];
        for result in results {
            let error = result.expect_err("it cannot");
            assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        }
        assert_eq!(changed, patched);
    }
}

#[test]
fn patch_is_exact_only_on_negatives_that_it_knows() {
    let old = KeySets::new(0..KEYS, (KEYS..2 * KEYS).map(|key| (key, 1.0))).expect("sound");
    let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(1.0));
    let base = spec.build(&old).expect("sound");
    let new = |negatives: Range<u64>| {
        KeySets::new(1..KEYS, negatives.map(|key| (key, 1.0))).expect("sound")
    };
    for (negatives, expected) in [(KEYS..2 * KEYS, Some(KEYS)), (0..0, None)] {
        let patch = Patch::build(&base, &old, &new(negatives)).expect("sound");
        let patched = patch.apply(base.clone()).expect("its base");
        let info = patched.info();
        let whole = |name| {
            info.parameter(name)
                .and_then(bloomwise::info::Value::as_u64)
        };
        assert_eq!(whole("known_negatives"), expected);
        assert_eq!(whole("wrong"), expected.map(|_| 0));
        let wrong = (KEYS..2 * KEYS)
            .filter(|&key| patched.contains(key))
            .count();
        assert_eq!(wrong == 0, expected.is_some(), "{wrong}");
    }
}
