//! The machine: its memory, vector instructions, cores and caches.

pub(crate) mod memory;
pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod processor;
