//! The filter: where keys go, and where they are looked for.

use super::builder::BalancedBuilder;
use super::gauge::Gauge;
use super::scheme::Scheme;
use super::tables::{Candidate, Tables};
use crate::cells::BlockArray;
use crate::codec::Head;
use crate::filter::{Filter, Info, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::sizing::Size;
use crate::stash::Stash;
use crate::vector::Kernel;
use crate::{prefetch, probe};

/// Keys of a batch that are under way at once: four times as many as elsewhere, since few are left in the later rounds.
const GROUP: usize = 4 * prefetch::GROUP;

/// A set that keys can be added to, in blocks that are filled evenly, with a list of the keys that found no room.
///
/// ```
/// use bloomwise::balanced::Scheme;
/// use bloomwise::{Balanced, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Balanced::builder(100_000, Size::BitsPerKey(24.0)).scheme(Scheme::Mht).reads(1.2);
/// let plan = builder.plan()?;
/// assert!(plan.rate < 1e-4 && plan.choices >= 2);
///
/// let mut seen = builder.build()?;
/// seen.extend((0..100_000u64).map(u64::to_le_bytes));
/// assert!((0..100_000u64).all(|key| seen.contains(&key.to_le_bytes())));
/// assert!(seen.reads_per_insertion() <= 1.2);
/// assert!(seen.overflowed() <= plan.list);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balanced {
    /// The blocks, two in a line if they have 256 bits.
    pub(super) lines: BlockArray,
    /// A block has `2^width` bits; 8 or 9.
    pub(super) width: u32,
    /// Positions of a key in its block.
    pub(super) functions: u32,
    /// How the tables were laid out.
    pub(super) scheme: Scheme,
    /// One table for each choice of a key, in the order in which they are tried.
    pub(super) tables: Tables,
    /// What the topmost bits of each block mean.
    pub(super) gauge: Gauge,
    /// How many keys it was planned for.
    pub(super) capacity: u64,
    /// How many keys the list has room for within the size that was planned.
    pub(super) list: u64,
    /// Blocks read by insertions.
    pub(super) reads: Reads,
    /// The keys that no block has taken.
    pub(super) overflow: Stash,
    /// How the bits of a block are tested.
    pub(super) kernel: Kernel,
    /// Hashing, and as keys: insertions so far.
    pub(super) head: Head,
}

/// Blocks that insertions have read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reads {
    /// As many as there may be; [`u64::MAX`] where there is no limit.
    pub(super) budget: u64,
    /// As many as there were.
    pub(super) total: u64,
    /// The most for one key.
    pub(super) worst: u64,
}

impl Balanced {
    /// The wishes for a filter of `capacity` keys.
    pub fn builder(capacity: u64, size: Size) -> BalancedBuilder {
        BalancedBuilder::new(capacity, size)
    }

    /// Adds a key.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.insert_digests(&[digest]);
    }

    /// Adds the keys of many digests in their order, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        prefetch::in_groups(self, digests, Filter::prefetch, Balanced::place);
        self.head.add_keys(digests.len());
    }

    /// The number of insertions, a key that was inserted twice counted twice.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    /// The number of keys in the list, because no block has taken them.
    pub fn overflowed(&self) -> u64 {
        self.overflow.len() as u64
    }

    /// Blocks that an insertion has read, on average.
    pub fn reads_per_insertion(&self) -> f64 {
        match self.head.keys {
            0 => 0.0,
            keys => self.reads.total as f64 / keys as f64,
        }
    }

    /// Puts a key into the first of its blocks that takes it, or else into the list.
    fn place(&mut self, digest: Digest) {
        let mut reads = 0;
        for choice in 0..self.tables.len() {
            if self.is_used_up() {
                break;
            }
            reads += 1;
            self.reads.total = self.reads.total.saturating_add(1);
            self.reads.worst = self.reads.worst.max(reads);
            let candidate = self.tables.candidate(digest, choice);
            // The same key again, or one whose bits others have set: there is nothing to add.
            if self.has_all(candidate, digest) || self.offer(candidate, digest) {
                return;
            }
        }
        self.overflow.insert(digest);
    }

    /// Offers a key to a block, and tells whether the block has taken it.
    fn offer(&mut self, candidate: Candidate, digest: Digest) -> bool {
        let (line, start) = self.locate(candidate.block);
        let (gauge, functions, cells) = (self.gauge, self.functions, self.cells());
        let (word, shift) = (self.state_word(start), 64 - gauge.bits());
        let block = self.lines.get_mut(line);
        let last = &mut block.words_mut()[word];
        let (state, taken) = gauge.after(*last >> shift, candidate);
        *last = *last & !(u64::MAX << shift) | state << shift;
        if taken {
            for position in probe::within_cells(digest, functions, cells) {
                block.set(start + position);
            }
        }
        taken
    }

    /// Whether all bits of a key are set in this block.
    #[inline(always)]
    pub(super) fn has_all(&self, candidate: Candidate, digest: Digest) -> bool {
        let (line, start) = self.locate(candidate.block);
        let line = self.lines.get(line);
        self.kernel
            .all_within_cells(line, start, self.cells(), digest, self.functions)
    }

    /// What the choices after the first say, and the list.
    #[inline(never)]
    fn contains_elsewhere(&self, digest: Digest) -> bool {
        for choice in 1..self.tables.len() {
            let candidate = self.tables.candidate(digest, choice);
            if self.has_all(candidate, digest) {
                return true;
            }
            if !self.may_have_turned_away(candidate) {
                return self.is_listed_unread(digest);
            }
        }
        self.overflow.contains(digest)
    }

    /// Whether the block may have turned away the key that it is a candidate of.
    #[inline(always)]
    fn may_have_turned_away(&self, candidate: Candidate) -> bool {
        let state = self.state(candidate.block);
        self.gauge.may_have_turned_away(state, candidate)
    }

    /// Whether the key is in the list though a block would have taken it, because no reads were left.
    #[inline(always)]
    fn is_listed_unread(&self, digest: Digest) -> bool {
        self.is_used_up() && self.overflow.contains(digest)
    }

    /// Whether no reads are left.
    #[inline(always)]
    fn is_used_up(&self) -> bool {
        self.reads.total >= self.reads.budget
    }

    /// Asks for the memory of a choice.
    #[inline(always)]
    fn fetch(&self, choice: usize, digest: Digest) {
        let candidate = self.tables.candidate(digest, choice);
        self.lines.prefetch(self.locate(candidate.block).0);
    }

    /// The line of a block, and the first bit of the block in it.
    #[inline(always)]
    fn locate(&self, block: u64) -> (usize, usize) {
        let line = (block >> (9 - self.width)) as usize;
        (line, (block << self.width) as usize & 511)
    }

    /// The bits of a block that keys can set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u32 {
        (1 << self.width) - self.gauge.bits()
    }

    /// The last word of a block that starts at this bit of its line.
    #[inline(always)]
    fn state_word(&self, start: usize) -> usize {
        (start >> 6) + (1 << (self.width - 6)) - 1
    }

    /// The state of a block.
    #[inline(always)]
    pub(super) fn state(&self, block: u64) -> u64 {
        let (line, start) = self.locate(block);
        self.lines.get(line).words()[self.state_word(start)] >> (64 - self.gauge.bits())
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.lines.len() << (9 - self.width)
    }

    /// The bits that keys have set in a block.
    pub(super) fn ones(&self, block: u64) -> u32 {
        let (line, start) = self.locate(block);
        let words = &self.lines.get(line).words()[start >> 6..=self.state_word(start)];
        let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
        ones - self.state(block).count_ones()
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Balanced {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Balanced {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    // Always inlined up to the first block, where most lookups end.
    #[inline(always)]
    fn contains_digest(&self, digest: Digest) -> bool {
        let candidate = self.tables.candidate(digest, 0);
        self.has_all(candidate, digest)
            || match self.may_have_turned_away(candidate) {
                true => self.contains_elsewhere(digest),
                false => self.is_listed_unread(digest),
            }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.fetch(0, digest);
    }

    // Choice by choice instead of key by key: all keys of a group ask for their first block, then those that are sent on
    // for their second, and so on. Who is sent on is written down without a branch, since nobody could guess it.
    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        for group in digests.chunks(GROUP) {
            let mut open: [usize; GROUP] = std::array::from_fn(|at| at);
            let mut count = group.len();
            let start = answers.len();
            answers.resize(start + count, false);
            let answers = &mut answers[start..];
            for choice in 0..self.tables.len() {
                for &at in &open[..count] {
                    self.fetch(choice, group[at]);
                }
                let mut left = 0;
                for next in 0..count {
                    let at = open[next];
                    let candidate = self.tables.candidate(group[at], choice);
                    let yes = self.has_all(candidate, group[at]);
                    answers[at] = yes;
                    open[left] = at;
                    left += usize::from(!yes & self.may_have_turned_away(candidate));
                }
                count = left;
            }
            for &at in &open[..count] {
                answers[at] = self.overflow.contains(group[at]);
            }
            if self.is_used_up() {
                for (answer, &digest) in answers.iter_mut().zip(group) {
                    *answer |= self.overflow.contains(digest);
                }
            }
        }
    }

    fn size_in_bits(&self) -> u64 {
        (self.blocks() << self.width) + self.overflow.size_in_bits()
    }

    fn info(&self) -> Info {
        self.describe()
    }
}
