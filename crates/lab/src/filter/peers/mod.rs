//! Filters of other crates.

mod clubcard;
pub mod crates;
mod xor;

pub use clubcard::Clubcard;
pub use xor::{Xor, xor_hash};
