//! The parts of the command that are tested alone. They may change in any release.
//!
//! The readers of key files and logs and the parser of settings take whatever a user gives them. The fuzz targets in this repository give
//! them everything.

pub use crate::args::{Columns, parse_setting};
pub use crate::io::input::log::{Event, Layout};
pub use crate::io::input::{Counts, Role, read};
