//! The cells that a query reads, the rules that change them, and the filter made of them.

mod cells;
mod filter;
mod footprint;
mod groups;
mod modulator;
mod pending;

use super::shape;

pub(super) use cells::{CellStats, Cells};
pub use filter::Seesaw;
