//! Filters of other papers: small, correct versions.

mod cascade;
pub mod habf;
pub mod learned;
mod seeded;
pub mod seesaw;
mod stacked;
mod walk;
mod weighted;

pub use cascade::Cascade;
pub use seeded::Seeded;
pub use stacked::Stacked;
pub use walk::{Path, Walk, rate_by_slot};
pub use weighted::Weighted;

use super::layer_digest;
