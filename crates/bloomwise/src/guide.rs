//! Pages about the library as a whole.
//!
//! - [`choosing`]: which filter for which problem, with measured rates and speeds.
//! - [`file_format`]: every byte of a file.
//! - [`papers`]: what is taken from each paper, and where the code differs.

#[expect(
    clippy::doc_markdown,
    reason = "the tables of the evaluation have names and types as they are"
)]
#[doc = include_str!("../docs/choosing.md")]
pub mod choosing {}

#[doc = include_str!("../docs/format.md")]
pub mod file_format {}

#[doc = include_str!("../docs/papers.md")]
pub mod papers {}
