//! Reads of missing keys in a SlateDB store on local object storage, with its default filters and with ours.
//!
//! `cargo run --release --manifest-path doors/slatedb/Cargo.toml --example measure -- --scale 0.1`
//!
//! 10 million keys (times `--scale`) of 24 bytes with values of 100, in 20 tables. Each policy gets the same store and the same reads:
//!
//! 1. Twelve tables are written and merged into one sorted run.
//! 2. 500,000 reads of missing keys and 500,000 of present ones, from which the learning policy learns.
//! 3. Four more tables, a compaction of everything, and four more tables that stay as they are. Flushes and compactions are timed.
//! 4. The store is opened again, and as many reads are measured.
//!
//! Filters and indexes are cached; blocks of data are not, unless `--block-cache` says so: each wasted read is a request to
//! object storage. Half of the reads ask for missing keys, see `workload`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a program")]

mod chart;
mod contender;
#[path = "../../tests/policy/on_request.rs"]
mod on_request;
mod outcome;
mod stage;
mod workload;

use anyhow::{Result, ensure};
use clap::Parser;
use contender::{Contender, Sort};
use outcome::Outcome;
use std::fs;
use std::path::PathBuf;

/// Reads that follow one another before it is the turn of the other sort.
const CHUNK: u64 = 1000;

#[derive(Parser)]
struct Options {
    /// The share of 10 million keys.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Reads of each sort before and after tables know anything; 500,000 times --scale unless given.
    #[arg(long)]
    reads: Option<u64>,
    /// How often everything is repeated, with other keys. Counts are added up, times are medians. 0 shows what --out has.
    #[arg(long, default_value_t = 1)]
    rounds: u64,
    /// The number of the first round, to continue an --out file.
    #[arg(long, default_value_t = 0)]
    first_round: u64,
    /// Bits per key of all filters.
    #[arg(long, default_value_t = 10)]
    bits_per_key: u32,
    /// Policies: default, or a kind of filter, with +learning if it learns. Ratios are to the first.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "default,guarded,guarded+learning"
    )]
    policies: Vec<String>,
    /// Mebibytes of the cache for blocks of data.
    #[arg(long, default_value_t = 0)]
    block_cache: u64,
    /// A file that keeps the outcomes of all rounds.
    #[arg(long)]
    out: Option<PathBuf>,
    /// A file for the chart.
    #[arg(long)]
    chart: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let mut outcomes: Vec<Outcome> = match &options.out {
        Some(path) if path.exists() => serde_json::from_str(&fs::read_to_string(path)?)?,
        _ => Vec::new(),
    };
    for round in options.first_round..options.first_round + options.rounds {
        for measured in measure(round, &options).await? {
            eprintln!("round {round}: {measured:?}");
            let mut known = outcomes.iter_mut();
            match known.find(|known| known.policy == measured.policy) {
                Some(known) => known.add(measured),
                None => outcomes.push(measured),
            }
        }
        outcomes.sort_by_key(|outcome| outcome.policy != "default");
        if let Some(path) = &options.out {
            fs::write(path, serde_json::to_string_pretty(&outcomes)?)?;
        }
    }
    print!("{}", outcome::table(&outcomes));
    if let Some(path) = &options.chart {
        fs::write(path, chart::svg(&outcomes))?;
    }
    Ok(())
}

/// Writes, reads, writes and reads again. Policies take turns, so that what else the machine does falls on all of them.
async fn measure(round: u64, options: &Options) -> Result<Vec<Outcome>> {
    let keys = (10_000_000.0 * options.scale) as u64 / 20 * 20;
    let reads = options.reads.unwrap_or((500_000.0 * options.scale) as u64);
    ensure!(keys > 0, "--scale {} is too small", options.scale);
    let mut contenders = Vec::new();
    for name in &options.policies {
        let (bits, cache) = (options.bits_per_key, options.block_cache << 20);
        contenders.push(Contender::new(name, bits, cache, keys, round).await?);
    }
    for table in 0..20 {
        for contender in &mut contenders {
            contender
                .write(table * keys / 20..(table + 1) * keys / 20)
                .await?;
            if table == 11 || table == 15 {
                contender.compact().await;
            }
        }
        if table == 11 {
            read(&mut contenders, reads, 12 * keys / 20).await?;
        }
    }
    for contender in &mut contenders {
        contender.stage.reopen_for_reads().await?;
    }
    // Filters and indexes are loaded.
    read(&mut contenders, CHUNK, keys).await?;
    contenders.iter_mut().for_each(Contender::start_again);
    read(&mut contenders, reads, keys).await?;
    let mut outcomes = Vec::new();
    for contender in contenders {
        outcomes.push(contender.finish().await?);
    }
    Ok(outcomes)
}

/// Reads as many missing as present keys, in turns.
async fn read(contenders: &mut [Contender], reads: u64, written: u64) -> Result<()> {
    for _ in 0..(reads / CHUNK).max(1) {
        for sort in [Sort::Missing, Sort::Present] {
            for contender in &mut *contenders {
                contender.read(sort, CHUNK, written).await?;
            }
        }
    }
    Ok(())
}
