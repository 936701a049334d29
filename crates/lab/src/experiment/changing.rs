//! Filters whose set changes, under one set of operations on digests: this library's kinds, and the SSCF paper's own filter.

use crate::baseline::DigestFilter;
use crate::baseline::seesaw::{PaperSeesaw, Shape};
use crate::subject::Subject;
use crate::workload::as_digests;
use anyhow::{Result, ensure};
use bloomwise::AnyFilter;
use bloomwise::keys::Digest;

/// A filter whose set changes.
pub(super) trait Changing: DigestFilter {
    /// Inserts keys.
    fn insert(&mut self, digests: &[Digest]) -> Result<()>;

    /// Removes a key of the set.
    fn remove(&mut self, digest: Digest) -> Result<()>;

    /// Guards negatives, which have these costs.
    fn guard(&mut self, digests: &[Digest], costs: &[f64]) -> Result<()>;
}

impl Changing for AnyFilter {
    fn insert(&mut self, digests: &[Digest]) -> Result<()> {
        Ok(self.insert_digests(&as_digests(digests))?)
    }

    fn remove(&mut self, digest: Digest) -> Result<()> {
        let removed = self.remove_digests(&as_digests(&[digest]))?;
        ensure!(removed == 1, "a key of the set could not be removed");
        Ok(())
    }

    fn guard(&mut self, digests: &[Digest], costs: &[f64]) -> Result<()> {
        self.guard_digests(&as_digests(digests), costs)?;
        Ok(())
    }
}

impl Changing for PaperSeesaw {
    fn insert(&mut self, digests: &[Digest]) -> Result<()> {
        digests
            .iter()
            .for_each(|&digest| PaperSeesaw::insert(self, digest));
        Ok(())
    }

    fn remove(&mut self, digest: Digest) -> Result<()> {
        PaperSeesaw::remove(self, digest);
        Ok(())
    }

    fn guard(&mut self, digests: &[Digest], _: &[f64]) -> Result<()> {
        digests
            .iter()
            .for_each(|&digest| PaperSeesaw::guard(self, digest));
        Ok(())
    }
}

/// What a filter with a changing set starts as.
pub(super) enum Start {
    /// A bloomwise kind.
    Kind(Subject),
    /// The SSCF paper's filter, with its name in tables.
    Paper(&'static str, Shape),
}

impl Start {
    /// The name in tables and legends.
    pub fn name(&self) -> &str {
        match self {
            Start::Kind(subject) => &subject.name,
            Start::Paper(name, _) => name,
        }
    }

    /// Whether the filter guards nothing.
    pub fn ignores_costs(&self) -> bool {
        matches!(self, Start::Kind(subject) if subject.ignores_costs())
    }

    /// The empty filter in `bits` bits, for `keys` keys.
    pub fn empty(&self, bits: u64, keys: u64) -> Result<Box<dyn Changing>> {
        Ok(match self {
            Start::Kind(subject) => Box::new(subject.spec(bits)?.capacity(keys).create()?),
            Start::Paper(_, shape) => Box::new(PaperSeesaw::new(bits, *shape)?),
        })
    }
}

impl From<Subject> for Start {
    fn from(subject: Subject) -> Self {
        Start::Kind(subject)
    }
}
