//! The filter.

use super::layer::rate;
use super::lookup::{self, Layers};
use super::reader::Reader;
use super::shape::Shape;
use crate::cells::storage::Storage;
use crate::filter::Filter;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::{Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter, Value};
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
    /// Fingerprint and guard.
    pub(in crate::families) layers: Layers,
    /// Rows and thresholds of all layers.
    pub(in crate::families) bytes: Storage,
    /// What was counted when the filter was built.
    pub(super) known: Known,
    /// Its keys are the positives.
    pub(super) profile: Profile,
    /// How parities are computed.
    pub(super) kernel: Kernel,
    /// The compiled query.
    query_fn: QueryFn<Guarded>,
}

/// The known negatives of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// How many there were.
    pub negatives: u64,
    /// How many of them are false positives.
    pub wrong: u64,
}

impl Guarded {
    /// Options for a filter of this size. The capacity, if it is given, changes the size in bits only: the set is fixed.
    pub fn builder(size: Size) -> Builder<Guarded> {
        Builder::new(size)
    }

    /// How many of the negatives that were known when the filter was built are false positives. If it is 0, the filter is
    /// exact on them.
    pub fn wrong(&self) -> u64 {
        self.known.wrong
    }

    /// How many negatives were known when the filter was built.
    pub fn known_negatives(&self) -> u64 {
        self.known.negatives
    }

    /// The filter of layers that were solved or read.
    pub(super) fn new(layers: Layers, bytes: Storage, known: Known, profile: Profile) -> Self {
        let kernel = Kernel::current();
        Guarded {
            query_fn: lookup::query_fn(kernel, layers.grouping),
            layers,
            bytes,
            known,
            profile,
            kernel,
        }
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
        if let Some(first) = self.layers.fingerprint.first() {
            first.prefetch(self.bytes.padded(), &first.place(digest));
        }
    }
}

/// Its set is fixed.
impl Change for Guarded {}

impl Guarded {
    /// The shape of the column of the guard in the first layer.
    fn woven_guard(&self) -> Option<Shape> {
        let first = self
            .layers
            .fingerprint
            .first()
            .filter(|_| self.layers.woven)?;
        let rows = first.layer.shape.rows;
        Shape::new(rows, 1, rows.div_ceil(64))
    }
}

/// The shapes of layers.
fn shapes_of(layers: &[Reader]) -> Vec<Shape> {
    layers.iter().map(|reader| reader.layer.shape).collect()
}

impl Filter for Guarded {
    fn family(&self) -> Family {
        Family::Guarded
    }

    fn rate(&self) -> f64 {
        let mut shapes = shapes_of(&self.layers.fingerprint);
        let mut guard = shapes_of(&self.layers.guard);
        if let Some(woven) = self.woven_guard() {
            guard.push(woven);
            // The guard counts once.
            if let Some(first) = shapes.first_mut() {
                first.width -= 1;
            }
        }
        rate(&shapes) * rate(&guard)
    }

    fn size_in_bits(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// The information about this filter. Its `fill` is the share of bits that are set.
    fn info(&self) -> Info {
        let ones: u64 = self
            .bytes
            .words()
            .map(|word| u64::from(word.count_ones()))
            .sum();
        let fill = ones as f64 / self.size_in_bits().max(1) as f64;
        let rows = |layers: &[Reader]| {
            let rows = shapes_of(layers).iter().map(|shape| shape.rows).sum();
            Value::Whole(rows)
        };
        let first = shapes_of(&self.layers.fingerprint).first().copied();
        let columns = first.map_or(0.0, |shape| shape.bits() as f64 / shape.rows as f64);
        let guard = match (self.layers.woven, self.layers.guard.is_empty()) {
            (true, _) => "woven",
            (false, false) => "apart",
            (false, true) => "none",
        };
        let layers = self.layers.fingerprint.len() + self.layers.guard.len();
        let parameters = vec![
            Parameter::total("bits", self.size_in_bits()),
            Parameter::setting("guard", guard),
            Parameter::measure("columns", columns),
            Parameter::measure("rows", rows(&self.layers.fingerprint)),
            Parameter::measure("guard_rows", rows(&self.layers.guard)),
            Parameter::measure("layers", layers as u64),
            Parameter::total("known_negatives", self.known.negatives),
            Parameter::total("wrong", self.known.wrong),
        ];
        Info::new(self.family(), &self.profile, parameters, fill, self.rate())
    }
}
