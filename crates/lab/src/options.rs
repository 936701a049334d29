//! What all experiments can be told.

use std::path::PathBuf;

/// What all experiments can be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The part of the full size: 1 is the size of the papers.
    pub scale: f64,
    /// A folder of real keys that takes the place of the URL-like ones.
    pub data: Option<PathBuf>,
}

impl Options {
    /// So many at full size, but never fewer than `least`.
    pub fn scaled(&self, full: u64, least: u64) -> u64 {
        ((full as f64 * self.scale).round() as u64).max(least.min(full))
    }
}
