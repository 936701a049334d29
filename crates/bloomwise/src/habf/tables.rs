//! The bits and the chain cells, and the query in two rounds that reads them.
//!
//! *First round.* All bits of the initial functions are 1: yes.
//!
//! *Second round.* The chain of the key names other functions, and all of their bits are 1: yes. In its strict form, the
//! default, the round believes less. A positive that was adjusted differs from the initial functions in exactly one. So
//! the round is not entered if two or more of the initial bits are 0, and the chain must name exactly the initial
//! functions whose bits are 1 and one other function, whose bit must be 1.

use super::expressor::chain;
use super::shape::{Kind, Places, Shape};
use super::theory::both_rounds;
use crate::cells::{BitArray, Block, PackedArray};
use crate::codec::Reader;
use crate::error::{Error, Result};
use std::ops::Range;

/// How many bits of a key are looked at before the first question, as in a Bloom filter.
pub(super) const FIRST: u32 = 4;

/// Bits and cells of a whole filter, or of one segment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    pub bits: BitArray,
    pub cells: PackedArray,
}

impl Tables {
    /// Empty tables of this shape.
    pub fn new(shape: &Shape) -> Result<Self> {
        Ok(Tables {
            bits: BitArray::new(shape.segments * shape.bits)?,
            cells: PackedArray::new(shape.segments * shape.cells, shape.cell_bits)?,
        })
    }

    /// Reads the tables of a filter in a file.
    pub fn read(shape: &Shape, payload: &mut Reader<'_>) -> Result<Self> {
        let words = payload.words(shape.segments * shape.bits / 64, "the bits")?;
        let bits = BitArray::from_words(words)?;
        let cells = shape.segments * shape.cells;
        let words = PackedArray::words_for(cells, shape.cell_bits);
        let words = payload.words(words, "the chain cells")?;
        let wrong = || Error::field("the chain cells", cells, "as many as the payload holds");
        let cells = PackedArray::from_words(words, cells, shape.cell_bits)?.ok_or_else(wrong)?;
        Ok(Tables { bits, cells })
    }

    /// Takes over a segment that was built on its own.
    pub fn copy_segment(&mut self, shape: &Shape, number: usize, segment: &Tables) {
        let words = |bits: u64| number * (bits / 64) as usize;
        self.bits.copy_words(words(shape.bits), &segment.bits);
        let cell_bits = shape.cells * u64::from(shape.cell_bits);
        self.cells.copy_words(words(cell_bits), &segment.cells);
    }

    /// Sets the bits of a key's initial functions.
    #[inline]
    pub fn insert<const KIND: u8>(&mut self, shape: &Shape, places: &Places<KIND>) {
        for bit in places.each_bit(0..shape.functions) {
            self.bits.set(bit);
        }
    }

    /// The functions on whose bits the answer "yes" rests; `None` if the answer is "no".
    #[inline]
    pub fn reason<const KIND: u8>(&self, shape: &Shape, places: &Places<KIND>) -> Option<u32> {
        let first = shape.functions.min(FIRST);
        let mut zeros = self.zeros(places, 0..first);
        if shape.is_no(zeros) {
            return None;
        }
        zeros |= self.zeros(places, first..shape.functions);
        if zeros == 0 {
            return Some(shape.initial());
        }
        if shape.is_no(zeros) {
            return None;
        }
        self.second_round(shape, places, zeros)
    }

    /// The rate on keys that nobody has seen, predicted from bits and cells.
    ///
    /// A chain of `k` cells must be used throughout and end. The strict round asks more of it: the functions it names
    /// must be, in any order, `k - 1` given initial ones and one that is not initial.
    pub fn predicted_rate(&self, shape: &Shape) -> f64 {
        let k = f64::from(shape.functions);
        let region = match shape.kind {
            Kind::Full | Kind::Fast => shape.bits,
            Kind::Cache => Block::BITS,
        };
        let (mut regions, mut first_round, mut one_zero) = (0.0, 0.0, 0.0);
        let mut words = self.bits.words();
        while words.len() > 0 {
            let part = words.by_ref().take(region as usize / 64);
            let ones: u64 = part.map(|word| u64::from(word.count_ones())).sum();
            let fill = ones as f64 / region as f64;
            regions += 1.0;
            first_round += fill.powf(k);
            one_zero += k * fill.powf(k) * (1.0 - fill);
        }
        let (first_round, one_zero) = (first_round / regions, one_zero / regions);
        if shape.cells == 0 {
            return first_round;
        }
        let end = 1 << (shape.cell_bits - 1);
        let all = self.cells.len() as f64;
        let share = |holds: &dyn Fn(u64) -> bool| self.cells.count(holds) as f64 / all;
        let name = |cell: u64| cell & (end - 1);
        let ends = share(&|cell| cell & end != 0 && name(cell) != 0);
        let initial = share(&|cell| (1..=u64::from(shape.functions)).contains(&name(cell)));
        let others = share(&|cell| name(cell) > u64::from(shape.functions));
        let used = initial + others;
        if used == 0.0 {
            return first_round;
        }
        let orders: f64 = (1..=shape.functions).map(f64::from).product();
        let rate = match shape.strict {
            true => {
                let chain = orders * (initial / k).powf(k - 1.0) * others * (ends / used);
                first_round + one_zero * chain
            }
            false => both_rounds(first_round, used.powf(k - 1.0) * ends),
        };
        rate.min(1.0)
    }

    /// The second round of a key some of whose initial functions lead to bits that are 0.
    pub fn second_round<const KIND: u8>(
        &self,
        shape: &Shape,
        places: &Places<KIND>,
        zeros: u32,
    ) -> Option<u32> {
        let set = chain(&self.cells, shape.cell_bits, places, shape.functions)?;
        let mut asked = set;
        if shape.strict {
            let (kept, added) = (set & shape.initial(), set & !shape.initial());
            if kept != shape.initial() & !zeros || !added.is_power_of_two() {
                return None;
            }
            asked = added;
        }
        let mut rest = asked;
        while rest != 0 {
            if !self.bits.get(places.bit(rest.trailing_zeros())) {
                return None;
            }
            rest &= rest - 1;
        }
        Some(set)
    }

    /// Those of some functions whose bits are 0, as a set.
    #[inline]
    pub fn zeros<const KIND: u8>(&self, places: &Places<KIND>, functions: Range<u32>) -> u32 {
        let start = functions.start;
        self.zeros_at(places.each_bit(functions)) << start
    }

    /// Which of these bits are 0, as a set of their numbers.
    #[inline]
    pub fn zeros_at(&self, bits: impl Iterator<Item = usize>) -> u32 {
        (0..).zip(bits).fold(0, |zeros, (number, bit): (u32, _)| {
            zeros | (!self.bits.lowest(bit) as u32 & 1) << number
        })
    }
}
