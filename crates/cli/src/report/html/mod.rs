//! A comparison as an HTML page: one file that needs no other file.
//!
//! The page loads no scripts, fonts or pictures, and tells the browser not to. The charts are inline SVG. They are drawn here and
//! not by a library, so that their colours come from the style sheet and work in light mode, in dark mode and on paper.
//!
//! - `page` puts the parts in order: verdict, mistakes, the costliest ones by name, costs, speed, table, how it was measured.
//! - `banner` writes the verdict, `costliest` the mistakes by name. `figures` decides what each chart shows.
//! - `lines` draws lines, `dots` draws rows of dots. `axis` maps numbers to positions and chooses ticks, `mark` has the markers, `labels`
//!   keeps names from overlapping.
//! - `markup` escapes text and writes tables.
//!
//! A rate of zero has no position on a logarithmic axis. It is shown beside the axis, on a line marked `none`.

mod axis;
mod banner;
mod costliest;
mod dots;
mod figures;
mod labels;
mod lines;
mod mark;
mod markup;
mod page;

pub use page::{Setup, page};
