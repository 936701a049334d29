//! `learn`: finds the absent keys in logs that cost most, in bounded memory, and writes them as a file of negatives.

use super::Outcome;
use super::shell::{data_name, quoted};
use crate::args::{ColumnArgs, DEFAULT_TOP, LogArgs, parse_bytes, parse_count};
use crate::io::filter_file;
use crate::io::output::{Output, remark};
use crate::io::progress::Terminal;
use crate::io::target::Target;
use anyhow::{Context, Result, bail};
use bloomwise::format::Check;
use bloomwise::learn::{Learned, Learner};
use bloomwise_compare::input::log::{Counts, Layout};
use bloomwise_compare::input::{Input, check_read_once, name, time};
use bloomwise_compare::learning::{KeySet, Traffic, Watch, WatchOptions};
use bloomwise_compare::path::is_dash;
use bloomwise_compare::path::shown;
use bloomwise_compare::report::text;
use std::fs::File;
use std::io::{self, ErrorKind, Seek, Write};
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
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = DEFAULT_TOP, allow_negative_numbers = true)]
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
    columns: ColumnArgs,
}

/// Learns, writes the list and prints what was learned.
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
    if let Some(sketch) = &sketch {
        target.check_apart(sketch)?;
    }
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
        args.merge(path, &mut watch)?;
    }
    let mut first = None;
    for path in &args.logs {
        let counts = args.read(path, &layout, &mut watch)?;
        first = first.or(counts.first.text());
    }
    let traffic = watch.finish()?;
    let kept = args.write_list(&traffic, &target)?;
    // Last: a run that fails before can be repeated, and counts nothing twice.
    if let Some(target) = sketch {
        let mut write = |sink: &mut dyn Write| traffic.learner.write_to(sink);
        target.save_stream("sketch", &mut write, &mut check_sketch)?;
    }
    let mut out = Output::new(target.is_standard_output());
    if args.json {
        out.json(&traffic.json(kept))?;
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
            (Some(path), _) => Ok(KeySet::read(path, &self.columns.columns(), &Terminal)?),
            (None, Some(path)) => {
                let filter = filter_file::open(path, Check::Whole, &self.inputs())?;
                Ok(KeySet::Filter(Box::new(filter)))
            }
            (None, None) if self.logs.is_empty() => Ok(KeySet::Unknown),
            (None, None) => bail!(
                "which keys are present is not known; name their file with --positives, or a filter of them with --filter"
            ),
        }
    }

    /// Reads a log.
    fn read(&self, path: &Path, layout: &Layout, watch: &mut Watch<'_>) -> Result<Counts> {
        let needed = self.half_life.is_some() || self.log.since.is_some();
        // A sketch has a time, so that its costs can fade when it is merged.
        let times = needed || self.sketch.is_some();
        let counts = layout.read(Input::file(path), times, &Terminal, |event| {
            watch.event(&event)
        })?;
        counts.report_skipped(&Terminal)?;
        if needed && counts.without_time > 0 {
            let option = match self.half_life {
                Some(_) => "--half-life",
                None => "--since",
            };
            if counts.without_time == counts.events {
                let name = name(path);
                bail!(
                    "{name} has no times, which {option} needs; name their column with --time-column, and that of the key with --column"
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
        let list = traffic.costliest(most);
        let fits = |learned: &Learned<'_>| !learned.key.contains(&b'\n');
        let kept = list.clone().filter(fits).count();
        let left_out = list.len() - kept;
        if left_out > 0 {
            remark(&format!(
                "keys with a line end, which a list cannot hold, left out: {left_out}"
            ));
        }
        if traffic.too_long > 0 {
            let (most, events) = (Learner::MAX_KEY, traffic.too_long);
            remark(&format!(
                "absent keys of more than {most} bytes, which are counted but not listed: {events} events"
            ));
        }
        let mut write = |sink: &mut dyn Write| {
            for learned in list.clone().filter(fits) {
                sink.write_all(learned.key)?;
                writeln!(sink, "\t{}", learned.cost)?;
            }
            Ok(())
        };
        target.save_stream("list", &mut write, &mut |_| Ok(()))?;
        Ok(kept)
    }

    /// The command to run next.
    fn next(&self) -> String {
        // What came from a pipe or went to one has no name.
        let named = |path: &Path| match is_dash(path) {
            true => "FILE".to_string(),
            false => quoted(path),
        };
        let negatives = named(&self.output);
        let (mut positives, mut filter) = ("FILE".to_string(), "FILTER".to_string());
        if let Some(path) = &self.positives {
            positives = named(path);
            let columns = self.columns.key.iter();
            positives.extend(columns.map(|column| format!(" --key-column {}", quoted(column))));
            filter = quoted(format!("{}.bloomwise", data_name(path).replace(' ', "-")));
        }
        format!(
            "bloomwise build auto --positives {positives} --negatives {negatives} --bits-per-key 10 -o {filter}"
        )
    }

    /// Adds a sketch.
    fn merge(&self, path: &Path, watch: &mut Watch<'_>) -> Result<()> {
        let name = shown(path);
        let metadata = path.metadata();
        let metadata =
            metadata.with_context(|| format!("{name}: name a file that --sketch saved"))?;
        if !metadata.is_file() {
            bail!("{name} is not a file; name a file that --sketch saved");
        }
        let file = File::open(path).with_context(|| name.clone())?;
        match watch.merge(file).with_context(|| name.clone())? {
            Some(time) if time > time::latest() => bail!(
                "{name}: its time, {}, is in the future; learn again from the logs",
                time::shown(time)
            ),
            None if self.half_life.is_some() => remark(&format!(
                "{name} has no time, so its costs do not fade before they are merged; save sketches of logs that have times"
            )),
            _ => {}
        }
        Ok(())
    }
}

/// An error unless a sketch that was just written can be merged.
fn check_sketch(file: &mut File) -> io::Result<()> {
    file.rewind()?;
    Learner::check(file).map_err(|error| {
        let text =
            format!("what was written cannot be read again, so nothing was replaced ({error})");
        io::Error::new(ErrorKind::InvalidData, text)
    })
}
