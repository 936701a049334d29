//! Inserts keys into a filter as they are read.

use crate::io::keys::read_keys;
use anyhow::{Result, anyhow};
use bloomwise::keys::{Digest, Digests};
use bloomwise::{AnyFilter, Error, Filter};
use bloomwise_compare::input::{Columns, Counts, Role};
use std::path::Path;

/// How many digests are collected before they are inserted together.
const BATCH: usize = 4096;

/// Inserts all keys of a file, in batches. `most` limits its size as [`AnyFilter::insert_digests_within`] does.
pub fn insert_all(
    filter: &mut AnyFilter,
    path: &Path,
    columns: &Columns,
    most: Option<u64>,
) -> Result<Counts> {
    let hashing = filter.hashing();
    let mut batch: Vec<Digest> = Vec::with_capacity(BATCH);
    let mut insert = |batch: &[Digest]| {
        let inserted = filter.insert_digests_within(&Digests::from_raw(hashing, batch), most);
        inserted.map_err(|error| match error {
            Error::Growth { bytes, most, .. } => anyhow!(
                "the next key would grow the filter to {bytes} bytes; the limit is {most}; check where the filter comes from, or raise the limit with --memory {bytes}"
            ),
            error => error.into(),
        })
    };
    let read = read_keys(path, Role::Keys, columns, |key, _| {
        batch.push(hashing.digest(key));
        if batch.len() == BATCH {
            insert(&batch)?;
            batch.clear();
        }
        Ok(())
    })?;
    insert(&batch)?;
    Ok(read)
}
