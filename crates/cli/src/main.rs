//! The command `bloomwise`: build, query, check, measure, compare and change membership filters.
//!
//! Data flows one way here too. A subcommand (`cmd`) reads its arguments (`args`), takes keys from files (`input`) and
//! filters from theirs (`filter_file`, `lock`), lets the library work (`construct`, `built`; `answers`; `samples`,
//! `measure`, `evaluation`; `holdout`, `comparison`), and writes what came out (`target`; `text`, `markdown`, `output`; `report`).
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | all is well |
//! | 1 | `query`: some key is absent |
//! | 2 | something is wrong; one line on standard error says what, where, and what to do |
//! | 3 | `eval`, `compare`, `demo`: a positive is denied |
//! | 128 + n | ended by signal n, 130 for Ctrl-C |

mod answers;
mod args;
mod built;
mod cmd;
mod comparison;
mod construct;
mod evaluation;
mod filter_file;
mod holdout;
mod input;
mod interrupt;
mod key_list;
mod lock;
mod machine;
mod markdown;
mod measure;
mod memory;
mod output;
mod pace;
mod progress;
mod report;
mod samples;
mod story;
mod target;
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
            output::remark(&format!("{error:#}"));
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
