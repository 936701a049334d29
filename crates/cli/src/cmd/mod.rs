//! The subcommands. Each file has the arguments of one subcommand and a function `run`.
//!
//! `comparison_output` has the arguments and the exit code that `compare` and `demo` share.

mod apply;
mod build;
mod compare;
mod comparison_output;
mod completions;
mod demo;
mod diff;
mod eval;
mod inspect;
mod join;
mod learn;
mod plan;
mod query;
mod shard;
mod shell;
mod update;
mod verify;

use crate::Cli;
use crate::args::FilterArgs;
use anyhow::Result;
use clap::CommandFactory;

/// The outcome of a subcommand; the number is the exit code.
#[derive(Clone, Copy)]
pub enum Outcome {
    /// Success.
    Success = 0,
    /// At least one key is absent.
    Absent = 1,
    /// A filter denied a key of the set.
    Denied = 3,
}

/// A subcommand and its arguments.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Build a filter from files of keys
    Build(build::Args),
    /// Predict the rates of every kind of filter without keys, and recommend a kind
    Plan(plan::Args),
    /// Look up keys in a filter
    Query(query::Args),
    /// Show the kind, parameters, size, fill and predicted rate of a filter
    Inspect(FilterArgs),
    /// Check that a filter file is complete and valid
    Verify(FilterArgs),
    /// Measure a filter on keys: false negatives, false positives and their cost, query time
    Eval(eval::Args),
    /// Compare kinds of filters of equal size on your own keys
    Compare(compare::Args),
    /// Run an example on generated keys, in less than a minute
    Demo(demo::Args),
    /// Find the absent keys in a log that cost most
    Learn(learn::Args),
    /// Guard, remove and insert keys, in that order, and save the filter
    Update(update::Args),
    /// Build some shards of a filter, on one of many machines
    Shard(shard::Args),
    /// Make a filter of shards that were built apart
    Join(join::Args),
    /// Make a patch of what changed since a filter was built
    Diff(diff::Args),
    /// Save a filter with a patch, which replaces an older patch
    Apply(apply::Args),
    /// Print completions for a shell, or the manual page
    Completions(completions::Args),
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<Outcome> {
        match self {
            Command::Build(args) => build::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Query(args) => query::run(&args),
            Command::Inspect(args) => inspect::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Eval(args) => eval::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Demo(args) => demo::run(&args),
            Command::Learn(args) => learn::run(&args),
            Command::Update(args) => update::run(&args),
            Command::Shard(args) => shard::run(&args),
            Command::Join(args) => join::run(&args),
            Command::Diff(args) => diff::run(&args),
            Command::Apply(args) => apply::run(&args),
            Command::Completions(args) => completions::run(&args, Cli::command()),
        }
    }
}
