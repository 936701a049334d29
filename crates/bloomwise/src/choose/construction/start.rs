//! Chooses the way.

#[cfg(feature = "mmap")]
use crate::choose::large::LargeBuilder;
use crate::choose::spec::Spec;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::forecast::Workload;
use crate::filter::sizing::Size;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::sets::{KeySets, KeySetsBuilder};
#[cfg(feature = "mmap")]
use std::path::Path;

/// How many digests are collected before they are inserted together.
pub(super) const BATCH: usize = 4096;

/// A filter that is being built. The [module's page](super) has an example.
pub struct Construction {
    /// Where keys go.
    pub(super) way: Way,
    /// Whether there may be known negatives.
    pub(super) negatives: bool,
}

/// Where keys go.
pub(super) enum Way {
    /// Into lists of digests, from which the filter is built.
    InMemory(KeySetsBuilder, Kind, Option<u64>),
    /// Into the filter, in batches.
    Streaming(Box<AnyFilter>, Vec<Digest>, u64),
    /// Into temporary files.
    #[cfg(feature = "mmap")]
    Large(Box<LargeBuilder>),
}

/// What to build from sets in memory.
pub(super) enum Kind {
    /// This.
    Given(Spec),
    /// What [`Planner`](crate::planner::Planner) recommends for this size, and for this capacity if there is one.
    Advised(Size, Option<u64>),
}

impl Construction {
    /// Starts a filter of this spec, made of some shards if there is a number. `negatives` says whether there will be known negatives.
    ///
    /// # Errors
    ///
    /// The filter cannot be built, as far as this is known before the keys.
    pub fn new(spec: Spec, shards: Option<u64>, negatives: bool) -> Result<Self> {
        if spec.capacity.is_some() && !negatives && shards.is_none() {
            let filter = Box::new(spec.create()?);
            let way = Way::Streaming(filter, Vec::with_capacity(BATCH), 0);
            return Ok(Construction { way, negatives });
        }
        if let Some(shards) = shards {
            spec.check_shards(shards)?;
        }
        check(&spec, negatives)?;
        let sets = KeySets::builder(spec.chosen_hashing());
        let way = Way::InMemory(sets, Kind::Given(spec), shards);
        Ok(Construction { way, negatives })
    }

    /// Starts a filter of the kind that [`Planner`](crate::planner::Planner) recommends for the keys. With a capacity, the kind accepts keys later.
    ///
    /// ```
    /// use bloomwise::construction::Construction;
    /// use bloomwise::{Family, Filter, Hashing, Size};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let size = Size::BitsPerKey(10.0);
    /// let mut construction = Construction::advised(size, None, Hashing::default(), None, true);
    /// for key in 0..1000 {
    ///     construction.positive(key)?;
    ///     construction.negative(1000 + key, 1.0)?;
    /// }
    /// let built = construction.finish(|_, _| {})?;
    /// assert_eq!(built.filter.family(), Family::Guarded);
    /// assert!(built.advice.is_some_and(|advice| !advice.why.is_empty()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn advised(
        size: Size,
        capacity: Option<u64>,
        hashing: Hashing,
        shards: Option<u64>,
        negatives: bool,
    ) -> Self {
        let sets = KeySets::builder(hashing);
        let way = Way::InMemory(sets, Kind::Advised(size, capacity), shards);
        Construction { way, negatives }
    }

    /// Starts a filter of this spec that is built with at most `memory` bytes, with temporary files in `folder`.
    ///
    /// # Errors
    ///
    /// Those of [`LargeBuilder::new`].
    #[cfg(feature = "mmap")]
    pub fn within(
        spec: Spec,
        shards: Option<u64>,
        negatives: bool,
        memory: u64,
        folder: &Path,
    ) -> Result<Self> {
        let build = LargeBuilder::new(spec, memory, shards, folder)?;
        let way = Way::Large(Box::new(build));
        Ok(Construction { way, negatives })
    }

    /// Whether the digests of all keys are held in memory, and all work is done at the end.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.way, Way::InMemory(..))
    }
}

/// Returns an error if no filter can be built, as far as this is known before the keys.
fn check(spec: &Spec, negatives: bool) -> Result<()> {
    spec.forecast(&Workload::new(1, u64::from(negatives)))?;
    let capacity = spec.capacity.unwrap_or(1);
    match spec.clone().capacity(capacity).create() {
        // A kind with a fixed set has no empty filter; building it reports what is wrong.
        Ok(_) | Err(Error::Unsupported { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
