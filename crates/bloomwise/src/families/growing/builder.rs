//! How a filter is built, and its forecast.

use super::Growing;
use super::options::{Options, SETTINGS};
use super::schedule::first_rate;
use crate::error::Result;
use crate::families::bloom::Bloom;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Parameter, Report, Value};
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::sizing::{MIN_RATE, Size};
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

/// The capacity of the first layer, if none was given.
const FIRST_CAPACITY: u64 = 1000;

impl Builder<Growing> {
    /// The builder of a first layer of this size.
    fn first(&self, size: Size, capacity: u64, hashing: Hashing) -> Builder<Bloom> {
        let size = match size {
            Size::Rate(rate) if (MIN_RATE..1.0).contains(&rate) => Size::Rate(first_rate(rate)),
            size => size,
        };
        let mut builder = Bloom::builder(size).capacity(capacity).hashing(hashing);
        builder.options = self.options.first.clone();
        builder
    }
}

impl Buildable for Growing {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        builder.options.check()?;
        let first = builder.first(builder.size, workload.keys, Hashing::default());
        let mut forecast = first.forecast(workload)?;
        let expansion = Value::Whole(u64::from(builder.options.expansion));
        forecast
            .parameters
            .push(Parameter::measure("expansion", expansion));
        Ok(forecast)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets)?, Report::default()))
    }
}

impl Growable for Growing {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        builder.options.check()?;
        builder.size.budget(capacity)?;
        let (capacity, size) = match (capacity, builder.size) {
            // Zero keys get zero bits per key, so this is the smallest filter.
            (0, Size::BitsPerKey(_)) if builder.capacity.is_some() => (1, Size::Bits(1)),
            (0, size) => (FIRST_CAPACITY, size),
            (keys, size) => (keys, size),
        };
        let first = builder.first(size, capacity, hashing).create()?;
        let profile = Profile::new(hashing, capacity, builder.size);
        let expansion = builder.options.expansion;
        Ok(Growing::over(vec![first], capacity, expansion, profile))
    }

    fn needs_no_capacity(_builder: &Builder<Self>) -> bool {
        true
    }
}
