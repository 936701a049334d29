//! Pages about the library as a whole.
//!
//! - [`choosing`]: which filter for which problem. Its charts are only in the repository, in `docs/choosing.md`.
//! - [`file_format`]: every byte of a file.
//! - [`papers`]: what is taken from each paper, and where the code differs.

#[doc = include_str!("../docs/choosing.md")]
pub mod choosing {}

#[doc = include_str!("../docs/format.md")]
pub mod file_format {}

#[doc = include_str!("../docs/papers.md")]
pub mod papers {}
