//! What a filter says about itself.

use super::buckets::Buckets;
use super::keeper::Keeper;
use super::shape::Shape;
use super::table::most_entries;
use crate::cells::words::Word;
use crate::filter::family::Family;
use crate::filter::info::{Info, Value};
use crate::filter::profile::Profile;

/// The number of slots in use.
pub(super) fn used<W: Word>(words: &[W], shape: &Shape) -> u64 {
    let segments = 0..shape.segments as usize;
    segments
        .map(|segment| Buckets::new(words, shape, segment).used())
        .sum()
}

/// What there is to know about a filter with this many slots in use.
pub(super) fn info(shape: &Shape, profile: &Profile, keeper: &Keeper, used: u64) -> Info {
    let parameters = vec![
        ("fingerprint", Value::Whole(u64::from(shape.bits))),
        ("buckets", Value::Whole(shape.segments * shape.buckets)),
        ("segments", Value::Whole(shape.segments)),
        (
            "exceptions",
            Value::Whole(keeper.entries.saturating_sub(keeper.extras)),
        ),
        ("extras", Value::Whole(keeper.extras)),
        ("room", Value::Whole(most_entries(shape.entries))),
        ("given_up", Value::Whole(keeper.given_up)),
    ];
    let fill = used as f64 / shape.slots() as f64;
    Info::new(Family::Cuckoo, profile, parameters, fill, shape.rate(used))
}
