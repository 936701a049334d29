//! Tests of the command line: they run the program in a temporary folder and check its output and exit code.

mod abandoned;
mod balanced;
mod browser;
mod build;
mod capacity;
mod compare;
mod compare_log;
mod compare_summary;
mod csv;
mod damage;
mod demo;
mod eval;
mod input;
mod inspect;
#[cfg(unix)]
mod kills;
mod known;
mod learn;
mod links;
mod lives;
mod locks;
mod million;
mod names;
mod output;
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod patch;
mod plan;
mod query;
mod report;
mod run;
mod seesaw;
mod shards;
mod signals;
mod stdin;
mod update;
mod usage;
