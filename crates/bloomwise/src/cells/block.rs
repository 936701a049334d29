//! Bits in blocks of one cache line. A key whose bits are in one block reads one line.

use crate::cells::storage::Storage;
use crate::error::Result;
use crate::machine::prefetch;
use bytemuck::{Pod, Zeroable, cast_mut, cast_ref, cast_slice, cast_slice_mut};
use std::fmt;

/// 512 bits.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Block([u8; 64]);

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({:x?})", self.words())
    }
}

impl Default for Block {
    fn default() -> Self {
        Block([0; 64])
    }
}

impl Block {
    /// The number of bits.
    pub const BITS: u64 = 512;

    /// The bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8; 64] {
        &self.0
    }

    /// The bytes, for writing.
    #[inline(always)]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8; 64] {
        &mut self.0
    }

    /// The bits as eight words.
    #[inline(always)]
    pub fn words(&self) -> [u64; 8] {
        let (words, _) = self.0.as_chunks();
        std::array::from_fn(|word| u64::from_le_bytes(words[word]))
    }

    /// Word number `word % 8`.
    #[inline(always)]
    pub fn word(&self, word: usize) -> u64 {
        u64::from_le_bytes(self.0.as_chunks().0[word % 8])
    }

    /// Replaces word number `word % 8`.
    #[inline(always)]
    pub fn set_word(&mut self, word: usize, bits: u64) {
        self.0.as_chunks_mut().0[word % 8] = bits.to_le_bytes();
    }

    /// Sets bit `position % 512`.
    #[inline]
    pub fn set(&mut self, position: usize) {
        let word = position / 64;
        self.set_word(word, self.word(word) | 1 << (position % 64));
    }

    /// Whether all of these bits are set. Tests all of them, which inside one line is cheaper than a mispredicted branch.
    #[inline]
    pub fn all(&self, positions: impl Iterator<Item = usize>) -> bool {
        let seen = positions.fold(1, |seen, position| {
            seen & self.word(position / 64) >> (position % 64)
        });
        seen & 1 == 1
    }
}

/// An array of [`Block`]s.
///
/// ```
/// use bloomwise::unstable::BlockArray;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut blocks = BlockArray::new(2)?;
/// blocks.get_mut(1).set(5);
/// assert!(blocks.get(1).all([5].into_iter()) && !blocks.get(0).all([5].into_iter()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BlockArray {
    /// The bytes of the blocks, a multiple of 64.
    bytes: Storage,
}

impl fmt::Debug for BlockArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockArray({} blocks)", self.len())
    }
}

impl BlockArray {
    /// `blocks` blocks without a set bit.
    pub fn new(blocks: u64) -> Result<Self> {
        let bytes = Storage::new(blocks.saturating_mul(64))?;
        Ok(BlockArray { bytes })
    }

    /// The array in these bytes, which must be whole blocks.
    pub(crate) fn over(bytes: Storage) -> Self {
        BlockArray { bytes }
    }

    /// The bytes of the array.
    pub(crate) fn into_storage(self) -> Storage {
        self.bytes
    }

    /// The bytes of the array.
    pub(crate) fn storage(&self) -> &Storage {
        &self.bytes
    }

    /// The number of blocks.
    #[inline]
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64 / 64
    }

    /// Whether the array has no blocks.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    /// All blocks in order.
    #[inline(always)]
    pub fn blocks(&self) -> &[Block] {
        cast_slice(self.bytes.bytes())
    }

    /// All blocks in order, for writing.
    #[inline(always)]
    pub fn blocks_mut(&mut self) -> &mut [Block] {
        let len = self.bytes.len();
        cast_slice_mut(&mut self.bytes.padded_mut()[..len])
    }

    /// A block.
    #[inline(always)]
    pub fn get(&self, block: usize) -> &Block {
        let (blocks, _) = self.bytes.padded().as_chunks::<64>();
        cast_ref(&blocks[block])
    }

    /// A block, for writing.
    #[inline(always)]
    pub fn get_mut(&mut self, block: usize) -> &mut Block {
        let (blocks, _) = self.bytes.padded_mut().as_chunks_mut::<64>();
        cast_mut(&mut blocks[block])
    }

    /// Sets every bit that is set in `other`, up to the shorter length.
    pub fn union(&mut self, other: &BlockArray) {
        let len = self.bytes.len();
        let mine = &mut self.bytes.padded_mut()[..len];
        for (mine, other) in mine.iter_mut().zip(other.bytes.bytes()) {
            *mine |= other;
        }
    }

    /// Prefetches a block.
    #[inline]
    pub fn prefetch(&self, block: usize) {
        prefetch::fetch(self.bytes.bytes(), 64 * block);
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
    fn blocks_start_on_cache_lines_and_hold_words() {
        let mut array = BlockArray::new(3).expect("small");
        assert_eq!(array.blocks().as_ptr() as usize % 64, 0);
        array.get_mut(1).set_word(2, 0x0123_4567_89AB_CDEF);
        array.get_mut(1).set(64 * 7 + 5);
        assert_eq!(
            array.get(1).words(),
            [0, 0, 0x0123_4567_89AB_CDEF, 0, 0, 0, 0, 32]
        );
        assert_eq!(
            (array.get(1).word(2), array.len()),
            (0x0123_4567_89AB_CDEF, 3)
        );
        assert_eq!(array.blocks()[1], *array.get(1));
        let mut other = BlockArray::new(3).expect("small");
        other.get_mut(2).set(0);
        other.union(&array);
        assert_eq!((other.get(1), other.get(2).word(0)), (array.get(1), 1));
    }
}
