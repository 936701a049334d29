//! Reads the keys that filters are measured on.

use super::{Negatives, Positives, Samples};
use crate::host::Host;
use crate::input::{Columns, Input, Role, read};
use crate::{Error, Result};
use std::path::Path;

impl Samples {
    /// Reads the keys from files.
    pub fn read(
        positives: &Path,
        known: Option<&Path>,
        unseen: Option<&Path>,
        columns: &Columns,
        host: &dyn Host,
    ) -> Result<Self> {
        let mut set = Positives::default();
        let input = Input::file(positives);
        let counts = read(input, Role::Keys, columns, host, |key, _| set.push(key))?;
        let (mut skipped, mut first) = (counts.skipped, vec![counts.first]);
        let mut side = |path: &Path| -> Result<Negatives, Error> {
            let (input, mut negatives) = (Input::file(path), set.negatives());
            let counts = read(input, Role::Negatives, columns, host, |key, cost| {
                negatives.push(key, cost)
            })?;
            skipped += counts.skipped;
            first.push(counts.first);
            negatives.finish()
        };
        let (known, unseen) = (
            known.map(&mut side).transpose()?,
            unseen.map(&mut side).transpose()?,
        );
        Ok(Samples {
            known,
            unseen,
            skipped,
            first,
            ..set.into_samples()
        })
    }
}
