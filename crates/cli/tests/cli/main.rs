//! The command line as its users see it: the real program, in a folder of its own, with its output and exit codes.

mod balanced;
mod browser;
mod build;
mod capacity;
mod compare;
mod compare_words;
mod csv;
mod damage;
mod demo;
mod eval;
mod input;
mod inspect;
mod known;
mod million;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod query;
mod report;
mod run;
mod seesaw;
mod signals;
mod update;
mod usage;
