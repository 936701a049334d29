//! `build`: builds a filter from files of keys.
//!
//! Settings, sizes and the output file are checked before the keys are read.

use super::Outcome;
use crate::args::{ColumnArgs, OutputArgs, SpecArgs, Threads, parse_bytes, parse_count};
use crate::construct::{self, Sources};
use crate::io::output::{Output, remark};
use anyhow::{Result, anyhow, bail};
use bloomwise::construction::{Built, Construction};
use bloomwise::settings::Setting;
use bloomwise::{Family, Filter, Hashing, Operation, Size, Spec};
use bloomwise_compare::input::{self, check_read_once};
use bloomwise_compare::report::text;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name that stands for the kind that is recommended.
const AUTO: &str = "auto";

/// The arguments of `build`.
#[derive(clap::Args)]
#[command(after_help = kinds())]
pub struct Args {
    /// Kind of filter (see below); auto for the kind that `plan` recommends
    kind: String,
    /// File with the keys of the set, one per line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File with known keys outside the set, one per line: key, or key TAB cost (default cost: 1)
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// The size of the filter, its settings, and how it hashes keys.
    #[command(flatten)]
    filter: SpecArgs,
    /// Capacity of the filter in keys (default: the number of positives). With --capacity and without --negatives, each key is
    /// inserted as it is read, which saves 16 bytes of memory per key; duplicates are then not counted
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    capacity: Option<u64>,
    /// Memory for the build: keys that do not fit are kept in temporary files beside the filter, and the filter is made of shards, at least 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Number of shards: filters of a share of the keys each, which make up the filter (default: as many as --memory asks for)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    shards: Option<u64>,
    /// The number of threads.
    #[command(flatten)]
    threads: Threads,
    /// Where the result goes.
    #[command(flatten)]
    output: OutputArgs,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// The help text about all kinds and their settings.
pub fn kinds() -> String {
    let mut text = "Kinds and their settings (--set):\n".to_string();
    for family in Family::ALL {
        text.push_str(&format!("  {}: {}\n", family.name(), family.about()));
        for setting in Setting::of(family) {
            text.push_str(&format!("      {}: {}\n", setting.name, setting.help()));
        }
    }
    text
}

/// Builds the filter, saves it and prints the report.
pub fn run(args: &Args) -> Result<Outcome> {
    let (positives, negatives) = (args.positives.as_path(), args.negatives.as_deref());
    check_read_once(&[Some(positives), negatives])?;
    args.columns.check(&[Some(positives)], &[negatives])?;
    let columns = args.columns.columns();
    let sources = Sources {
        positives,
        negatives,
        columns: &columns,
    };
    let hashing = args.filter.hashing()?;
    let family = match args.kind.as_str() {
        AUTO => None,
        kind => Some(kind.parse::<Family>()?),
    };
    args.threads.start()?;
    match family {
        Some(family) => args.check(family, hashing)?,
        None => args.check_auto()?,
    }
    let target = args.output.target(&[Some(positives), negatives])?;
    let construction = args.construction(family, hashing, &target.folder())?;
    let built =
        construct::build(construction, &sources).map_err(|error| match error.downcast_ref() {
            Some(bloomwise::Error::NoCapacity) => anyhow!(
                "{}: no keys, so the size of the filter is not known; give the number of keys that it will hold with --capacity",
                input::name(positives)
            ),
            _ => error,
        })?;
    let made = &built.made;
    target.save(&made.filter, None)?;

    let mut out = Output::new(target.is_standard_output());
    if args.output.json {
        out.json(&built.json())?;
    } else {
        let mut rows = built.rows(target.name());
        let why = made.advice.as_ref().map(|advice| advice.why.clone());
        rows.extend(why.map(|why| ("why", why)));
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    if let Some(text) = args.capacity_remark(made)? {
        remark(&text);
    }
    if let Some(text) = built.inexact_remark() {
        remark(&text);
    }
    Ok(Outcome::Success)
}

impl Args {
    /// Starts the filter that the options ask for. `folder` is for temporary files.
    fn construction(
        &self,
        family: Option<Family>,
        hashing: Hashing,
        folder: &Path,
    ) -> Result<Construction> {
        let (shards, negatives) = (self.shards, self.negatives.is_some());
        let Some(family) = family else {
            let (size, capacity) = (self.filter.size()?, self.capacity);
            return Ok(Construction::advised(
                size, capacity, hashing, shards, negatives,
            ));
        };
        let spec = self.spec(family, hashing)?;
        Ok(match self.memory {
            Some(memory) => Construction::within(spec, shards, negatives, memory, folder)?,
            None => Construction::new(spec, shards, negatives)?,
        })
    }

    /// An error if this kind cannot have these options, as far as this is known before the target is looked at.
    fn check(&self, family: Family, hashing: Hashing) -> Result<()> {
        let spec = self.spec(family, hashing)?;
        if let Some(shards) = self.shards {
            spec.check_shards(shards)?;
        }
        if self.capacity.is_some() && !family.can(Operation::Insert) {
            let kind = family.name();
            bail!("--capacity: a {kind} filter cannot insert keys later; leave out --capacity");
        }
        Ok(())
    }

    /// An error if there are options that only make sense for a kind that is known.
    fn check_auto(&self) -> Result<()> {
        if self.filter.has_settings() {
            bail!(
                "auto takes no --set and no --preset; run `bloomwise plan` and build the kind that it recommends"
            );
        }
        if self.memory.is_some() {
            bail!(
                "auto takes no --memory, since it looks at all keys first; run `bloomwise plan` and build the kind that it recommends"
            );
        }
        Ok(())
    }

    /// The filter to build.
    fn spec(&self, family: Family, hashing: Hashing) -> Result<Spec> {
        let spec = self.filter.spec(family, hashing)?;
        Ok(match self.capacity {
            Some(capacity) => spec.capacity(capacity),
            None => spec,
        })
    }

    /// The remark if there are more keys than the capacity.
    fn capacity_remark(&self, built: &Built) -> Result<Option<String>> {
        let keys = built.keys;
        let Some(capacity) = self.capacity.filter(|&capacity| capacity < keys) else {
            return Ok(None);
        };
        if built.filter.family() == Family::Growing {
            return Ok(None);
        }
        let predicted = built.filter.info().predicted_fpr;
        let rate = match self.filter.size()? {
            // A duplicate key does not change the filter, so the rate may still be met.
            Size::Rate(target) if predicted <= target => return Ok(None),
            Size::Rate(target) => format!(
                "the predicted rate of {} is above the target of {}",
                text::percent(Some(predicted)),
                text::percent(Some(target))
            ),
            _ => "the rate may be higher than expected".to_string(),
        };
        Ok(Some(format!(
            "{keys} keys exceed --capacity {capacity}; {rate}; use a larger capacity"
        )))
    }
}
