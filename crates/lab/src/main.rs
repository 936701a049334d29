//! The lab's command line: runs one experiment or all of them, refills the documents from recorded results, or soaks the
//! library.
//!
//! Mistakes in names, numbers and folders are reported before anything runs, since a full run takes an hour. Under
//! `all`, a failed experiment does not stop the others; the failures are listed at the end, and the exit code is 2.

use anyhow::{Context, Result, bail, ensure};
use bloomwise::unstable::Kernel;
use bloomwise_lab::catalogue::{EXPERIMENTS, Experiment, find};
use bloomwise_lab::options::Options;
use bloomwise_lab::output::{Outcome, Provenance, create_folder, refill, write};
use bloomwise_lab::soak;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Measures the tables and figures of the papers again, and bloomwise against other crates.
#[derive(Parser)]
#[command(
    name = "bloomwise-lab",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// The experiment to run; `all` for every one; `report` to refill the documents under docs/ from the results in
    /// --out.
    #[arg(required = true)]
    experiment: Option<String>,

    /// Fraction of the full size; 1 has as many keys as the papers. Files of --data are always read whole.
    #[arg(long, default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    scale: f64,

    /// Folder to write JSON, Markdown and charts to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Vector instructions that filters use, where they have a choice (default: the fastest that the processor has).
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    kernel: Option<Kernel>,

    /// Folder with positives.txt and negatives.tsv (or .zst), used instead of URL-like keys.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// What the lab does besides experiments.
#[derive(Subcommand)]
enum Command {
    Soak(soak::Options),
}

fn kernel(text: &str) -> Result<Kernel, String> {
    Kernel::named(text).map_err(|error| error.to_string())
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale <= 10.0 => Ok(scale),
        _ => Err("give a number above 0 and at most 10".to_string()),
    }
}

/// The list of experiments below the help text.
fn list() -> String {
    let lines = EXPERIMENTS.iter().map(|experiment| {
        let mark = if experiment.accepts_data { '*' } else { ' ' };
        format!("  {:14}{mark} {}\n", experiment.name, experiment.about)
    });
    let lines: String = lines.collect();
    format!("Experiments (* accepts --data):\n{lines}")
}

fn main() -> ExitCode {
    let matches = Arguments::command()
        .after_help(list())
        .try_get_matches()
        .unwrap_or_else(|error| match error.kind() {
            // The first line says everything.
            ErrorKind::ValueValidation | ErrorKind::ArgumentConflict => {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                eprintln!("bloomwise-lab: {}", line.trim_start_matches("error: "));
                std::process::exit(2)
            }
            _ => error.exit(),
        });
    let done = Arguments::from_arg_matches(&matches).map_err(Into::into);
    match done.and_then(|arguments| run(&arguments)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bloomwise-lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Does what the arguments ask for. A soak that found something has exit code 1.
fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(Command::Soak(options)) = &arguments.command {
        return Ok(match soak::run(options)? {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        });
    }
    if let Some(kernel) = arguments.kernel {
        kernel.choose();
    }
    // Present, unless there is a command.
    let experiment = arguments.experiment.as_deref().unwrap_or_default();
    run_experiments(experiment, arguments)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the experiment of this name, or what `all` and `report` stand for.
fn run_experiments(experiment: &str, arguments: &Arguments) -> Result<()> {
    if let Some(folder) = &arguments.data {
        let name = folder.display();
        ensure!(
            folder.is_dir(),
            "--data {name} is not a folder; name one with positives.txt and negatives.tsv"
        );
    }
    if experiment == "report" {
        ensure!(
            arguments.data.is_none(),
            "report reads recorded results; leave out --data"
        );
        return report(arguments.out.as_deref());
    }
    let chosen = match experiment {
        "all" => None,
        name => {
            let found = find(name);
            let found = found
                .with_context(|| format!("unknown experiment '{name}'; see --help for the list"))?;
            ensure!(
                found.accepts_data || arguments.data.is_none(),
                "{name} generates its keys; leave out --data (--help marks experiments that accept it)"
            );
            Some(found)
        }
    };
    if let Some(folder) = &arguments.out {
        create_folder(folder)?;
    }
    match chosen {
        Some(experiment) => run_one(experiment, arguments, |_| {}),
        None => run_all(arguments),
    }
}

/// Runs `experiment`, prints its outcome and writes it. Calls `took` with the seconds as soon as they are known.
fn run_one(experiment: &Experiment, arguments: &Arguments, took: impl Fn(f64)) -> Result<()> {
    let name = experiment.name;
    let options = Options {
        scale: arguments.scale,
        data: arguments.data.clone().filter(|_| experiment.accepts_data),
    };
    let mut provenance = Provenance::now(experiment, &options);
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

/// Runs all experiments, also after a failure.
fn run_all(arguments: &Arguments) -> Result<()> {
    let count = EXPERIMENTS.len();
    let mut failures = Vec::new();
    for (number, experiment) in (1..).zip(&EXPERIMENTS) {
        eprint!("[{number}/{count}] {} ... ", experiment.name);
        let done = run_one(experiment, arguments, |seconds| eprintln!("{seconds:.0} s"));
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

/// The documents and the recorded results, relative to the root of the repository.
const DOCUMENTS: [&str; 3] = [
    "docs/choosing.md",
    "docs/measurements.md",
    "docs/reproduction.md",
];
const RESULTS: &str = "crates/lab/results";

fn report(out: Option<&Path>) -> Result<()> {
    let results = out.unwrap_or(Path::new(RESULTS));
    let recorded = |experiment: &Experiment| {
        let file = format!("{}.json", experiment.name);
        results.join(file).exists()
    };
    ensure!(
        EXPERIMENTS.iter().any(recorded),
        "no results in {}; run an experiment with --out first",
        results.display()
    );
    let path = format!("../{RESULTS}");
    DOCUMENTS
        .iter()
        .try_for_each(|document| refill(Path::new(document), results, &path))
}
