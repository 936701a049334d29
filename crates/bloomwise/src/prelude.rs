//! The traits that filters implement, and [`Size`]: what a first program needs in addition to the filter's type.
//!
//! ```
//! use bloomwise::{Counting, prelude::*};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut cached = Counting::builder(Size::Rate(0.01)).capacity(1000).create()?;
//! cached.insert("ant");
//! assert!(cached.contains("ant") && cached.remove("ant"));
//! assert_eq!(Counting::from_bytes(&cached.to_bytes())?, cached);
//! # Ok(())
//! # }
//! ```

pub use crate::{Filter, Insert, Persist, Remove, Size};
