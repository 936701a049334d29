//! The filter: insertion and lookup.

use super::block_state::BlockState;
use super::scheme::Scheme;
use super::tables::{Candidate, Tables};
use crate::builder::Builder;
use crate::cells::BlockArray;
use crate::digests::Digests;
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Lookup, digest_groups, sealed};
use crate::hash::Digest;
use crate::info::Info;
use crate::key::Key;
use crate::profile::Profile;
use crate::sizing::Size;
use crate::stash::Stash;
use crate::vector::Kernel;
use crate::{prefetch, probe};

/// Keys of a batch in flight at once: four times as many as in other families, because few are left in later rounds.
const GROUP: usize = 4 * prefetch::GROUP;

/// A growing set in evenly filled blocks, with an exact list of the keys that all their blocks rejected.
///
/// ```
/// use bloomwise::balanced::Scheme;
/// use bloomwise::{Balanced, Filter, Size, Workload};
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
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    /// The blocks; a line holds one block of 512 bits or two of 256.
    pub(super) lines: BlockArray,
    /// A block has `2^width` bits; `width` is 8 or 9.
    pub(super) width: u32,
    /// The number of hash functions: bits of a key in its block.
    pub(super) functions: u32,
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
    /// The vector code that tests the bits of a block.
    pub(super) kernel: Kernel,
    /// Its keys are the insertions so far.
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

    /// Adds a key and returns whether it is new: whether the filter denied it before.
    pub fn insert(&mut self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        let new = !self.query(digest);
        self.add(&[digest]);
        new
    }

    /// Adds keys by their digests, in order, faster than one by one.
    ///
    /// # Errors
    ///
    /// The filter hashes differently.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?);
        Ok(())
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

    /// Adds the keys of digests that this filter's hashing made.
    pub(crate) fn add(&mut self, digests: &[Digest]) {
        prefetch::in_groups(self, digests, Lookup::prefetch, Balanced::place);
        self.profile.add_keys(digests.len());
    }

    /// Puts a key into the first of its candidates that accepts it, or else into the list, or else, if the list is full,
    /// into its first candidate.
    fn place(&mut self, digest: Digest) {
        let mut reads = 0;
        for choice in 0..self.tables.len() {
            if self.budget_is_spent() {
                break;
            }
            reads += 1;
            self.reads.total = self.reads.total.saturating_add(1);
            self.reads.worst = self.reads.worst.max(reads);
            let candidate = self.tables.candidate(digest, choice);
            // The key was inserted before, or other keys have set all its bits: there is nothing to add.
            if self.has_all(candidate, digest) || self.offer(candidate, digest) {
                return;
            }
        }
        if self.overflowed() < self.list_room {
            self.overflow.insert(digest);
        } else if !self.overflow.contains(digest) {
            self.set_all(self.tables.candidate(digest, 0), digest);
        }
    }

    /// Offers a key to a block. Returns whether the block accepted it.
    fn offer(&mut self, candidate: Candidate, digest: Digest) -> bool {
        let (line, start) = self.locate(candidate.block);
        let (word, shift) = (self.state_word(start), 64 - self.block_state.bits());
        let block = self.lines.get_mut(line);
        let last = block.word(word);
        let (state, accepted) = self.block_state.after(last >> shift, candidate);
        block.set_word(word, last & !(u64::MAX << shift) | state << shift);
        if accepted {
            self.set_all(candidate, digest);
        }
        accepted
    }

    /// Sets all bits of a key in its candidate block.
    fn set_all(&mut self, candidate: Candidate, digest: Digest) {
        let (line, start) = self.locate(candidate.block);
        let (functions, cells) = (self.functions, self.cells());
        let block = self.lines.get_mut(line);
        for position in probe::within_cells(digest, functions, cells) {
            block.set(start + position);
        }
    }

    /// Whether all bits of a key are set in its candidate block.
    #[inline(always)]
    pub(super) fn has_all(&self, candidate: Candidate, digest: Digest) -> bool {
        let (line, start) = self.locate(candidate.block);
        let line = self.lines.get(line);
        self.kernel
            .all_within_cells(line, start, self.cells(), digest, self.functions)
    }

    /// Looks a key up in the choices after the first, and in the list.
    #[inline(never)]
    fn query_elsewhere(&self, digest: Digest) -> bool {
        for choice in 1..self.tables.len() {
            let candidate = self.tables.candidate(digest, choice);
            if self.has_all(candidate, digest) {
                return true;
            }
            if !self.may_have_rejected(candidate) {
                return self.is_listed_over_budget(digest);
            }
        }
        self.overflow.contains(digest)
    }

    /// Whether the candidate block may have rejected the key.
    #[inline(always)]
    fn may_have_rejected(&self, candidate: Candidate) -> bool {
        let state = self.state(candidate.block);
        self.block_state.may_have_rejected(state, candidate)
    }

    /// Whether the key may have skipped its blocks because the read budget was spent, and is in the list.
    #[inline(always)]
    fn is_listed_over_budget(&self, digest: Digest) -> bool {
        self.budget_is_spent() && self.overflow.contains(digest)
    }

    /// Whether insertions may read no more blocks.
    #[inline(always)]
    fn budget_is_spent(&self) -> bool {
        self.reads.total >= self.reads.budget
    }

    /// Prefetches the candidate block of a choice.
    #[inline(always)]
    fn prefetch_choice(&self, choice: usize, digest: Digest) {
        let candidate = self.tables.candidate(digest, choice);
        self.lines.prefetch(self.locate(candidate.block).0);
    }

    /// The line of a block, and the position of the block's first bit in it.
    #[inline(always)]
    fn locate(&self, block: u64) -> (usize, usize) {
        let line = (block >> (9 - self.width)) as usize;
        (line, (block << self.width) as usize & 511)
    }

    /// The number of bits of a block that keys can set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u32 {
        (1 << self.width) - self.block_state.bits()
    }

    /// The word of a line that holds the state of the block that starts at bit `start`: the block's last word.
    #[inline(always)]
    fn state_word(&self, start: usize) -> usize {
        (start >> 6) + (1 << (self.width - 6)) - 1
    }

    /// The state of a block.
    #[inline(always)]
    pub(super) fn state(&self, block: u64) -> u64 {
        let (line, start) = self.locate(block);
        let last = self.lines.get(line).word(self.state_word(start));
        last >> (64 - self.block_state.bits())
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.lines.len() << (9 - self.width)
    }

    /// The number of bits that keys have set in a block.
    pub(super) fn ones(&self, block: u64) -> u32 {
        let (line, start) = self.locate(block);
        let line = self.lines.get(line);
        let words = (start >> 6)..=self.state_word(start);
        let ones: u32 = words.map(|word| line.word(word).count_ones()).sum();
        ones - self.state(block).count_ones()
    }
}

impl<K: Key> Extend<K> for Balanced {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.profile.hashing, keys, |digests| self.add(digests));
    }
}

impl sealed::Sealed for Balanced {}

impl Lookup for Balanced {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    // Always inlined up to the first block, where most lookups end.
    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        let candidate = self.tables.candidate(digest, 0);
        self.has_all(candidate, digest)
            || if self.may_have_rejected(candidate) {
                self.query_elsewhere(digest)
            } else {
                self.is_listed_over_budget(digest)
            }
    }

    // Choice by choice instead of key by key: prefetch and test the first block of all keys in a group, then the second
    // block of the keys that continue, and so on. Which keys continue is unpredictable, so `open` is filled without a
    // branch.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        for (group, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut open: [usize; GROUP] = std::array::from_fn(|at| at);
            let mut count = group.len();
            for choice in 0..self.tables.len() {
                for &at in &open[..count] {
                    self.prefetch_choice(choice, group[at]);
                }
                let mut left = 0;
                for next in 0..count {
                    let at = open[next];
                    let candidate = self.tables.candidate(group[at], choice);
                    let yes = self.has_all(candidate, group[at]);
                    answers[at] = yes;
                    open[left] = at;
                    left += usize::from(!yes & self.may_have_rejected(candidate));
                }
                count = left;
            }
            for &at in &open[..count] {
                answers[at] = self.overflow.contains(group[at]);
            }
            if self.budget_is_spent() {
                for (answer, &digest) in answers.iter_mut().zip(group) {
                    *answer |= self.overflow.contains(digest);
                }
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.prefetch_choice(0, digest);
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
        (self.blocks() << self.width) + self.overflow.size_in_bits()
    }

    fn info(&self) -> Info {
        self.describe()
    }
}
