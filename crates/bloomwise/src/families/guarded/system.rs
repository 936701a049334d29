//! Gaussian elimination of equations whose coefficients are within a window of 64 rows.
//!
//! Every row can be the *pivot* of one equation: the first row of that equation. A new equation whose first row is taken
//! gets the XOR with the equation that has it. That removes its first row, and it moves on to the next row that it has left:
//!
//! ```text
//! row            0   1   2   3   4
//! pivot of 0     1   1   0   1             "ant"
//! new            1   0   1   1             "bee" starts in row 0 too
//! XOR            .   1   1   0             and has its pivot in row 1
//! ```
//!
//! An equation with no rows left depends on the others. If its value is then 0, they imply it. Otherwise no rows satisfy all of
//! them, and insertion fails.
//!
//! Back substitution then gives the bits of all rows. An equation has no row before its pivot, so the bit of the last row follows from its own equation alone, and going
//! backwards each row follows from the rows after it. A word for each column holds 64 rows, the current one first:
//! shifted by one, masked by the coefficients, its parity is what the current row must make up for. After each 64 rows the
//! words are those of a block. Rows that are no pivot are 0.

use crate::kernel;
use crate::kernel::{Vectors, Work};
use crate::machine::processor::Kernel;

/// An equation on its way into a system.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reduction {
    /// Its first row.
    pub row: usize,
    /// Its coefficients; the first bit belongs to the first row.
    pub coefficients: u64,
    /// Its value, one bit for each column.
    pub value: u32,
}

/// Equations with distinct pivots.
#[derive(Debug, Default)]
pub(super) struct System {
    /// The coefficients of the equation whose pivot is this row; the first bit belongs to the row. 0 if there is none.
    coefficients: Vec<u64>,
    /// Its value, one bit for each column.
    values: Vec<u32>,
    /// The pivots of the equations since [`System::mark`], in order; [`NONE`] for an equation without one.
    pivots: Vec<u32>,
    /// The solution: for each block, a word for each column.
    words: Vec<u64>,
}

/// Stands for the pivot of an equation that has none, because it holds anyway.
const NONE: u32 = u32::MAX;

impl System {
    /// Removes all equations, and makes room for `rows` rows in whole blocks.
    pub fn reset(&mut self, rows: usize) {
        let rows = rows.next_multiple_of(64);
        self.coefficients.clear();
        self.coefficients.resize(rows, 0);
        self.values.clear();
        self.values.resize(rows, 0);
        self.mark();
    }

    /// Starts a new list of equations that can be removed.
    pub fn mark(&mut self) {
        self.pivots.clear();
    }

    /// Takes one step: removes the first row of an equation if another equation has its pivot there. Returns `false` if the
    /// equation can be stored: its first row is no pivot, or it has no row left.
    #[inline(always)]
    pub fn reduce(&self, equation: &mut Reduction) -> bool {
        let taken = self.coefficients[equation.row];
        if taken == 0 || equation.coefficients == 0 {
            return false;
        }
        equation.value ^= self.values[equation.row];
        equation.coefficients ^= taken;
        if equation.coefficients == 0 {
            return false;
        }
        let zeros = equation.coefficients.trailing_zeros();
        equation.row += zeros as usize;
        equation.coefficients >>= zeros;
        true
    }

    /// Stores an equation that [`System::reduce`] has brought to its end. Returns `false` if it contradicts the others.
    #[inline(always)]
    pub fn store(&mut self, equation: Reduction) -> bool {
        let Reduction {
            row,
            coefficients,
            value,
        } = equation;
        if coefficients == 0 {
            self.pivots.push(NONE);
            return value == 0;
        }
        self.coefficients[row] = coefficients;
        self.values[row] = value;
        self.pivots.push(row as u32);
        true
    }

    /// Inserts an equation. Returns `false` if it contradicts the others; then it is not inserted.
    #[inline(always)]
    pub fn insert(&mut self, mut equation: Reduction) -> bool {
        while self.reduce(&mut equation) {}
        self.store(equation)
    }

    /// Removes all equations since [`System::mark`] but the first `count`.
    pub fn keep_oldest(&mut self, count: usize) {
        for pivot in self.pivots.drain(count..) {
            if pivot != NONE {
                self.coefficients[pivot as usize] = 0;
                self.values[pivot as usize] = 0;
            }
        }
    }

    /// Solves `columns` columns, and calls `store` with the number of each block and its words.
    pub fn substitute(
        &mut self,
        processor: Kernel,
        columns: usize,
        mut store: impl FnMut(u64, &[u64]),
    ) {
        let System {
            coefficients,
            values,
            words,
            ..
        } = self;
        if columns == 0 {
            return;
        }
        words.clear();
        words.resize(coefficients.len() / 64 * columns, 0);
        let substitution = Substitution {
            columns,
            coefficients,
            values,
        };
        kernel::run(processor, substitution, words);
        for (block, words) in (0..).zip(words.chunks(columns)) {
            store(block, words);
        }
    }
}

/// Solves at most `COLUMNS` columns, beginning with number `first`.
#[inline(always)]
fn columns_from<const COLUMNS: usize>(
    first: usize,
    columns: usize,
    (coefficients, values): (&[u64], &[u32]),
    words: &mut [u64],
) {
    let here = COLUMNS.min(columns - first);
    let mut rows = [0u64; COLUMNS];
    let (coefficients, _) = coefficients.as_chunks::<64>();
    let (values, _) = values.as_chunks::<64>();
    let blocks = coefficients
        .iter()
        .zip(values)
        .zip(words.chunks_mut(columns));
    for ((coefficients, values), words) in blocks.rev() {
        for (&coefficients, &value) in coefficients.iter().zip(values).rev() {
            let value = u64::from(value >> first);
            for (column, rows) in rows.iter_mut().enumerate() {
                *rows <<= 1;
                let parity = u64::from((*rows & coefficients).count_ones());
                *rows |= (parity ^ value >> column) & 1;
            }
        }
        words[first..first + here].copy_from_slice(&rows[..here]);
    }
}

/// Solves `columns` columns for all rows, eight columns at a time. The argument gets one word for each column of each
/// block.
pub(super) struct Substitution<'a> {
    /// The number of columns.
    pub columns: usize,
    /// For each row, the coefficients of the equation whose pivot it is.
    pub coefficients: &'a [u64],
    /// The values of these equations.
    pub values: &'a [u32],
}

impl<'a> Work for Substitution<'a> {
    type Argument = &'a mut [u64];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, words: &mut [u64]) {
        let columns = self.columns;
        let equations = (self.coefficients, self.values);
        if columns == 1 {
            return columns_from::<1>(0, columns, equations, words);
        }
        let mut first = 0;
        while first < columns {
            columns_from::<8>(first, columns, equations, words);
            first += 8;
        }
    }
}
