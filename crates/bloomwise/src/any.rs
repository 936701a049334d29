//! A filter of any family.
//!
//! Front ends hold an [`AnyFilter`] and need not know the families: it is a [`Filter`], it can be saved and loaded
//! whatever it holds, and it passes on insertions and removals to families that have them. To the others they are
//! errors that say what to do instead.

use crate::codec::{Body, Head, Reader, Writer};
use crate::error::Result;
use crate::family::{Family, Operation};
use crate::filter::{Filter, Info, Value};
use crate::hash::{Digest, Hashing};
use crate::personalized::PersonalizedRejecting;
use crate::{Balanced, Blocked, Bloom, Counting, Guarded, Habf, Seesaw};
use std::io;

/// One of the families.
///
/// ```
/// use bloomwise::{AnyFilter, Filter, Persist, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut filter = Spec::new("counting")?.size(Size::Rate(0.001)).capacity(100).create()?;
/// filter.insert(b"ant")?;
/// let again = AnyFilter::from_bytes(&filter.to_bytes())?;
/// assert!(again.contains(b"ant"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum AnyFilter {
    Bloom(Bloom),
    Blocked(Blocked),
    Counting(Counting),
    Habf(Habf),
    Seesaw(Seesaw),
    Balanced(Balanced),
    Guarded(Guarded),
    PersonalizedRejecting(PersonalizedRejecting),
}

impl AnyFilter {
    /// Its family.
    pub fn family(&self) -> Family {
        self.head().family
    }

    /// Adds a key.
    ///
    /// # Errors
    ///
    /// The family has a fixed set.
    pub fn insert(&mut self, key: &[u8]) -> Result<()> {
        self.insert_digests(&[self.hashing().digest(key)])
    }

    /// Adds the keys of many digests.
    ///
    /// # Errors
    ///
    /// The family has a fixed set.
    pub fn insert_digests(&mut self, digests: &[Digest]) -> Result<()> {
        self.family().check(Operation::Insert)?;
        match self {
            AnyFilter::Bloom(filter) => filter.insert_digests(digests),
            AnyFilter::Blocked(filter) => filter.insert_digests(digests),
            AnyFilter::Counting(filter) => filter.insert_digests(digests),
            AnyFilter::Habf(filter) => filter.insert_digests(digests),
            AnyFilter::Seesaw(filter) => filter.insert_digests(digests),
            AnyFilter::Balanced(filter) => filter.insert_digests(digests),
            AnyFilter::Guarded(_) => {}
            AnyFilter::PersonalizedRejecting(filter) => filter.insert_digests(digests),
        }
        Ok(())
    }

    /// Removes a key that is in the set; `false` if the filter can tell that it is not.
    ///
    /// # Errors
    ///
    /// The family cannot remove.
    pub fn remove(&mut self, key: &[u8]) -> Result<bool> {
        self.family().check(Operation::Remove)?;
        Ok(match self {
            AnyFilter::Counting(filter) => filter.remove(key),
            AnyFilter::Seesaw(filter) => filter.remove(key),
            _ => false,
        })
    }

    /// Guards a key that is not in the set against being taken for one that is.
    ///
    /// # Errors
    ///
    /// The family cannot guard.
    pub fn guard(&mut self, key: &[u8]) -> Result<()> {
        self.family().check(Operation::Guard)?;
        match self {
            AnyFilter::Seesaw(filter) => filter.guard(key),
            _ => Ok(()),
        }
    }

    /// What there is to tell about its making, once it is made: name and value.
    pub fn facts(&self) -> Vec<(&'static str, Value)> {
        match self {
            AnyFilter::Balanced(filter) => filter.facts(),
            _ => Vec::new(),
        }
    }

    fn as_filter(&self) -> &dyn Filter {
        match self {
            AnyFilter::Bloom(filter) => filter,
            AnyFilter::Blocked(filter) => filter,
            AnyFilter::Counting(filter) => filter,
            AnyFilter::Habf(filter) => filter,
            AnyFilter::Seesaw(filter) => filter,
            AnyFilter::Balanced(filter) => filter,
            AnyFilter::Guarded(filter) => filter,
            AnyFilter::PersonalizedRejecting(filter) => filter,
        }
    }
}

impl Filter for AnyFilter {
    fn hashing(&self) -> Hashing {
        self.as_filter().hashing()
    }

    fn contains_digest(&self, digest: Digest) -> bool {
        self.as_filter().contains_digest(digest)
    }

    fn prefetch(&self, digest: Digest) {
        self.as_filter().prefetch(digest);
    }

    fn size_in_bits(&self) -> u64 {
        self.as_filter().size_in_bits()
    }

    fn info(&self) -> Info {
        self.as_filter().info()
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.as_filter().contains(key)
    }

    // Batches go to the family whole, so that its own loop is compiled for it.
    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        self.as_filter().contains_digests(digests, answers);
    }

    fn contains_batch(&self, keys: &[&[u8]]) -> Vec<bool> {
        self.as_filter().contains_batch(keys)
    }
}

impl Body for AnyFilter {
    fn head(&self) -> Head {
        match self {
            AnyFilter::Bloom(filter) => filter.head(),
            AnyFilter::Blocked(filter) => filter.head(),
            AnyFilter::Counting(filter) => filter.head(),
            AnyFilter::Habf(filter) => filter.head(),
            AnyFilter::Seesaw(filter) => filter.head(),
            AnyFilter::Balanced(filter) => filter.head(),
            AnyFilter::Guarded(filter) => filter.head(),
            AnyFilter::PersonalizedRejecting(filter) => filter.head(),
        }
    }

    fn parameters(&self) -> Vec<u64> {
        match self {
            AnyFilter::Bloom(filter) => filter.parameters(),
            AnyFilter::Blocked(filter) => filter.parameters(),
            AnyFilter::Counting(filter) => filter.parameters(),
            AnyFilter::Habf(filter) => filter.parameters(),
            AnyFilter::Seesaw(filter) => filter.parameters(),
            AnyFilter::Balanced(filter) => filter.parameters(),
            AnyFilter::Guarded(filter) => filter.parameters(),
            AnyFilter::PersonalizedRejecting(filter) => filter.parameters(),
        }
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        match self {
            AnyFilter::Bloom(filter) => filter.write_payload(writer),
            AnyFilter::Blocked(filter) => filter.write_payload(writer),
            AnyFilter::Counting(filter) => filter.write_payload(writer),
            AnyFilter::Habf(filter) => filter.write_payload(writer),
            AnyFilter::Seesaw(filter) => filter.write_payload(writer),
            AnyFilter::Balanced(filter) => filter.write_payload(writer),
            AnyFilter::Guarded(filter) => filter.write_payload(writer),
            AnyFilter::PersonalizedRejecting(filter) => filter.write_payload(writer),
        }
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        let (p, w) = (parameters, payload);
        match head.family {
            Family::Bloom | Family::Personalized => Bloom::read(head, p, w).map(AnyFilter::Bloom),
            Family::Blocked => Blocked::read(head, p, w).map(AnyFilter::Blocked),
            Family::Counting | Family::PersonalizedCounting => {
                Counting::read(head, p, w).map(AnyFilter::Counting)
            }
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                Habf::read(head, p, w).map(AnyFilter::Habf)
            }
            Family::Seesaw | Family::SeesawAdaptive => {
                Seesaw::read(head, p, w).map(AnyFilter::Seesaw)
            }
            Family::Balanced => Balanced::read(head, p, w).map(AnyFilter::Balanced),
            Family::Guarded => Guarded::read(head, p, w).map(AnyFilter::Guarded),
            Family::PersonalizedRejecting => {
                PersonalizedRejecting::read(head, p, w).map(AnyFilter::PersonalizedRejecting)
            }
        }
    }
}
