//! Atomic words, and bits and counters in them.

use crate::cells::access::{AddToCells, Cells, UsedCells};
use crate::cells::doubt::Doubt;
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::filter::sizing::MAX_FUNCTIONS;
use crate::machine::prefetch;
use std::sync::atomic::{AtomicU64, Ordering};

/// A word that many threads may change. All operations are relaxed.
pub trait SharedWord {
    /// The bits of the word.
    fn get(&self) -> u64;

    /// Sets bits.
    fn set(&self, bits: u64);

    /// Replaces the word by the result of `change`, unless that is `None`. Returns the previous word, and whether it was replaced.
    fn update(&self, change: impl Fn(u64) -> Option<u64>) -> (u64, bool);
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, bits: u64) {
        self.fetch_or(bits, Ordering::Relaxed);
    }

    #[inline(always)]
    fn update(&self, change: impl Fn(u64) -> Option<u64>) -> (u64, bool) {
        match self.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change) {
            Ok(before) => (before, true),
            Err(before) => (before, false),
        }
    }
}

/// A cache line of eight words.
#[derive(Debug)]
#[repr(align(64))]
pub struct Line<W>(pub(super) [W; 8]);

impl<W> Line<W> {
    /// Word number `word % 8`.
    #[inline(always)]
    pub(crate) fn word(&self, word: usize) -> &W {
        &self.0[word % 8]
    }
}

/// The words of a filter.
#[derive(Debug)]
pub(super) struct Words {
    /// The words in lines of eight.
    lines: Vec<Line<AtomicU64>>,
    /// The number of words. The last line may have more.
    len: usize,
    /// The doubt of the cells they were copied from, if those are damaged.
    doubt: Option<Doubt>,
}

impl Words {
    /// A copy of these cells.
    pub(super) fn of(cells: &Storage) -> Self {
        let mut words = cells.words();
        let len = words.len();
        let line = || Line(std::array::from_fn(|_| words.next().unwrap_or(0).into()));
        let lines = std::iter::repeat_with(line).take(len.div_ceil(8)).collect();
        let doubt = cells.damage();
        Words { lines, len, doubt }
    }

    /// A copy of the current words.
    pub(super) fn copy(&self) -> Result<Storage> {
        let copy = Storage::of_words(self.len, self.iter())?;
        Ok(copy.with_doubt(self.doubt.clone()))
    }

    /// The current words.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        let words = self.lines.iter().flat_map(|line| &line.0);
        words.map(SharedWord::get).take(self.len)
    }

    /// The lines.
    #[inline(always)]
    pub(super) fn lines(&self) -> &[Line<AtomicU64>] {
        &self.lines
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Word number `word`.
#[inline(always)]
fn word<W>(lines: &[Line<W>], word: usize) -> &W {
    &lines[word / 8].0[word % 8]
}

/// Bits in shared words.
pub(crate) struct SharedBits<'a, W>(pub &'a [Line<W>]);

impl<W> Clone for SharedBits<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for SharedBits<'_, W> {}

impl<W> Cells for SharedBits<'_, W> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        prefetch::fetch(self.0, position / 512);
    }
}

impl<W: SharedWord> UsedCells for SharedBits<'_, W> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        word(self.0, position / 64).get() >> (position % 64)
    }
}

impl<W: SharedWord> AddToCells for SharedBits<'_, W> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        let (word, bit) = (word(self.0, position / 64), 1 << (position % 64));
        // An atomic change that returns the previous bits would be slower.
        let was_set = word.get() & bit != 0;
        word.set(bit);
        was_set
    }

    #[inline(always)]
    fn add_silently(&mut self, position: usize) {
        word(self.0, position / 64).set(1 << (position % 64));
    }
}

/// Counters of 4 bits in shared words. Like those of [`crate::cells::PackedArray`], a counter sticks at its maximum.
pub(crate) struct SharedCounters<'a, W>(pub &'a [Line<W>]);

/// The largest value of a counter.
const MAX: u64 = 15;

impl<W> Clone for SharedCounters<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for SharedCounters<'_, W> {}

impl<W: SharedWord> SharedCounters<'_, W> {
    /// The word of a counter, and the counter's first bit in it.
    #[inline(always)]
    fn place(&self, position: usize) -> (&W, usize) {
        (word(self.0, position / 16), 4 * (position % 16))
    }

    /// The value of a counter.
    #[inline(always)]
    pub(crate) fn get(self, position: usize) -> u64 {
        let (word, shift) = self.place(position);
        word.get() >> shift & MAX
    }

    /// Raises a counter, unless it is stuck, and returns its value before.
    #[inline(always)]
    fn raise(self, position: usize) -> u64 {
        let (word, shift) = self.place(position);
        let raised = |bits: u64| (bits >> shift & MAX != MAX).then(|| bits + (1 << shift));
        word.update(raised).0 >> shift & MAX
    }

    /// Lowers a counter, unless it is stuck. It must not be 0.
    #[inline(always)]
    fn lower(self, position: usize) {
        let (word, shift) = self.place(position);
        let lowered = |bits: u64| (bits >> shift & MAX != MAX).then(|| bits - (1 << shift));
        word.update(lowered);
    }

    /// Whether the counters of a key contain its insertion: each is at least the number of times that the key has its position.
    pub(crate) fn hold(self, positions: impl Iterator<Item = usize> + Clone) -> bool {
        let mut seen = [0; MAX_FUNCTIONS as usize];
        positions.enumerate().all(|(at, position)| {
            seen[at] = position;
            let times = seen[..=at].iter().filter(|&&other| other == position);
            let count = self.get(position);
            count == MAX || times.count() as u64 <= count
        })
    }

    /// Lowers the counters of a key. If they do not [hold](Self::hold) it, it returns `false` and changes nothing. The caller holds the removal
    /// lock, so no counter falls between the test and the change.
    pub(crate) fn lower_all(self, positions: impl Iterator<Item = usize> + Clone) -> bool {
        let held = self.hold(positions.clone());
        if held {
            positions.for_each(|position| self.lower(position));
        }
        held
    }
}

impl<W> Cells for SharedCounters<'_, W> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        prefetch::fetch(self.0, position / 128);
    }
}

impl<W: SharedWord> UsedCells for SharedCounters<'_, W> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        u64::from(self.get(position) != 0)
    }
}

impl<W: SharedWord> AddToCells for SharedCounters<'_, W> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.raise(position) != 0
    }
}
