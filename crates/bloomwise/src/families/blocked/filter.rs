//! The filter.

use super::lookup::{InsertBatch, InsertOne, QueryBatch};
use crate::cells::{Block, BlockArray};
use crate::error::{Result, expect_equal};
use crate::families::probe::block_of;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::block_bits::BlockBits;
use crate::kernel::{Narrow, QueryFn};
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use crate::threads::shared::SharedShape;
use std::fmt;

/// A set that accepts insertions and reads one cache line per key.
///
/// ```
/// use bloomwise::{Blocked, Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Blocked::builder(Size::BitsPerKey(10.0)).capacity(1_000_000).create()?;
/// seen.extend(0..1_000_000);
/// assert!(seen.contains(7));
/// assert_eq!(seen.contains_batch(["ant", "bee"]), [false, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Blocked {
    /// The blocks of 512 bits, or pairs of blocks of 256 bits.
    pub(super) lines: BlockArray,
    /// The bits of a key in its block.
    pub(super) block_bits: BlockBits,
    /// The vector instructions that queries and insertions use.
    pub(super) kernel: Kernel,
    /// The compiled query.
    query_fn: QueryFn<Blocked>,
    /// Hashing, capacity and number of insertions.
    pub(super) profile: Profile,
}

impl Blocked {
    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<Blocked> {
        Builder::new(size)
    }

    /// The filter with these blocks.
    pub(super) fn over(lines: BlockArray, block_bits: BlockBits, profile: Profile) -> Self {
        let kernel = Kernel::current();
        Blocked {
            lines,
            block_bits,
            kernel,
            query_fn: block_bits.run(Narrow(kernel), QueryFn::choose(), ()),
            profile,
        }
    }

    /// Adds all keys of `other`. The result is bit for bit the filter that inserting all keys would give.
    /// [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters differ in bits, block size, functions or hashing.
    pub fn union_with(&mut self, other: &Blocked) -> Result<()> {
        expect_equal("number of bits", self.size_in_bits(), other.size_in_bits())?;
        let (mine, theirs) = (self.block_bits, other.block_bits);
        let block_bits = |block_bits: BlockBits| 1 << block_bits.width();
        expect_equal("size of a block", block_bits(mine), block_bits(theirs))?;
        expect_equal("number of functions", mine.functions(), theirs.functions())?;
        self.profile.hashing.expect(other.profile.hashing)?;
        other.lines.storage().expect_sound()?;
        self.lines.union(&other.lines);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }
}

impl fmt::Debug for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Blocked {}

impl Lookup for Blocked {
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
        // A block of 256 bits is on the line that the key would have among blocks of 512 bits.
        self.lines
            .prefetch(block_of(digest, self.lines.len()) as usize);
    }
}

impl Filter for Blocked {
    fn family(&self) -> Family {
        Family::Blocked
    }

    fn rate(&self) -> f64 {
        self.shape().rate(self.profile.keys)
    }

    fn size_in_bits(&self) -> u64 {
        self.lines.len() * Block::BITS
    }

    fn info(&self) -> Info {
        let words = self.lines.storage().words();
        self.shape().info(words, &self.profile)
    }
}

impl Insert for Blocked {
    #[inline]
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        self.profile.add_keys(1);
        let block_bits = self.block_bits;
        block_bits.run(self.kernel, InsertOne(self), digest)
    }

    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        self.profile.add_keys(digests.len());
        let block_bits = self.block_bits;
        block_bits.run(self.kernel, InsertBatch(self), digests);
    }
}

impl Change for Blocked {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn unite(&mut self, other: &Self) -> Result<()> {
        self.union_with(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_of_a_key_are_in_one_block() {
        for (block_bits, words) in [(256, 4), (512, 8)] {
            let builder = Blocked::builder(Size::Bits(4096)).block_bits(block_bits);
            let empty = builder.functions(32).create().expect("sound");
            for key in 0..200u64 {
                let mut filter = empty.clone();
                filter.insert(key);
                let lines = filter.lines.blocks().iter().enumerate();
                let of_line = lines.flat_map(|(line, block)| {
                    let words = block.words().into_iter().enumerate();
                    words.filter_map(move |(word, bits)| (bits != 0).then_some((line, word)))
                });
                let blocks: Vec<_> = of_line
                    .map(|(line, word)| (line, word % (8 / words)))
                    .collect();
                assert!(blocks.iter().all(|block| *block == blocks[0]), "{blocks:?}");
                assert_eq!(blocks.len(), words, "32 functions use all words");
            }
        }
    }

    #[test]
    fn union_is_the_filter_of_all_keys() {
        let build = |keys: std::ops::Range<u64>, block_bits| {
            let builder = Blocked::builder(Size::Bits(4096)).block_bits(block_bits);
            let mut filter = builder.functions(5).create().expect("sound");
            filter.extend(keys);
            filter
        };
        for block_bits in [256, 512] {
            let mut left = build(0..50, block_bits);
            left.union_with(&build(50..90, block_bits)).expect("alike");
            assert_eq!(left, build(0..90, block_bits));
        }
        let error = build(0..1, 256)
            .union_with(&build(0..1, 512))
            .expect_err("they differ");
        let text = error.to_string();
        assert!(
            text.contains("size of a block differs: 256 and 512"),
            "{text}"
        );
    }

    #[test]
    fn insert_says_whether_the_key_is_new() {
        let builder = Blocked::builder(Size::Bits(1024)).functions(3);
        let mut seen = builder.create().expect("sound");
        for key in 0..200u64 {
            let new = !seen.contains(key);
            assert_eq!(seen.insert(key), new);
            assert!(!seen.insert(key));
        }
        assert_eq!(seen.len(), 400);
    }

    #[test]
    fn rate_by_the_bits_is_the_share_of_sets_of_bits_that_are_all_set() {
        for (block_bits, functions) in [(256, 3), (256, 6), (512, 5), (512, 8), (512, 11)] {
            let builder = Blocked::builder(Size::Bits(2048)).block_bits(block_bits);
            let mut filter = builder.functions(functions).create().expect("sound");
            filter.extend(0..30);
            let predicted = filter.info().predicted_fpr;
            let asked = 200_000;
            let hits = (1000..1000 + asked).filter(|&key: &u64| filter.contains(key));
            let deviations = (hits.count() as f64 - predicted * asked as f64)
                / (predicted * asked as f64).sqrt();
            assert!(
                deviations.abs() < 5.0,
                "{block_bits}, {functions}: {deviations}"
            );
        }
    }
}
