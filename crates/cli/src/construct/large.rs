//! Builds a filter of keys that do not fit into memory.

use super::{Built, Sources};
use crate::io::keys::read_keys;
use crate::io::progress::Terminal;
use anyhow::Result;
use bloomwise::large::LargeBuilder;
use bloomwise_compare::input::Role;
use bloomwise_compare::keys::FirstKeys;
use bloomwise_compare::{Host, Work};
use std::time::Instant;

/// Reads all keys into temporary files, then builds shard by shard.
pub fn build_large(mut build: LargeBuilder, sources: &Sources<'_>) -> Result<Built> {
    let start = Instant::now();
    let read = read_keys(sources.positives, Role::Keys, sources.columns, |key, _| {
        Ok(build.positive(key)?)
    })?;
    let (mut skipped, first) = (read.skipped, read.first);
    let mut first_negatives = FirstKeys::default();
    if let Some(path) = sources.negatives {
        let read = read_keys(path, Role::Negatives, sources.columns, |key, cost| {
            Ok(build.negative(key, cost)?)
        })?;
        skipped += read.skipped;
        first_negatives = read.first;
    }
    let (mut steps, host) = (None, &Terminal);
    let built = build.finish(|done, all| {
        let steps = steps.get_or_insert_with(|| host.begin(Work::Steps(all)));
        if done > 0 {
            steps.advance(1);
        }
        steps.step(&format!("building shard {} of {all}", (done + 1).min(all)));
    })?;
    let known = |count| sources.negatives.map(|_| count);
    Ok(Built {
        keys: built.keys,
        duplicates: Some(built.duplicates),
        known_negatives: known(built.negatives),
        overlap: known(built.overlap),
        filter: built.filter,
        report: built.report,
        first,
        first_negatives,
        skipped,
        time: start.elapsed(),
    })
}
