//! Measures membership filters on your own keys, and reports the result: what the command line, the Python package and the lab share.
//!
//! Data flows one way:
//!
//! ```text
//! keys ─► input ─► measure ─► learning ─► report ─► demo
//! ```
//!
//! - [`keys`] holds keys in memory. [`input`] reads keys from files and other streams of bytes, and events from logs.
//! - [`measure`] builds filters, and measures how often they are wrong, what that costs, and how fast they are.
//! - [`learning`] finds the absent keys in logs that cost most, and splits a log by time.
//! - [`report`] turns results into text, JSON, and an HTML page with charts. [`demo`] is an example on generated keys.
//!
//! Long work calls a [`Host`]: it shows progress and remarks, ends the work early, and tells the time. An [`Error`] and a remark name settings as
//! [`Setting`]s, so that every front end can write them in its own way.
//!
//! # Example
//!
//! All kinds in equal space, on keys in memory:
//!
//! ```
//! use bloomwise_compare::{Comparison, Options, Positives, Quiet, Samples, Setup, default_kinds, page};
//!
//! let mut positives = Positives::default();
//! for key in 0..1000 {
//!     positives.push(format!("member {key}").as_bytes())?;
//! }
//! let mut negatives = positives.negatives();
//! for rank in 1..=3000 {
//!     negatives.push(format!("other {rank}").as_bytes(), 1e6 / f64::from(rank))?;
//! }
//! let known = Some(negatives.finish()?);
//! let mut samples = Samples { known, ..positives.into_samples() };
//! samples.hold_out(0.2, 0)?;
//!
//! let options = Options {
//!     kinds: default_kinds(),
//!     budgets: vec![8.0, 10.0],
//!     hashing: Default::default(),
//!     settings: Vec::new(),
//! };
//! let comparison = Comparison::run(&options, &samples, &Quiet)?;
//! assert!(comparison.denied().is_none(), "no filter denies a key of the set");
//! let verdict = comparison.verdict().expect("filters of 8 bits per key can be built");
//! println!("{}", verdict.headline());
//! let html = page(&Setup::new("My keys"), &comparison);
//! assert!(html.contains("<svg"));
//! # Ok::<(), bloomwise_compare::Error>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds | default |
//! |---|---|---|
//! | `input` | [`input`] and [`learning`]: text, CSV, JSON lines, gzip | yes |
//! | `zstd` | reads zstd files; needs a C compiler | yes |
//! | `parquet` | reads Parquet files | no |
//!
//! Without `zstd` and `parquet`, everything compiles for `wasm32-unknown-unknown`; a web page reads keys from [`input::Input::stream`].

pub mod demo;
mod error;
mod host;
#[cfg(feature = "input")]
pub mod input;
pub mod keys;
#[cfg(feature = "input")]
pub mod learning;
pub mod measure;
#[cfg(feature = "input")]
pub mod path;
pub mod report;
pub mod system_file;

pub use error::{Error, Message, Result, Setting};
pub use host::{Host, Progress, Quiet, Work};
pub use measure::{
    Comparison, Evaluation, Negatives, NegativesOf, Options, Positives, Samples, default_kinds,
    parse_setting,
};
pub use report::html::{Setup, page};
pub use report::inspect::to_json as describe;
pub use report::plan::to_json as advice;
pub use report::{chart, table, text};
