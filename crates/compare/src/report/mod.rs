//! Turns results into output: text for people, JSON for scripts, an HTML page with charts.
//!
//! - [`text`] formats numbers and lists, [`table`] formats tables, [`json`] has what several JSON objects share.
//! - `evaluation`, `traffic` and [`comparison`] add the output methods to the types of [`crate::learning`] and [`crate::measure`]. [`plan`] and
//!   [`inspect`] are advice and filters as JSON.
//! - [`chart`] draws charts, [`html`] the page that has them.

pub mod chart;
pub mod comparison;
mod evaluation;
pub mod html;
pub mod inspect;
pub mod json;
pub mod plan;
pub mod table;
pub mod text;
#[cfg(feature = "input")]
mod traffic;
