//! Laws that hold for every family, written once and run over all of them.
//!
//! The arrays are tiny, so that keys collide, counters stick and false positives are common.

mod life;
#[path = "../naive/mod.rs"]
mod naive;
mod operations;
mod options;
mod queries;
mod sequences;
