//! Memory that may run out.
//!
//! As much as a file has is held, so how much that is lies in nobody's hand here. A list that grows this way gives an
//! error that can be shown where a plain one would end the program with a trace.

use std::io;

/// Adds an item to a list; an error if there is no memory for it.
pub fn push<T>(list: &mut Vec<T>, item: T) -> io::Result<()> {
    list.try_reserve(1)?;
    list.push(item);
    Ok(())
}

/// Adds bytes to others; an error if there is no memory for them.
pub fn extend(bytes: &mut Vec<u8>, more: &[u8]) -> io::Result<()> {
    bytes.try_reserve(more.len())?;
    bytes.extend_from_slice(more);
    Ok(())
}
