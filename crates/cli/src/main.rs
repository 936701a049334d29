//! The command `bloomwise`. Its parts are in the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloomwise_cli::run()
}
