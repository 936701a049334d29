//! The blocked Bloom filter: one cache line for a key.
//!
//! # The idea
//!
//! Many small Bloom filters side by side, each a block of 512 bits that lies on one cache line (or of 256 bits, two on
//! a line). The lower half of the digest chooses the block, the upper half the `k` positions in it
//! ([`crate::probe::within_block`]). A query waits for memory once, however many functions there are.
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
//! keys, by [`crate::sizing`], which the tests compare with measurements:
//!
//! | bits per key | Bloom | blocks of 512 | blocks of 256 |
//! |---|---|---|---|
//! | 8 | 2.16 % | 2.33 % | 2.48 % |
//! | 10 | 0.82 % | 0.97 % | 1.09 % |
//! | 16 | 0.046 % | 0.084 % | 0.126 % |
//!
//! Number of functions and size take the uneven load into account, so that a rate that was asked for is kept; at 1 % it
//! costs 9.92 bits per key instead of 9.59. A query costs one cache miss.
//!
//! # Papers
//!
//! Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: the structure and the
//! sum over the loads of the blocks. We take the load as binomial, which is right for few blocks too, where they take
//! the Poisson distribution, and correct the rate of a block for the variance of its fill.

use crate::builder::Builder;
use crate::cells::{Block, BlockArray};
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Info, Value, digest_groups};
use crate::forecast::Forecast;
use crate::hash::{Digest, Hashing};
use crate::sizing::{Layout, Size, blocked_rate};
use crate::vector::Kernel;
use crate::{prefetch, probe};
use std::io;

/// A set that keys can be added to, at one cache line for a key.
///
/// ```
/// use bloomwise::{Blocked, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Blocked::builder(1_000_000, Size::BitsPerKey(10.0)).build()?;
/// seen.extend((0..1_000_000u64).map(u64::to_le_bytes));
/// assert!(seen.contains(&7u64.to_le_bytes()));
/// assert_eq!(seen.contains_batch(&[b"ant", b"bee"]), [false, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    lines: BlockArray,
    /// A block has `2^width` bits; 8 or 9.
    width: u32,
    /// Positions of a key.
    functions: u32,
    /// How the bits of a block are tested.
    kernel: Kernel,
    /// Hashing, and as keys: insertions so far.
    head: Head,
}

impl Blocked {
    /// The wishes for a filter of `capacity` keys.
    pub fn builder(capacity: u64, size: Size) -> Builder<Blocked> {
        Builder::new(capacity, size)
    }

    /// Adds a key.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.insert_digests(&[digest]);
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        match self.width {
            8 => prefetch::in_groups(self, digests, Filter::prefetch, Blocked::set_all::<8>),
            _ => prefetch::in_groups(self, digests, Filter::prefetch, Blocked::set_all::<9>),
        }
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

    /// The set bits of each block.
    fn ones(&self) -> impl Iterator<Item = u32> + '_ {
        let words = 1 << (self.width - 6);
        let blocks = self.lines.blocks().iter();
        blocks.flat_map(move |line| {
            let halves = line.words().chunks(words);
            halves.map(|block| block.iter().map(|word| word.count_ones()).sum())
        })
    }
}

impl Builder<Blocked> {
    /// The bits of a block: 512, a whole cache line, or 256, which costs a higher rate.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.block_bits = bits;
        self
    }

    /// What the filter will do once it holds its capacity, without making it.
    ///
    /// # Errors
    ///
    /// As for [`Builder::build`], but for the memory.
    pub fn forecast(&self) -> Result<Forecast> {
        let layout = Self::layout(self.width()?);
        let mut forecast = self.foretold(&layout, "bits", |_| 1.0)?;
        let block = Value::Whole(u64::from(self.block_bits));
        forecast.parameters.push(("block", block));
        Ok(forecast)
    }

    /// The bits of a position in a block.
    fn width(&self) -> Result<u32> {
        match self.block_bits {
            256 => Ok(8),
            512 => Ok(9),
            bits => Err(Error::parameter("the bits of a block", bits, "256 or 512")),
        }
    }

    fn layout(width: u32) -> Layout<impl Fn(u64, u64, u32) -> f64> {
        Layout {
            cell_bits: 1,
            step: Block::BITS,
            rate: move |bits, keys, functions| blocked_rate(1 << width, bits, keys, functions),
        }
    }

    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size, block size or number of functions that no filter can have; memory that is not there.
    pub fn build(&self) -> Result<Blocked> {
        let width = self.width()?;
        let fit = self.fit(&Self::layout(width))?;
        Ok(Blocked {
            lines: BlockArray::new(fit.cells / Block::BITS)?,
            width,
            functions: fit.functions,
            kernel: Kernel::of_this_processor(),
            head: Head::new(Family::Blocked, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Blocked {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Blocked {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    // Always inlined, like `contains`: the rest of a query is not much longer than a call.
    #[inline(always)]
    fn contains_digest(&self, digest: Digest) -> bool {
        match self.width {
            8 => self.has_all::<8>(digest),
            _ => self.has_all::<9>(digest),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        // A block of either width lies on the line that its key would have among blocks of a whole line.
        self.lines.prefetch(self.place::<9>(digest).0);
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
        Info {
            family: Family::Blocked,
            keys: self.head.keys,
            parameters: vec![
                ("bits", Value::Whole(self.size_in_bits())),
                ("k", Value::Whole(u64::from(self.functions))),
                ("block", Value::Whole(1 << self.width)),
            ],
            fill: fill / blocks,
            predicted_fpr: rate / blocks,
        }
    }
}

impl Body for Blocked {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        vec![
            u64::from(self.functions),
            self.size_in_bits(),
            u64::from(self.width),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.lines.blocks().iter().flat_map(|block| *block.words()))
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Blocked])?;
        let functions = parameters.functions()?;
        let bits = parameters.word_of(Block::BITS, "the bits")?;
        let width = parameters.word_in(8..=9, "the width of a block")? as u32;
        Ok(Blocked {
            lines: BlockArray::from_words(payload.words(bits / 64, "the blocks")?)?,
            width,
            functions,
            kernel: Kernel::of_this_processor(),
            head: *head,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stays_in_its_block() {
        for (block_bits, words) in [(256, 4), (512, 8)] {
            let builder = Blocked::builder(0, Size::Bits(4096)).block_bits(block_bits);
            let empty = builder.functions(32).build().expect("sound");
            for key in 0..200u64 {
                let mut filter = empty.clone();
                filter.insert(key.to_le_bytes());
                let lines = filter.lines.blocks().iter().flat_map(Block::words);
                let set: Vec<usize> = lines
                    .enumerate()
                    .filter_map(|(word, bits)| (*bits != 0).then_some(word / words))
                    .collect();
                assert!(set.iter().all(|block| *block == set[0]), "{set:?}");
            }
        }
    }

    #[test]
    fn other_block_sizes_are_errors() {
        for bits in [0, 1, 255, 513, u32::MAX] {
            let builder = Blocked::builder(10, Size::BitsPerKey(10.0)).block_bits(bits);
            assert!(builder.build().is_err());
        }
    }
}
