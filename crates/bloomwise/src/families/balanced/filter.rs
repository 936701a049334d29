//! The filter: insertion and lookup.

use super::block_state::BlockState;
use super::lookup::{InsertBatch, QueryBatch};
use super::scheme::Scheme;
use super::tables::Tables;
use crate::cells::BlockArray;
use crate::cells::stash::Stash;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::{Info, Report};
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::QueryFn;
use crate::kernel::block_bits::BlockBits;
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use std::fmt;

/// A growing set in evenly filled blocks, with an exact list of the keys that all their blocks rejected.
///
/// ```
/// use bloomwise::balanced::Scheme;
/// use bloomwise::{Balanced, Filter, Insert, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Balanced::builder(Size::BitsPerKey(24.0)).capacity(100_000);
/// let builder = builder.scheme(Scheme::Mht).reads(1.2);
/// let plan = builder.plan(&Workload::new(100_000, 0))?;
/// assert!(plan.rate < 1e-4 && plan.choices >= 2);
///
/// let mut seen = builder.create()?;
/// seen.extend(0..100_000);
/// assert!((0..100_000).all(|key| seen.contains(key)));
/// assert!(seen.reads_per_insertion() <= 1.2);
/// assert!(seen.overflowed() <= plan.list_room);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Balanced {
    /// The blocks; a line holds one block of 512 bits or two of 256.
    pub(super) lines: BlockArray,
    /// The scheme of the tables.
    pub(super) scheme: Scheme,
    /// One table for each choice, in the order in which they are tried.
    pub(super) tables: Tables,
    /// How the topmost bits of each block encode its state.
    pub(super) block_state: BlockState,
    /// The number of keys that the list has room for within the planned size. The list never has more.
    pub(super) list_room: u64,
    /// How many blocks insertions have read.
    pub(super) reads: Reads,
    /// The list: keys that no block has accepted.
    pub(super) overflow: Stash,
    /// Where the bits of a key are in a block.
    pub(super) block_bits: BlockBits,
    /// The vector instructions that queries and insertions use.
    pub(super) kernel: Kernel,
    /// The compiled query.
    pub(super) query_fn: QueryFn<Balanced>,
    /// Hashing, capacity, and insertions so far.
    pub(super) profile: Profile,
}

/// How many blocks insertions have read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reads {
    /// The largest allowed total; [`u64::MAX`] if there is no limit.
    pub(super) budget: u64,
    /// The total over all insertions.
    pub(super) total: u64,
    /// The maximum for one key.
    pub(super) worst: u64,
}

impl Balanced {
    /// Options for a filter of this size. It needs a [`Builder::capacity`], because that determines how many keys a
    /// block takes before it rejects further ones. The filter accepts more keys than its capacity, in the same space; its
    /// rate then rises.
    pub fn builder(size: Size) -> Builder<Balanced> {
        Builder::new(size)
    }

    /// The number of keys in the overflow list: keys that no block has accepted.
    pub fn overflowed(&self) -> u64 {
        self.overflow.len() as u64
    }

    /// The mean number of blocks that an insertion has read; 0 if there was none.
    pub fn reads_per_insertion(&self) -> f64 {
        match self.profile.keys {
            0 => 0.0,
            keys => self.reads.total as f64 / keys as f64,
        }
    }

    /// Whether the key may have skipped its blocks because the read budget was spent, and is in the list.
    #[inline(always)]
    pub(super) fn is_listed_over_budget(&self, digest: Digest) -> bool {
        self.budget_is_spent() && self.overflow.contains(digest)
    }

    /// Whether insertions may read no more blocks.
    #[inline(always)]
    pub(super) fn budget_is_spent(&self) -> bool {
        self.reads.total >= self.reads.budget
    }

    /// The line of a block.
    #[inline(always)]
    pub(super) fn line_of(&self, block: u64) -> usize {
        (block >> (9 - self.block_bits.width())) as usize
    }

    /// The number of bits of a block that keys can set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u32 {
        (1 << self.block_bits.width()) - self.block_state.bits()
    }

    /// The state of a block: the topmost bits of its last word.
    #[inline(always)]
    pub(super) fn state(&self, block: u64) -> u64 {
        let line = self.lines.get(self.line_of(block));
        line.word(self.block_bits.last_word(block)) >> (64 - self.block_state.bits())
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.lines.len() << (9 - self.block_bits.width())
    }

    /// The number of bits that keys have set in a block.
    pub(super) fn ones(&self, block: u64) -> u32 {
        let line = self.lines.get(self.line_of(block)).words();
        let words = line
            .iter()
            .skip(block as usize % self.step())
            .step_by(self.step());
        let ones: u32 = words.map(|word| word.count_ones()).sum();
        ones - self.state(block).count_ones()
    }

    /// The number of blocks on a line.
    fn step(&self) -> usize {
        1 << (9 - self.block_bits.width())
    }
}

impl fmt::Debug for Balanced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Balanced {}

impl Lookup for Balanced {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let work = QueryBatch(self);
        self.block_bits.run(self.kernel, work, (digests, answers));
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let candidate = self.tables.candidate(digest, 0);
        self.lines.prefetch(self.line_of(candidate.block));
    }
}

impl Filter for Balanced {
    fn family(&self) -> Family {
        Family::Balanced
    }

    fn rate(&self) -> f64 {
        self.predicted_rate()
    }

    fn size_in_bits(&self) -> u64 {
        (self.blocks() << self.block_bits.width()) + self.overflow.size_in_bits()
    }

    fn info(&self) -> Info {
        self.describe()
    }
}

impl Insert for Balanced {
    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        self.profile.add_keys(digests.len());
        let block_bits = self.block_bits;
        block_bits.run(self.kernel, InsertBatch(self), digests);
    }
}

impl Change for Balanced {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn own_report(&self) -> Report {
        self.report()
    }
}
