//! Bytes from outside: whatever they are, the answer is a filter or an error.

use bloomwise::{
    AnyFilter, Costed, Error, Family, Filter, KeySets, Operation, Persist, Size, Spec,
};
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

fn filters() -> Vec<AnyFilter> {
    let build = |family: Family| {
        let mut spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::Bits(1024));
        if family == Family::PersonalizedRejecting {
            spec = spec
                .set("list", "3")
                .and_then(|spec| spec.set("threshold", "1"))
                .expect("sound");
        }
        if is_habf(family) {
            spec = spec.set("ratio", "0.5").expect("a share");
        }
        let digest = |key: u64| spec.chosen_hashing().digest(&key.to_le_bytes());
        let negative = |key| Costed {
            digest: digest(key),
            cost: 1.0,
        };
        let sets = KeySets::new(
            (0..100).map(digest).collect(),
            (100..300).map(negative).collect(),
        );
        let filter = spec.build(&sets.expect("sound costs"));
        filter.expect("a sound spec")
    };
    let schemes = ["single", "sequential", "mht"].into_iter().map(|scheme| {
        let spec = Spec::new("balanced")
            .and_then(|spec| spec.set("scheme", scheme))
            .expect("a scheme");
        let spec = spec.size(Size::Bits(4096)).capacity(300);
        let filter = spec.build_from_keys((0..400u64).map(u64::to_le_bytes));
        filter.expect("a sound spec")
    });
    Family::ALL.into_iter().map(build).chain(schemes).collect()
}

fn is_habf(family: Family) -> bool {
    matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache)
}

/// Makes the checksum fit again, as somebody who means harm would.
fn sign(bytes: &mut [u8]) {
    let (body, sum) = bytes.split_at_mut(bytes.len() - 8);
    sum.copy_from_slice(&xxh3_64(body).to_le_bytes());
}

#[test]
fn every_truncation_is_an_error() {
    for filter in filters() {
        let bytes = filter.to_bytes();
        for length in 0..bytes.len() {
            assert!(
                AnyFilter::from_bytes(&bytes[..length]).is_err(),
                "{length} bytes"
            );
        }
    }
}

#[test]
fn every_extension_is_an_error() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        for _ in 0..80 {
            bytes.push(0);
            assert!(
                AnyFilter::from_bytes(&bytes).is_err(),
                "{} bytes",
                bytes.len()
            );
            let mut signed = bytes.clone();
            sign(&mut signed);
            assert!(
                AnyFilter::from_bytes(&signed).is_err(),
                "{} bytes, signed",
                bytes.len()
            );
        }
    }
}

#[test]
fn every_flip_of_a_bit_is_an_error() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(AnyFilter::from_bytes(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_lie_with_a_right_checksum_is_an_error() {
    let lies = [
        0,
        1,
        2,
        3,
        7,
        9,
        33,
        63,
        64,
        65,
        512,
        1025,
        2048,
        1 << 32,
        1 << 61,
        u64::MAX / 8,
        u64::MAX,
    ];
    // Words 2 to 4 are the seed and the number of keys: any value is a sound filter of other keys.
    let header = [0, 1, 5, 6, 7];
    for filter in filters() {
        let bytes = filter.to_bytes();
        // Up to the parameters that fit, and the padding after them.
        let parameters = usize::from(bytes[40]).next_multiple_of(8);
        for word in header.into_iter().chain(8..8 + parameters) {
            let place = 8 * word..8 * word + 8;
            let truth = u64::from_le_bytes(bytes[place.clone()].try_into().expect("8 bytes"));
            for lie in lies.into_iter().filter(|&lie| lie != truth) {
                let mut forged = bytes.clone();
                forged[place.clone()].copy_from_slice(&lie.to_le_bytes());
                sign(&mut forged);
                match AnyFilter::from_bytes(&forged) {
                    Err(error) => assert!(!error.to_string().contains('\n')),
                    // Another number of functions, say, is another sound filter.
                    Ok(other) => {
                        let sound = match (word, filter.family()) {
                            (8, family) if is_habf(family) => (1..=6).contains(&lie),
                            // The other second round.
                            (13, family) if is_habf(family) => lie <= 1,
                            // The same lines as other segments or parts of them, and other cells.
                            (9..=11, Family::Seesaw | Family::SeesawAdaptive) => lie <= 2,
                            (12, Family::Seesaw | Family::SeesawAdaptive) => (1..=8).contains(&lie),
                            (13, Family::Seesaw | Family::SeesawAdaptive) => (1..=4).contains(&lie),
                            (8, Family::Guarded) => (3..=4).contains(&lie),
                            // Other slots or segments in the same bits, or another hash.
                            (10, Family::Guarded) => (lie..33 * lie).contains(&1024) || lie > 1024,
                            (11 | 13, Family::Guarded) => lie <= 16,
                            (14, Family::Guarded) => lie < 1000,
                            (8, _) => (1..=32).contains(&lie),
                            (10, Family::Blocked) => (8..=9).contains(&lie),
                            (10, Family::PersonalizedRejecting) => (1..=32).contains(&lie),
                            (11, Family::Balanced) => (1..=3).contains(&lie),
                            (12, Family::Balanced) => lie <= 1020,
                            (13, Family::Balanced) => lie <= 1 << 16,
                            (14, Family::Balanced) => (1..=12).contains(&lie),
                            // Capacity, room in the list, and what was or may be read.
                            (15..=18, Family::Balanced) => true,
                            (19, Family::Balanced) => lie <= 8,
                            // A list that may grow longer than it has.
                            (11, Family::PersonalizedRejecting) => lie > truth,
                            _ => false,
                        };
                        assert!(sound, "word {word} took {lie} for {truth}");
                        assert!(other.info().predicted_fpr.is_finite());
                    }
                }
            }
        }
    }
}

#[test]
fn reserved_bytes_are_zero() {
    for filter in filters() {
        let sound = filter.to_bytes();
        // The end of the second word, the upper half of a 64-bit seed, the last word of the header, the padding.
        let parameters = usize::from(sound[40]);
        let padding = 64 + 8 * parameters..64 + 8 * parameters.next_multiple_of(8);
        for byte in [13, 14, 15, 24, 31, 56, 63].into_iter().chain(padding) {
            let mut forged = sound.clone();
            forged[byte] = 1;
            sign(&mut forged);
            assert!(AnyFilter::from_bytes(&forged).is_err(), "byte {byte}");
        }
    }
}

#[test]
fn any_number_of_keys_is_sound_and_can_be_added_to() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        bytes[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        sign(&mut bytes);
        let mut forged = AnyFilter::from_bytes(&bytes).expect("only the count differs");
        if forged.family().check(Operation::Insert).is_ok() {
            forged.insert(b"one more").expect("it grows");
            assert!(forged.contains(b"one more"));
        }
        assert_eq!(forged.info().keys, u64::MAX);
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let bytes = filters()[0].to_bytes();
    let error = |bytes: &[u8]| AnyFilter::from_bytes(bytes).expect_err("damaged");
    assert!(matches!(error(b""), Error::NotAFilter));
    assert!(matches!(
        error(b"PK\x03\x04 something else"),
        Error::NotAFilter
    ));
    assert!(matches!(
        error(&bytes[..bytes.len() - 1]),
        Error::Checksum { .. }
    ));
    let mut other = bytes.clone();
    other[8] = 2;
    assert!(matches!(
        error(&other),
        Error::Version {
            expected: 1,
            got: 2
        }
    ));
    let mut other = bytes.clone();
    other[10] = 200;
    sign(&mut other);
    assert!(
        error(&other)
            .to_string()
            .contains("the family is number 200")
    );
    let blocked = filters()[1].to_bytes();
    let text = bloomwise::Bloom::from_bytes(&blocked)
        .expect_err("another family")
        .to_string();
    assert!(
        text.contains("the family is blocked, expected bloom or personalized"),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(noise in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(AnyFilter::from_bytes(&noise).is_err());
    }

    #[test]
    fn arbitrary_words_behind_a_sound_start_never_panic(
        family in 0u64..16,
        hash in 0u64..4,
        words in prop::collection::vec(prop_oneof![0u64..70, any::<u64>()], 6..60),
    ) {
        let start = [u64::from_le_bytes(*b"BLOOMWIS"), 1 | family << 16 | hash << 32];
        let words = start.into_iter().chain(words).chain([0]);
        let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        sign(&mut bytes);
        if let Ok(filter) = AnyFilter::from_bytes(&bytes) {
            prop_assert_eq!(filter.to_bytes(), bytes, "what is accepted is what would be written");
        }
    }
}
