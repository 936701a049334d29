//! The lab's command line.

use anyhow::{Context, Result};
use bloomwise_lab::catalogue::{EXPERIMENTS, find};
use bloomwise_lab::options::Options;
use bloomwise_lab::output::{Provenance, refresh, write};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Runs the tables and figures of the papers again, and measures bloomwise against other crates.
#[derive(Parser)]
#[command(name = "bloomwise-lab")]
struct Arguments {
    /// The experiment, or `all`; or `report`, which brings docs/reproduction.md up to date with the results in --out.
    experiment: String,

    /// The part of the full size at which to run: 1 has as many keys as the papers.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    scale: f64,

    /// A folder for JSON, Markdown and pictures.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// A folder with positives.txt and negatives.tsv (or .zst), which take the place of URL-like keys.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale <= 10.0 => Ok(scale),
        _ => Err("a number above 0, up to 10".to_string()),
    }
}

/// The list of experiments below the help.
fn list() -> String {
    let lines = EXPERIMENTS
        .iter()
        .map(|(name, about, _)| format!("  {name:14} {about}\n"));
    format!("Experiments:\n{}", lines.collect::<String>())
}

fn main() -> ExitCode {
    let matches = Arguments::command().after_help(list()).get_matches();
    let done = Arguments::from_arg_matches(&matches).map_err(Into::into);
    match done.and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bloomwise-lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    match arguments.experiment.as_str() {
        "all" => EXPERIMENTS
            .iter()
            .try_for_each(|(name, _, _)| one(name, arguments)),
        "report" => report(arguments.out.as_deref()),
        name => one(name, arguments),
    }
}

fn one(name: &str, arguments: &Arguments) -> Result<()> {
    let run = find(name)
        .with_context(|| format!("there is no experiment '{name}'; --help lists them"))?;
    let options = Options {
        scale: arguments.scale,
        data: arguments.data.clone(),
    };
    let mut provenance = Provenance::now(name, &options);
    let start = Instant::now();
    let outcome = run(&options).with_context(|| format!("{name} failed"))?;
    provenance.seconds = start.elapsed().as_secs_f64();
    println!(
        "# {name}\n\n{}\n{}\n",
        outcome.markdown(),
        provenance.line()
    );
    match &arguments.out {
        Some(folder) => write(folder, name, &outcome, &provenance),
        None => Ok(()),
    }
}

/// The document and the committed results, from the root of the repository.
const DOCUMENT: &str = "docs/reproduction.md";
const RESULTS: &str = "crates/lab/results";

fn report(out: Option<&Path>) -> Result<()> {
    let results = out.unwrap_or(Path::new(RESULTS));
    refresh(Path::new(DOCUMENT), results, &format!("../{RESULTS}"))
}
