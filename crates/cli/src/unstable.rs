//! The parser of settings, for the fuzz targets of this repository. It may change in any release.

pub use crate::args::parse_setting;
