//! The filter.

use super::lookup;
use super::query::layer::Layer;
use super::query::reader::{Grouping, Reader};
use super::query::thresholds::Thresholds;
use crate::cells::storage::Storage;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::{Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::QueryFn;
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use std::fmt;

/// A filter for a fixed set, without false positives on known negatives.
///
/// ```
/// use bloomwise::{Filter, Guarded, KeySets, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let blocked = (0..1000).map(|n| format!("bad{n}.example"));
/// let popular = (0..1000).map(|n| (format!("good{n}.example"), 1.0));
/// let sets = KeySets::new(blocked, popular)?;
/// let (filter, report) = Guarded::builder(Size::BitsPerKey(10.0)).build_and_report(&sets)?;
/// assert_eq!(report.guarded, 1000);
/// assert!(filter.contains("bad7.example"));
/// assert!((0..1000).all(|n| !filter.contains(format!("good{n}.example"))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Guarded {
    /// The layers of the fingerprint. The first one has the guard of its keys too, if it has two thresholds.
    pub(super) fingerprint: Vec<Reader>,
    /// The layers of the guard, for keys that have no guard bit in the first layer.
    pub(super) guard: Vec<Reader>,
    /// Keys whose thinning byte is below have no guard bit in the first layer: in narrow blocks, and in wide ones.
    pub(super) thinned: [u8; 2],
    /// Whether the first layer has guard bits.
    pub(super) woven: bool,
    /// Whether the first layer has the last word on the keys that it holds.
    pub(super) final_first: bool,
    /// How the columns of the first layer are read.
    pub(super) grouping: Grouping,
    /// Rows and thresholds of all layers.
    pub(super) bytes: Storage,
    /// How many negatives were known when the filter was built.
    pub(super) negatives: u64,
    /// How many of them are false positives.
    pub(super) wrong: u64,
    /// Its keys are the positives.
    pub(super) profile: Profile,
    /// How parities are computed.
    pub(super) kernel: Kernel,
    /// How a single key is looked up.
    pub(super) query_fn: QueryFn<Guarded>,
}

impl Guarded {
    /// Options for a filter of this size. The capacity, if it is given, changes the size in bits only: the set is fixed.
    pub fn builder(size: Size) -> Builder<Guarded> {
        Builder::new(size)
    }

    /// How many of the negatives that were known when the filter was built are false positives. If it is 0, the filter is
    /// exact on them.
    pub fn wrong(&self) -> u64 {
        self.wrong
    }

    /// How many negatives were known when the filter was built.
    pub fn known_negatives(&self) -> u64 {
        self.negatives
    }

    /// Sets the layers. Builders call it when the layers have their places.
    pub(super) fn set_layers(&mut self, fingerprint: &[Layer], guard: &[Layer]) {
        let first = fingerprint.first();
        self.woven = first.is_some_and(|layer| layer.thresholds == Thresholds::Two);
        self.final_first = self.woven || guard.is_empty();
        let mut thinned = self.thinned;
        let mut reader = |layer: &Layer| Reader::new(layer, std::mem::take(&mut thinned));
        self.fingerprint = fingerprint.iter().map(&mut reader).collect();
        self.guard = guard.iter().map(&mut reader).collect();
        let first = self.fingerprint.first();
        self.grouping = first.map_or_else(Grouping::default, |first| first.grouping);
        self.query_fn = lookup::query_fn(self.kernel, self.grouping);
    }
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Guarded {}

impl Lookup for Guarded {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        lookup::contains_batch(self, digests, answers);
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        if let Some(first) = self.fingerprint.first() {
            first.prefetch(self.bytes.padded(), &first.place(digest));
        }
    }
}

/// Its set is fixed.
impl Change for Guarded {}
