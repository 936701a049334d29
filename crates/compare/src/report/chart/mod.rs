//! Charts as SVG: lines over two axes, and rows of dots. The page of a comparison and the lab draw with these.
//!
//! - [`Lines`] draws lines whose names are at their ends. [`Dots`] draws rows with a name, dots and numbers.
//! - `axis` maps numbers to positions and chooses ticks. `mark` has markers and dashes. `labels` keeps names from overlapping.
//! - [`Drawing`] is a part of an HTML page, or a picture in a file of its own.
//!
//! A drawing has CSS classes instead of colours, so that each user has a style sheet of its own, for light mode, dark mode and paper. It is
//! drawn by hand because no library does that.
//!
//! A rate of zero has no position on a logarithmic axis. It is shown beside the axis, on a line marked `none`.

mod axis;
mod dots;
mod labels;
mod lines;
mod mark;
mod svg;

pub use axis::Scale;
pub use dots::{Dot, Dots, Row};
pub use lines::{Lines, Point, Series};
pub use mark::{Look, Tone};
pub use svg::{Drawing, Escaped};
