//! `completions`: prints what a shell needs to complete commands and options, or the manual page.

use super::Outcome;
use crate::io::output::Output;
use anyhow::Result;
use clap_complete::Shell;
use std::io::Write;

/// The arguments of `completions`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bloomwise completions bash > ~/.local/share/bash-completion/completions/bloomwise
  bloomwise completions zsh > ~/.zfunc/_bloomwise
  bloomwise completions man > ~/.local/share/man/man1/bloomwise.1")]
pub struct Args {
    /// Shell to print completions for, or man for the manual page
    #[arg(value_enum, value_name = "SHELL")]
    to: Format,
}

/// What is printed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    /// The manual page, in the format of man
    Man,
}

/// Prints completions or the manual page of the whole command.
pub fn run(args: &Args, mut command: clap::Command) -> Result<Outcome> {
    let shell = match args.to {
        Format::Bash => Some(Shell::Bash),
        Format::Elvish => Some(Shell::Elvish),
        Format::Fish => Some(Shell::Fish),
        Format::Powershell => Some(Shell::PowerShell),
        Format::Zsh => Some(Shell::Zsh),
        Format::Man => None,
    };
    let mut text = Vec::new();
    match shell {
        Some(shell) => clap_complete::generate(shell, &mut command, "bloomwise", &mut text),
        None => manual(&command, &mut text)?,
    }
    let mut out = Output::new(false);
    out.write_all(&text)?;
    out.flush()?;
    Ok(Outcome::Success)
}

/// Writes the manual page: the command, and then each subcommand with its options.
fn manual(command: &clap::Command, text: &mut Vec<u8>) -> Result<()> {
    let mut command = command.clone();
    command.build();
    clap_mangen::Man::new(command.clone()).render(text)?;
    for subcommand in command.get_subcommands() {
        if subcommand.get_name() == "help" {
            continue;
        }
        let page = clap_mangen::Man::new(subcommand.clone());
        writeln!(
            text,
            ".SH \"BLOOMWISE {}\"",
            subcommand.get_name().to_uppercase()
        )?;
        page.render_synopsis_section(text)?;
        page.render_description_section(text)?;
        page.render_options_section(text)?;
        page.render_extra_section(text)?;
    }
    Ok(())
}
