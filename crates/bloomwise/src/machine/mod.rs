//! The machine: its vector instructions, cores and caches.

pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod processor;
