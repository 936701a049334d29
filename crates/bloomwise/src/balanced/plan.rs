//! From a size and some wishes to a filter: the search for the lowest rate.
//!
//! Of reads, choices and overflow, two fix the third ([`super::theory`]); with them the threshold is fixed, and the
//! number of functions is the one with the lowest rate. So there is little to search: some dozens of pairs of reads and
//! choices for MHT and SEQUENTIAL, some shares of overflow for SINGLE. Each is worked out as the filter would be, its
//! list inside the budget at 128 bits an entry, and the one with the lowest rate wins.
//!
//! Plans are for the filter at hand and not for an endless one: the reads are planned five standard deviations below
//! what was asked for, and the list has room for five above the mean.

use super::scheme::Scheme;
use super::setup::{ENTRY, LINE};
use super::wishes::Wishes;
use crate::error::{Error, Result};
use crate::sizing::{Layout, Size};

/// A filter that was worked out: what it is made of, and what it will do once it holds its capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The scheme.
    pub scheme: Scheme,
    /// Bits of a block.
    pub block_bits: u32,
    /// The number of blocks.
    pub blocks: u64,
    /// Positions of a key in its block.
    pub functions: u32,
    /// Blocks that a key can choose from: the most that any operation reads.
    pub choices: u32,
    /// The load from which on blocks turn keys away; `h` in the paper.
    pub level: u32,
    /// How likely a block at that load takes one more key; `p` in the paper.
    pub coin: f64,
    /// Groups of keys of which a block notes whether it has turned one away.
    pub groups: u32,
    /// Keys that the list has room for within the size.
    pub list: u64,
    /// The most blocks that insertions may read, on average.
    pub reads_allowed: f64,
    /// Blocks that an insertion reads on average, and the lookup of a key that is there.
    pub reads: f64,
    /// Blocks that the lookup of a key that is not there reads on average.
    pub negative_reads: f64,
    /// The share of keys in the list.
    pub overflow: f64,
    /// The false positive rate.
    pub rate: f64,
}

impl Plan {
    /// The bits of blocks and list.
    pub fn bits(&self) -> u64 {
        self.blocks * u64::from(self.block_bits) + self.list * ENTRY
    }
}

/// The plan with the lowest rate.
pub(super) fn plan(size: Size, capacity: u64, wishes: &Wishes) -> Result<Plan> {
    wishes.check()?;
    let layout = Layout {
        cell_bits: 1,
        // The list takes what the lines leave.
        step: 1,
        // The best number of functions is part of the plan.
        rate: |bits, keys, _| wishes.best(bits, keys).map_or(1.0, |plan| plan.rate),
    };
    let bits = layout
        .fit(size, capacity, Some(wishes.functions.unwrap_or(1)))?
        .cells;
    wishes.best(bits, capacity).ok_or_else(|| {
        let unlimited = Wishes {
            overflow: None,
            ..*wishes
        };
        match unlimited.best(bits, capacity) {
            Some(plan) => {
                let expected = format!("at least {:.1e} with these reads and choices", plan.overflow);
                let got = wishes.overflow.unwrap_or(0.0);
                Error::parameter("the overflow share (overflow)", got, expected)
            }
            None => {
                let got = format!("{bits} bits for {capacity} keys");
                let expected = "a bit for each key at least, and twice what the list takes: ask for a larger size, or for fewer reads";
                Error::parameter("the size", got, expected)
            }
        }
    })
}

impl Wishes {
    /// The plan with the lowest rate for so many bits and keys, if there is any.
    fn best(&self, bits: u64, keys: u64) -> Option<Plan> {
        let (bits, keys) = (bits.max(LINE), keys.max(1) as f64);
        if keys > bits as f64 {
            return None;
        }
        let plans = self.setups().into_iter();
        let plans = plans.filter_map(|setup| setup.work_out(self, bits, keys));
        plans.min_by(|one, other| one.rate.total_cmp(&other.rate))
    }
}
