//! Bits in cache lines: whoever stays inside a block reads one line.

use super::zeroed;
use crate::error::Result;
use crate::prefetch;
use std::fmt;

/// 512 bits on one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub(super) [u64; 8]);

// Blocks are read as plain words too, which rests on this.
const _: () = assert!(size_of::<Block>() == 64 && align_of::<Block>() == 64);

impl Block {
    /// The number of bits.
    pub const BITS: u64 = 512;

    /// Its words.
    #[inline]
    pub fn words(&self) -> &[u64; 8] {
        &self.0
    }

    /// Its words, to change them.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64; 8] {
        &mut self.0
    }

    /// Sets a bit; only the lowest 9 bits of the position count.
    #[inline]
    pub fn set(&mut self, position: usize) {
        self.0[position / 64 % 8] |= 1 << (position % 64);
    }

    /// Whether all of these bits are set. Looks at all of them: inside a line that is cheaper than a wrong guess on
    /// when to stop.
    #[inline]
    pub fn all(&self, positions: impl Iterator<Item = usize>) -> bool {
        let seen = positions.fold(1, |seen, position| {
            seen & self.0[position / 64 % 8] >> (position % 64)
        });
        seen & 1 == 1
    }
}

/// An array of [`Block`]s.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockArray {
    blocks: Vec<Block>,
}

impl fmt::Debug for BlockArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockArray({} blocks)", self.blocks.len())
    }
}

impl BlockArray {
    /// Blocks without a set bit.
    pub fn new(blocks: u64) -> Result<Self> {
        let blocks = zeroed(blocks, Block::default())?;
        Ok(BlockArray { blocks })
    }

    /// The blocks that these words hold, eight to a block. Words left over are dropped.
    pub fn from_words(mut words: impl ExactSizeIterator<Item = u64>) -> Result<Self> {
        let mut array = Self::new(words.len() as u64 / 8)?;
        for block in &mut array.blocks {
            block.0.fill_with(|| words.next().unwrap_or(0));
        }
        Ok(array)
    }

    /// The number of blocks.
    #[inline]
    pub fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Whether there are no blocks at all.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// All blocks in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// A block.
    #[inline]
    pub fn get(&self, block: usize) -> &Block {
        &self.blocks[block]
    }

    /// A block, to change it.
    #[inline]
    pub fn get_mut(&mut self, block: usize) -> &mut Block {
        &mut self.blocks[block]
    }

    /// Asks for a block, ahead of its use.
    #[inline]
    pub fn prefetch(&self, block: usize) {
        prefetch::fetch(&self.blocks, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_agrees_with_a_list(
            set in prop::collection::vec(0usize..512, 0..60),
            asked in prop::collection::vec(0usize..512, 0..4),
        ) {
            let mut block = Block::default();
            set.iter().for_each(|&position| block.set(position));
            let expected = asked.iter().all(|position| set.contains(position));
            prop_assert_eq!(block.all(asked.into_iter()), expected);
        }
    }

    #[test]
    fn a_block_is_a_cache_line() {
        assert_eq!((size_of::<Block>(), align_of::<Block>()), (64, 64));
        let words: Vec<u64> = (0..17).collect();
        let array = BlockArray::from_words(words.iter().copied()).expect("small");
        assert_eq!(array.blocks().len(), 2);
        assert_eq!(array.get(1).words(), &[8, 9, 10, 11, 12, 13, 14, 15]);
    }
}
