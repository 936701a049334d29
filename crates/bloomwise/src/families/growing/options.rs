//! The options of the filter.

use super::Growing;
use crate::error::Result;
use crate::families::spread::options::ArrayOptions;
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{FUNCTIONS, Setting, Values};

/// The largest expansion.
pub(crate) const MAX_EXPANSION: u32 = 1 << 15;

/// The options of [`Growing`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The options of the first layer.
    pub(super) first: ArrayOptions,
    /// The factor between the capacities of consecutive layers.
    pub(super) expansion: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            first: ArrayOptions::default(),
            expansion: 2,
        }
    }
}

impl Options {
    /// Returns an error unless the expansion is allowed.
    pub(super) fn check(&self) -> Result<()> {
        EXPANSION.check(self.expansion)
    }
}

impl Builder<Growing> {
    /// The number of hash functions of the first layer, 1 to 32; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.first.functions = Some(functions);
        self
    }

    /// The factor between the capacities of consecutive layers, 1 to 32768; by default 2.
    pub fn expansion(mut self, expansion: u32) -> Self {
        self.options.expansion = expansion;
        self
    }
}

const FIRST_FUNCTIONS: Setting = Setting {
    about: "number of hash functions of the first layer",
    ..FUNCTIONS
};

const EXPANSION: Setting = Setting {
    name: "expansion",
    about: "how many times the capacity of a layer the next one has",
    values: Values::Whole(1, MAX_EXPANSION),
    default: "2",
};

/// All settings.
pub(super) const SETTINGS: &[Knob<Growing>] = &[
    Knob::whole(FIRST_FUNCTIONS, Builder::<Growing>::functions),
    Knob::whole(EXPANSION, Builder::<Growing>::expansion),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_the_default() {
        assert_eq!(EXPANSION.default, Options::default().expansion.to_string());
    }
}
