//! Damaged and forged patches are errors, or answer without harm.

use crate::signed::sign;
use crate::*;

/// A small patched filter, whose base has shards.
fn small() -> AnyFilter {
    let hashing = Hashing::default();
    let (old, new) = (sets(hashing, 0..60, 0..0), sets(hashing, 10..70, 100..160));
    let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(5.0));
    let (base, _) = spec.build_sharded(&old, 2).expect("sound");
    let patch = Patch::build(&base, &old, &new).expect("its keys");
    patch.apply(base).expect("its base")
}

#[test]
fn damaged_bytes_are_errors() {
    let filter = small();
    let patch = filter.patch().expect("it has one").to_bytes();
    let bytes = filter.to_bytes();
    for length in 0..bytes.len() {
        assert!(AnyFilter::from_bytes(&bytes[..length]).is_err());
    }
    for length in 0..patch.len() {
        assert!(Patch::from_bytes(&patch[..length]).is_err());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(AnyFilter::from_bytes(&changed).is_err(), "byte {at}");
        for check in [Check::Whole, Check::FirstUse] {
            let read = AnyFilter::from_owner(changed.clone(), check);
            assert!(read.is_err(), "byte {at}");
        }
        // Whatever a cell is, an answer is an answer.
        if let Ok(filter) = AnyFilter::from_owner(changed, Check::Header) {
            filter.contains_batch(0..200u64);
        }
    }
    for at in 0..patch.len() {
        let mut changed = patch.clone();
        changed[at] ^= 1;
        assert!(Patch::from_bytes(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn forged_patches_are_errors_or_answer_without_harm() {
    let filter = small();
    let patch = filter.patch().expect("it has one").to_bytes();
    let mut same = patch.clone();
    sign(&mut same);
    assert_eq!(same, patch, "the test signs as the library does");
    let parameters = u64::from_le_bytes(patch[56..64].try_into().expect("8 bytes")) as usize;
    // All fields of the header but the seed, and all parameters.
    for at in (10..16).chain(32..72).chain(80..80 + 8 * parameters) {
        for flip in [1, 0x80, 0xFF] {
            let mut forged = patch.clone();
            forged[at] ^= flip;
            // A number of words or parameters that does not fit the file cannot be signed.
            if (56..72).contains(&at) {
                assert!(Patch::from_bytes(&forged).is_err());
                continue;
            }
            sign(&mut forged);
            if let Ok(read) = Patch::from_bytes(&forged) {
                assert_eq!(read.to_bytes(), forged, "byte {at}");
                let patched = read.apply(filter.base().clone());
                if let Ok(patched) = &patched {
                    patched.contains_batch(0..200u64);
                }
                assert_eq!(
                    patched.is_err(),
                    (80..88).contains(&at) || at == 12,
                    "byte {at}"
                );
            }
        }
    }
    // Both parts of a patch are exact: a key that stays would be denied otherwise. The filter of added keys has no wrong known negatives.
    let wrong = 80 + 8 * 7;
    let mut forged = patch.clone();
    assert_eq!(forged[wrong..wrong + 8], [0; 8]);
    forged[wrong] = 1;
    sign(&mut forged);
    let text = Patch::from_bytes(&forged)
        .expect_err("not exact")
        .to_string();
    assert!(text.contains("wrong known negatives"), "{text}");
}

#[test]
fn forged_patched_filters_are_errors() {
    let filter = small();
    let bytes = filter.to_bytes();
    let mut same = bytes.clone();
    sign(&mut same);
    assert_eq!(same, bytes, "the test signs as the library does");
    // The family, the keys, the capacity, the rate, and the checksum of the directory.
    for at in [10, 32, 40, 54, 80] {
        let mut forged = bytes.clone();
        forged[at] ^= 0x3F;
        sign(&mut forged);
        assert!(AnyFilter::from_bytes(&forged).is_err(), "byte {at}");
        assert!(AnyFilter::from_owner(forged, Check::Header).is_err());
    }
    // Lengths in the directory, with a right checksum.
    let base_len = filter.base().encoded_len();
    for (entry, value) in [(0, 1), (0, base_len), (1, 64), (0, 1 << 40), (1, u64::MAX)] {
        let mut forged = bytes.clone();
        let at = 128 + 8 * entry;
        let length = u64::from_le_bytes(forged[at..at + 8].try_into().expect("8 bytes"));
        forged[at..at + 8].copy_from_slice(&(length ^ value).to_le_bytes());
        let sum = xxhash_rust::xxh3::xxh3_64(&forged[128..144]);
        forged[80..88].copy_from_slice(&sum.to_le_bytes());
        sign(&mut forged);
        assert!(AnyFilter::from_bytes(&forged).is_err());
        assert!(AnyFilter::from_owner(forged, Check::Header).is_err());
    }
    // The patch of another base, and files of forms that a patched filter does not hold.
    let base = 192;
    let patch = base + base_len.next_multiple_of(64) as usize;
    assert_eq!(&bytes[base..base + 8], b"BLOOMWIS");
    assert_eq!(&bytes[patch..patch + 8], b"BLOOMWIS");
    let patch_end = patch + filter.patch().expect("it has one").encoded_len() as usize;
    for (at, value, words) in [
        (patch + 80, 1, "made from a filter with checksum"),
        (base + 13, 3, "form of one of its parts"),
        (base + 13, 2, "form of one of its parts"),
        (patch + 13, 3, "form of one of its parts"),
        (patch + 13, 2, "form of one of its parts"),
    ] {
        let mut forged = bytes.clone();
        forged[at] ^= value;
        let inner = if at < patch {
            base..base + base_len as usize
        } else {
            patch..patch_end
        };
        sign(&mut forged[inner]);
        sign(&mut forged);
        for read in [
            AnyFilter::from_bytes(&forged),
            AnyFilter::from_owner(forged, Check::Header),
        ] {
            let text = read.expect_err("forged").to_string();
            assert!(text.contains(words), "{text}");
        }
    }
}
