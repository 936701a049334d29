//! The filter in a file: families 7 and 8 of `docs/format.md`.

use super::counters::Counters;
use super::filter::Seesaw;
use super::footprint::Cells;
use super::modulator::Modulator;
use super::shape::{COUNT_BITS, INDEX_BITS, Shape};
use super::words::Words;
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::sizing::MAX_BITS;
use std::io;
use std::ops::RangeInclusive;

impl Body for Seesaw {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        let shape = self.cells.shape;
        vec![
            u64::from(shape.functions),
            shape.segments,
            shape.groups,
            shape.modulator_words,
            u64::from(shape.count_bits),
            u64::from(shape.index_bits),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.cells.counters.words.iter())?;
        match &self.cells.modulator {
            Some(modulator) => writer.words(modulator.words.iter()),
            None => Ok(()),
        }
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Seesaw, Family::SeesawAdaptive])?;
        let adaptive = head.family == Family::SeesawAdaptive;
        let most = MAX_BITS / 64;
        let small =
            |range: RangeInclusive<u32>| u64::from(*range.start())..=u64::from(*range.end());
        let functions = parameters.functions()?;
        let segments = parameters.word_in(1..=most, "the segments")?;
        let of_segment = most / segments / Shape::group_words(adaptive);
        let groups = parameters.word_in(1..=of_segment.max(1), "the groups of counters")?;
        let modulator_words = parameters.word_in(0..=most / segments, "the modulator's words")?;
        let count_bits = parameters.word_in(small(COUNT_BITS), "the bits of a count")?;
        let index_bits = parameters.word_in(small(INDEX_BITS), "the bits of an index")?;
        let shape = Shape {
            functions,
            segments,
            groups,
            modulator_words,
            count_bits: count_bits as u32,
            index_bits: index_bits as u32,
            adaptive,
        };
        let counters = payload.words(shape.counter_words(), "the counters")?;
        let counters = Counters {
            words: Words::of(counters)?,
            adaptive,
        };
        let words = payload.words(shape.all_modulator_words(), "the modulator")?;
        let modulator = match modulator_words {
            0 => None,
            _ => Some(Modulator::of(Words::of(words)?, &shape)),
        };
        let cells = Cells {
            shape,
            counters,
            modulator,
        };
        cells.check()?;
        Ok(Seesaw { cells, head: *head })
    }
}

impl Cells {
    /// An error if the cells hold what no filter writes.
    fn check(&self) -> Result<()> {
        let shape = &self.shape;
        if self.waits_in_vain() {
            let expected = "a counter in use without a mark";
            return Err(Error::field("a pending bit", "set", expected));
        }
        let Some(modulator) = &self.modulator else {
            return Ok(());
        };
        let unused = 64 % shape.cell_bits();
        let top = |word: u64| word.checked_shr(64 - unused).unwrap_or(0) != 0;
        if modulator.words.iter().any(top) {
            let expected = "0 in its last bits";
            return Err(Error::field(
                "a word of the modulator",
                "too full",
                expected,
            ));
        }
        let left_over = |cell| matches!(modulator.read(cell), (0, 1..));
        if shape.all_cells().any(left_over) {
            return Err(Error::field(
                "an index of the modulator",
                "above 0",
                "0 without keys",
            ));
        }
        Ok(())
    }
}
