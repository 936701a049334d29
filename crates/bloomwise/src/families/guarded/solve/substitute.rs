//! Back substitution: from equations with distinct pivots to the bits of all rows.
//!
//! An equation has no row before its pivot. So the bit of the last row follows from its own equation alone, and going
//! backwards each row follows from the rows behind it. A word for each column holds the 64 rows from the current one on:
//! shifted by one, masked by the coefficients, its parity is what the current row must make up for. After each 64 rows the
//! words are those of a block. Rows that are no pivot are 0.

use crate::kernel::{Vectors, Work};

/// Solves columns from number `first` on, at most `COLUMNS` of them.
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
    pub columns: usize,
    pub coefficients: &'a [u64],
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
