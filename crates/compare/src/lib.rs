//! Measures membership filters on the user's own keys and reports the result: what the command line, the Python package and the lab share.
//!
//! Data flows one way:
//!
//! ```text
//! input ─► learning ─► measure ─► report
//!            demo ───────┘
//! ```
//!
//! - [`input`] reads keys from files, and events from logs. [`learning`] finds the absent keys in them that cost most.
//! - [`measure`] builds filters and measures how often they are wrong, what that costs, and how fast they are. [`demo`] generates keys for an example.
//! - [`report`] turns results into text, JSON and an HTML page with charts.

pub mod demo;
pub mod input;
pub mod key_list;
mod key_text;
pub mod learning;
pub mod measure;
pub mod memory;
pub mod path;
pub mod progress;
pub mod report;
pub mod system_file;

pub use input::Columns;
pub use input::log::{Event, Layout};
pub use measure::{Comparison, Options, Positives, Samples, default_kinds, holdout};
pub use report::html::{Setup, page};
pub use report::inspect::to_json as describe;
pub use report::plan::to_json as advice;
pub use report::{chart, table, text};

/// The message of an error and of its causes. An error of the library already contains the text of its cause.
pub fn message(error: &anyhow::Error) -> String {
    let mut texts = Vec::new();
    for cause in error.chain() {
        texts.push(cause.to_string());
        if cause.is::<bloomwise::Error>() {
            break;
        }
    }
    texts.join(": ")
}
