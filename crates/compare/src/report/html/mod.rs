//! A comparison as an HTML page: one file that needs no other file.
//!
//! The page loads no scripts, fonts or pictures, and tells the browser not to. The charts are inline SVG ([`super::chart`]). Their
//! colours come from the style sheet and work in light mode, in dark mode and on paper.
//!
//! - `page` puts the parts in order: verdict, mistakes, the costliest ones by name, costs, speed, table, how it was measured.
//! - `banner` writes the verdict, `costliest` the mistakes by name. `figures` decides what each chart shows.
//! - `markup` writes tables and figures.

mod banner;
mod costliest;
mod figures;
mod markup;
mod page;

pub use page::{Setup, page};
