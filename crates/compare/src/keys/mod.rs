//! Keys in memory. A key is any bytes; shown to people it is one short line.

mod first;
mod list;
pub mod memory;
mod text;

pub use first::FirstKeys;
pub use list::KeyList;
pub use text::shown;
