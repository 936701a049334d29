//! Laws that hold for every family, written once and run over all of them.
//!
//! The arrays are tiny, so that keys collide, counters stick and false positives are common.

mod debug;
mod lives;
mod operations;
mod options;
