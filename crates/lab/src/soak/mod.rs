//! A soak: random lives of random filters, until the time is over or a promise is broken.
//!
//! `cargo run --release -p bloomwise-lab -- soak --minutes 10` runs it, and `soak --help` lists its options. It prints one line a minute and a table by kind at
//! the end. At the first broken promise it stops, prints what is broken, the filter, the fewest steps that show it and the command that repeats it, and exits
//! with code 1. A panic counts as a broken promise.
//!
//! `bloomwise_model` has the lives and the promises. Every other life is in a tiny filter, the others have up to 100,000 keys. Lives run on all processors, one
//! in each thread. An *operation* is one key inserted, removed, guarded or queried.

mod options;
mod run;

pub use options::Options;
pub use run::{Lives, run};
