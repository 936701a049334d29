//! The lab's command line: one experiment, all of them, or the document that shows what they came to.
//!
//! What can be wrong is said before hours are spent: names, numbers, and a folder for results that cannot be. Under `all` an experiment
//! that fails does not take the others with it; the failures stand in a list at the end, and the exit code is 2.

use anyhow::{Context, Result, bail, ensure};
use bloomwise_lab::catalogue::{EXPERIMENTS, Experiment, find};
use bloomwise_lab::options::Options;
use bloomwise_lab::output::{Outcome, Provenance, prepare, refresh, write};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Runs the tables and figures of the papers again, and measures bloomwise against other crates.
#[derive(Parser)]
#[command(name = "bloomwise-lab")]
struct Arguments {
    /// The experiment, or `all`; or `report`, which brings the documents under docs/ up to date with the results in --out.
    experiment: String,

    /// The part of the full size at which to run: 1 has as many keys as the papers. Files of --data are taken whole.
    #[arg(long, default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
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
        _ => Err("it must be a number above 0, up to 10".to_string()),
    }
}

/// The list of experiments below the help.
fn list() -> String {
    let lines = EXPERIMENTS.iter().map(|experiment| {
        let mark = if experiment.files { '*' } else { ' ' };
        format!("  {:14}{mark} {}\n", experiment.name, experiment.about)
    });
    let lines: String = lines.collect();
    format!("Experiments (* can be run on files, --data):\n{lines}")
}

fn main() -> ExitCode {
    let matches = Arguments::command()
        .after_help(list())
        .try_get_matches()
        .unwrap_or_else(|error| match error.kind() {
            // The first line says all.
            ErrorKind::ValueValidation => {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                eprintln!("bloomwise-lab: {}", line.trim_start_matches("error: "));
                std::process::exit(2)
            }
            _ => error.exit(),
        });
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
    if let Some(folder) = &arguments.data {
        let name = folder.display();
        ensure!(
            folder.is_dir(),
            "{name} is no folder; --data names one with positives.txt and negatives.tsv"
        );
    }
    if arguments.experiment == "report" {
        ensure!(
            arguments.data.is_none(),
            "report runs nothing and takes no --data"
        );
        return report(arguments.out.as_deref());
    }
    let chosen = match arguments.experiment.as_str() {
        "all" => None,
        name => {
            let found = find(name);
            let found = found
                .with_context(|| format!("there is no experiment '{name}'; --help lists them"))?;
            ensure!(
                found.files || arguments.data.is_none(),
                "{name} makes its own keys and takes no --data; --help marks those that do"
            );
            Some(found)
        }
    };
    if let Some(folder) = &arguments.out {
        prepare(folder)?;
    }
    match chosen {
        Some(experiment) => one(experiment, arguments, |_| {}),
        None => all(arguments),
    }
}

/// Runs an experiment, prints what it came to and writes it; `took` is told the seconds as soon as they are known.
fn one(experiment: &Experiment, arguments: &Arguments, took: impl Fn(f64)) -> Result<()> {
    let name = experiment.name;
    let options = Options {
        scale: arguments.scale,
        data: arguments.data.clone().filter(|_| experiment.files),
    };
    let mut provenance = Provenance::now(name, &options);
    let start = Instant::now();
    let outcome = (experiment.run)(&options);
    provenance.seconds = start.elapsed().as_secs_f64();
    took(provenance.seconds);
    let outcome: Outcome = outcome.with_context(|| format!("{name} failed"))?;
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

/// Runs all experiments, whatever becomes of each.
fn all(arguments: &Arguments) -> Result<()> {
    let count = EXPERIMENTS.len();
    let mut failures = Vec::new();
    for (number, experiment) in (1..).zip(&EXPERIMENTS) {
        eprint!("[{number}/{count}] {} ... ", experiment.name);
        let done = one(experiment, arguments, |seconds| eprintln!("{seconds:.0} s"));
        if let Err(error) = done {
            eprintln!("bloomwise-lab: {error:#}");
            failures.push(format!("\n  {error:#}"));
        }
    }
    if !failures.is_empty() {
        let (failed, list) = (failures.len(), failures.concat());
        bail!("{failed} of {count} experiments failed:{list}");
    }
    Ok(())
}

/// The documents and the committed results, from the root of the repository.
const DOCUMENTS: [&str; 2] = ["docs/reproduction.md", "docs/choosing.md"];
const RESULTS: &str = "crates/lab/results";

fn report(out: Option<&Path>) -> Result<()> {
    let results = out.unwrap_or(Path::new(RESULTS));
    let written = |experiment: &Experiment| {
        let file = format!("{}.json", experiment.name);
        results.join(file).exists()
    };
    ensure!(
        EXPERIMENTS.iter().any(written),
        "there are no results in {}; an experiment with --out writes them",
        results.display()
    );
    let path = format!("../{RESULTS}");
    DOCUMENTS
        .iter()
        .try_for_each(|document| refresh(Path::new(document), results, &path))
}
