//! The options of the filter, and its forecast.

use super::Blocked;
use crate::cells::{Block, BlockArray};
use crate::error::{Error, Result};
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Parameter, Report, Value};
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::setting::{BLOCK, FUNCTIONS};
use crate::filter::sizing::{Layout, Size, blocked_rate};
use crate::kernel::block_bits::BlockBits;
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

/// The options of [`Blocked`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of bits of a key; `None` for the best number.
    functions: Option<u32>,
    /// The number of bits of a block: 512 or 256.
    block_bits: u32,
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
    fn width(&self) -> Result<u32> {
        match self.block_bits {
            256 => Ok(8),
            512 => Ok(9),
            bits => Err(Error::parameter("the bits of a block", bits, "256 or 512")),
        }
    }
}

impl Builder<Blocked> {
    /// The number of hash functions; by default the best for capacity and size.
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

fn layout(width: u32) -> Layout<impl Fn(u64, u64, u32) -> f64> {
    Layout {
        cell_bits: 1,
        step: Block::BITS,
        rate: move |bits, keys, functions| blocked_rate(1 << width, bits, keys, functions),
    }
}

impl Buildable for Blocked {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = &[
        Knob::whole(FUNCTIONS, Builder::<Self>::functions),
        Knob::whole(BLOCK, Builder::<Self>::block_bits),
    ];

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let Options {
            functions,
            block_bits,
        } = builder.options;
        let layout = layout(builder.options.width()?);
        let fit = layout.fit(builder.size, workload.keys, functions)?;
        let rate = (layout.rate)(fit.cells, workload.keys, fit.functions);
        let mut forecast = Forecast::plain(fit, "bits", 1, rate);
        let block = Value::Whole(u64::from(block_bits));
        forecast.parameters.push(Parameter::setting("block", block));
        forecast.lines = 1.0;
        Ok(forecast)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets)?, Report::default()))
    }
}

impl Growable for Blocked {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let width = builder.options.width()?;
        let fit = layout(width).fit(builder.size, capacity, builder.options.functions)?;
        let lines = BlockArray::new(fit.cells / Block::BITS)?;
        let profile = Profile::new(hashing, capacity, builder.size);
        Ok(Blocked::over(
            lines,
            BlockBits::new(width, fit.functions),
            profile,
        ))
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        matches!(builder.size, Size::Bits(_)) && builder.options.functions.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_block_sizes_are_errors() {
        for bits in [0, 1, 255, 513, u32::MAX] {
            let builder = Blocked::builder(Size::BitsPerKey(10.0)).capacity(10);
            assert!(builder.block_bits(bits).create().is_err());
        }
    }
}
