//! Membership filters that know what a mistake costs.
pub mod cells;
pub mod codec;
pub mod format;
pub mod hash;
pub mod key;
pub mod probe;
pub mod sizing;
pub mod stash;

mod any;
mod blocked;
mod bloom;
mod builder;
mod counting;
mod error;
mod family;
mod filter;
mod prefetch;
mod spec;
mod vector;

pub use any::AnyFilter;
pub use blocked::Blocked;
pub use bloom::Bloom;
pub use builder::Builder;
pub use counting::Counting;
pub use error::{Error, Result};
pub use family::Family;
pub use filter::{Filter, Info, Value};
pub use format::Persist;
pub use hash::{Digest, Hashing};
pub use key::{Costed, KeySets};
pub use sizing::Size;
pub use spec::{Setting, Spec};
