//! The options of the filter.

use super::Blocked;
use crate::error::Result;
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{BLOCK, FUNCTIONS};

/// The options of [`Blocked`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of bits of a key; `None` for the best number.
    pub(super) functions: Option<u32>,
    /// The number of bits of a block: 512 or 256.
    pub(super) block_bits: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            functions: None,
            block_bits: 512,
        }
    }
}

impl Options {
    /// The bits of a position in a block.
    pub(super) fn width(&self) -> Result<u32> {
        BLOCK.check_as("the bits of a block", "a number", self.block_bits)?;
        Ok(self.block_bits.ilog2())
    }
}

impl Builder<Blocked> {
    /// The number of hash functions, 1 to 32; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The bits of a block: 512, a whole cache line, or 256, which has a higher false positive rate.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.options.block_bits = bits;
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<Blocked>] = &[
    Knob::whole(FUNCTIONS, Builder::<Blocked>::functions),
    Knob::whole(BLOCK, Builder::<Blocked>::block_bits),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::sizing::Size;

    #[test]
    fn other_block_sizes_are_errors() {
        for bits in [0, 1, 255, 513, u32::MAX] {
            let builder = Blocked::builder(Size::BitsPerKey(10.0)).capacity(10);
            assert!(builder.block_bits(bits).create().is_err());
        }
        assert_eq!(BLOCK.default, Options::default().block_bits.to_string());
    }
}
