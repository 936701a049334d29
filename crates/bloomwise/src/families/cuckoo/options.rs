//! The options of a caller, and the settings that name them.

use super::filter::Cuckoo;
use super::shape::FINGERPRINT_BITS;
use crate::error::Result;
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{Setting, Values};

/// The options of [`crate::Cuckoo`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Bits of a fingerprint.
    pub(super) bits: Option<u32>,
    /// The share of the space for exceptions.
    pub(super) exceptions: Option<f64>,
}

impl Options {
    /// Returns an error if an option is out of range.
    pub(super) fn check(&self) -> Result<()> {
        FINGERPRINT.check(self.bits.unwrap_or(*FINGERPRINT_BITS.start()))?;
        EXCEPTIONS.check(self.exceptions.unwrap_or(0.0))
    }
}

impl Builder<Cuckoo> {
    /// Bits of a fingerprint, 7 to 32. By default the number with the lowest predicted cost.
    pub fn fingerprint(mut self, bits: u32) -> Self {
        self.options.bits = Some(bits);
        self
    }

    /// The share of the space for exceptions, 0 to 0.9. By default what the known negatives need, or 1/32 if there are none.
    pub fn exceptions(mut self, share: f64) -> Self {
        self.options.exceptions = Some(share);
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<Cuckoo>] = &[
    Knob::whole(FINGERPRINT, Builder::<Cuckoo>::fingerprint),
    Knob::real(EXCEPTIONS, Builder::<Cuckoo>::exceptions),
];

const FINGERPRINT: Setting = Setting {
    name: "fingerprint",
    about: "bits of a fingerprint",
    values: Values::Whole(*FINGERPRINT_BITS.start(), *FINGERPRINT_BITS.end()),
    default: "the best for size and negatives",
};

const EXCEPTIONS: Setting = Setting {
    name: "exceptions",
    about: "share of the space for exact exceptions",
    values: Values::Real(0.0, 0.9),
    default: "what the known negatives need; 1/32 without any",
};
