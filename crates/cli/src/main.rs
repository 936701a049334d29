//! The command `bloomwise`: build, query, check, measure and change membership filters.
//!
//! Data flows one way here too. A subcommand (`cmd`) reads its arguments (`args`), takes keys from files (`input`) and
//! filters from theirs (`filter_file`), lets the library work (`construct`, `built`; `answers`; `samples`,
//! `measure`, `evaluation`), and prints what came out (`text`, `output`).
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | all is well |
//! | 1 | `query`: some key is absent |
//! | 2 | something is wrong; one line on standard error says what, where, and what to do |
//! | 3 | `eval`: a positive is denied |
//! | 130 | interrupted |

mod answers;
mod args;
mod built;
mod cmd;
mod construct;
mod evaluation;
mod filter_file;
mod input;
mod interrupt;
mod key_list;
mod measure;
mod output;
mod progress;
mod samples;
mod text;

use clap::Parser;
use std::process::ExitCode;

/// The exit code for everything that is wrong.
const WRONG: u8 = 2;

/// Membership filters that know what a mistake costs
#[derive(Parser)]
#[command(name = "bloomwise", version)]
struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: cmd::Command,
}

fn main() -> ExitCode {
    interrupt::watch();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match cli.command.run() {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::remark(&chain(&error));
            ExitCode::from(WRONG)
        }
    }
}

/// Prints help where it was asked for, and else the parser's complaint on the one line that errors have.
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand as NothingGiven;
    if !error.use_stderr() || error.kind() == NothingGiven {
        // Whoever closed the stream does not want the text.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { WRONG } else { 0 });
    }
    let text = error.render().to_string();
    let paragraphs = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .map(str::trim);
    let complaint = paragraphs
        .take_while(|text| !text.starts_with("Usage:") && !text.starts_with("For more"))
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let complaint = complaint.collect::<Vec<_>>().join("; ");
    output::remark(&format!("{complaint}; --help lists what is valid"));
    ExitCode::from(WRONG)
}

/// An error and its causes on one line. Many errors quote their cause already; it is not said twice.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
