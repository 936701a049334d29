//! The blocked Bloom filter: one cache line for a key.
//!
//! # The idea
//!
//! Many small Bloom filters side by side, each a block of 512 bits that lies on one cache line (or of 256 bits, two on
//! a line). The lower half of the digest chooses the block, the upper half the `k` positions in it. A query waits for
//! memory once, however many functions there are.
//!
//! # Invariants
//!
//! - *No false negative.* Block and positions are functions of the digest alone, insertion sets all of the bits, and
//!   nothing ever clears one.
//! - A block never crosses a cache line: blocks of 512 bits are aligned to 64 bytes, and 256 divides 512.
//!
//! # Costs
//!
//! Chance fills some blocks more than others, and full blocks err more than empty ones save. The best rates of a million
//! keys, by the formulas of [`crate::sizing`], which tests compare with measurements:
//!
//! | bits per key | Bloom | blocks of 512 | blocks of 256 |
//! |---|---|---|---|
//! | 8 | 2.16 % | 2.33 % | 2.48 % |
//! | 10 | 0.82 % | 0.97 % | 1.09 % |
//! | 16 | 0.046 % | 0.084 % | 0.126 % |
//!
//! Number of functions and size take the uneven load into account, so a requested rate is kept; 1 % costs 9.92 bits per
//! key instead of 9.59. A query costs one cache miss.
//!
//! # Papers
//!
//! Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: the structure and the
//! sum over the loads of the blocks. We use the binomial distribution of loads, which is right for few blocks too, where
//! they use the Poisson distribution, and we correct the rate of a block for the variance of its fill.

use crate::builder::{Buildable, Builder, Growable};
use crate::cells::{Block, BlockArray};
use crate::codec::{Body, Head, Parameters, Payload, Writer};
use crate::digests::Digests;
use crate::error::{Error, Result, expect_equal};
use crate::family::Family;
use crate::filter::{Filter, Lookup, digest_groups, sealed};
use crate::forecast::{Forecast, Workload};
use crate::hash::{Digest, Hashing};
use crate::info::{Info, Report, Value};
use crate::key::Key;
use crate::profile::Profile;
use crate::sets::KeySets;
use crate::sizing::{Layout, Size, blocked_rate};
use crate::vector::Kernel;
use crate::{prefetch, probe};
use std::io;

/// A set that keys can be added to, at one cache line per key.
///
/// ```
/// use bloomwise::{Blocked, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Blocked::builder(Size::BitsPerKey(10.0)).capacity(1_000_000).create()?;
/// seen.extend(0..1_000_000);
/// assert!(seen.contains(7));
/// assert_eq!(seen.contains_batch(["ant", "bee"]), [false, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    lines: BlockArray,
    /// A block has `2^width` bits; 8 or 9.
    width: u32,
    /// Positions of a key.
    functions: u32,
    /// How the bits of a block are tested.
    kernel: Kernel,
    /// Its keys are the insertions so far.
    profile: Profile,
}

impl Blocked {
    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<Blocked> {
        Builder::new(size)
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before.
    pub fn insert(&mut self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        let new = !self.query(digest);
        match self.width {
            8 => self.set_all::<8>(digest),
            _ => self.set_all::<9>(digest),
        }
        self.profile.add_keys(1);
        new
    }

    /// Adds keys by their digests, faster than one by one.
    ///
    /// # Errors
    ///
    /// The filter hashes differently.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?);
        Ok(())
    }

    /// Makes this the filter of all keys that are in this one or in `other`: bit for bit the filter that results from
    /// inserting them all. [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters must agree in bits, block size, functions and hashing.
    pub fn union(&mut self, other: &Blocked) -> Result<()> {
        expect_equal("number of bits", self.size_in_bits(), other.size_in_bits())?;
        expect_equal("size of a block", 1 << self.width, 1 << other.width)?;
        expect_equal("number of functions", self.functions, other.functions)?;
        self.profile.hashing.expect(other.profile.hashing)?;
        self.lines.union(&other.lines);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }

    /// Adds the keys of digests that this filter's hashing made.
    pub(crate) fn add(&mut self, digests: &[Digest]) {
        match self.width {
            8 => prefetch::in_groups(self, digests, Lookup::prefetch, Blocked::set_all::<8>),
            _ => prefetch::in_groups(self, digests, Lookup::prefetch, Blocked::set_all::<9>),
        }
        self.profile.add_keys(digests.len());
    }

    #[inline]
    fn set_all<const WIDTH: u32>(&mut self, digest: Digest) {
        let (line, start) = self.place::<WIDTH>(digest);
        let line = self.lines.get_mut(line);
        for position in probe::within_block::<WIDTH>(digest, self.functions) {
            line.set(start + position);
        }
    }

    #[inline]
    fn has_all<const WIDTH: u32>(&self, digest: Digest) -> bool {
        let (line, start) = self.place::<WIDTH>(digest);
        let line = self.lines.get(line);
        self.kernel
            .all_in_block::<WIDTH>(line, start, digest, self.functions)
    }

    /// The cache line of a key's block, and the first bit of the block in it.
    #[inline]
    fn place<const WIDTH: u32>(&self, digest: Digest) -> (usize, usize) {
        let blocks_of_a_line = 1 << (9 - WIDTH);
        let blocks = self.lines.len() * blocks_of_a_line;
        let block = probe::block_of(digest, blocks);
        let (line, within) = (block >> (9 - WIDTH), block % blocks_of_a_line as usize);
        (line, within << WIDTH)
    }

    /// The number of set bits in each block.
    fn ones(&self) -> impl Iterator<Item = u32> + '_ {
        let words = 1 << (self.width - 6);
        let lines = self.lines.blocks().iter().map(Block::words);
        lines.flat_map(move |line| {
            let ones = |block: usize| {
                let block = &line[block * words..(block + 1) * words];
                block.iter().map(|word| word.count_ones()).sum()
            };
            (0..8 / words).map(ones).collect::<Vec<u32>>()
        })
    }
}

/// The options of [`Blocked`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Positions of a key, if not the best number.
    functions: Option<u32>,
    /// Bits of a block.
    block_bits: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            functions: None,
            block_bits: 512,
        }
    }
}

impl Options {
    /// The bits of a position in a block.
    fn width(&self) -> Result<u32> {
        match self.block_bits {
            256 => Ok(8),
            512 => Ok(9),
            bits => Err(Error::parameter("the bits of a block", bits, "256 or 512")),
        }
    }
}

impl Builder<Blocked> {
    /// The number of hash functions; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The bits of a block: 512, a whole cache line, or 256, which has a higher false positive rate.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.options.block_bits = bits;
        self
    }
}

fn layout(width: u32) -> Layout<impl Fn(u64, u64, u32) -> f64> {
    Layout {
        cell_bits: 1,
        step: Block::BITS,
        rate: move |bits, keys, functions| blocked_rate(1 << width, bits, keys, functions),
    }
}

impl Buildable for Blocked {
    type Options = Options;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let Options {
            functions,
            block_bits,
        } = builder.options;
        let layout = layout(builder.options.width()?);
        let mut forecast =
            Forecast::plain(&layout, "bits", builder.size, workload.keys, functions)?;
        let block = Value::Whole(u64::from(block_bits));
        forecast.parameters.push(("block", block));
        forecast.lines = 1.0;
        Ok(forecast)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets, Self::add)?, Report::default()))
    }
}

impl Growable for Blocked {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let width = builder.options.width()?;
        let fit = layout(width).fit(builder.size, capacity, builder.options.functions)?;
        Ok(Blocked {
            lines: BlockArray::new(fit.cells / Block::BITS)?,
            width,
            functions: fit.functions,
            kernel: Kernel::of_this_processor(),
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        matches!(builder.size, Size::Bits(_)) && builder.options.functions.is_some()
    }
}

impl<K: Key> Extend<K> for Blocked {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.profile.hashing, keys, |digests| self.add(digests));
    }
}

impl sealed::Sealed for Blocked {}

impl Lookup for Blocked {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    // Always inlined, like `contains`: the rest of a query is not much longer than a call.
    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        match self.width {
            8 => self.has_all::<8>(digest),
            _ => self.has_all::<9>(digest),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        // A block of 256 bits lies on the line that the key would have among blocks of 512 bits.
        self.lines.prefetch(self.place::<9>(digest).0);
    }
}

impl Filter for Blocked {
    fn family(&self) -> Family {
        Family::Blocked
    }

    fn rate(&self) -> f64 {
        blocked_rate(
            1 << self.width,
            self.size_in_bits(),
            self.profile.keys,
            self.functions,
        )
    }

    fn size_in_bits(&self) -> u64 {
        self.lines.len() * Block::BITS
    }

    fn info(&self) -> Info {
        let block_bits = f64::from(1u32 << self.width);
        let (mut blocks, mut fill, mut rate) = (0.0, 0.0, 0.0);
        for ones in self.ones() {
            let share = f64::from(ones) / block_bits;
            blocks += 1.0;
            fill += share;
            rate += share.powi(self.functions as i32);
        }
        let parameters = vec![
            ("bits", Value::Whole(self.size_in_bits())),
            ("k", Value::Whole(u64::from(self.functions))),
            ("block", Value::Whole(1 << self.width)),
        ];
        Info::new(
            self.family(),
            &self.profile,
            parameters,
            fill / blocks,
            rate / blocks,
        )
    }
}

impl Body for Blocked {
    fn parameters(&self) -> Vec<u64> {
        vec![
            u64::from(self.functions),
            self.size_in_bits(),
            u64::from(self.width),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.lines.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Blocked])?;
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(Block::BITS, "the bits")?;
        let width = parameters.word_in(8..=9, "the width of a block")? as u32;
        Ok(Blocked {
            lines: BlockArray::over(payload.storage(bits / 64, "the blocks")?),
            width,
            functions,
            kernel: Kernel::of_this_processor(),
            profile: head.profile,
        })
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
                let lines = filter.lines.blocks().iter().flat_map(Block::words);
                let set: Vec<usize> = lines
                    .enumerate()
                    .filter_map(|(word, bits)| (bits != 0).then_some(word / words))
                    .collect();
                assert!(set.iter().all(|block| *block == set[0]), "{set:?}");
            }
        }
    }

    #[test]
    fn other_block_sizes_are_errors() {
        for bits in [0, 1, 255, 513, u32::MAX] {
            let builder = Blocked::builder(Size::BitsPerKey(10.0)).capacity(10);
            assert!(builder.block_bits(bits).create().is_err());
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
            left.union(&build(50..90, block_bits)).expect("alike");
            assert_eq!(left, build(0..90, block_bits));
        }
        let error = build(0..1, 256)
            .union(&build(0..1, 512))
            .expect_err("they differ");
        assert!(
            error
                .to_string()
                .contains("size of a block differs: 256 and 512"),
            "{error}"
        );
    }
}
