//! A comparison as an HTML page: one file that needs no other file.
//!
//! The page loads no scripts, fonts or pictures, and tells the browser not to. The charts are inline SVG. They are drawn here and
//! not by a library, so that their colours come from the style sheet and work in light mode, in dark mode and on paper. Each kind
//! has its own colour, marker and dash, and its name at the end of its line, so that nobody depends on colour.
//!
//! - `page` puts the parts in order: summary, charts, table, how it was measured. `figures` decides what each chart shows.
//! - `chart` draws rates over bits per key, and `times` draws times by kind. `axis` maps numbers to positions and chooses ticks,
//!   `mark` has the markers, `labels` keeps names from overlapping.
//! - `markup` escapes text and writes tables.
//!
//! A rate of zero has no position on a logarithmic axis. It is shown below the axis, on a line marked `0`.

mod axis;
mod chart;
mod figures;
mod labels;
mod mark;
mod markup;
mod page;
mod times;

pub use page::{Setup, page};
