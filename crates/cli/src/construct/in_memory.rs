//! Builds a filter from the digests of all keys, held in memory.

use super::{Built, Sources};
use crate::io::keys::read_keys;
use crate::io::progress;
use anyhow::{Context, Result};
use bloomwise::keys::KeySetsBuilder;
use bloomwise::{Error, Hashing, KeySets, Spec, Workload};
use bloomwise_compare::input::{Counts, Role};
use bloomwise_compare::keys::memory;
use std::time::Instant;

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; use --memory to build shards within a limit, or without --negatives --capacity N to stream the keys";

/// Returns an error if no filter can be built, as far as this is known before the keys are read.
pub fn check(spec: &Spec, capacity: Option<u64>, has_negatives: bool) -> Result<()> {
    spec.forecast(&Workload::new(1, u64::from(has_negatives)))?;
    match spec.clone().capacity(capacity.unwrap_or(1)).create() {
        // A kind with a fixed set has no empty filter; building it reports what is wrong.
        Ok(_) | Err(Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The digests of all keys of some files.
pub struct Digested {
    /// The digests.
    pub sets: KeySetsBuilder,
    /// What was read as keys of the set.
    positives: Counts,
    /// What was read as known negatives.
    negatives: Counts,
}

/// Reads the digests of all keys into memory. `too_many` is the error if memory runs out.
pub fn read_digests(
    hashing: Hashing,
    sources: &Sources<'_>,
    too_many: &'static str,
) -> Result<Digested> {
    let mut sets = KeySets::builder(hashing);
    let (path, columns) = (sources.positives, sources.columns);
    let positives = read_keys(path, Role::Keys, columns, |key, _| {
        memory::try_add_positive(&mut sets, key).context(too_many)
    })?;
    let mut negatives = Counts::default();
    if let Some(path) = sources.negatives {
        negatives = read_keys(path, Role::Negatives, columns, |key, cost| {
            memory::try_add_negative(&mut sets, key, cost).context(too_many)
        })?;
    }
    Ok(Digested {
        sets,
        positives,
        negatives,
    })
}

/// Reads the digests of all keys into memory, then builds the filter that `choose` chooses for them, made of some shards if there is a number.
pub fn build_in_memory(
    hashing: Hashing,
    sources: &Sources<'_>,
    shards: Option<u64>,
    choose: impl FnOnce(&KeySets) -> Result<Spec> + Send,
) -> Result<Built> {
    let Digested {
        sets,
        positives,
        negatives,
    } = read_digests(hashing, sources, TOO_MANY)?;
    let start = Instant::now();
    let (sets, filter, report) = progress::during("building", || {
        let sets = sets.build()?;
        let spec = choose(&sets)?;
        let (filter, report) = match shards {
            Some(shards) => spec.build_sharded(&sets, shards)?,
            None => spec.build_and_report(&sets)?,
        };
        Ok::<_, anyhow::Error>((sets, filter, report))
    })?;
    let known = |count| sources.negatives.map(|_| count);
    Ok(Built {
        filter,
        report,
        keys: sets.positives().len() as u64,
        duplicates: Some(sets.duplicates()),
        known_negatives: known(sets.negatives().len() as u64),
        overlap: known(sets.overlap()),
        skipped: positives.skipped + negatives.skipped,
        first: positives.first,
        first_negatives: negatives.first,
        time: start.elapsed(),
    })
}
