//! From files of keys to a filter, in one of two ways.
//!
//! *Held.* Without a capacity the number of keys is known only after they were read, and some kinds need all of them at
//! once. The digests of all keys are held, 16 bytes each; duplicates are counted exactly, and the same keys give the
//! same filter in whatever order they come.
//!
//! *Streamed.* With a capacity, and without negatives, the filter is made first and keys go straight into it. Nothing
//! is held but the filter, so a set may be larger than memory; nobody can tell how many keys came twice.

use crate::args::Columns;
use crate::built::Built;
use crate::input::{Counts, Role, read_keys};
use crate::{memory, progress};
use anyhow::{Context, Result};
use bloomwise::{AnyFilter, Costed, Digest, Error, Filter, KeySets, Report, Spec, Workload};
use std::path::Path;
use std::time::Instant;

/// Digests that are gathered before they go into a filter.
const GROUP: usize = 4096;

/// What to do about keys that cannot be held.
const TOO_MANY: &str =
    "the keys do not fit into memory; without --negatives, use --capacity N to stream them";

/// The files that a filter is built from.
pub struct Sources<'a> {
    /// The keys of the set.
    pub positives: &'a Path,
    /// Known keys outside of it.
    pub negatives: Option<&'a Path>,
    /// Where tables have their keys.
    pub columns: &'a Columns,
}

/// An error if no filter can come of this, as far as that can be told before the keys are read.
pub fn check(spec: &Spec, capacity: Option<u64>, negatives: bool) -> Result<()> {
    spec.forecast(&Workload::new(1, u64::from(negatives)))?;
    match spec.clone().capacity(capacity.unwrap_or(1)).create() {
        // A kind with a fixed set has no empty filter; its build will tell.
        Ok(_) | Err(Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Holds the digests of all keys, then builds.
pub fn held(spec: &Spec, sources: &Sources<'_>) -> Result<Built> {
    let hashing = spec.chosen_hashing();
    let mut positives = Vec::new();
    let read = read_keys(
        sources.positives,
        Role::Members,
        sources.columns,
        &mut |key, _| memory::push(&mut positives, hashing.digest(key)).context(TOO_MANY),
    )?;
    let mut negatives = Vec::new();
    let mut skipped = read.skipped;
    if let Some(path) = sources.negatives {
        let read = read_keys(path, Role::Negatives, sources.columns, &mut |key, cost| {
            let digest = hashing.digest(key);
            memory::push(&mut negatives, Costed { digest, cost }).context(TOO_MANY)
        })?;
        skipped += read.skipped;
    }
    let start = Instant::now();
    let (sets, filter, report) = progress::during("building", || {
        let sets = KeySets::new(positives, negatives)?;
        let (filter, report) = spec.build_and_report(&sets)?;
        Ok::<_, Error>((sets, filter, report))
    })?;
    let known = |count| sources.negatives.map(|_| count);
    Ok(Built {
        filter,
        report,
        keys: sets.positives().len() as u64,
        duplicates: Some(sets.duplicates()),
        known_negatives: known(sets.negatives().len() as u64),
        overlap: known(sets.overlap()),
        skipped,
        time: start.elapsed(),
    })
}

/// Inserts the keys into an empty filter as they come.
pub fn streamed(mut filter: AnyFilter, sources: &Sources<'_>) -> Result<Built> {
    let start = Instant::now();
    let read = insert_all(&mut filter, sources.positives, sources.columns)?;
    let report = Report {
        guarded: 0,
        facts: filter.facts(),
    };
    Ok(Built {
        filter,
        report,
        keys: read.keys,
        duplicates: None,
        known_negatives: None,
        overlap: None,
        skipped: read.skipped,
        time: start.elapsed(),
    })
}

/// Inserts all keys of a file, in groups.
pub fn insert_all(filter: &mut AnyFilter, path: &Path, columns: &Columns) -> Result<Counts> {
    let hashing = filter.hashing();
    let mut group: Vec<Digest> = Vec::with_capacity(GROUP);
    let read = read_keys(path, Role::Members, columns, &mut |key, _| {
        group.push(hashing.digest(key));
        if group.len() == GROUP {
            filter.insert_digests(&group)?;
            group.clear();
        }
        Ok(())
    })?;
    filter.insert_digests(&group)?;
    Ok(read)
}
