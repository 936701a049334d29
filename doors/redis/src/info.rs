//! `INFO bloomwise`: totals over all keys.

use crate::census::{self, BYTES, LOADING, MISSES, REFUSED, TOO_LARGE};
use valkey_module::{InfoContext, ValkeyResult};

/// Reports all totals.
///
/// # Errors
///
/// The server refuses a field.
pub fn report(info: &InfoContext) -> ValkeyResult<()> {
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let keys: u64 = census::kinds().map(|(_, keys)| keys).sum();
    let totals = [
        ("keys", keys + LOADING.get()),
        ("bytes", BYTES.get()),
        ("loading", LOADING.get()),
        ("misses", MISSES.get()),
        ("misses_refused", REFUSED.get()),
        ("too_large", TOO_LARGE.get()),
    ];
    let kinds = census::kinds().filter(|(_, keys)| *keys > 0);
    let kinds = kinds.map(|(kind, keys)| (format!("kind_{}", kind.name()), keys));
    let totals = totals
        .into_iter()
        .map(|(name, value)| (name.to_string(), value));
    let mut section = info.builder().add_section("totals");
    for (name, value) in totals.chain(kinds) {
        section = section.field(&name, number(value))?;
    }
    section.build_section()?.build_info()?;
    Ok(())
}
