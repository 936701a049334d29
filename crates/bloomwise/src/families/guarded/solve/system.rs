//! Gaussian elimination of equations whose coefficients lie in a window of 64 rows.
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
//! An equation that loses all its rows depends on others. If its value is 0 by then, it holds whenever they do. Otherwise
//! no rows satisfy all of them, and insertion fails.

use super::substitute::Substitution;
use crate::kernel;
use crate::machine::processor::Kernel;

/// An equation on its way into a system.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Row {
    /// Its first row.
    pub row: usize,
    /// Its coefficients, from the first row on.
    pub coefficients: u64,
    /// Its value, one bit for each column.
    pub value: u32,
}

/// Equations with distinct pivots.
#[derive(Debug, Default)]
pub(in super::super) struct System {
    /// The coefficients of the equation whose pivot is this row, from the row on; 0 if there is none.
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
    pub fn reduce(&self, equation: &mut Row) -> bool {
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
    pub fn store(&mut self, equation: Row) -> bool {
        let Row {
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
    pub fn insert(&mut self, mut equation: Row) -> bool {
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
