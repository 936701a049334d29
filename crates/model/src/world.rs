//! What a life may use of the world around it.

use bloomwise::{AnyFilter, Result};
use std::path::Path;

/// What a life may use of the world around it. Steps that need more are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct World<'a> {
    /// A folder for files.
    pub folder: Option<&'a Path>,
    /// How a file is mapped: the library's own function, if it has one.
    pub open: Option<fn(&Path) -> Result<AnyFilter>>,
    /// The program `bloomwise`.
    pub command: Option<&'a Path>,
    /// Whether several threads may share a filter. Their order is left to chance.
    pub threads: bool,
}
