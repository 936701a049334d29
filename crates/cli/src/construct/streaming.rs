//! Builds a filter by inserting keys as they are read.

use super::{Built, Sources};
use crate::args::Columns;
use crate::io::input::{Counts, FirstKeys, Role, read_keys};
use anyhow::Result;
use bloomwise::{AnyFilter, Digest, Digests, Filter};
use std::path::Path;
use std::time::Instant;

/// How many digests are collected before they are inserted together.
const BATCH: usize = 4096;

/// Inserts the positives into an empty filter as they are read.
pub fn build_streaming(mut filter: AnyFilter, sources: &Sources<'_>) -> Result<Built> {
    let start = Instant::now();
    let read = insert_all(&mut filter, sources.positives, sources.columns)?;
    Ok(Built {
        report: filter.report(),
        filter,
        keys: read.keys,
        duplicates: None,
        known_negatives: None,
        overlap: None,
        first: read.first,
        first_negatives: FirstKeys::default(),
        skipped: read.skipped,
        time: start.elapsed(),
    })
}

/// Inserts all keys of a file, in batches.
pub fn insert_all(filter: &mut AnyFilter, path: &Path, columns: &Columns) -> Result<Counts> {
    let hashing = filter.hashing();
    let mut batch: Vec<Digest> = Vec::with_capacity(BATCH);
    let read = read_keys(path, Role::Keys, columns, &mut |key, _| {
        batch.push(hashing.digest(key));
        if batch.len() == BATCH {
            filter.insert_digests(&Digests::from_raw(hashing, &batch[..]))?;
            batch.clear();
        }
        Ok(())
    })?;
    filter.insert_digests(&Digests::from_raw(hashing, batch))?;
    Ok(read)
}
