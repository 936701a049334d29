//! The bits and chain cells, and the two-round query that reads them.
//!
//! *First round.* If the bits of all initial functions are 1, the answer is yes.
//!
//! *Second round.* If the key has a chain and the bits of all functions that it names are 1, the answer is yes. The
//! default is a strict second round, which accepts fewer chains. The functions of an adjusted positive differ from the
//! initial ones in exactly one. So the query skips the second round if two or more of the initial bits are 0. Otherwise
//! the chain must name exactly the initial functions whose bits are 1, and one other function, whose bit must be 1.

use super::expressor::read_chain;
use super::shape::{Places, Shape};
use crate::cells::{BitArray, Bits, PackedArray};
use crate::error::Result;
use std::ops::Range;

/// How many bits of a key a query reads before its first branch, if there are many.
const FIRST: u32 = 4;

/// A query reads all bits of a key before its first branch, if there are no more than this.
const MANY: u32 = 6;

/// The bits and cells of a filter, or of one of its segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    /// The bits that keys set.
    pub bits: BitArray,
    /// The cells of the expressor.
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

    /// Copies `segment`, which was built separately, to its place as segment `number`.
    pub fn copy_segment(&mut self, shape: &Shape, number: usize, segment: &Tables) {
        let words = |bits: u64| number * (bits / 64) as usize;
        self.bits.copy_words(words(shape.bits), &segment.bits);
        let cell_bits = shape.cells * u64::from(shape.cell_bits);
        self.cells.copy_words(words(cell_bits), &segment.cells);
    }

    /// Sets the bits of a key's initial functions.
    #[inline]
    pub fn insert<const KIND: usize>(&mut self, shape: &Shape, places: &Places<KIND>) {
        let bits = self.bits.view_mut();
        for bit in places.each_bit(0..shape.functions) {
            bits.set(bit);
        }
    }

    /// The tables to read. A query takes them once.
    #[inline(always)]
    pub fn view(&self) -> TableView<'_> {
        TableView {
            bits: self.bits.view(),
            cells: &self.cells,
        }
    }
}

/// The bits and cells of [`Tables`], for reading.
#[derive(Clone, Copy)]
pub(super) struct TableView<'a> {
    /// The bits of the Bloom filter.
    pub bits: Bits<'a, [u8; 8]>,
    /// The chain cells. Few queries read cells, so only those create a view.
    pub cells: &'a PackedArray,
}

impl TableView<'_> {
    /// Looks up a key. For "yes", returns the set of functions whose bits are all 1; `None` means "no".
    #[inline(always)]
    pub fn query<const KIND: usize, const K: usize>(
        self,
        shape: &Shape,
        places: &Places<KIND>,
    ) -> Option<u32> {
        let functions = shape.functions::<K>();
        let first = if functions > MANY { FIRST } else { functions };
        let mut zeros = self.zeros(places, 0..first);
        if shape.is_no(zeros) {
            return None;
        }
        zeros |= self.zeros(places, first..functions);
        if zeros == 0 {
            return Some(shape.initial());
        }
        if shape.is_no(zeros) {
            return None;
        }
        self.second_round(shape, places, zeros)
    }

    /// The second round of [`TableView::query`]; `zeros` is the set of initial functions whose bits are 0.
    #[inline(never)]
    pub fn second_round<const KIND: usize>(
        self,
        shape: &Shape,
        places: &Places<KIND>,
        zeros: u32,
    ) -> Option<u32> {
        let set = read_chain(self.cells.view(), shape.cell_bits, places, shape.functions)?;
        let mut unread = set;
        if shape.strict {
            let (kept, added) = (set & shape.initial(), set & !shape.initial());
            if kept != shape.initial() & !zeros || !added.is_power_of_two() {
                return None;
            }
            unread = added;
        }
        while unread != 0 {
            if self.bits.lowest(places.bit(unread.trailing_zeros())) & 1 == 0 {
                return None;
            }
            unread &= unread - 1;
        }
        Some(set)
    }

    /// The set of those `functions` whose bits are 0.
    #[inline(always)]
    pub fn zeros<const KIND: usize>(self, places: &Places<KIND>, functions: Range<u32>) -> u32 {
        functions.fold(0, |zeros, function| {
            let bit = self.bits.lowest(places.bit(function));
            zeros | (!bit as u32 & 1) << function
        })
    }
}
