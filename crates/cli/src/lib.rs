//! The command `bloomwise`: build, query, check, measure, compare and change membership filters.
//!
//! Data flows one way:
//!
//! ```text
//! args ─► io ─► construct ─► report ─► cmd
//! ```
//!
//! A subcommand (`cmd`) parses its arguments (`args`), builds a filter (`construct`), and prints the result or writes it to a file (`report`,
//! `io`). Reading keys and logs, learning, measuring and drawing are in the crate `bloomwise_compare`.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success |
//! | 1 | `query`: at least one key is absent |
//! | 2 | error; one line on standard error says what is wrong, where, and what to do |
//! | 3 | `eval`, `compare`, `demo`: a filter denied a positive |
//! | 128 + n | ended by signal n (130 for Ctrl-C) |
//!
//! Programs use the crates `bloomwise` and `bloomwise_compare` instead of this one.

mod args;
mod cmd;
mod construct;
mod io;
mod report;

use crate::io::{interrupt, output};
use clap::Parser;
use std::process::ExitCode;

/// The exit code for every error.
const ERROR: u8 = 2;

/// Membership filters that know what a mistake costs
#[derive(Parser)]
#[command(name = "bloomwise", version)]
struct Cli {
    /// The subcommand and its arguments.
    #[command(subcommand)]
    command: cmd::Command,
}

/// Runs the command with the arguments of this process. Returns its exit code.
pub fn run() -> ExitCode {
    interrupt::watch();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match cli.command.run() {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::remark(&output::message(&error));
            ExitCode::from(ERROR)
        }
    }
}

/// Prints the help text if the user asked for it. Otherwise prints the parser's error on one line, like every other error.
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand as NoArguments;
    if !error.use_stderr() || error.kind() == NoArguments {
        // If the stream is closed, nobody wants the text.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { ERROR } else { 0 });
    }
    let text = error.render().to_string();
    let paragraphs = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .map(str::trim);
    let message = paragraphs
        .take_while(|text| !text.starts_with("Usage:") && !text.starts_with("For more"))
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = message.collect::<Vec<_>>().join("; ");
    output::remark(&format!("{message}; run with --help to see what is valid"));
    ExitCode::from(ERROR)
}
