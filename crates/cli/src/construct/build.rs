//! Builds a filter of the keys of some files.

use super::{Built, Sources};
use crate::io::keys::read_keys;
use crate::io::progress::{self, Terminal};
use anyhow::{Result, anyhow};
use bloomwise::Error;
use bloomwise::construction::{self, Construction};
use bloomwise_compare::input::Role;
use bloomwise_compare::keys::FirstKeys;
use bloomwise_compare::{Host, Work};
use std::time::Instant;

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; use --memory to build shards within a limit, or without --negatives --capacity N to stream the keys";

/// Reads all keys, then builds the filter.
pub fn build(mut construction: Construction, sources: &Sources<'_>) -> Result<Built> {
    let mut start = Instant::now();
    let read = read_keys(sources.positives, Role::Keys, sources.columns, |key, _| {
        construction.positive(key).map_err(refused)
    })?;
    let (mut skipped, first) = (read.skipped, read.first);
    let mut first_negatives = FirstKeys::default();
    if let Some(path) = sources.negatives {
        let read = read_keys(path, Role::Negatives, sources.columns, |key, cost| {
            construction.negative(key, cost).map_err(refused)
        })?;
        skipped += read.skipped;
        first_negatives = read.first;
    }
    let made = match construction.is_in_memory() {
        true => {
            start = Instant::now();
            progress::during("building", || construction.finish(|_, _| {}))?
        }
        false => finish(construction)?,
    };
    Ok(Built {
        made,
        first,
        first_negatives,
        skipped,
        time: start.elapsed(),
    })
}

/// Builds the filter, and shows how many of its shards are done.
fn finish(construction: Construction) -> Result<construction::Built> {
    let (mut steps, host) = (None, &Terminal);
    let built = construction.finish(|done, all| {
        let steps = steps.get_or_insert_with(|| host.begin(Work::Steps(all)));
        if done > 0 {
            steps.advance(1);
        }
        steps.step(&format!("building shard {} of {all}", (done + 1).min(all)));
    })?;
    Ok(built)
}

/// The error for a key that is not taken.
fn refused(error: Error) -> anyhow::Error {
    match error {
        Error::OutOfMemory { .. } => anyhow!(TOO_MANY),
        error => error.into(),
    }
}
