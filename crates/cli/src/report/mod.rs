//! A comparison as a page for a browser: one file, which needs nothing but itself.
//!
//! No script, no font, no picture is fetched; the page forbids the browser to try. The charts are SVG inside of it, drawn
//! here rather than by a library, so that their colours are those of the style sheet and follow the reader from light to
//! dark and to paper. Each kind has a colour, a marker and a dash of its own, and its name at the end of its line: colour
//! alone tells nothing.
//!
//! - `page` has the order of things: words, charts, table, how it was measured; `figures` what each chart shows.
//! - `chart` draws rates over bits per key, `times` draws times by kind; `axis` maps numbers to places and chooses ticks,
//!   `mark` has the markers, `labels` keeps names apart.
//! - `html` escapes what comes from outside and writes tables.
//!
//! A rate of zero has no place on an axis of powers of ten. It has one below it, on a line of its own that is marked `0`.

mod axis;
mod chart;
mod figures;
mod html;
mod labels;
mod mark;
mod page;
mod times;

pub use page::{Setup, page};
