//! The subcommands, one file each: its arguments and what it does with them.

mod build;
mod compare;
mod demo;
mod eval;
mod inspect;
mod outlet;
mod plan;
mod query;
mod update;
mod verify;

use crate::args::OneFilter;
use anyhow::Result;

/// What a subcommand came to; the number is the exit code.
#[derive(Clone, Copy)]
pub enum Outcome {
    /// All is well.
    Fine = 0,
    /// Some key is absent.
    Absent = 1,
    /// A key of the set is denied.
    Denied = 3,
}

/// A subcommand and its arguments.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Build a filter from files of keys
    Build(build::Args),
    /// Predict the rates of every kind for numbers of keys, and recommend one
    Plan(plan::Args),
    /// Ask a filter for keys
    Query(query::Args),
    /// Show what a filter is: kind, parameters, size, fill, predicted rate
    Inspect(OneFilter),
    /// Check that the file of a filter is whole and sound
    Verify(OneFilter),
    /// Measure a filter on keys: false negatives, false positives, what they cost, time
    Eval(eval::Args),
    /// Compare kinds of filters on your own keys, in equal space
    Compare(compare::Args),
    /// See what it is about: a story on generated keys, in less than a minute
    Demo(demo::Args),
    /// Guard, remove and insert keys, in that order, and save the filter
    Update(update::Args),
}

impl Command {
    /// Does it.
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
            Command::Update(args) => update::run(&args),
        }
    }
}
