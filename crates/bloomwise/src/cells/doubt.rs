//! Cells whose bytes have not been verified yet.
//!
//! A filter opened with [`Check::Header`](crate::format::Check::Header) has a [`Doubt`]. Every copy of its cells keeps the doubt. Writing
//! the cells verifies the bytes, once for all copies. So do the first change and a copy for many threads; if the bytes are sound, the
//! changed cells drop the doubt and the bytes.

use bytes::Bytes;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Bytes that are verified when the result is first needed.
#[derive(Clone)]
pub struct Doubt(Arc<Unverified>);

struct Unverified {
    /// The whole file, or the whole short form.
    bytes: Bytes,
    /// Verifies the checksums of the bytes.
    is_sound: fn(&[u8]) -> bool,
    /// The result of the verification, once it is known.
    damaged: OnceLock<bool>,
}

impl fmt::Debug for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Doubt({} bytes)", self.0.bytes.len())
    }
}

impl Doubt {
    /// A doubt about these bytes. `is_sound` verifies them.
    pub fn new(bytes: Bytes, is_sound: fn(&[u8]) -> bool) -> Self {
        Doubt(Arc::new(Unverified {
            bytes,
            is_sound,
            damaged: OnceLock::new(),
        }))
    }

    /// Whether the bytes are damaged. Reads all of them the first time.
    pub fn is_damaged(&self) -> bool {
        let Unverified {
            bytes,
            is_sound,
            damaged,
        } = &*self.0;
        *damaged.get_or_init(|| !is_sound(bytes))
    }
}
