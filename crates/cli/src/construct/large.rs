//! Builds a filter of keys that do not fit into memory.

use super::{Built, Sources};
use anyhow::Result;
use bloomwise::large::LargeBuilder;
use bloomwise_compare::input::{FirstKeys, Role, read_keys};
use bloomwise_compare::progress::Steps;
use std::time::Instant;

/// Reads all keys into temporary files, then builds shard by shard.
pub fn build_large(mut build: LargeBuilder, sources: &Sources<'_>) -> Result<Built> {
    let start = Instant::now();
    let read = read_keys(
        sources.positives,
        Role::Keys,
        sources.columns,
        &mut |key, _| Ok(build.positive(key)?),
    )?;
    let (mut skipped, first) = (read.skipped, read.first);
    let mut first_negatives = FirstKeys::default();
    if let Some(path) = sources.negatives {
        let read = read_keys(path, Role::Negatives, sources.columns, &mut |key, cost| {
            Ok(build.negative(key, cost)?)
        })?;
        skipped += read.skipped;
        first_negatives = read.first;
    }
    let mut steps = None;
    let built = build.finish(|done, all| {
        let steps: &Steps = steps.get_or_insert_with(|| Steps::new(all as usize));
        if done > 0 {
            steps.finish_one();
        }
        steps.begin(format!("building shard {} of {all}", (done + 1).min(all)));
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
