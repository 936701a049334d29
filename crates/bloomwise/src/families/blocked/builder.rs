//! How a filter is built, and its forecast.

use super::Blocked;
use super::options::{Options, SETTINGS};
use crate::cells::{Block, BlockArray};
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Parameter, Report, Value};
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::sizing::{Layout, Size, blocked_rate};
use crate::kernel::block_bits::BlockBits;
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

fn layout(width: u32) -> Layout<impl Fn(u64, u64, u32) -> f64> {
    Layout {
        cell_bits: 1,
        step: Block::BITS,
        rate: move |bits, keys, functions| blocked_rate(1 << width, bits, keys, functions),
    }
}

impl Buildable for Blocked {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

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
