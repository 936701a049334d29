//! `Debug` of all filters: one short line instead of arrays of cells.

use super::contract::Filter;
use super::family::Family;
use std::fmt;

/// Writes kind, keys, capacity, bits and rate of a filter, for example `Bloom { keys: 3, capacity: 100, bits: 960, rate: 0.0001 }`.
///
/// `wrapper` is the type around the family's own type, such as `Shared` in `Shared<Bloom>`; empty if there is none. The cells are not scanned.
pub(crate) fn describe<F: Filter + ?Sized>(
    filter: &F,
    wrapper: &str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut line = f.debug_struct(&name(filter.family(), wrapper));
    line.field("keys", &filter.len());
    if let Some(capacity) = filter.capacity() {
        line.field("capacity", &capacity);
    }
    line.field("bits", &filter.size_in_bits());
    line.field("rate", &rounded(filter.rate()));
    line.finish()
}

/// The name of a kind, inside its wrapper.
fn name(kind: Family, wrapper: &str) -> String {
    match wrapper {
        "" => format!("{kind:?}"),
        _ => format!("{wrapper}<{kind:?}>"),
    }
}

/// A rate with two significant digits. The others are noise.
fn rounded(rate: f64) -> f64 {
    format!("{rate:.1e}").parse().unwrap_or(rate)
}
