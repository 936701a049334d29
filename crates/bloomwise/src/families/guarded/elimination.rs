//! The equations of a part of a layer, one after the other into a [`System`], with the thresholds that follow.
//!
//! Keys are sorted by their first row. Bucket by bucket, from the left, their equations are inserted; within a bucket in
//! descending order of their first row. If one does not fit, the keys that start before some level are bumped: the least level
//! after its start. Their equations were the newest, so they can be removed again.
//!
//! An insertion is a chain of steps, each of which needs the result of the one before. So two parts are solved side by side
//! on one core: while one waits for its step, the other one has something to do.

use super::equation::{Equation, WINDOW, thinning_byte};
use super::layer::{ALL_BUMPED, BUCKET, threshold};
use super::parts::{Bumped, Columns, Keys};
use super::shape::Shape;
use super::system::{Reduction, System};
use crate::keys::hash::Digest;
use std::ops::Range;

/// Memory for an elimination.
#[derive(Default)]
pub(super) struct Scratch {
    /// The equations of the part.
    pub system: System,
    /// The keys of the bucket, and whether each is a negative.
    bucket: Vec<(Equation, Digest, bool)>,
}

/// A part of a layer whose equations are being inserted.
pub(super) struct Elimination<'a> {
    /// Rows and columns of the layer.
    shape: &'a Shape,
    /// The equations so far.
    scratch: &'a mut Scratch,
    /// Thresholds and bumped keys so far.
    bumped: &'a mut Bumped,
    /// The keys that are not in a bucket yet.
    keys: Merge<'a>,
    /// The columns that are solved, as a mask.
    mask: u32,
    /// Keys with a thinning byte below these limits are bumped: one limit for narrow blocks, one for wide ones.
    thinned: [u8; 2],
    /// The first row of the part.
    first_row: u64,
    /// The rows where keys start, beginning with the current bucket.
    starts: Range<u64>,
    /// The code of the bucket so far.
    code: u8,
    /// The number of keys of the bucket that are not inserted yet. They start first.
    left: usize,
    /// The equation that is being inserted.
    row: Reduction,
    /// The row where it started.
    start: u64,
}

impl<'a> Elimination<'a> {
    /// Begins a part whose keys start in the rows `starts`, and whose own rows are `rows`.
    pub fn new(
        shape: &'a Shape,
        columns: Columns,
        (starts, rows): (Range<u64>, Range<u64>),
        keys: Keys<'a>,
        (scratch, bumped): (&'a mut Scratch, &'a mut Bumped),
    ) -> Self {
        scratch.system.reset((rows.end - rows.start) as usize);
        let (mask, thinned) = columns.of(shape);
        // The windows of the part before reach into the first bucket of this one.
        let code = if starts.start == 0 { 0 } else { ALL_BUMPED };
        let mut part = Elimination {
            shape,
            scratch,
            bumped,
            keys: Merge { shape, keys },
            mask,
            thinned,
            first_row: rows.start,
            starts,
            code,
            left: 0,
            row: Reduction::default(),
            start: 0,
        };
        part.open_bucket();
        part
    }

    /// Takes the keys of the current bucket.
    fn open_bucket(&mut self) {
        let Scratch { system, bucket } = &mut *self.scratch;
        system.mark();
        bucket.clear();
        let (bumped, shape, thinned) = (&mut *self.bumped, self.shape, self.thinned);
        let end = self.starts.start + BUCKET;
        self.keys.take_until(end, |equation, digest, negative| {
            let wide = equation.start / WINDOW >= shape.narrow;
            if thinning_byte(digest) < thinned[usize::from(wide)] {
                bumped.bump(digest, negative);
            } else {
                bucket.push((equation, digest, negative));
            }
        });
        self.left = bucket.len();
    }

    /// Bumps the keys below the threshold of the bucket, and notes its code.
    fn close_bucket(&mut self) {
        let from = self.threshold();
        let bucket = self.scratch.bucket.iter();
        for &(_, digest, negative) in bucket.take_while(|key| key.0.start < from) {
            self.bumped.bump(digest, negative);
        }
        self.bumped.codes.push(self.code);
        self.code = 0;
    }

    /// The first row whose keys are not bumped.
    #[inline(always)]
    fn threshold(&self) -> u64 {
        self.starts.start + threshold(self.code)
    }

    /// Goes on to the next equation; `false` if there is none.
    #[inline(always)]
    fn next(&mut self) -> bool {
        loop {
            if let Some(last) = self.left.checked_sub(1) {
                let (equation, _, negative) = self.scratch.bucket[last];
                if equation.start >= self.threshold() {
                    self.left = last;
                    self.start = equation.start;
                    self.row = Reduction {
                        row: (equation.start - self.first_row) as usize,
                        coefficients: equation.coefficients,
                        value: (equation.value ^ u32::from(negative)) & self.mask,
                    };
                    return true;
                }
            }
            self.close_bucket();
            self.starts.start += BUCKET;
            if self.starts.is_empty() {
                return false;
            }
            self.open_bucket();
        }
    }

    /// Stores the equation, which cannot be reduced further, and goes on to the next one; `false` if there is none.
    #[inline(always)]
    fn store(&mut self) -> bool {
        if !self.scratch.system.store(self.row) {
            while self.threshold() <= self.start {
                self.code += 1;
            }
            let from = self.threshold();
            let Scratch { system, bucket } = &mut *self.scratch;
            let kept = bucket.len() - bucket.partition_point(|key| key.0.start < from);
            system.keep_oldest(kept);
        }
        self.next()
    }

    /// Inserts the equation, if there is one, and all that follow.
    fn finish(&mut self, mut more: bool) {
        while more {
            while self.scratch.system.reduce(&mut self.row) {}
            more = self.store();
        }
    }
}

/// Inserts all equations of one part.
pub(super) fn eliminate(part: &mut Elimination<'_>) {
    let more = part.next();
    part.finish(more);
}

/// Inserts all equations of two parts, side by side.
pub(super) fn eliminate_both(one: &mut Elimination<'_>, other: &mut Elimination<'_>) {
    let (mut more, mut more_other) = (one.next(), other.next());
    while more && more_other {
        let (mut row, mut row_other) = (one.row, other.row);
        let (further, further_other) = loop {
            let further = one.scratch.system.reduce(&mut row);
            let further_other = other.scratch.system.reduce(&mut row_other);
            if !(further & further_other) {
                break (further, further_other);
            }
        };
        (one.row, other.row) = (row, row_other);
        if !further {
            more = one.store();
        }
        if !further_other {
            more_other = other.store();
        }
    }
    one.finish(more);
    other.finish(more_other);
}

/// Positives and survivors in the order of their first rows.
struct Merge<'a> {
    /// Rows and columns of the layer.
    shape: &'a Shape,
    /// The keys that were not taken yet.
    keys: Keys<'a>,
}

impl Merge<'_> {
    /// Takes all keys that start before row `end`.
    #[inline(always)]
    fn take_until(&mut self, end: u64, mut take: impl FnMut(Equation, Digest, bool)) {
        while let [digest, others @ ..] = self.keys.positives {
            let equation = self.shape.equation(*digest);
            if equation.start >= end {
                break;
            }
            self.survivors_until(equation.start, &mut take);
            take(equation, *digest, false);
            self.keys.positives = others;
        }
        self.survivors_until(end, &mut take);
    }

    /// Takes the survivors that start before row `end`.
    #[inline(always)]
    fn survivors_until(&mut self, end: u64, take: &mut impl FnMut(Equation, Digest, bool)) {
        while let [digest, others @ ..] = self.keys.survivors {
            let equation = self.shape.equation(*digest);
            if equation.start >= end {
                break;
            }
            take(equation, *digest, true);
            self.keys.survivors = others;
        }
    }
}
