//! Solving a layer with thresholds.
//!
//! A large layer is solved in parts, on several cores, and two at a time on each core ([`super::elimination`]). Windows
//! reach up to 63 rows into the next part, so all keys of the first bucket of each part but the first are bumped. The
//! first block of that bucket then belongs to the part before:
//!
//! ```text
//! starts      |----------- part 0 -----------|             |--------- part 1 -------------|
//! rows        |-------------- part 0 ---------------|-------------- part 1 ---------------
//!                                            ^ a bucket without keys, 2 blocks
//! ```
//!
//! The parts follow from the number of rows, not of threads, and so does the filter.

use super::elimination::{Elimination, Scratch, eliminate, eliminate_both};
use super::equation::WINDOW;
use super::layer::Layer;
use super::rows::part_rows;
use super::shape::Shape;
use crate::keys::hash::Digest;
use crate::machine::parallel;
use crate::machine::processor::Kernel;
use std::ops::Range;

/// The keys of a layer, both sorted by digest. For a survivor the value is changed in column 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'a> {
    /// The positives.
    pub positives: &'a [Digest],
    /// Known negatives that the guard must reject.
    pub survivors: &'a [Digest],
}

impl Keys<'_> {
    /// The number of both.
    pub fn len(&self) -> u64 {
        (self.positives.len() + self.survivors.len()) as u64
    }
}

/// What solving a layer gives in addition to its rows.
#[derive(Debug, Default)]
pub(super) struct Bumped {
    /// The two bits of the threshold of each bucket.
    pub codes: Vec<u8>,
    /// The positives that were bumped.
    pub positives: Vec<Digest>,
    /// The survivors that were bumped.
    pub survivors: Vec<Digest>,
}

/// Which columns of a layer are solved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Columns {
    /// All of them.
    All,
    /// Column 0. Keys whose thinning byte is below the first of these are bumped from narrow blocks, and below the second
    /// from wide ones.
    Guard { thinned: [u8; 2] },
}

impl Columns {
    /// The columns as a mask, and the thinning bytes.
    pub fn of(self, shape: &Shape) -> (u32, [u8; 2]) {
        match self {
            Columns::All => {
                let widest = shape.columns(shape.whole_blocks() - 1);
                (((1u64 << widest) - 1) as u32, [0; 2])
            }
            Columns::Guard { thinned } => (1, thinned),
        }
    }
}

/// One part of a layer.
struct Part<'a> {
    /// The rows where its keys start.
    starts: Range<u64>,
    /// The rows that belong to it.
    rows: Range<u64>,
    /// Its keys.
    keys: Keys<'a>,
    /// The bytes of its blocks.
    cells: &'a mut [u8],
    /// Its thresholds and bumped keys.
    bumped: &'a mut Bumped,
}

/// Solves the columns of a layer. `bytes` are the bytes of the whole filter.
pub(super) fn solve(
    kernel: Kernel,
    layer: &Layer,
    bytes: &mut [u8],
    keys: Keys<'_>,
    columns: Columns,
) -> Bumped {
    let shape = layer.shape;
    let parts = Parts::new(&shape);
    let count = parts.count;
    let mut all: Vec<Bumped> = (0..count).map(|_| Bumped::default()).collect();
    let first = (layer.first_bit / 8) as usize;
    let mut cells = &mut bytes[first..layer.codes_byte()];
    let mut keys = keys;
    let mut tasks = Vec::new();
    for (index, bumped) in (0..count).zip(&mut all) {
        let (rows, end) = (parts.rows(index), parts.starts(index).end);
        let block_start = |row: u64| shape.block_start(row / WINDOW) as usize * 8;
        let (own, others) = cells.split_at_mut(block_start(rows.end) - block_start(rows.start));
        let before = |digests: &[Digest]| {
            digests.partition_point(|&digest| shape.equation(digest).start < end)
        };
        let (positives, later) = keys.positives.split_at(before(keys.positives));
        let (survivors, later_survivors) = keys.survivors.split_at(before(keys.survivors));
        tasks.push(Part {
            starts: parts.starts(index),
            rows,
            keys: Keys {
                positives,
                survivors,
            },
            cells: own,
            bumped,
        });
        cells = others;
        keys = Keys {
            positives: later,
            survivors: later_survivors,
        };
    }
    let mut pairs = Vec::new();
    let mut tasks = tasks.into_iter();
    while let Some(part) = tasks.next() {
        pairs.push((part, tasks.next()));
    }
    let scratch = <(Scratch, Scratch)>::default;
    parallel::for_each_with(pairs, scratch, |(scratch, beside), (mut part, other)| {
        let mut one = part.elimination(&shape, columns, scratch);
        let Some(mut other) = other else {
            eliminate(&mut one);
            part.substitute(kernel, &shape, columns, scratch);
            return;
        };
        eliminate_both(&mut one, &mut other.elimination(&shape, columns, beside));
        part.substitute(kernel, &shape, columns, scratch);
        other.substitute(kernel, &shape, columns, beside);
    });
    let mut together = Bumped::default();
    for mut part in all {
        together.codes.append(&mut part.codes);
        together.positives.append(&mut part.positives);
        together.survivors.append(&mut part.survivors);
    }
    together
}

/// How a layer is divided into parts.
struct Parts {
    /// The number of parts.
    count: u64,
    /// The rows of a part, a multiple of the rows of a bucket.
    each: u64,
    /// The rows of the layer.
    rows: u64,
}

impl Parts {
    fn new(shape: &Shape) -> Self {
        let each = part_rows(shape.rows);
        Parts {
            count: shape.rows.div_ceil(each),
            each,
            rows: shape.rows,
        }
    }

    /// The rows where the keys of a part start.
    fn starts(&self, index: u64) -> Range<u64> {
        index * self.each..((index + 1) * self.each).min(self.rows)
    }

    /// The rows that belong to a part: its starts, and one block more.
    fn rows(&self, index: u64) -> Range<u64> {
        let end = |index: u64| match index {
            0 => 0,
            _ if index == self.count => self.rows,
            _ => index * self.each + WINDOW,
        };
        end(index)..end(index + 1)
    }
}

impl Part<'_> {
    /// The elimination of its equations.
    fn elimination<'a>(
        &'a mut self,
        shape: &'a Shape,
        columns: Columns,
        scratch: &'a mut Scratch,
    ) -> Elimination<'a> {
        let rows = (self.starts.clone(), self.rows.clone());
        Elimination::new(shape, columns, rows, self.keys, (scratch, self.bumped))
    }

    /// Computes its rows, after the elimination.
    fn substitute(self, kernel: Kernel, shape: &Shape, columns: Columns, scratch: &mut Scratch) {
        let first = self.rows.start / WINDOW;
        let widest = (u32::BITS - columns.of(shape).0.leading_zeros()) as usize;
        let cells = self.cells;
        scratch.system.substitute(kernel, widest, |block, words| {
            let block = first + block;
            let count = match columns {
                Columns::All => shape.columns(block) as usize,
                Columns::Guard { .. } => 1,
            };
            let at = (shape.block_start(block) - shape.block_start(first)) as usize;
            for (column, word) in words[..count].iter().enumerate() {
                let byte = (at + column) * 8;
                cells[byte..byte + 8].copy_from_slice(&word.to_le_bytes());
            }
        });
    }
}

impl Bumped {
    /// The keys that were bumped.
    pub fn keys(&self) -> Keys<'_> {
        Keys {
            positives: &self.positives,
            survivors: &self.survivors,
        }
    }

    /// Adds a key that is bumped.
    pub fn bump(&mut self, digest: Digest, negative: bool) {
        if negative {
            self.survivors.push(digest);
        } else {
            self.positives.push(digest);
        }
    }
}
