//! What the machine offers: its vector instructions, its cores, and its caches.

pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod processor;
