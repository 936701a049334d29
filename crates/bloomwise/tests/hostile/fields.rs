//! Fields that no writer writes, with right checksums.

use crate::*;
use bloomwise::Operation;

/// Where a file has the number of its parameters.
const COUNT: usize = 56;

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
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
