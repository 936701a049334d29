//! How a filter is built.

use super::block_state::BlockState;
use super::filter::{Balanced, Reads};
use super::options::{Options, SETTINGS};
use super::plan::{self, Plan};
use super::scheme::Scheme;
use super::tables::Tables;
use super::theory::region;
use crate::cells::BlockArray;
use crate::cells::stash::Stash;
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::contract::sealed::Checked;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::insert::Insert;
use crate::filter::knob::Knob;
use crate::filter::profile::Profile;
use crate::kernel::block_bits::BlockBits;
use crate::kernel::{Narrow, QueryFn};
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;
use crate::machine::processor::Kernel;

impl Builder<Balanced> {
    /// Plans the filter without building it: finds the bits for a target rate, or the rate for a size. It is planned for the
    /// capacity, or else for the number of keys in `workload`. Known negatives do not change the plan.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these options. The error names what to change.
    pub fn plan(&self, workload: &Workload) -> Result<Plan> {
        let keys = self.capacity.unwrap_or(workload.keys);
        plan::plan(self.size, keys, &self.options)
    }
}

impl Buildable for Balanced {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let plan = plan::plan(builder.size, workload.keys, &builder.options)?;
        Ok(plan.forecast())
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        let mut filter = Self::create(builder, builder.capacity_for(sets)?, sets.hashing())?;
        filter.add_digests(sets.positives(), Checked(()));
        let report = filter.report();
        Ok((filter, report))
    }
}

impl Growable for Balanced {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let plan = plan::plan(builder.size, capacity, &builder.options)?;
        let rejected_share = region::rejected_share(plan.reads, plan.choices);
        let tables = Tables::new(plan.scheme, plan.blocks, plan.choices, rejected_share);
        // Cannot fail: a search point with more choices than blocks is planned again with fewer choices.
        let tables = tables.expect("a plan has no more choices than blocks");
        let budget = match plan.scheme {
            // The cast rounds down and saturates.
            Scheme::Sequential => (plan.reads_allowed * capacity as f64) as u64,
            _ => u64::MAX,
        };
        let width = plan.block_bits.ilog2();
        let coin = (plan.coin * f64::from(BlockState::DRAWS)) as u32;
        let block_state = BlockState::new(plan.level, coin, plan.groups);
        let block_bits = BlockBits::new(width, plan.functions).with_reserved(block_state.bits());
        let kernel = Kernel::current();
        Ok(Balanced {
            lines: BlockArray::new(plan.blocks * u64::from(plan.block_bits) / 512)?,
            scheme: plan.scheme,
            tables,
            block_state,
            list_room: plan.list_room,
            reads: Reads {
                budget,
                total: 0,
                worst: 0,
            },
            overflow: Stash::default(),
            block_bits,
            kernel,
            query_fn: block_bits.run(Narrow(kernel), QueryFn::choose(), ()),
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(_builder: &Builder<Self>) -> bool {
        // Evenly filled blocks reject keys at a load that follows from the capacity.
        false
    }
}
