//! The options of a caller, and the settings that name them.

use super::filter::Seesaw;
use super::shape::{COUNT_BITS, INDEX_BITS};
use super::{MAX_ALPHA, MAX_GUARD};
use crate::error::{Error, Result};
use crate::filter::builder::Builder;
use crate::filter::forecast::DEFAULT_UNSEEN_SHARE;
use crate::filter::knob::Knob;
use crate::filter::setting::{FUNCTIONS, Setting, UNSEEN_SHARE, Values};

/// The options of [`crate::Seesaw`]. The search chooses what is `None`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Hash functions per key.
    pub(super) functions: Option<u32>,
    /// The share of the space for the modulator.
    pub(super) alpha: Option<f64>,
    /// Bits of the count in a modulator cell.
    pub(super) count_bits: Option<u32>,
    /// The binary logarithm of the number of backup functions.
    pub(super) index_bits: Option<u32>,
    /// Guarded keys per key of the capacity.
    pub(super) guard: Option<f64>,
    /// The share of the cost of false positives that comes from unseen keys.
    pub(super) unseen_share: f64,
    /// The number of segments.
    pub(super) segments: Option<u64>,
    /// Whether keys can be guarded at any time.
    pub(super) adaptive: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            functions: None,
            alpha: None,
            count_bits: None,
            index_bits: None,
            guard: None,
            unseen_share: DEFAULT_UNSEEN_SHARE,
            segments: None,
            adaptive: false,
        }
    }
}

impl Options {
    /// Returns an error if an option is out of range.
    pub(super) fn check(&self) -> Result<()> {
        COUNT.check(self.count_bits.unwrap_or(*COUNT_BITS.start()))?;
        INDEX.check(self.index_bits.unwrap_or(*INDEX_BITS.start()))?;
        ALPHA.check(self.alpha.unwrap_or(0.0))?;
        GUARD.check(self.guard.unwrap_or(0.0))?;
        UNSEEN_SHARE.check(self.unseen_share)?;
        match self.segments {
            Some(0) => Err(Error::parameter("the number of segments", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}

impl Builder<Seesaw> {
    /// Allows guarding keys at any time. This costs one more bit per counter.
    pub fn adaptive(mut self) -> Self {
        self.options.adaptive = true;
        self
    }

    /// The number of hash functions, 1 to 32. Default: the number with the lowest predicted rate.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The share of the space for the modulator, 0 to 0.5. The paper uses 0.1. With 0 there is no modulator. In an adaptive filter
    /// without a modulator, guarding a key after others were inserted raises the rate on it until about half of those have been
    /// replaced. Default: the share with the lowest predicted rate, at least 0.05 in an adaptive filter.
    pub fn alpha(mut self, share: f64) -> Self {
        self.options.alpha = Some(share);
        self
    }

    /// Bits of the count in a modulator cell, 1 to 8. The paper uses 3. Default: the smallest number from 2 to 6 with few stuck cells.
    pub fn count_bits(mut self, bits: u32) -> Self {
        self.options.count_bits = Some(bits);
        self
    }

    /// The binary logarithm of the number of backup functions, 1 to 4. The paper uses 1. Default: the number from 1 to 3 with the
    /// lowest predicted rate.
    pub fn index_bits(mut self, bits: u32) -> Self {
        self.options.index_bits = Some(bits);
        self
    }

    /// The number of guarded negatives per key of the capacity, 0 to 100: 0.05 is one per twenty keys. The filter guards the
    /// costliest. For an adaptive filter without known negatives, this is the number of keys that you expect to guard; the default
    /// is then 0.05. Default with known negatives: the number with the lowest predicted rate.
    pub fn guard(mut self, share: f64) -> Self {
        self.options.guard = Some(share);
        self
    }

    /// The share of the cost of false positives that comes from unseen keys, 0 to 1. Default: 0.1.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.options.unseen_share = share;
        self
    }

    /// The number of segments, at least 1. With few segments, threads that share the filter wait for each other. With few keys per
    /// segment, the rates rise. Default: one per 32 KiB.
    pub fn segments(mut self, segments: u64) -> Self {
        self.options.segments = Some(segments);
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<Seesaw>] = &[
    Knob::whole(FUNCTIONS, Builder::<Seesaw>::functions),
    Knob::real(GUARD, Builder::<Seesaw>::guard),
    Knob::real(ALPHA, Builder::<Seesaw>::alpha),
    Knob::whole(COUNT, Builder::<Seesaw>::count_bits),
    Knob::whole(INDEX, Builder::<Seesaw>::index_bits),
    Knob::real(UNSEEN_SHARE, Builder::<Seesaw>::unseen_share),
];

const GUARD: Setting = Setting {
    name: "guard",
    about: "number of known negatives to guard per key of the capacity, the costliest first",
    values: Values::Real(0.0, MAX_GUARD),
    default: "the best; seesaw-adaptive without negatives: 0.05",
};

const ALPHA: Setting = Setting {
    name: "alpha",
    about: "share of the space for the modulator",
    values: Values::Real(0.0, MAX_ALPHA),
    default: "the best, often 0",
};

const COUNT: Setting = Setting {
    name: "count-bits",
    about: "bits of a count in the modulator",
    values: Values::Whole(*COUNT_BITS.start(), *COUNT_BITS.end()),
    default: "the fewest that rarely saturate",
};

const INDEX: Setting = Setting {
    name: "index-bits",
    about: "base-2 logarithm of the number of backup functions",
    values: Values::Whole(*INDEX_BITS.start(), *INDEX_BITS.end()),
    default: "the best",
};
