//! The options of a balanced filter, and how it is built.

use super::block_state::BlockState;
use super::filter::{Balanced, Reads};
use super::options::Options;
use super::plan::{self, Plan};
use super::scheme::Scheme;
use super::tables::{MAX_CHOICES, Tables};
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
use crate::filter::setting::{BLOCK, FUNCTIONS, Setting, Values};
use crate::kernel::QueryFn;
use crate::kernel::block_bits::BlockBits;
use crate::keys::hash::Hashing;
use crate::keys::sets::KeySets;
use crate::machine::processor::Kernel;

/// Only size and capacity are required; the plan chooses the rest. If the scheme is set, the plan uses `reads` and `choices`
/// exactly as given. Otherwise they are upper limits, and the plan has the lowest rate within them. `overflow` is always an
/// upper limit.
impl Builder<Balanced> {
    /// Where the candidate blocks of a key are; by default the scheme with the lowest rate.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.options.scheme = Some(scheme);
        self
    }

    /// The bits of a block: 512, a whole cache line, or 256; by default 512.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.options.block_bits = bits;
        self
    }

    /// The number of hash functions; by default the number with the lowest rate.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The mean number of blocks that insertions may read, up to the capacity; `a` in the paper.
    pub fn reads(mut self, reads: f64) -> Self {
        self.options.reads = Some(reads);
        self
    }

    /// The number of candidate blocks of a key; `d` in the paper. No operation reads more blocks than that.
    ///
    /// A small filter may have fewer choices: at most one per block, and only one if the list does not fit beside a single
    /// line.
    pub fn choices(mut self, choices: u32) -> Self {
        self.options.choices = Some(choices);
        self
    }

    /// The largest share of keys that may be in the list; `gamma` in the paper. The size includes the list.
    pub fn overflow(mut self, share: f64) -> Self {
        self.options.overflow = Some(share);
        self
    }

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

const SCHEME: Setting = Setting {
    name: "scheme",
    about: "where the choices of a key lie: single, sequential or mht (default: the one with the lowest rate)",
    values: Values::Word(&["single", "sequential", "mht"]),
};

const READS: Setting = Setting {
    name: "reads",
    about: "mean number of blocks that an insertion reads, 1 to 8: at most, or exactly if a scheme is set (default: the best up to 1.2)",
    values: Values::Real(1.0, MAX_CHOICES as f64),
};

const CHOICES: Setting = Setting {
    name: "choices",
    about: "number of blocks a key can choose from, 1 to 8: at most, or exactly if a scheme is set (default: the best up to 4)",
    values: Values::Whole(1, MAX_CHOICES),
};

const OVERFLOW: Setting = Setting {
    name: "overflow",
    about: "largest share of keys in the overflow list, 128 bits each, 0 to 0.5 (default: the best)",
    values: Values::Real(0.0, 0.5),
};

impl Buildable for Balanced {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = &[
        Knob::whole(FUNCTIONS, Builder::<Self>::functions),
        Knob::whole(BLOCK, Builder::<Self>::block_bits),
        Knob::word(SCHEME, |builder, name| match Scheme::from_name(name) {
            Some(scheme) => builder.scheme(scheme),
            None => builder,
        }),
        Knob::real(READS, Builder::<Self>::reads),
        Knob::whole(CHOICES, Builder::<Self>::choices),
        Knob::real(OVERFLOW, Builder::<Self>::overflow),
    ];

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
            query_fn: block_bits.run(kernel.for_one_line(), QueryFn::choose(), ()),
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(_builder: &Builder<Self>) -> bool {
        // Evenly filled blocks reject keys at a load that follows from the capacity.
        false
    }
}
