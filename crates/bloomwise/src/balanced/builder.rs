//! The wishes for a balanced filter.
//!
//! Everything but the size can be left to the plan. Name the scheme, and `reads` and `choices` are taken as they are given;
//! leave it open, and they are limits, within which the lowest rate is looked for. The share of the list is always a
//! limit. Nothing is checked before [`BalancedBuilder::plan`] or [`BalancedBuilder::build`], which check everything.

use super::filter::{Balanced, Reads};
use super::gauge::Gauge;
use super::plan::{self, Plan};
use super::scheme::Scheme;
use super::tables::Tables;
use super::theory::region;
use super::wishes::Wishes;
use crate::cells::BlockArray;
use crate::codec::Head;
use crate::error::Result;
use crate::family::Family;
use crate::hash::Hashing;
use crate::sizing::Size;
use crate::stash::Stash;
use crate::vector::Kernel;

/// The wishes for a [`Balanced`] filter.
#[derive(Clone, Debug)]
pub struct BalancedBuilder {
    /// How large the filter shall be.
    size: Size,
    /// How many keys it is planned for.
    capacity: u64,
    /// How keys are hashed.
    hashing: Hashing,
    /// All else.
    wishes: Wishes,
}

impl BalancedBuilder {
    /// A filter for `capacity` keys. It takes more; the list then grows.
    pub(super) fn new(capacity: u64, size: Size) -> Self {
        BalancedBuilder {
            size,
            capacity,
            hashing: Hashing::default(),
            wishes: Wishes {
                scheme: None,
                block_bits: 512,
                functions: None,
                reads: None,
                choices: None,
                overflow: None,
            },
        }
    }

    /// How the blocks are shared among the choices of a key, instead of the way with the lowest rate.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.wishes.scheme = Some(scheme);
        self
    }

    /// The bits of a block: 512, a whole cache line, or 256.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.wishes.block_bits = bits;
        self
    }

    /// The number of hash functions, instead of the best one.
    pub fn functions(mut self, functions: u32) -> Self {
        self.wishes.functions = Some(functions);
        self
    }

    /// The blocks that insertions may read on average, up to the capacity; `a` in the paper.
    pub fn reads(mut self, reads: f64) -> Self {
        self.wishes.reads = Some(reads);
        self
    }

    /// The number of blocks that a key can choose from, and so the most that any operation reads; `d` in the paper.
    /// A filter of a few blocks may have fewer: no more than blocks, and one if a list does not fit beside a single line.
    pub fn choices(mut self, choices: u32) -> Self {
        self.wishes.choices = Some(choices);
        self
    }

    /// The largest share of keys in the list; `gamma` in the paper. The list is inside the size.
    pub fn overflow(mut self, share: f64) -> Self {
        self.wishes.overflow = Some(share);
        self
    }

    /// How keys are hashed, instead of XXH3 with seed 0.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// What the filter will be, without making it: bits and reads for a rate, or rate and reads for a size.
    ///
    /// # Errors
    ///
    /// A size or wishes that no filter can have.
    pub fn plan(&self) -> Result<Plan> {
        plan::plan(self.size, self.capacity, &self.wishes)
    }

    /// The empty filter.
    ///
    /// # Errors
    ///
    /// As for [`BalancedBuilder::plan`], and memory that is not there.
    pub fn build(&self) -> Result<Balanced> {
        let plan = self.plan()?;
        let turned_away = region::turned_away(plan.reads, plan.choices);
        let tables = Tables::new(plan.scheme, plan.blocks, plan.choices, turned_away);
        // Cannot fail: a setup that has more choices than blocks is worked out again with fewer.
        let tables = tables.expect("a plan has no more choices than blocks");
        let budget = match plan.scheme {
            // No more than a double can count.
            Scheme::Sequential => (plan.reads_allowed * self.capacity as f64) as u64,
            _ => u64::MAX,
        };
        Ok(Balanced {
            lines: BlockArray::new(plan.blocks * u64::from(plan.block_bits) / 512)?,
            width: plan.block_bits.ilog2(),
            functions: plan.functions,
            scheme: plan.scheme,
            tables,
            gauge: Gauge::new(
                plan.level,
                (plan.coin * f64::from(Gauge::CERTAIN)) as u32,
                plan.groups,
            ),
            capacity: self.capacity,
            list: plan.list,
            reads: Reads {
                budget,
                total: 0,
                worst: 0,
            },
            overflow: Stash::default(),
            kernel: Kernel::of_this_processor(),
            head: Head::new(Family::Balanced, self.hashing),
        })
    }
}
