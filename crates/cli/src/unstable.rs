//! The parts of the command that are tested alone. They may change in any release.
//!
//! The readers of key files and the parser of settings take whatever a user gives them. The fuzz targets in this repository give
//! them everything. The lab draws its charts with those of the page.

pub use crate::args::{Columns, parse_setting};
pub use crate::io::input::{Counts, Role, read};
pub use crate::report::chart;
