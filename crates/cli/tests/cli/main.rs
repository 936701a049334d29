//! The command line as its users see it: the real program, in a folder of its own, with its output and exit codes.

mod balanced;
mod build;
mod capacity;
mod csv;
mod damage;
mod eval;
mod input;
mod inspect;
mod known;
mod million;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod query;
mod run;
mod seesaw;
mod signals;
mod update;
mod usage;
