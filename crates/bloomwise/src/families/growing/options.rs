//! The options of the filter, and its forecast.

use super::Growing;
use super::schedule::first_rate;
use crate::error::{Error, Result};
use crate::families::bloom::Bloom;
use crate::families::spread::options::ArrayOptions;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Parameter, Report, Value};
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::setting::{FUNCTIONS, Setting, Values};
use crate::filter::sizing::{MIN_RATE, Size};
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

/// The largest expansion.
pub(crate) const MAX_EXPANSION: u32 = 1 << 15;

/// The capacity of the first layer, if none was given.
const FIRST_CAPACITY: u64 = 1000;

/// The options of [`Growing`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The options of the first layer.
    first: ArrayOptions,
    /// The factor between the capacities of consecutive layers.
    expansion: u32,
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
    fn check(&self) -> Result<()> {
        if (1..=MAX_EXPANSION).contains(&self.expansion) {
            return Ok(());
        }
        let expected = format!("a number from 1 to {MAX_EXPANSION}");
        Err(Error::parameter("expansion", self.expansion, expected))
    }
}

impl Builder<Growing> {
    /// The number of hash functions of the first layer; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.first.functions = Some(functions);
        self
    }

    /// The factor between the capacities of consecutive layers, 1 to 32768; by default 2.
    pub fn expansion(mut self, expansion: u32) -> Self {
        self.options.expansion = expansion;
        self
    }

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

const FIRST_FUNCTIONS: Setting = Setting {
    name: FUNCTIONS.name,
    about: "number of hash functions of the first layer, 1 to 32 (default: the best for the size)",
    values: FUNCTIONS.values,
};

const EXPANSION: Setting = Setting {
    name: "expansion",
    about: "how many times the capacity of a layer the next one has, 1 to 32768 (default: 2)",
    values: Values::Whole(1, MAX_EXPANSION),
};

impl Buildable for Growing {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = &[
        Knob::whole(FIRST_FUNCTIONS, Builder::<Self>::functions),
        Knob::whole(EXPANSION, Builder::<Self>::expansion),
    ];

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
