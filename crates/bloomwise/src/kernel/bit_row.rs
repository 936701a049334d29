//! A row: one bit in each of several words of a cache line.
//!
//! A line has eight words of 64 bits. Eight bytes of a hash name one bit in each of them, so one shift of a whole vector
//! makes the bits of a key. A key that needs fewer bits skips words: it has bits in `count` consecutive words that start at word `first`,
//! with wrap-around to the start of the line. With `step` 2 it uses every other word, so that two blocks of four words
//! share a line.
//!
//! For example, three bits that start at word 6 are in the words 6, 7 and 0:
//!
//! ```text
//! word      0   1   2   3   4   5   6   7
//! byte     17 200  31  90   4 255  65   9
//! bit      17                       1   9
//! ```

#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "only vector code needs ones")
)]

/// One bit in each of several words of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BitRow {
    /// Byte `v`, modulo 64, is the position of the bit in word `v`.
    pub(super) bits: u64,
    /// The first word, below 8.
    pub(super) first: u32,
    /// The number of words and the step between them.
    pub(super) words: RowWords,
}

/// The words that a row has bits in if it starts at word 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowWords {
    /// The number of words.
    pub(super) count: u32,
    /// The distance from one word to the next: 1 or 2.
    pub(super) step: u32,
    /// 1 for each of the words and 0 for the others, repeated twice.
    ones: &'static [u64; 16],
}

impl RowWords {
    /// `count` words, at most `8 / step`.
    #[inline(always)]
    pub(crate) fn new(count: u32, step: u32) -> Self {
        let ones = &ONES[step as usize - 1][count as usize];
        RowWords { count, step, ones }
    }

    /// The row that starts at word `first`.
    #[inline(always)]
    pub(crate) fn row(self, bits: u64, first: u32) -> BitRow {
        BitRow {
            bits,
            first,
            words: self,
        }
    }
}

impl BitRow {
    /// The word and the bit in it, for bit number `i`.
    #[inline(always)]
    pub(super) fn place(self, i: u32) -> (usize, u32) {
        let turned = self.bits.rotate_right(8 * self.first);
        let word = (self.first + self.words.step * i) % 8;
        let bit = (turned >> (8 * self.words.step * i)) % 64;
        (word as usize, bit as u32)
    }

    /// Which words have a bit, as a mask.
    #[cfg(any(test, target_arch = "x86_64"))]
    #[inline(always)]
    pub(super) fn mask_of_words(self) -> u8 {
        let every = if self.words.step == 1 { 0xFF } else { 0x55 };
        let up_to_count = ((1u32 << (self.words.count * self.words.step)) - 1) as u8;
        (every & up_to_count).rotate_left(self.first)
    }

    /// For each word, 1 if it has a bit, else 0. Shifting them gives the bits of the row.
    #[inline(always)]
    pub(super) fn ones(self) -> &'static [u64; 8] {
        let start = 8 - self.first as usize % 8;
        let ones = self.words.ones[start..].first_chunk();
        ones.unwrap_or(&[0; 8])
    }

    /// Calls `act` with each word that has a bit, and that bit.
    #[inline(always)]
    pub(crate) fn each_bit(self, act: &mut impl FnMut(usize, u64)) {
        for i in 0..self.words.count {
            let (word, bit) = self.place(i);
            act(word, 1 << bit);
        }
    }

    /// The positions in the line.
    #[cfg(test)]
    pub(crate) fn positions(self) -> impl Iterator<Item = usize> + Clone {
        let position = move |(word, bit)| 64 * word + bit as usize;
        (0..self.words.count).map(move |i| position(self.place(i)))
    }
}

/// The values of [`RowWords::ones`] for each step and number of words. Eight of the sixteen, starting at index `8 - n`, are the ones of a row
/// that starts at word `n`.
static ONES: [[[u64; 16]; 9]; 2] = {
    let mut ones = [[[0; 16]; 9]; 2];
    let (mut count, mut word) = (0, 0);
    while count <= 8 {
        while word < 16 {
            ones[0][count][word] = (word % 8 < count) as u64;
            ones[1][count][word] = (word % 2 == 0 && word % 8 / 2 < count) as u64;
            word += 1;
        }
        (count, word) = (count + 1, 0);
    }
    ones
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_of_the_page() {
        let bits = u64::from_le_bytes([17, 200, 31, 90, 4, 255, 65, 9]);
        let row = RowWords::new(3, 1).row(bits, 6);
        let positions: Vec<_> = row.positions().collect();
        assert_eq!(positions, [6 * 64 + 1, 7 * 64 + 9, 17]);
        assert_eq!(*row.ones(), [1, 0, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn masks_have_the_words_of_the_row() {
        for (step, most) in [(1, 8), (2, 4)] {
            for (count, first) in
                (0..=most).flat_map(|count| (0..8).map(move |first| (count, first)))
            {
                let row = RowWords::new(count, step).row(0, first);
                let mask = row.positions().fold(0, |mask, at| mask | 1u8 << (at / 64));
                assert_eq!(row.mask_of_words(), mask);
                let ones = row.ones().iter().enumerate();
                assert_eq!(
                    ones.fold(0, |mask, (word, one)| mask | (*one as u8) << word),
                    mask
                );
            }
        }
    }

    #[test]
    fn rows_of_two_blocks_share_no_word() {
        let words = |first| {
            let row = RowWords::new(4, 2).row(0, first).positions();
            row.map(|position| position / 64).collect::<Vec<_>>()
        };
        assert_eq!(words(4), [4, 6, 0, 2]);
        assert_eq!(words(3), [3, 5, 7, 1]);
    }
}
