//! The filter for many threads.

use super::Blocked;
use crate::cells::{Block, BlockArray};
use crate::family::Family;
use crate::hash::Digest;
use crate::info::{Info, Value};
use crate::marks::{Blocks, Form, HalfLines, Lines, Marks};
use crate::prefetch::{self, AHEAD};
use crate::probe::block_of;
use crate::profile::Profile;
use crate::shared::{Line, Shareable, SharedShape, SharedWord};
use crate::sizing::blocked_rate;
use crate::storage::Storage;

/// Where keys are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of lines.
    lines: u64,
    /// A block has `2^width` bits.
    width: u32,
    functions: u32,
    marks: Marks,
}

impl Shareable for Blocked {
    type Shape = Shape;

    fn into_parts(self) -> (Shape, Storage, Profile) {
        (self.shape(), self.lines.into_storage(), self.profile)
    }

    fn from_parts(shape: Shape, cells: Storage, profile: Profile) -> Self {
        Blocked::over(
            BlockArray::over(cells),
            shape.width,
            shape.functions,
            profile,
        )
    }
}

impl Blocked {
    /// Where keys are.
    pub(super) fn shape(&self) -> Shape {
        Shape {
            lines: self.lines.len(),
            width: self.width,
            functions: self.functions,
            marks: self.marks,
        }
    }
}

impl SharedShape for Shape {
    fn family(&self) -> Family {
        Family::Blocked
    }

    fn insert<W: SharedWord>(&self, lines: &[Line<W>], digest: Digest) -> bool {
        let new = !self.query(lines, digest);
        self.add(lines, &[digest]);
        new
    }

    fn add<W: SharedWord>(&self, lines: &[Line<W>], digests: &[Digest]) {
        match self.marks.form() {
            Form::HalfLines => self.add_to::<W, HalfLines>(lines, digests),
            Form::Simple | Form::Lines => self.add_to::<W, Lines>(lines, digests),
        }
    }

    fn query<W: SharedWord>(&self, lines: &[Line<W>], digest: Digest) -> bool {
        match self.marks.form() {
            Form::HalfLines => self.has_all::<W, HalfLines>(lines, digest),
            Form::Simple | Form::Lines => self.has_all::<W, Lines>(lines, digest),
        }
    }

    fn query_batch<W: SharedWord>(
        &self,
        lines: &[Line<W>],
        digests: &[Digest],
        answers: &mut [bool],
    ) {
        for (at, (&digest, answer)) in digests.iter().zip(answers).enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                self.prefetch(lines, later);
            }
            *answer = self.query(lines, digest);
        }
    }

    fn rate(&self, keys: u64) -> f64 {
        blocked_rate(
            1 << self.width,
            Block::BITS * self.lines,
            keys,
            self.functions,
        )
    }

    fn info(&self, words: impl Iterator<Item = u64>, profile: &Profile) -> Info {
        let (fill, rate) = self.fill_and_rate(words);
        let parameters = vec![
            ("bits", Value::Whole(Block::BITS * self.lines)),
            ("k", Value::Whole(u64::from(self.functions))),
            ("block", Value::Whole(1 << self.width)),
        ];
        Info::new(self.family(), profile, parameters, fill, rate)
    }
}

impl Shape {
    /// The block of a key.
    #[inline(always)]
    fn block<B: Blocks>(&self, digest: Digest) -> u64 {
        block_of(digest, self.lines * u64::from(B::STEP))
    }

    /// Prefetches the line of a key.
    #[inline(always)]
    fn prefetch<W>(&self, lines: &[Line<W>], digest: Digest) {
        prefetch::fetch(lines, block_of(digest, self.lines) as usize);
    }

    #[inline(always)]
    fn add_to<W: SharedWord, B: Blocks>(&self, lines: &[Line<W>], digests: &[Digest]) {
        for (at, &digest) in digests.iter().enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                self.prefetch(lines, later);
            }
            let block = self.block::<B>(digest);
            let line = &lines[B::line_of(block)];
            let set = |word: usize, bits| line.word(word).set(bits);
            self.marks.each_bit::<B>(block, digest, set);
        }
    }

    #[inline(always)]
    fn has_all<W: SharedWord, B: Blocks>(&self, lines: &[Line<W>], digest: Digest) -> bool {
        let block = self.block::<B>(digest);
        let line = &lines[B::line_of(block)];
        let mut missing = 0;
        let test = |word: usize, bits| missing |= bits & !line.word(word).get();
        self.marks.each_bit::<B>(block, digest, test);
        missing == 0
    }

    /// The share of set bits, and the false positive rate on unseen keys that follows from the bits of each block.
    fn fill_and_rate(&self, mut words: impl Iterator<Item = u64>) -> (f64, f64) {
        let (of_block, step) = (1 << (self.width - 6), 1 << (9 - self.width));
        let (each, more) = (self.functions / of_block, self.functions % of_block);
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
