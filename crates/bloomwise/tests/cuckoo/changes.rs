//! Insertion and removal at high loads.

use bloomwise::info::Value;
use bloomwise::{Cuckoo, Error, Filter, Persist, Remove, Size};

/// A parameter of a filter.
pub fn whole(filter: &impl Filter, name: &str) -> u64 {
    let info = filter.info();
    let value = info.parameter(name).and_then(Value::as_u64);
    value.unwrap_or_else(|| panic!("{name} is not in {info:?}"))
}

#[test]
fn filter_holds_as_many_keys_as_it_was_planned_for() {
    for keys in (1..200).chain([1000, 4000, 65_535, 65_536, 131_072, 300_000]) {
        let builder = Cuckoo::builder(Size::Rate(0.01)).capacity(keys);
        // Few keys are unlucky more often, so there are more tries.
        for seed in 0..(20_000 / keys).clamp(1, 200) {
            let mut filter = builder.create().expect("sound");
            let own = |key: u64| [seed, key];
            let inserted =
                filter.extend((0..keys).map(|key| own(key).map(u64::to_le_bytes).concat()));
            inserted.unwrap_or_else(|error| panic!("{keys} keys, seed {seed}: {error}"));
            assert_eq!(filter.len(), keys);
        }
    }
}

#[test]
fn all_keys_can_be_replaced_twice_at_full_load() {
    let keys = 100_000u64;
    let mut filter = Cuckoo::builder(Size::BitsPerKey(11.0))
        .capacity(keys)
        .create()
        .expect("sound");
    filter.extend(0..keys).expect("its capacity");
    for round in 0..2 {
        for key in 0..keys {
            assert!(filter.remove(round * keys + key));
            filter
                .insert((round + 1) * keys + key)
                .expect("room for it");
        }
        let held = (round + 1) * keys..(round + 2) * keys;
        assert!(
            held.clone().all(|key| filter.contains(key)),
            "no key is lost"
        );
    }
    assert_eq!(filter.len(), keys);
    let info = filter.info();
    assert!((info.fill - 0.95).abs() < 0.01, "{}", info.fill);
    let unseen = (1 << 40)..(1 << 40) + 1_000_000u64;
    let wrong = unseen.filter(|key| filter.contains(key)).count() as f64;
    let expected = 1e6 * filter.rate();
    assert!(
        (wrong - expected).abs() < 5.0 * expected.sqrt(),
        "{wrong} for {expected}"
    );
    for key in 2 * keys..3 * keys {
        assert!(filter.remove(key));
    }
    assert_eq!((filter.len(), filter.info().fill), (0, 0.0));
    assert!(!filter.contains(2 * keys) && !filter.remove(2 * keys));
}

#[test]
fn full_filter_refuses_and_keeps_what_it_has() {
    let mut filter = Cuckoo::builder(Size::BitsPerKey(12.0))
        .capacity(1000)
        .create()
        .expect("sound");
    let refused = (0..2000u64).find_map(|key| filter.insert(key).err().map(|error| (key, error)));
    let (first, error) = refused.expect("it has a fixed size");
    assert!(matches!(error, Error::Full { .. }));
    let text = error.to_string();
    assert!(text.contains("larger capacity, or use growing"), "{text}");
    assert!((1000..1100).contains(&first), "{first}");
    assert_eq!(filter.len(), first);
    assert!(whole(&filter, "extras") > 0, "the table has taken some");
    assert!((0..first).all(|key| filter.contains(key)));
    // A file keeps them, and removal makes room again.
    let mut again = Cuckoo::from_bytes(&filter.to_bytes()).expect("sound");
    assert_eq!(again, filter);
    for key in 0..first {
        assert!(again.remove(key), "{key}");
        assert!((key + 1..first).all(|other| again.contains(other)));
    }
    assert_eq!((whole(&again, "extras"), again.info().fill), (0, 0.0));
}

#[test]
fn extras_move_back_when_there_is_room() {
    let builder = Cuckoo::builder(Size::BitsPerKey(14.0)).exceptions(0.2);
    let mut filter = builder.capacity(5000).create().expect("sound");
    let full = (0..10_000u64)
        .take_while(|&key| filter.insert(key).is_ok())
        .count() as u64;
    let extras = whole(&filter, "extras");
    for key in 0..full / 2 {
        assert!(filter.remove(key));
    }
    let left = whole(&filter, "extras");
    assert!(extras > 50 && left < extras / 4, "{extras}, then {left}");
    assert!((full / 2..full).all(|key| filter.contains(key)));
}

#[test]
fn key_that_is_inserted_often_must_be_removed_as_often() {
    let mut filter = Cuckoo::builder(Size::BitsPerKey(20.0))
        .capacity(100)
        .create()
        .expect("sound");
    for _ in 0..1000 {
        filter.insert("ant").expect("a count takes no room");
    }
    filter.insert("bee").expect("room");
    for left in (0..1000).rev() {
        assert!(filter.remove("ant"));
        assert_eq!(filter.contains("ant"), left > 0, "{left}");
        assert!(filter.contains("bee"));
    }
    assert!(!filter.remove("ant") && filter.len() == 1);
}

#[test]
fn fingerprints_of_every_length_work() {
    for bits in 7..=32u32 {
        let builder = Cuckoo::builder(Size::BitsPerKey(60.0)).fingerprint(bits);
        let filter = builder.build_from_keys(0..3000u64).expect("sound");
        assert!((0..3000u64).all(|key| filter.contains(key)), "{bits}");
        assert_eq!(whole(&filter, "fingerprint"), u64::from(bits));
        let unseen = 10_000..110_000u64;
        let wrong = unseen.filter(|key| filter.contains(key)).count() as f64;
        let expected = 1e5 * filter.rate();
        // 3000 keys have different classes by chance, too.
        let deviation = expected.sqrt() + expected / 3000f64.sqrt();
        assert!(
            (wrong - expected).abs() < 5.0 * deviation + 3.0,
            "{bits}: {wrong} for {expected}"
        );
    }
    for wrong in [6, 33] {
        let builder = Cuckoo::builder(Size::BitsPerKey(60.0)).fingerprint(wrong);
        let error = builder.build_from_keys(0..10u64).expect_err("no length");
        assert!(error.to_string().contains("from 7 to 32"), "{error}");
    }
}
