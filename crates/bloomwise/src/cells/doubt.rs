//! Cells from bytes that nobody has verified.
//!
//! A filter that was opened without a look at its cells has a [`Doubt`]. It goes where the cells go: [`crate::cells::storage::Storage`] keeps it, and so does each
//! copy of them. Whoever writes the cells asks whether it is founded, and the bytes are verified then, once for all copies. The first change of cells asks
//! too, so that a sound filter forgets its doubt together with the bytes that it no longer needs.

use bytes::Bytes;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Bytes that nobody has verified, until someone asks.
#[derive(Clone)]
pub struct Doubt(Arc<Unverified>);

struct Unverified {
    /// The whole file, or the whole short form.
    bytes: Bytes,
    /// Whether the checksums of such bytes match.
    is_sound: fn(&[u8]) -> bool,
    /// The answer, once it is known.
    founded: OnceLock<bool>,
}

impl fmt::Debug for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Doubt({} bytes)", self.0.bytes.len())
    }
}

impl Doubt {
    /// A doubt about these bytes, which `is_sound` verifies.
    pub fn new(bytes: Bytes, is_sound: fn(&[u8]) -> bool) -> Self {
        Doubt(Arc::new(Unverified {
            bytes,
            is_sound,
            founded: OnceLock::new(),
        }))
    }

    /// Whether the bytes are damaged. Reads all of them the first time.
    pub fn is_founded(&self) -> bool {
        let Unverified {
            bytes,
            is_sound,
            founded,
        } = &*self.0;
        *founded.get_or_init(|| !is_sound(bytes))
    }
}
