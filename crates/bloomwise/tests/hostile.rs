//! Bytes from outside: whatever they are, the answer is a filter or an error.

use bloomwise::{AnyFilter, Check, Error, Family, Filter, Header, Operation, Persist, Size, Spec};
use proptest::prelude::*;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

/// Where the fields of a file are, see `docs/format.md`.
const COUNT: usize = 56;
const PARAMETERS: usize = 80;

fn filters() -> Vec<AnyFilter> {
    let build = |family: Family| {
        // Room for a slot of each key, and for exceptions.
        let bits = if family == Family::Cuckoo { 2048 } else { 1024 };
        let mut spec = Spec::new(family).size(Size::Bits(bits));
        if family == Family::PersonalizedRejecting {
            let list = spec
                .set("list", 3)
                .and_then(|spec| spec.set("threshold", 1));
            spec = list.expect("sound");
        }
        if is_habf(family) {
            spec = spec.set("ratio", 0.5).expect("a share");
        }
        let negatives = (100..300).map(|key| (key, 1.0));
        spec.build_from(0..100, negatives).expect("a sound spec")
    };
    let schemes = ["single", "sequential", "mht"].into_iter().map(|scheme| {
        let spec = Spec::new(Family::Balanced).set("scheme", scheme);
        let spec = spec.expect("a scheme").size(Size::Bits(4096)).capacity(300);
        spec.build_from_keys(0..400).expect("a sound spec")
    });
    Family::ALL.into_iter().map(build).chain(schemes).collect()
}

/// The same filters as bytes, built once.
static ENCODED: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| filters().iter().map(Persist::to_bytes).collect());

fn is_habf(family: Family) -> bool {
    matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// The first byte of the payload.
fn payload_start(bytes: &[u8]) -> usize {
    let parameters = (word(bytes, COUNT) as usize).min(480);
    (PARAMETERS + 8 * parameters).next_multiple_of(64)
}

/// Makes all checksums of a file below a mebibyte right again, as an attacker would.
fn sign(bytes: &mut [u8]) {
    let parameters = 8 * (word(bytes, COUNT) as usize).min(480);
    let end = (PARAMETERS + parameters).min(bytes.len());
    let sum = xxh3_64(&[&bytes[..72], &bytes[PARAMETERS..end]].concat());
    bytes[72..80].copy_from_slice(&sum.to_le_bytes());
    let start = payload_start(bytes).min(bytes.len());
    let Some(table) = bytes.len().checked_sub(16).filter(|&table| table >= start) else {
        return;
    };
    let payload = xxh3_64(&bytes[start..table]).to_le_bytes();
    bytes[table..table + 8].copy_from_slice(&payload);
    let last = xxh3_64(&[sum.to_le_bytes(), payload].concat());
    bytes[table + 8..].copy_from_slice(&last.to_le_bytes());
}

/// Asks everything that reads cells, and makes every change that the filter has.
fn use_all(filter: &mut AnyFilter) {
    for key in 0..200u64 {
        filter.contains(key);
    }
    filter.contains_batch(0..200);
    assert!(filter.rate().is_finite());
    filter.info();
    for key in 0..50 {
        let _ = filter.guard(key + 1000);
        let _ = filter.remove(key);
        let _ = filter.insert(key);
    }
    let _ = filter.to_bytes();
}

#[test]
fn signed_files_are_sound() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        let before = bytes.clone();
        sign(&mut bytes);
        assert!(bytes == before, "the tests sign as the library does");
    }
}

#[test]
fn truncated_file_is_an_error() {
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
fn extended_file_is_an_error() {
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
fn flipped_bit_is_an_error() {
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
fn impossible_field_with_right_checksums_is_an_error() {
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
    // The words between are seed, keys and capacity: any value is a sound filter of other keys.
    let header = [0, 8, 48, 56, 64];
    for filter in filters() {
        let bytes = filter.to_bytes();
        let parameters = (PARAMETERS..payload_start(&bytes)).step_by(8);
        for at in header.into_iter().chain(parameters) {
            let place = at..at + 8;
            let truth = word(&bytes, at);
            // Parameters are numbered from 8 on.
            let word = if at < PARAMETERS { at } else { at / 8 - 2 };
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
                            // Thinning bytes, known negatives, and how many of them are wrong.
                            (9, Family::Guarded) => lie < 1 << 16,
                            (10..=11, Family::Guarded) => true,
                            // Other layers in the same words, or layers with other salts.
                            (12.., Family::Guarded) => lie <= 1 << 32,
                            // Other buckets in the same words, and how many mistakes were given up.
                            (8..=10, Family::Cuckoo) => lie <= 32,
                            (14, Family::Cuckoo) => true,
                            // Another expansion, and other functions of a layer.
                            (9, Family::Growing) => (1..=32768).contains(&lie),
                            (12, Family::Growing) => (1..=32).contains(&lie),
                            (8, Family::Growing) => false,
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
                        assert!(
                            sound,
                            "{:?}: word {word} took {lie} for {truth}",
                            filter.family()
                        );
                        assert!(other.info().predicted_fpr.is_finite());
                        assert!(other.to_bytes() == forged, "saved as it was read");
                        use_all(&mut { other });
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
        // The end of the second word, the upper half of a 64-bit seed, the padding.
        let padding = PARAMETERS + 8 * word(&sound, COUNT) as usize..payload_start(&sound);
        for byte in [13, 14, 15, 24, 31].into_iter().chain(padding) {
            let mut forged = sound.clone();
            forged[byte] = 1;
            sign(&mut forged);
            assert!(AnyFilter::from_bytes(&forged).is_err(), "byte {byte}");
        }
    }
}

#[test]
fn largest_number_of_keys_is_sound_and_can_be_added_to() {
    // A filter that grows has the keys of each layer, too, and they add up.
    let counts_once = |filter: &AnyFilter| filter.family() != Family::Growing;
    for filter in filters().into_iter().filter(counts_once) {
        let mut bytes = filter.to_bytes();
        bytes[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        sign(&mut bytes);
        let mut forged = AnyFilter::from_bytes(&bytes).expect("only the count differs");
        if forged.family().can(Operation::Insert) {
            forged.insert("one more").expect("it grows");
            assert!(forged.contains("one more"));
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
        Error::Length {
            field: "the file",
            ..
        }
    ));
    for (byte, part) in [
        (40, "header"),
        (200, "payload"),
        (bytes.len() - 16, "payload"),
        (bytes.len() - 1, "table"),
    ] {
        let mut other = bytes.clone();
        other[byte] ^= 1;
        let text = error(&other).to_string();
        assert!(text.contains("checksum") && text.contains(part), "{text}");
    }
    let mut other = bytes.clone();
    other[8] = 1;
    assert!(matches!(
        error(&other),
        Error::Version {
            expected: 2,
            got: 1,
            ..
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
        text.contains("this is a blocked filter, expected bloom or personalized"),
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
        let start = [u64::from_le_bytes(*b"BLOOMWIS"), 2 | family << 16 | hash << 32];
        let words = start.into_iter().chain(words);
        let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        bytes.resize(bytes.len().max(PARAMETERS + 64), 0);
        sign(&mut bytes);
        if let Ok(mut filter) = AnyFilter::from_bytes(&bytes) {
            prop_assert_eq!(filter.to_bytes(), bytes, "what is accepted is what would be written");
            use_all(&mut filter);
        }
    }

    #[test]
    fn unchecked_cells_of_any_value_never_panic(which in 0..ENCODED.len(), noise in any::<u64>(), share in 0u64..4) {
        let mut bytes = ENCODED[which].clone();
        let start = payload_start(&bytes);
        let end = start + (Header::read(&bytes[..]).expect("sound").size_in_bits() / 8) as usize;
        for (byte, at) in bytes[start..end].iter_mut().zip(0u64..) {
            let random = xxh3_64(&(noise ^ at << 8).to_le_bytes());
            if random % 4 <= share {
                *byte = (random >> 8) as u8;
            }
        }
        // The header is right, so that the cells are believed.
        let mut filter = AnyFilter::from_owner(bytes, Check::Header).expect("a sound header");
        use_all(&mut filter);
    }

    #[test]
    fn arbitrary_short_forms_never_panic(mut noise in prop::collection::vec(prop_oneof![0u8..20, any::<u8>()], 12..120), family in 0u8..18) {
        (noise[0], noise[1]) = (0xB2, family);
        let end = noise.len() - 8;
        let sum = xxh3_64(&noise[..end]);
        noise[end..].copy_from_slice(&sum.to_le_bytes());
        if let Ok(mut filter) = AnyFilter::from_bytes(&noise) {
            prop_assert_eq!(filter.to_short_bytes(), noise, "what is accepted is what would be written");
            use_all(&mut filter);
        }
    }
}

#[test]
fn truncated_or_damaged_short_form_is_an_error() {
    for filter in filters() {
        let mut bytes = filter.to_short_bytes();
        for length in 0..bytes.len() {
            assert!(
                AnyFilter::from_bytes(&bytes[..length]).is_err(),
                "{length} bytes"
            );
        }
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(AnyFilter::from_bytes(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn cells_of_a_short_form_are_checked_before_their_first_use() {
    let (mut accepted, mut refused) = (0, 0);
    for filter in filters() {
        let mut bytes = filter.to_short_bytes();
        let end = bytes.len() - 8;
        for bit in 0..8 * end {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let sum = xxh3_64(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.to_le_bytes());
            let whole = AnyFilter::from_bytes(&bytes).is_ok();
            let first_use = AnyFilter::from_owner(bytes.clone(), Check::FirstUse).is_ok();
            assert_eq!(first_use, whole, "bit {bit} of {:?}", filter.family());
            (accepted, refused) = (accepted + u32::from(whole), refused + u32::from(!whole));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert!(accepted > 0 && refused > 0);
}
