//! Builds a filter from the digests of all keys, held in memory.

use super::{Built, Sources};
use crate::io::input::{FirstKeys, Role, read_keys};
use crate::io::{memory, progress};
use anyhow::{Context, Result};
use bloomwise::{Error, Hashing, KeySets, Spec, Workload};
use std::time::Instant;

/// The error if memory runs out.
const TOO_MANY: &str =
    "the keys do not fit into memory; without --negatives, use --capacity N to stream them";

/// Returns an error if no filter can be built, as far as this is known before the keys are read.
pub fn check(spec: &Spec, capacity: Option<u64>, has_negatives: bool) -> Result<()> {
    spec.forecast(&Workload::new(1, u64::from(has_negatives)))?;
    match spec.clone().capacity(capacity.unwrap_or(1)).create() {
        // A kind with a fixed set has no empty filter; building it reports what is wrong.
        Ok(_) | Err(Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Reads the digests of all keys into memory, then builds the filter that `choose` chooses for them.
pub fn build_in_memory(
    hashing: Hashing,
    sources: &Sources<'_>,
    choose: impl FnOnce(&KeySets) -> Result<Spec> + Send,
) -> Result<Built> {
    let mut sets = KeySets::builder(hashing);
    let read = read_keys(
        sources.positives,
        Role::Keys,
        sources.columns,
        &mut |key, _| memory::try_add_positive(&mut sets, key).context(TOO_MANY),
    )?;
    let (mut skipped, first) = (read.skipped, read.first);
    let mut first_negatives = FirstKeys::default();
    if let Some(path) = sources.negatives {
        let read = read_keys(path, Role::Negatives, sources.columns, &mut |key, cost| {
            memory::try_add_negative(&mut sets, key, cost).context(TOO_MANY)
        })?;
        skipped += read.skipped;
        first_negatives = read.first;
    }
    let start = Instant::now();
    let (sets, filter, report) = progress::during("building", || {
        let sets = sets.build()?;
        let (filter, report) = choose(&sets)?.build_and_report(&sets)?;
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
        first,
        first_negatives,
        skipped,
        time: start.elapsed(),
    })
}
