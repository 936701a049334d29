//! How the size is divided between slots and list, and how a filter is built.

use super::PersonalizedRejecting;
use super::options::{Options, SETTINGS};
use crate::cells::stash::Stash;
use crate::error::{Error, Result};
use crate::families::bloom::Bloom;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Parameter, Report};
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;

impl Builder<PersonalizedRejecting> {
    /// The size of the slots, and the limit of the list, which takes the rest.
    fn split(&self, capacity: u64) -> Result<(Size, u64)> {
        type Own = PersonalizedRejecting;
        let bits = self.size.budget(capacity)?.unwrap_or(u64::MAX);
        // By default the list takes at most an eighth of the bits.
        let default = (capacity / Own::KEYS_PER_ENTRY).min(bits / 8 / Own::LIST_ENTRY_BITS);
        let limit = self.options.list.map_or(default, u64::from);
        match self.size {
            Size::Rate(_) => Ok((self.size, limit)),
            _ if limit == 0 => Ok((self.size, limit)),
            _ if limit >= bits / Own::LIST_ENTRY_BITS => {
                let expected = format!(
                    "less than {}: the list must not take the whole size",
                    bits / Own::LIST_ENTRY_BITS
                );
                Err(Error::parameter("the limit of the list", limit, expected))
            }
            _ => Ok((Size::Bits(bits - limit * Own::LIST_ENTRY_BITS), limit)),
        }
    }

    /// Options for the slots, and the limit of the list.
    fn slots(&self, capacity: u64) -> Result<(Builder<Bloom>, u64)> {
        let (size, limit) = self.split(capacity)?;
        let mut slots = Bloom::builder(size).personalized();
        slots.options.functions = self.options.functions;
        Ok((slots, limit))
    }

    /// The threshold for walks of `functions` steps.
    fn threshold_of(&self, functions: u32) -> Result<u32> {
        let default = functions.saturating_sub(1).max(1);
        let threshold = self.options.threshold.unwrap_or(default);
        if !(1..=functions).contains(&threshold) {
            let expected = format!("a number from 1 to the length of a walk, {functions}");
            return Err(Error::parameter("the threshold", threshold, expected));
        }
        Ok(threshold)
    }
}

impl Buildable for PersonalizedRejecting {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let (slots, limit) = builder.slots(workload.keys)?;
        let mut forecast = slots.forecast(workload)?;
        // A rejected key would set hardly any slot, so the slots fill as if all keys were inserted.
        forecast.bits += limit * Self::LIST_ENTRY_BITS;
        forecast.parameters.push(Parameter::measure("list", limit));
        Ok(forecast)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets)?, Report::default()))
    }
}

impl Growable for PersonalizedRejecting {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let (slots, limit) = builder.slots(capacity)?;
        let slots = Bloom::create(&slots, capacity, hashing)?;
        Ok(PersonalizedRejecting {
            threshold: builder.threshold_of(slots.functions())?,
            slots,
            limit,
            rejected: Stash::default(),
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        let Options {
            functions, list, ..
        } = builder.options;
        matches!(builder.size, Size::Bits(_)) && functions.is_some() && list.is_some()
    }
}
