//! Bytes from outside: whatever they are, the answer is a filter or an error.

use bloomwise::format::{Check, Header};
use bloomwise::{AnyFilter, Error, Family, Filter, Persist, Size, Spec};
use proptest::prelude::*;
use signed::{payload_start, sign};
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

mod fields;
mod short;
#[path = "../signed/mod.rs"]
mod signed;

/// Where the parameters of a file start, see `docs/format.md`.
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

/// Asks everything that reads cells, and makes every change that the filter has.
fn use_all(filter: &mut AnyFilter) {
    for key in 0..200u64 {
        filter.contains(key);
    }
    filter.contains_batch(0..200);
    assert!(filter.rate().is_finite());
    filter.info();
    assert!(format!("{filter:?}").len() < 200, "{filter:?}");
    for key in 0..50 {
        let _ = filter.guard(key + 1000, 1.0);
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
        family in 0..Family::ALL.len() as u64 + 1,
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
}
