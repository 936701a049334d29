//! Options that every experiment takes.

use std::path::PathBuf;

/// Options that every experiment takes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The fraction of the full size: 1 is the size of the papers.
    pub scale: f64,
    /// A folder of real keys, used instead of the URL-like ones.
    pub data: Option<PathBuf>,
}

impl Options {
    /// Returns `full` times the scale, but at least `least` (or `full`, if that is smaller).
    pub fn scaled(&self, full: u64, least: u64) -> u64 {
        ((full as f64 * self.scale).round() as u64).max(least.min(full))
    }
}
