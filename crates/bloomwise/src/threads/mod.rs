//! Filters that many threads change at the same time.
//!
//! [`shared`] has the cells of a filter in atomic words: families whose cells only grow or are counted. [`segment_lock`] lets readers go on without a lock
//! while one thread changes a segment: families that move what they store. Each family says in its own folder how it is shared.

pub(crate) mod segment_lock;
pub(crate) mod shared;
