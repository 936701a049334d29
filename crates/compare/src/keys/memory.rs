//! Lists and sets that return an error when memory runs out.
//!
//! Their size depends on the files of the user. A plain `Vec` would abort the program; these functions return
//! an error that can be shown.

use bloomwise::keys::KeySetsBuilder;
use std::collections::HashSet;
use std::hash::Hash;
use std::io;

/// Appends `item` to `list`. Returns an error if there is not enough memory.
pub fn try_push<T>(list: &mut Vec<T>, item: T) -> io::Result<()> {
    list.try_reserve(1)?;
    list.push(item);
    Ok(())
}

/// Appends `more` to `bytes`. Returns an error if there is not enough memory.
pub fn try_extend(bytes: &mut Vec<u8>, more: &[u8]) -> io::Result<()> {
    bytes.try_reserve(more.len())?;
    bytes.extend_from_slice(more);
    Ok(())
}

/// Inserts `item` into `set`, and returns whether it is new. Returns an error if there is not enough memory.
pub fn try_insert<T: Eq + Hash>(set: &mut HashSet<T>, item: T) -> io::Result<bool> {
    set.try_reserve(1)?;
    Ok(set.insert(item))
}

/// Adds a key of the set. Returns an error if there is not enough memory.
pub fn try_add_positive(sets: &mut KeySetsBuilder, key: &[u8]) -> io::Result<()> {
    sets.try_reserve(1, 0)?;
    sets.positive(key);
    Ok(())
}

/// Adds a known negative. Returns an error if there is not enough memory.
pub fn try_add_negative(sets: &mut KeySetsBuilder, key: &[u8], cost: f64) -> io::Result<()> {
    sets.try_reserve(0, 1)?;
    sets.negative(key, cost);
    Ok(())
}
