//! Filters that many threads change at the same time.
//!
//! [`shared`] keeps the cells of a filter in atomic words, for families whose cells are only set or counted. [`segment_lock`] lets readers
//! continue without a lock while one thread changes a segment, for families that move stored items. Each family's folder says how the
//! family is shared.

pub(crate) mod segment_lock;
pub(crate) mod shared;
