//! Filters whose set changes, under one set of operations on digests: this library's kinds and filters of papers.

use super::papers::seesaw::{PaperSeesaw, Shape};
use super::{Stacked, Weighted};
use crate::prelude::*;
use bloomwise::Counting;

/// A filter whose set changes.
pub trait Changing: DigestFilter {
    /// Inserts keys.
    fn insert(&mut self, digests: &[Digest]) -> Result<()>;

    /// Removes a key of the set. Returns `false` if the filter knows that the key is absent.
    fn remove(&mut self, digest: Digest) -> Result<bool>;

    /// Guards negatives, which have these costs.
    fn guard(&mut self, _digests: &[Digest], _costs: &[f64]) -> Result<()> {
        bail!("the filter cannot guard more negatives")
    }
}

impl Changing for AnyFilter {
    fn insert(&mut self, digests: &[Digest]) -> Result<()> {
        Ok(self.insert_digests(&as_digests(digests))?)
    }

    fn remove(&mut self, digest: Digest) -> Result<bool> {
        Ok(self.remove_digests(&as_digests(&[digest]))? == 1)
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
            .for_each(|&key| PaperSeesaw::insert(self, key));
        Ok(())
    }

    fn remove(&mut self, digest: Digest) -> Result<bool> {
        PaperSeesaw::remove(self, digest);
        Ok(true)
    }

    fn guard(&mut self, digests: &[Digest], _: &[f64]) -> Result<()> {
        digests
            .iter()
            .for_each(|&key| PaperSeesaw::guard(self, key));
        Ok(())
    }
}

impl Changing for Weighted {
    fn insert(&mut self, digests: &[Digest]) -> Result<()> {
        digests.iter().for_each(|&key| Weighted::insert(self, key));
        Ok(())
    }

    fn remove(&mut self, digest: Digest) -> Result<bool> {
        Ok(Weighted::remove(self, digest))
    }
}

impl Changing for Stacked<Counting> {
    fn insert(&mut self, digests: &[Digest]) -> Result<()> {
        digests
            .iter()
            .try_for_each(|&key| Stacked::insert(self, key))
    }

    fn remove(&mut self, digest: Digest) -> Result<bool> {
        Stacked::remove(self, digest)
    }
}

/// What a filter with a changing set starts as.
pub enum Start {
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
