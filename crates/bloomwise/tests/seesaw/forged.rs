//! Files with correct checksums and values that no filter writes, and cells that nobody has checked.

use super::equal_negatives;
use bloomwise::format::Check;
use bloomwise::keys::Digests;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{Builder, Filter, Hashing, Insert, Persist, Remove, Seesaw, Size};
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// The word at which the payload starts, after ten words of header and six of parameters.
const PAYLOAD: usize = 16;

/// Changes a word of the filter's file, corrects the checksums, and returns the error of loading it.
fn forged(filter: &Seesaw, word: usize, change: impl Fn(u64) -> u64) -> Option<String> {
    let mut bytes = filter.to_bytes();
    let at = 8 * word..8 * word + 8;
    let old = u64::from_le_bytes(bytes[at.clone()].try_into().expect("8 bytes"));
    bytes[at].copy_from_slice(&change(old).to_le_bytes());
    let payload = 8 * PAYLOAD..bytes.len() - 16;
    let header = xxh3_64(&[&bytes[..72], &bytes[80..payload.start]].concat()).to_le_bytes();
    let cells = xxh3_64(&bytes[payload.clone()]).to_le_bytes();
    let table = xxh3_64(&[header, cells].concat()).to_le_bytes();
    bytes[72..80].copy_from_slice(&header);
    bytes[payload.end..].copy_from_slice(&[cells, table].concat());
    let error = Seesaw::from_bytes(&bytes)
        .err()
        .map(|error| error.to_string());
    let borrowed = Seesaw::from_owner(bytes, Check::Whole).err();
    assert_eq!(borrowed.map(|error| error.to_string()), error);
    error
}

fn build(builder: &Builder<Seesaw>) -> Seesaw {
    let builder = builder.clone().capacity(20);
    builder.build(&equal_negatives(0..20)).expect("sound")
}

#[test]
fn pending_bit_on_an_empty_counter_is_an_error() {
    let filter = build(&Seesaw::builder(Size::Bits(768)).functions(2).adaptive());
    let text = forged(&filter, PAYLOAD + 5, |_| 1).expect("counter 0 is empty");
    assert!(
        text.contains("the counter of a pending bit is empty or marked, expected a counter in use"),
        "{text}"
    );
    // A filter that is not adaptive has no word of pending bits; this word holds counts.
    let plain = build(&Seesaw::builder(Size::Bits(640)).functions(2));
    assert_eq!(forged(&plain, PAYLOAD + 5, |_| 1), None);
}

#[test]
fn invalid_modulator_words_are_errors() {
    let builder = Seesaw::builder(Size::Bits(640)).functions(2);
    let filter = build(&builder.alpha(0.4).count_bits(2).index_bits(1));
    let cells = PAYLOAD + 5;
    let text = forged(&filter, cells, |_| 0b100).expect("an index without a key");
    assert!(
        text.contains("the index of an empty modulator cell is not 0"),
        "{text}"
    );
    assert_eq!(
        forged(&filter, cells, |_| 0b101),
        None,
        "a key with an index"
    );
    let text =
        forged(&filter, cells, |_| 1 << 63).expect("21 cells of 3 bits leave one bit of padding");
    assert!(
        text.contains("the padding of a modulator word is not 0"),
        "{text}"
    );
}

#[test]
fn errors_name_the_parameter_that_is_out_of_range() {
    let filter = build(&Seesaw::builder(Size::Bits(640)).functions(2));
    for (word, value, name) in [
        (10, 33, "functions"),
        (11, 0, "segments"),
        (11, 3, "counter array"),
        (12, 0, "groups"),
        (12, 1 << 60, "groups"),
        (13, 1, "modulator"),
        (14, 9, "count"),
        (15, 0, "index"),
    ] {
        let text = forged(&filter, word, |_| value).expect("impossible");
        assert!(text.contains(name), "word {word}: {text}");
    }
}

/// Bytes that start at an odd address.
struct Odd(Vec<u8>);

impl AsRef<[u8]> for Odd {
    fn as_ref(&self) -> &[u8] {
        &self.0[1..]
    }
}

#[test]
fn borrowed_cells_are_read_in_place_and_copied_before_a_change() {
    for (alpha, adaptive) in [(0.0, false), (0.2, false), (0.0, true), (0.2, true)] {
        let builder = Seesaw::builder(Size::Bits(20_000))
            .functions(3)
            .alpha(alpha);
        let builder = if adaptive {
            builder.adaptive()
        } else {
            builder
        };
        let mut owned = builder
            .capacity(400)
            .build(&equal_negatives(1000..1100))
            .expect("sound");
        owned.extend(0..400);
        for form in [owned.to_bytes(), owned.to_short_bytes()] {
            let mut bytes = form.clone();
            bytes.insert(0, 0);
            for check in [Check::Whole, Check::Header] {
                let borrowed = Seesaw::from_owner(Odd(bytes.clone()), check).expect("sound");
                assert_eq!(borrowed, owned);
                assert_eq!(borrowed.info(), owned.info());
                assert_eq!(borrowed.rate(), owned.rate());
                assert_eq!(
                    borrowed.contains_batch(0..5000),
                    owned.contains_batch(0..5000)
                );
                assert_eq!(borrowed.to_bytes(), owned.to_bytes());
                let mut changed = (borrowed.clone(), owned.clone());
                for key in 200..300 {
                    assert!(changed.0.remove(key) && changed.1.remove(key));
                    assert_eq!(changed.0.insert(key + 500), changed.1.insert(key + 500));
                }
                assert_eq!(changed.0, changed.1);
                assert_ne!(changed.0, borrowed);
                assert_eq!(
                    borrowed, owned,
                    "the copy was changed, not the owner's bytes"
                );
                assert_eq!(
                    SharedSeesaw::new(borrowed).into_inner().expect("memory"),
                    owned
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unchecked_cells_make_wrong_answers_and_nothing_worse(
        adaptive in any::<bool>(),
        alpha in prop_oneof![Just(0.0), Just(0.3)],
        (functions, count_bits, index_bits, segments) in (1u32..7, 1u32..9, 1u32..5, 1u64..4),
        fill in prop_oneof![Just(0u8), Just(255), any::<u8>()],
        noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..600),
    ) {
        let builder = Seesaw::builder(Size::Bits(4096))
            .functions(functions)
            .alpha(alpha)
            .count_bits(count_bits)
            .index_bits(index_bits)
            .segments(segments);
        let sound = build(&if adaptive { builder.adaptive() } else { builder });
        let mut bytes = sound.to_bytes();
        let end = bytes.len() - 16;
        let cells = &mut bytes[8 * PAYLOAD..end];
        cells.fill(fill);
        for (at, byte) in noise {
            cells[at.index(cells.len())] = byte;
        }
        bytes.insert(0, 0);
        let filter = Seesaw::from_owner(Odd(bytes), Check::Header).expect("a sound header");
        let digests = Digests::of(Hashing::default(), 0..500);
        let answers = filter.contains_digests(&digests).expect("one hashing");
        for (key, answer) in (0..500).zip(&answers) {
            prop_assert_eq!(filter.contains(key), *answer);
        }
        prop_assert!((0.0..=1.0).contains(&filter.rate()));
        prop_assert!((0.0..=1.0).contains(&filter.info().predicted_fpr));
        prop_assert!(filter.fill() <= 1.0 && filter.marked() + filter.stuck() < 1 << 20);

        let (mut owned, shared) = (filter.clone(), SharedSeesaw::new(filter.clone()));
        prop_assert_eq!(owned.guard(7).is_ok(), adaptive);
        prop_assert_eq!(shared.guard(7).is_ok(), adaptive);
        prop_assert_eq!(owned.remove_digests(&digests).ok(), shared.remove_digests(&digests).ok());
        for key in 0..200 {
            prop_assert_eq!(owned.insert(key), shared.insert(key));
        }
        prop_assert_eq!(&shared.snapshot().expect("memory"), &owned);
        prop_assert_eq!(shared.into_inner().expect("memory"), owned);
        prop_assert_eq!(filter.contains_digests(&digests).expect("one hashing"), answers);
    }
}
