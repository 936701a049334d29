//! Filters of several shards: they answer what their shards answer, in whatever way they were made, saved and opened.
#![cfg(feature = "mmap")]

use bloomwise::{
    AnyFilter, Check, Error, Family, Filter, Form, Hashing, Header, KeySets, Operation, Persist,
    Shards, Size, Spec,
};
use signed::sign;
use xxhash_rust::xxh3::xxh3_64;

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

#[test]
fn guarded_shards_are_right_on_all_known_negatives_and_reports_add_up() {
    let spec = spec(Family::Guarded).size(Size::BitsPerKey(9.0));
    let (filter, report) = spec
        .build_sharded(&sets(Hashing::default()), 5)
        .expect("sound");
    assert_eq!((report.guarded, report.wrong()), (KEYS, Some(0)));
    assert!((KEYS..2 * KEYS).all(|key| !filter.contains(key)));
    assert!(filter.size_in_bits() <= 9 * KEYS);
    let small = spec.size(Size::BitsPerKey(1.0));
    let (filter, report) = small
        .build_sharded(&sets(Hashing::default()), 5)
        .expect("sound");
    let wrong = (KEYS..2 * KEYS).filter(|&key| filter.contains(key)).count() as u64;
    assert!(wrong > 0 && report.wrong() == Some(wrong), "{report:?}");
}

#[test]
fn files_hold_the_same_filter_however_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("filter");
    for (spec, _, filter) in filters() {
        let bytes = filter.to_bytes();
        assert_eq!(bytes.len() as u64, filter.encoded_len());
        let header = Header::read(&bytes[..]).expect("a header");
        assert_eq!(
            (header.form(), header.family()),
            (Form::Sharded, spec.family())
        );
        assert_eq!(header.keys(), KEYS);
        filter.save(&path).expect("the folder can be written");
        let read = [
            AnyFilter::from_bytes(&bytes),
            AnyFilter::from_bytes(&filter.to_short_bytes()),
            AnyFilter::read_from(&bytes[..]),
            AnyFilter::load(&path),
            AnyFilter::open(&path, Check::Whole),
            AnyFilter::open(&path, Check::Header),
            AnyFilter::open(&path, Check::FirstUse),
        ];
        for read in read {
            let read = read.expect("it was just written");
            assert_eq!(read, filter);
            assert!((0..KEYS).all(|key| read.contains(key)));
            assert_eq!(read.to_bytes(), bytes);
            assert_eq!(read.info(), filter.info());
        }
    }
}

#[test]
fn shards_made_apart_give_the_same_bytes_in_any_order() {
    for (spec, sets, filter) in filters() {
        let part = |range| {
            let (shards, _) = spec.build_shards(&sets, 5, range).expect("a sound spec");
            Shards::from_bytes(&shards.to_bytes()).expect("it was just written")
        };
        let joined = Shards::join(vec![part(3..5), part(0..1), part(1..3)]).expect("all shards");
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
fn parts_that_do_not_belong_together_are_not_joined() {
    let sets = sets(Hashing::default());
    let part = |spec: &Spec, of, range| spec.build_shards(&sets, of, range).expect("sound").0;
    let bloom = spec(Family::Bloom);
    let other = bloom.clone().size(Size::BitsPerKey(41.0));
    let hashed = KeySets::empty(Hashing::Xxh3 { seed: 1 });
    let (foreign, _) = bloom.build_shards(&hashed, 2, 1..2).expect("sound");
    for (parts, words) in [
        (vec![], "none"),
        (vec![part(&bloom, 2, 0..1)], "without shard 1"),
        (vec![part(&bloom, 2, 1..2)], "without shard 0"),
        (
            vec![part(&bloom, 2, 0..2), part(&bloom, 2, 1..2)],
            "shard 1 twice",
        ),
        (
            vec![part(&bloom, 2, 0..1), part(&bloom, 3, 1..3)],
            "number of shards",
        ),
        (
            vec![part(&bloom, 2, 0..1), part(&other, 2, 1..2)],
            "another kind",
        ),
        (
            vec![part(&bloom, 2, 0..1), part(&spec(Family::Blocked), 2, 1..2)],
            "another kind",
        ),
        (vec![part(&bloom, 2, 0..1), foreign], "hashing"),
    ] {
        let text = Shards::join(parts).expect_err("they differ").to_string();
        assert!(text.contains(words), "{text}");
    }
    for (of, range) in [(0, 0..0), (0, 0..1), (2, 1..1), (2, 1..3), (1 << 20, 0..1)] {
        assert!(bloom.build_shards(&sets, of, range).is_err());
    }
    let bits = bloom.size(Size::Bits(1000));
    assert!(bits.build_shards(&sets, 2, 0..1).is_err());
    let (whole, _) = bits
        .build_sharded(&sets, 2)
        .expect("the number of keys is known");
    assert!(whole.size_in_bits() <= 1000);
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
                changed.guard(20_000u64).expect("it can");
            }
        }
        assert_eq!(filter, borrowed);
        let again = AnyFilter::from_bytes(&filter.to_bytes()).expect("it was just written");
        assert_eq!(again, filter);
    }
}

#[test]
fn damaged_bytes_are_errors() {
    let (filter, _) = spec(Family::Blocked)
        .build_sharded(&sets(Hashing::default()), 3)
        .expect("sound");
    let bytes = filter.to_bytes();
    for length in 0..bytes.len() {
        assert!(AnyFilter::from_bytes(&bytes[..length]).is_err());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(AnyFilter::from_bytes(&changed).is_err(), "byte {at}");
        assert!(
            AnyFilter::from_owner(changed, Check::Whole).is_err(),
            "byte {at}"
        );
    }
}

#[test]
fn damaged_shard_says_yes_and_the_others_answer_as_before() {
    let (filter, _) = spec(Family::Guarded)
        .build_sharded(&sets(Hashing::default()), 3)
        .expect("sound");
    let mut bytes = filter.to_bytes();
    // In the cells of the last shard.
    let at = bytes.len() - 200;
    bytes[at] ^= 0x10;
    let read = AnyFilter::from_owner(bytes, Check::FirstUse).expect("headers are sound");
    for key in 0..10_000u64 {
        let damaged = Hashing::default().digest(key).shard(3) == 2;
        assert_eq!(read.contains(key), damaged || filter.contains(key));
    }
    let damaged = read
        .info()
        .parameter("damaged shards")
        .and_then(bloomwise::Value::as_u64);
    assert_eq!((damaged, read.damaged_shards()), (Some(1), 1));
}

#[test]
fn damaged_shard_stays_damaged_when_it_is_changed_or_written() {
    let (filter, _) = spec(Family::Bloom)
        .build_sharded(&sets(Hashing::default()), 3)
        .expect("sound");
    let mut bytes = filter.to_bytes();
    // In the cells of the last shard.
    let at = bytes.len() - 200;
    bytes[at] ^= 0x10;
    let open = || AnyFilter::from_owner(bytes.clone(), Check::FirstUse).expect("sound headers");
    let is_damaged = |key: u64| Hashing::default().digest(key).shard(3) == 2;
    let mut changed = open();
    for key in KEYS..KEYS + 100 {
        assert_eq!(changed.insert(key).is_err(), is_damaged(key));
    }
    let copy = AnyFilter::from_owner(changed.to_bytes(), Check::FirstUse).expect("sound headers");
    for read in [changed, copy] {
        assert!((0..KEYS).all(|key| read.contains(key)));
        assert_eq!(read.damaged_shards(), 1);
        assert!(AnyFilter::from_bytes(&read.to_bytes()).is_err());
    }
    // Not even the checksum was right.
    assert!(AnyFilter::from_bytes(&open().to_bytes()).is_err());
}

#[test]
fn information_about_shards_adds_up() {
    let spec = spec(Family::Guarded).size(Size::BitsPerKey(1.0));
    let sets = sets(Hashing::default());
    let (filter, report) = spec.build_sharded(&sets, 5).expect("sound");
    let info = filter.info();
    let whole = |name| info.parameter(name).and_then(bloomwise::Value::as_u64);
    assert_eq!(whole("wrong"), report.wrong());
    assert_eq!(whole("known_negatives"), Some(KEYS));
    assert_eq!(whole("bits"), Some(filter.size_in_bits()));
    let layers = "differ from shard to shard, and say nothing about the whole";
    assert_eq!(info.parameter("layers"), None, "{layers}");
}

#[test]
fn impossible_numbers_of_shards_are_errors_before_memory_is_taken() {
    let spec = spec(Family::Bloom);
    let sets = sets(Hashing::default());
    for shards in [0, 65_537, 1 << 40, u64::MAX] {
        let text = |error: Error| error.to_string();
        let error = spec.build_sharded(&sets, shards).map(|_| ()).map_err(text);
        assert!(error.is_err_and(|text| text.contains("number of shards")));
        assert!(spec.check_shards(shards).is_err());
    }
    for range in [0..0, 3..5, 7..u64::MAX] {
        assert!(spec.build_shards(&sets, 4, range).is_err());
    }
}

#[test]
fn forged_headers_and_directories_are_errors() {
    let (filter, _) = spec(Family::Bloom)
        .build_sharded(&sets(Hashing::default()), 3)
        .expect("sound");
    let bytes = filter.to_bytes();
    let mut same = bytes.clone();
    sign(&mut same);
    assert_eq!(same, bytes, "the test signs as the library does");
    // The family, the keys, and all five parameters.
    for (at, value) in [
        (10, 2),
        (32, 1),
        (80, 4),
        (88, 1),
        (96, 2),
        (96, 200),
        (104, 1),
        (112, 1),
    ] {
        let mut forged = bytes.clone();
        forged[at] ^= value;
        sign(&mut forged);
        let read = AnyFilter::from_bytes(&forged);
        // Another plan is another filter.
        assert_eq!(read.is_ok(), at == 104, "byte {at}: {read:?}");
        assert_eq!(
            AnyFilter::from_owner(forged, Check::Header).is_ok(),
            at == 104
        );
    }
    // A directory whose checksum is right.
    for (entry, value) in [(0, 1), (0, 8), (1, 64), (2, 1 << 40), (2, u64::MAX)] {
        let mut forged = bytes.clone();
        let at = 128 + 8 * entry;
        let length = u64::from_le_bytes(forged[at..at + 8].try_into().expect("8 bytes"));
        forged[at..at + 8].copy_from_slice(&(length ^ value).to_le_bytes());
        let sum = xxh3_64(&forged[128..128 + 24]);
        forged[112..120].copy_from_slice(&sum.to_le_bytes());
        sign(&mut forged);
        assert!(AnyFilter::from_bytes(&forged).is_err());
        assert!(AnyFilter::from_owner(forged, Check::Header).is_err());
    }
}

#[test]
fn shards_inside_of_shards_are_an_error() {
    let (inner, _) = spec(Family::Bloom)
        .build_sharded(&sets(Hashing::default()), 1)
        .expect("sound");
    let mut bytes = inner.to_bytes();
    // The shard starts after header, parameters and directory.
    let shard = 192;
    assert_eq!(&bytes[shard..shard + 8], b"BLOOMWIS");
    bytes[shard + 13] = 1;
    let parameters = 2;
    let sum = xxh3_64(
        &[
            &bytes[shard..shard + 72],
            &bytes[shard + 80..shard + 80 + 8 * parameters],
        ]
        .concat(),
    );
    bytes[shard + 72..shard + 80].copy_from_slice(&sum.to_le_bytes());
    sign(&mut bytes);
    let text = AnyFilter::from_bytes(&bytes)
        .expect_err("nested")
        .to_string();
    assert!(text.contains("parts"), "{text}");
}

#[test]
fn type_of_a_family_does_not_read_shards() {
    let (filter, _) = spec(Family::Bloom)
        .build_sharded(&sets(Hashing::default()), 2)
        .expect("sound");
    let error = bloomwise::Bloom::from_bytes(&filter.to_bytes()).expect_err("shards");
    assert!(
        error.to_string().contains("this is a sharded filter"),
        "{error}"
    );
    let plain = spec(Family::Bloom)
        .build(&sets(Hashing::default()))
        .expect("sound");
    assert!(Shards::from_bytes(&plain.to_bytes()).is_err());
}
