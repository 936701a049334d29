//! Files with a right checksum that hold what no filter writes.

use super::equal_negatives;
use bloomwise::seesaw::SeesawBuilder;
use bloomwise::{Persist, Seesaw, Size};
use xxhash_rust::xxh3::xxh3_64;

/// Where the payload starts: a header of eight words and as many for the parameters.
const PAYLOAD: usize = 16;

fn forged(filter: &Seesaw, word: usize, change: impl Fn(u64) -> u64) -> Option<String> {
    let mut bytes = filter.to_bytes();
    let place = 8 * word..8 * word + 8;
    let old = u64::from_le_bytes(bytes[place.clone()].try_into().expect("8 bytes"));
    bytes[place].copy_from_slice(&change(old).to_le_bytes());
    let (body, sum) = bytes.split_at_mut(filter.to_bytes().len() - 8);
    sum.copy_from_slice(&xxh3_64(body).to_le_bytes());
    Seesaw::from_bytes(&bytes)
        .err()
        .map(|error| error.to_string())
}

fn build(builder: &SeesawBuilder) -> Seesaw {
    builder.build(&equal_negatives(0..20)).expect("sound")
}

#[test]
fn pending_bits_stand_only_at_counters_in_use_without_a_mark() {
    let filter = build(&Seesaw::builder(20, Size::Bits(768)).functions(2).adaptive());
    let text = forged(&filter, PAYLOAD + 5, |_| 1).expect("counter 0 is empty");
    assert!(
        text.contains("a pending bit is set, expected a counter in use"),
        "{text}"
    );
    // A filter that is not adaptive has no such word: there it is a count.
    let plain = build(&Seesaw::builder(20, Size::Bits(640)).functions(2));
    assert_eq!(forged(&plain, PAYLOAD + 5, |_| 1), None);
}

#[test]
fn modulator_cells_without_keys_have_no_index() {
    let builder = Seesaw::builder(20, Size::Bits(640)).functions(2);
    let filter = build(&builder.alpha(0.4).count_bits(2).index_bits(1));
    let cells = PAYLOAD + 5;
    let text = forged(&filter, cells, |_| 0b100).expect("an index without a key");
    assert!(
        text.contains("an index of the modulator is above 0"),
        "{text}"
    );
    assert_eq!(
        forged(&filter, cells, |_| 0b101),
        None,
        "a key with an index"
    );
    let text = forged(&filter, cells, |_| 1 << 63).expect("21 cells of 3 bits leave one over");
    assert!(
        text.contains("a word of the modulator is too full"),
        "{text}"
    );
}

#[test]
fn numbers_that_cannot_be_are_named() {
    let filter = build(&Seesaw::builder(20, Size::Bits(640)).functions(2));
    for (word, value, name) in [
        (8, 33, "functions"),
        (9, 0, "segments"),
        (9, 3, "counters"),
        (10, 0, "groups"),
        (10, 1 << 60, "groups"),
        (11, 1, "modulator"),
        (12, 9, "count"),
        (13, 0, "index"),
    ] {
        let text = forged(&filter, word, |_| value).expect("impossible");
        assert!(text.contains(name), "word {word}: {text}");
    }
}
