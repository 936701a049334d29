//! Damaged, forged and foreign shards are errors, or answer without harm.

use crate::*;

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
        let text = Sharded::join(parts).expect_err("they differ").to_string();
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

/// A filter of three shards, and its file with a flipped bit in the cells of the last shard.
fn damaged(family: Family) -> (AnyFilter, Vec<u8>) {
    let (filter, _) = spec(family)
        .build_sharded(&sets(Hashing::default()), 3)
        .expect("sound");
    let mut bytes = filter.to_bytes();
    let at = bytes.len() - 200;
    bytes[at] ^= 0x10;
    (filter, bytes)
}

#[test]
fn damaged_shard_says_yes_and_the_others_answer_as_before() {
    let (filter, bytes) = damaged(Family::Guarded);
    let read = AnyFilter::from_owner(bytes, Check::FirstUse).expect("headers are sound");
    for key in 0..10_000u64 {
        let damaged = Hashing::default().digest(key).shard(3) == 2;
        assert_eq!(read.contains(key), damaged || filter.contains(key));
    }
    let damaged = read
        .info()
        .parameter("damaged_shards")
        .and_then(bloomwise::info::Value::as_u64);
    assert_eq!((damaged, read.damaged_shards()), (Some(1), 1));
    for rate in [read.rate(), read.info().predicted_fpr] {
        assert!(rate > 1.0 / 3.0 && rate < 0.34, "{rate}");
    }
}

#[test]
fn damaged_shard_stays_damaged_when_it_is_changed_or_written() {
    let (_, bytes) = damaged(Family::Bloom);
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

/// Changes the file of each of three shards, and signs it.
fn each_shard(bytes: &mut [u8], change: impl Fn(&mut [u8])) {
    let directory = payload_start(bytes);
    let mut start = directory + 64;
    for shard in 0..3 {
        let entry = directory + 8 * shard;
        let length = u64::from_le_bytes(bytes[entry..entry + 8].try_into().expect("8 bytes"));
        let file = &mut bytes[start..start + length as usize];
        change(file);
        sign(file);
        start += length.next_multiple_of(64) as usize;
    }
}

/// The file of a filter of three shards, each of which claims this many keys.
fn with_keys(filter: &AnyFilter, keys: u64) -> Vec<u8> {
    let mut bytes = filter.to_bytes();
    each_shard(&mut bytes, |file| {
        file[32..40].copy_from_slice(&keys.to_le_bytes());
    });
    bytes[32..40].copy_from_slice(&keys.saturating_mul(3).to_le_bytes());
    sign(&mut bytes);
    bytes
}

#[test]
fn counts_of_shards_that_claim_too_much_stop_at_the_largest_number() {
    let sets = sets(Hashing::default());
    let (filter, _) = spec(Family::Guarded)
        .build_sharded(&sets, 3)
        .expect("sound");
    let mut bytes = filter.to_bytes();
    // The third parameter of a guarded filter is the number of its known negatives.
    each_shard(&mut bytes, |file| {
        file[96..104].copy_from_slice(&u64::MAX.to_le_bytes());
    });
    sign(&mut bytes);
    let read = AnyFilter::from_bytes(&bytes).expect("it is signed");
    let known = read.info().parameter("known_negatives").cloned();
    assert_eq!(known, Some(bloomwise::info::Value::Whole(u64::MAX)));
}

#[test]
fn sum_of_shards_that_claim_too_many_keys_stays_that_of_the_shards() {
    let spec = spec(Family::Counting);
    let sets = sets(Hashing::default());
    let (filter, _) = spec.build_sharded(&sets, 3).expect("sound");
    let bytes = with_keys(&filter, u64::MAX / 3 + 50);
    let mut filter = AnyFilter::from_bytes(&bytes).expect("it is signed");
    assert_eq!(filter.len(), u64::MAX);
    for key in 0..300u64 {
        assert!(filter.remove(key).expect("it can"));
        let read = AnyFilter::from_bytes(&filter.to_bytes()).expect("just written");
        assert_eq!(read.len(), filter.len());
    }
    assert!(filter.len() < u64::MAX, "the sum fits again");
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
    assert!(Sharded::from_bytes(&plain.to_bytes()).is_err());
}
