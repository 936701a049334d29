//! `build`: make a filter from files of keys.
//!
//! What can be found wrong before the keys are read is found then: settings, sizes, and where the filter is to go.

use super::Outcome;
use crate::args::{
    Columns, HashName, SizeArgs, Threads, check_dashes, parse_count, parse_seed, parse_setting,
};
use crate::built::Built;
use crate::construct::{self, Sources};
use crate::output::{Output, remark};
use crate::target::Target;
use crate::text;
use anyhow::{Context, Result};
use bloomwise::{Family, Filter, Operation, Setting, Size, Spec};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `build`.
#[derive(clap::Args)]
#[command(after_help = kinds())]
pub struct Args {
    /// Kind of filter, see below
    kind: String,
    /// File of the keys of the set, one a line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File of known keys outside of the set, one a line: key, or key TAB cost (cost 1 where it is missing)
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// How large the filter shall be.
    #[command(flatten)]
    size: SizeArgs,
    /// Plan for so many keys (default: the number of positives). Without --negatives, keys then go straight into the
    /// filter instead of being held at 16 bytes each, and duplicates are not counted
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    capacity: Option<u64>,
    /// Take over the settings of a named preset of the kind
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Setting of the kind, see below; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Seed of the hash function, decimal or 0x…: 64 bits for xxh3 (default: 0), 128 for siphash (default: random)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// Hash function: siphash where strangers choose the keys and should not be able to aim at false positives
    #[arg(long, value_enum, value_name = "NAME", default_value = "xxh3")]
    hash: HashName,
    /// How many threads to use.
    #[command(flatten)]
    threads: Threads,
    /// File to write, - for standard output (the report then goes to standard error)
    #[arg(short, long, value_name = "FILTER")]
    output: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// All kinds, with what they are good for and their settings.
fn kinds() -> String {
    let mut text = "Kinds and their settings (--set):\n".to_string();
    for family in Family::ALL {
        text.push_str(&format!("  {}: {}\n", family.name(), family.about()));
        for setting in Setting::of(family) {
            text.push_str(&format!("      {}: {}\n", setting.name, setting.about));
        }
    }
    text
}

/// Builds the filter, saves it, and reports.
pub fn run(args: &Args) -> Result<Outcome> {
    let (positives, negatives) = (args.positives.as_path(), args.negatives.as_deref());
    check_dashes(&[Some(positives), negatives])?;
    args.columns.check(&[Some(positives)], &[negatives])?;
    let spec = args.spec()?;
    args.threads.apply()?;
    let target = Target::new(&args.output, args.force, &[Some(positives), negatives])?;
    let sources = Sources {
        positives,
        negatives,
        columns: &args.columns,
    };
    if args.capacity.is_some() {
        // A set that cannot grow has the size of its keys.
        (spec.family().check(Operation::Insert)).context("--capacity")?;
    }
    let built = if args.capacity.is_some() && negatives.is_none() {
        construct::streamed(spec.create()?, &sources)?
    } else {
        construct::check(&spec, args.capacity, negatives.is_some())?;
        construct::held(&spec, &sources)?
    };
    target.save(&built.filter)?;

    let mut out = Output::new(target.is_standard_output());
    if args.json {
        out.json(&built.json())?;
    } else {
        text::list(&mut out, &built.rows(target.name()))?;
    }
    out.flush()?;
    if let Some(text) = args.too_many(&built)? {
        remark(&text);
    }
    Ok(Outcome::Fine)
}

impl Args {
    /// The filter that is wished for.
    fn spec(&self) -> Result<Spec> {
        let mut spec = Spec::new(&self.kind)?
            .size(self.size.size()?)
            .hashing(self.hash.hashing(self.seed)?);
        if let Some(capacity) = self.capacity {
            spec = spec.capacity(capacity);
        }
        if let Some(preset) = &self.preset {
            spec = spec.preset(preset)?;
        }
        for (name, value) in &self.settings {
            spec = spec.set(name, value)?;
        }
        Ok(spec)
    }

    /// What there is to say if more keys came than were planned for.
    fn too_many(&self, built: &Built) -> Result<Option<String>> {
        let keys = built.keys;
        let Some(capacity) = self.capacity.filter(|&capacity| capacity < keys) else {
            return Ok(None);
        };
        let predicted = built.filter.info().predicted_fpr;
        let rate = match self.size.size()? {
            // Keys that were streamed twice take no more room than once.
            Size::Rate(asked) if predicted <= asked => return Ok(None),
            Size::Rate(asked) => format!(
                "the predicted rate, {}, is above the {} asked for",
                text::percent(Some(predicted)),
                text::percent(Some(asked))
            ),
            _ => "the rate may be higher than planned".to_string(),
        };
        Ok(Some(format!(
            "more keys ({keys}) than planned (--capacity {capacity}); {rate}; plan for more"
        )))
    }
}
