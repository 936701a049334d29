//! The parts of the command that are tested alone, or shared with the Python package and the lab. They may change in any release.
//!
//! The readers of key files and logs and the parser of settings take whatever a user gives them. The fuzz targets in this repository give
//! them everything. The Python package compares filters, plans and describes them as the command does, with keys that are in memory.
//! The lab draws its charts with those of the page.

pub use crate::args::{Columns, parse_setting};
pub use crate::cmd::{advice, describe};
pub use crate::io::input::log::{Event, Layout};
pub use crate::io::input::{Counts, Role, read};
pub use crate::io::output::message;
pub use crate::io::progress::hide as hide_progress;
pub use crate::measure::{Comparison, Options, Positives, Samples, default_kinds, holdout};
pub use crate::report::chart;
pub use crate::report::html::{Setup, page};
