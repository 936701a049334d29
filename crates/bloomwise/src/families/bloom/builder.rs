//! How a filter is built, and its forecast. Its options are in `families/spread`.

use super::Bloom;
use crate::cells::BitArray;
use crate::error::Result;
use crate::families::spread::options::ArrayOptions;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

impl Buildable for Bloom {
    type Options = ArrayOptions;

    const SETTINGS: &'static [Knob<Self>] = Builder::<Self>::SETTINGS;

    fn of_kind(builder: Builder<Self>, kind: Family) -> Builder<Self> {
        match kind {
            Family::Personalized => builder.personalized(),
            _ => builder,
        }
    }

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        builder
            .options
            .forecast::<0>("bits", builder.size, workload.keys)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets)?, Report::default()))
    }
}

impl Growable for Bloom {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let shape = builder.options.shape(builder.size, capacity)?;
        let profile = Profile::new(hashing, capacity, builder.size);
        Ok(Bloom::over(BitArray::new(shape.cells())?, shape, profile))
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        builder.has_fixed_shape()
    }
}
