//! The filter's info.

use super::buckets::Buckets;
use super::eviction::Eviction;
use super::shape::Shape;
use super::table::most_entries;
use crate::cells::words::Word;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;

/// The number of slots in use.
pub(super) fn used<W: Word>(words: &[W], shape: &Shape) -> u64 {
    let segments = 0..shape.segments as usize;
    segments
        .map(|segment| Buckets::new(words, shape, segment).used())
        .sum()
}

/// The info of a filter that has `used` slots in use.
pub(super) fn info(shape: &Shape, profile: &Profile, eviction: &Eviction, used: u64) -> Info {
    let parameters = vec![
        Parameter::setting("fingerprint", u64::from(shape.bits)),
        Parameter::total("buckets", shape.segments * shape.buckets),
        Parameter::measure("segments", shape.segments),
        Parameter::total(
            "exceptions",
            eviction.entries.saturating_sub(eviction.extras),
        ),
        Parameter::total("extras", eviction.extras),
        Parameter::total("room", most_entries(shape.entries)),
        Parameter::total("given_up", eviction.given_up),
    ];
    let fill = used as f64 / shape.slots() as f64;
    Info::new(Family::Cuckoo, profile, parameters, fill, shape.rate(used))
}
