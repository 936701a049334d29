//! Builds a filter from keys that come one after the other, in the way that fits.
//!
//! | way | when | memory beside the filter |
//! |---|---|---|
//! | in memory | otherwise | 16 bytes for each key and 24 for each known negative |
//! | streaming | a capacity, no known negatives, no shards | none: each key is inserted as it comes, and duplicates cannot be counted |
//! | large | a memory limit | as much as it allows; digests wait in temporary files, and shards are built one after the other |
//!
//! In memory and large, the order of the keys does not change the filter.
//!
//! ```
//! use bloomwise::construction::Construction;
//! use bloomwise::{Family, Filter, Size, Spec};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(12.0));
//! let mut construction = Construction::new(spec, None, true)?;
//! for key in ["ant", "bee", "ant"] {
//!     construction.positive(key)?;
//! }
//! construction.negative("cow", 2.5)?;
//! let built = construction.finish(|_, _| {})?;
//! assert!(built.filter.contains("bee") && !built.filter.contains("cow"));
//! assert_eq!((built.keys, built.duplicates, built.known_negatives), (2, Some(1), Some(1)));
//! # Ok(())
//! # }
//! ```

mod add;
mod finish;
mod start;

pub use finish::Built;
pub use start::Construction;
