//! The options of a caller, and the setting that names them.

use super::Guarded;
use crate::error::Result;
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{Setting, UNSEEN_SHARE};

/// The options of [`Guarded`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The share of the cost that falls on unseen keys, if errors on known negatives are allowed in exchange; `None` demands exactness.
    pub(super) unseen_share: Option<f64>,
}

impl Options {
    /// Returns an error if an option is out of range.
    pub(super) fn check(&self) -> Result<()> {
        TRADE.check_as(TRADE.name, "a share", self.unseen_share.unwrap_or(0.0))
    }
}

impl Builder<Guarded> {
    /// Allows errors on known negatives where that lowers the cost: `share` is the share of the cost of false positives that
    /// falls on unseen keys, 0 to 1.
    ///
    /// Without it, the filter is exact on known negatives whenever its size allows that.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.options.unseen_share = Some(share);
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<Guarded>] =
    &[Knob::real(TRADE, Builder::<Guarded>::unseen_share)];

/// The name of seesaw's setting, but no default: without it the filter is exact whenever the size allows it.
const TRADE: Setting = Setting {
    about: "allows errors on known negatives where that lowers the cost: the share of the cost that comes from unseen keys",
    default: "exact whenever the size allows it",
    ..UNSEEN_SHARE
};
