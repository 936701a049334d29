//! Filters that answer from bytes that someone else holds, with the guard in either place.

use super::{build, sets};
use bloomwise::format::Check;
use bloomwise::info::Value;
use bloomwise::{Filter, Guarded, Persist, Size};
use proptest::prelude::*;

/// A filter with its guard in its place: in the fingerprint's layer if it has enough keys.
fn filter(keys: u64) -> Guarded {
    let sets = sets(keys, keys, 0.0);
    let (filter, _) = build(&Guarded::builder(Size::BitsPerKey(8.44)), &sets);
    let place = if keys > 2000 { "woven" } else { "apart" };
    assert_eq!(filter.info().parameter("guard"), Some(&Value::from(place)));
    filter
}

#[test]
fn borrowed_filter_answers_like_the_owned_one() {
    for owned in [filter(300), filter(5000)] {
        for bytes in [owned.to_bytes(), owned.to_short_bytes()] {
            let borrowed = Guarded::from_owner(bytes, Check::Whole).expect("valid");
            assert!((0..40_000).all(|key| borrowed.contains(key) == owned.contains(key)));
            assert_eq!(borrowed, owned);
            assert_eq!(borrowed.to_bytes(), owned.to_bytes());
        }
    }
}

#[test]
fn any_cells_can_be_queried() {
    for filter in [filter(300), filter(5000)] {
        proptest!(|(cells in prop::collection::vec(any::<u8>(), 1..200))| {
            let mut bytes = filter.to_bytes();
            // Two checksums follow the payload.
            let end = bytes.len() - 16;
            let start = end - filter.size_in_bits() as usize / 8;
            for (byte, cell) in bytes[start..end].iter_mut().zip(cells.iter().cycle()) {
                *byte = *cell;
            }
            let damaged = Guarded::from_owner(bytes, Check::Header).expect("a valid header");
            let answers = damaged.contains_batch(0..2000);
            prop_assert!((0..2000).zip(answers).all(|(key, yes)| damaged.contains(key) == yes));
            prop_assert_eq!(damaged.rate(), filter.rate());
            prop_assert!(damaged.info().fill <= 1.0);
            prop_assert_eq!(damaged.to_bytes().len(), filter.to_bytes().len());
        });
    }
}
