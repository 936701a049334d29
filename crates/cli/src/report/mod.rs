//! Turns results into output: text for people, JSON for scripts, an HTML page with charts.
//!
//! - [`text`] formats numbers and lists, [`markdown`] formats tables, [`json`] has what several JSON objects share.
//! - [`answers`] prints the answers of `query`.
//! - `build`, `evaluation`, `traffic` and [`comparison`] add the output methods to the types of [`crate::construct`],
//!   [`crate::learning`] and [`crate::measure`].
//! - [`chart`] draws charts, [`html`] the page that has them.

pub mod answers;
mod build;
pub mod chart;
pub mod comparison;
mod evaluation;
pub mod html;
pub mod json;
pub mod markdown;
pub mod text;
mod traffic;
