//! `learn`: finds the absent keys in logs that cost most, in bounded memory, and writes them as a file of negatives.

use super::Outcome;
use super::shell::{data_name, quoted};
use crate::args::{Columns, LogArgs, is_dash, parse_bytes, parse_count};
use crate::io::input::log::{Counts, Layout};
use crate::io::input::{check_read_once, name, time};
use crate::io::output::{Output, remark, shown};
use crate::io::target::Target;
use crate::learning::{KeySet, Traffic, Watch, WatchOptions};
use crate::report::text;
use anyhow::{Context, Result, bail};
use bloomwise::learn::Learner;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `learn`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bloomwise learn access.log --column 7 --positives pages.txt -o negatives.tsv
  bloomwise learn queries.csv --column path --cost-column ms --filter pages.bloomwise -o negatives.tsv
  bloomwise learn today.log --column 7 --positives pages.txt --merge yesterday.sketch --half-life 7d --sketch today.sketch -o negatives.tsv")]
pub struct Args {
    /// Logs: text, .csv, .parquet, JSON lines; .gz, .zst; - for standard input
    #[arg(value_name = "LOG", required_unless_present = "merge")]
    logs: Vec<PathBuf>,
    /// File with the keys of the set, one per line: an event whose key is not there counts as absent
    #[arg(long, value_name = "FILE", group = "set")]
    positives: Option<PathBuf>,
    /// Filter of the set, if its keys are not at hand: an event whose key it denies counts as absent
    #[arg(long, value_name = "FILTER", group = "set")]
    filter: Option<PathBuf>,
    /// File to write the costliest absent keys to, one per line: key TAB cost; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The most keys to write
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "100000", allow_negative_numbers = true)]
    top: u64,
    /// Memory for counting, whatever the length of the logs, at least 1MiB; digests of positives come on top, 18 bytes each
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "64MiB", allow_negative_numbers = true)]
    memory: u64,
    /// Time in which the cost of an event halves, such as 12h or 7d (default: never)
    #[arg(long, value_name = "TIME", value_parser = time::parse_span, allow_negative_numbers = true)]
    half_life: Option<f64>,
    /// File to save the counts to, for --merge
    #[arg(long, value_name = "FILE")]
    sketch: Option<PathBuf>,
    /// Files with counts that were saved with --sketch, to add to those of the logs
    #[arg(long, value_name = "FILE", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where the key and the time are in a log.
    #[command(flatten)]
    log: LogArgs,
    /// The columns to read if a file is a table, and that of the cost in a log.
    #[command(flatten)]
    columns: Columns,
}

/// Learns, writes the list and prints what was learnt.
pub fn run(args: &Args) -> Result<Outcome> {
    let layout = args.log.layout(&args.columns)?;
    let inputs = args.inputs();
    check_read_once(&inputs)?;
    let target = Target::new(&args.output, args.force, &inputs)?;
    let sketch = args
        .sketch
        .as_deref()
        .map(|path| args.sketch_target(path, &inputs));
    let sketch = sketch.transpose()?;
    let options = WatchOptions {
        memory: args.memory,
        half_life: args.half_life,
        since: args.log.since,
    };
    // The memory is taken before anything is read.
    options.learner()?;
    let set = args.set()?;
    let mut watch = Watch::new(&options, &set)?;
    for path in &args.merge {
        watch.merge(&load(path, args.memory)?)?;
    }
    let mut first = None;
    for path in &args.logs {
        let counts = args.read(path, &layout, &mut watch)?;
        first = first.or(counts.first.text());
    }
    let traffic = watch.finish()?;
    if let Some(target) = sketch {
        target.save_content("sketch", &traffic.learner.to_bytes())?;
    }
    let kept = args.write_list(&traffic, &target)?;
    let mut out = Output::new(target.is_standard_output());
    if args.json {
        out.json(&traffic.json(kept, args.memory))?;
    } else {
        let mut rows = traffic.rows();
        if let Some(keys) = first {
            rows.insert(1, ("first keys", keys));
        }
        rows.push((
            "written",
            format!("{}: {} keys", target.name(), text::count(kept as u64)),
        ));
        text::list(&mut out, &rows)?;
        writeln!(out, "\nNext:\n  {}", args.next())?;
    }
    out.flush()?;
    if traffic.all.count > 0 && traffic.absent.count == traffic.all.count {
        remark(
            "no key of the logs is present; check that --column, --regex or --json-field finds the key",
        );
    }
    Ok(Outcome::Success)
}

impl Args {
    /// All files that are read.
    fn inputs(&self) -> Vec<Option<&Path>> {
        let files = self.logs.iter().chain(&self.merge);
        let files = files.chain(&self.positives).chain(&self.filter);
        files.map(|path| Some(path.as_path())).collect()
    }

    /// The target of the sketch.
    fn sketch_target(&self, path: &Path, inputs: &[Option<&Path>]) -> Result<Target> {
        if is_dash(path) {
            bail!("--sketch -: standard output is for results; name a file for the sketch");
        }
        // A sketch may replace one that was merged into it, once that is read.
        let merged = |input: &&Option<&Path>| {
            !input.is_some_and(|input| self.merge.iter().any(|merged| merged == input))
        };
        let inputs: Vec<_> = inputs.iter().filter(merged).copied().collect();
        Target::named("--sketch", path, self.force, &inputs)
    }

    /// The keys that are present.
    fn set(&self) -> Result<KeySet> {
        self.columns.check_key(&[self.positives.as_deref()])?;
        match (&self.positives, &self.filter) {
            (Some(path), _) => KeySet::read(path, &self.columns),
            (None, Some(path)) => KeySet::of_filter(path),
            (None, None) if self.logs.is_empty() => Ok(KeySet::Unknown),
            (None, None) => bail!(
                "which keys are present is not known; name their file with --positives, or a filter of them with --filter"
            ),
        }
    }

    /// Reads a log.
    fn read(&self, path: &Path, layout: &Layout, watch: &mut Watch<'_>) -> Result<Counts> {
        let times = self.half_life.is_some() || self.log.since.is_some();
        let counts = layout.read(path, times, &mut |event| watch.event(&event))?;
        counts.report_skipped(path)?;
        if times && counts.without_time > 0 {
            let option = match self.half_life {
                Some(_) => "--half-life",
                None => "--since",
            };
            if counts.without_time == counts.events {
                let name = name(path);
                bail!(
                    "{name} has no times, which {option} needs; name their column with --time-column"
                );
            }
            remark(&format!(
                "{}: events without a time, taken for as late as the one before: {}",
                name(path),
                counts.without_time
            ));
        }
        Ok(counts)
    }

    /// Writes the list, and returns how many keys it has.
    fn write_list(&self, traffic: &Traffic<'_>, target: &Target) -> Result<usize> {
        let most = usize::try_from(self.top).unwrap_or(usize::MAX);
        let (mut content, mut kept, mut left_out) = (Vec::new(), 0, 0);
        for learned in traffic.costliest(most) {
            if learned.key.contains(&b'\n') {
                left_out += 1;
                continue;
            }
            kept += 1;
            content.extend_from_slice(learned.key);
            writeln!(content, "\t{}", learned.cost)?;
        }
        if left_out > 0 {
            remark(&format!(
                "keys with a line end, which a list cannot hold, left out: {left_out}"
            ));
        }
        target.save_content("list", &content)?;
        Ok(kept)
    }

    /// The command to run next.
    fn next(&self) -> String {
        let output = quoted(&self.output);
        let Some(positives) = &self.positives else {
            return format!(
                "bloomwise build auto --positives FILE --negatives {output} --bits-per-key 10 -o FILTER"
            );
        };
        let filter = quoted(format!(
            "{}.bloomwise",
            data_name(positives).replace(' ', "-")
        ));
        format!(
            "bloomwise build auto --positives {} --negatives {output} --bits-per-key 10 -o {filter}",
            quoted(positives)
        )
    }
}

/// Loads a sketch.
fn load(path: &Path, memory: u64) -> Result<Learner> {
    let name = shown(path);
    let metadata = fs::metadata(path);
    let metadata = metadata.with_context(|| format!("{name}: name a file that --sketch saved"))?;
    if !metadata.is_file() {
        bail!("{name} is not a file; name a file that --sketch saved");
    }
    let bytes = fs::read(path).with_context(|| name.clone())?;
    let memory = usize::try_from(memory).unwrap_or(usize::MAX);
    Learner::from_bytes(&bytes, memory).context(name)
}
