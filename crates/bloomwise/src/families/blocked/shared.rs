//! The filter for many threads.

use super::Blocked;
use crate::cells::storage::Storage;
use crate::cells::words::SharedWord;
use crate::cells::{Block, BlockArray};
use crate::families::probe::block_of;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;
use crate::filter::sizing::blocked_rate;
use crate::kernel::block_bits::BlockBits;
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD};
use crate::threads::shared::{Shareable, SharedShape};

/// The block and the bits of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of lines.
    lines: u64,
    /// The bits of a key in its block.
    block_bits: BlockBits,
}

impl Shareable for Blocked {
    type Shape = Shape;

    fn into_parts(self) -> (Shape, Storage, Profile) {
        (self.shape(), self.lines.into_storage(), self.profile)
    }

    fn from_parts(shape: Shape, cells: Storage, profile: Profile) -> Self {
        Blocked::over(BlockArray::over(cells), shape.block_bits, profile)
    }
}

impl Blocked {
    /// Where keys are.
    pub(super) fn shape(&self) -> Shape {
        Shape {
            lines: self.lines.len(),
            block_bits: self.block_bits,
        }
    }
}

impl SharedShape for Shape {
    fn family(&self) -> Family {
        Family::Blocked
    }

    fn insert<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        let new = !self.query(words, digest);
        self.add(words, &[digest]);
        new
    }

    fn add<W: SharedWord>(&self, words: &[W], digests: &[Digest]) {
        prefetch::rolling(
            &mut (),
            digests,
            AHEAD,
            |(), digest| self.prefetch(words, digest),
            |(), _, digest| self.each_bit(words, digest, SharedWord::set_bits),
        );
    }

    fn query<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        let mut missing = 0;
        self.each_bit(words, digest, |word, bit| missing |= bit & !word.get());
        missing == 0
    }

    fn query_batch<W: SharedWord>(&self, words: &[W], digests: &[Digest], answers: &mut [bool]) {
        prefetch::rolling(
            answers,
            digests,
            AHEAD,
            |_, digest| self.prefetch(words, digest),
            |answers, at, digest| answers[at] = self.query(words, digest),
        );
    }

    fn rate(&self, keys: u64) -> f64 {
        blocked_rate(
            1 << self.block_bits.width(),
            Block::BITS * self.lines,
            keys,
            self.block_bits.functions(),
        )
    }

    fn info(&self, words: impl Iterator<Item = u64>, profile: &Profile) -> Info {
        let (fill, rate) = self.fill_and_rate(words);
        let parameters = vec![
            Parameter::total("bits", Block::BITS * self.lines),
            Parameter::setting("k", u64::from(self.block_bits.functions())),
            Parameter::setting("block", 1 << self.block_bits.width()),
        ];
        Info::new(self.family(), profile, parameters, fill, rate)
    }
}

impl Shape {
    /// Prefetches the line of a key.
    #[inline(always)]
    fn prefetch<W>(&self, words: &[W], digest: Digest) {
        // A block of 256 bits is on the line that the key would have among blocks of 512 bits.
        prefetch::fetch(words, 8 * block_of(digest, self.lines) as usize);
    }

    /// Calls `act` with each bit of a key and the word that has it.
    #[inline(always)]
    fn each_bit<W>(&self, words: &[W], digest: Digest, mut act: impl FnMut(&W, u64)) {
        let block = block_of(digest, self.lines << (9 - self.block_bits.width()));
        let (lines, _) = words.as_chunks::<8>();
        let line = &lines[(block >> (9 - self.block_bits.width())) as usize];
        self.block_bits
            .each_bit(block, digest, |word, bit| act(&line[word % 8], bit));
    }

    /// The share of set bits, and the false positive rate on unseen keys computed from the bits of each block.
    fn fill_and_rate(&self, mut words: impl Iterator<Item = u64>) -> (f64, f64) {
        let (width, functions) = (self.block_bits.width(), self.block_bits.functions());
        let (of_block, step) = (1 << (width - 6), 1 << (9 - width));
        let (each, more) = (functions / of_block, functions % of_block);
        let (mut fill, mut rate) = (0.0, 0.0);
        for _ in 0..self.lines {
            let word: [u64; 8] = std::array::from_fn(|_| words.next().unwrap_or(0));
            let shares = word.map(|word| f64::from(word.count_ones()) / 64.0);
            fill += shares.iter().sum::<f64>();
            for block in 0..step {
                // Each word can be the first of the words that have one bit more than the others.
                let share = |word: u32| shares[((step * word + block) % 8) as usize];
                let of_all = (0..of_block).map(|word| share(word).powi(each as i32));
                let of_more = |first| (0..more).map(|word| share(first + word)).product::<f64>();
                rate += of_all.product::<f64>() * (0..of_block).map(of_more).sum::<f64>();
            }
        }
        let words = 8.0 * self.lines as f64;
        (fill / words, rate / words)
    }
}
