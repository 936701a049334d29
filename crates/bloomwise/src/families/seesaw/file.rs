//! The file of a filter: families 7 and 8 of [`crate::guide::file_format`].

use super::query::{AnyCells, Cells, Seesaw};
use super::shape::{COUNT_BITS, INDEX_BITS, Shape};
use crate::cells::words::{AtomicWord, AtomicWords, Words};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::sizing::MAX_BITS;
use std::io;
use std::ops::RangeInclusive;

/// The name of the counters in errors.
const COUNTERS: &str = "the counter array";

/// The name of the modulator in errors.
const MODULATOR: &str = "the modulator";

impl Body for Seesaw {
    fn parameters(&self) -> Vec<u64> {
        let shape = self.cells.shape();
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
        match &self.cells {
            AnyCells::Owned(cells) => {
                writer.doubt(cells.counters.doubt());
                writer.words(cells.words())
            }
            AnyCells::Borrowed(cells) => {
                writer.storage(&cells.counters)?;
                writer.storage(&cells.modulator)
            }
        }
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Seesaw, Family::SeesawAdaptive])?;
        let adaptive = head.family == Family::SeesawAdaptive;
        let most = MAX_BITS / 64;
        let small =
            |range: RangeInclusive<u32>| u64::from(*range.start())..=u64::from(*range.end());
        let functions = parameters.functions()?;
        let segments = parameters.word_in(1..=most, "the number of segments")?;
        let most_groups = most / segments / Shape::group_words(adaptive);
        let groups = parameters.word_in(
            1..=most_groups.max(1),
            "the number of counter groups in a segment",
        )?;
        let modulator_words = parameters.word_in(
            0..=most / segments,
            "the number of modulator words in a segment",
        )?;
        let count_bits =
            parameters.word_in(small(COUNT_BITS), "the number of bits of a modulator count")?;
        let index_bits =
            parameters.word_in(small(INDEX_BITS), "the number of bits of a modulator index")?;
        let shape = Shape {
            functions,
            segments,
            groups,
            modulator_words,
            count_bits: count_bits as u32,
            index_bits: index_bits as u32,
            adaptive,
        };
        let (counters, modulator) = (shape.counter_words(), shape.all_modulator_words());
        let cells = if payload.is_borrowed() {
            AnyCells::Borrowed(Box::new(Cells {
                shape,
                counters: payload.storage(counters, COUNTERS)?,
                modulator: payload.storage(modulator, MODULATOR)?,
            }))
        } else {
            let mut read = |count, field| {
                let words = payload.items(count, field, AtomicWord::from)?;
                Ok(AtomicWords::from(words))
            };
            AnyCells::Owned(Cells {
                shape,
                counters: read(counters, COUNTERS)?,
                modulator: read(modulator, MODULATOR)?,
            })
        };
        Ok(Seesaw {
            cells,
            profile: head.profile,
        })
    }

    fn check(&self) -> Result<()> {
        match &self.cells {
            AnyCells::Owned(cells) => cells.check(),
            AnyCells::Borrowed(cells) => cells.check(),
        }
    }
}

impl<S: Words> Cells<S> {
    /// Returns an error if the cells hold values that no filter writes.
    fn check(&self) -> Result<()> {
        if self.has_invalid_pending() {
            let expected = "a counter in use without a mark";
            return Err(Error::field(
                "the counter of a pending bit",
                "empty or marked",
                expected,
            ));
        }
        let Some(modulator) = self.modulator() else {
            return Ok(());
        };
        if modulator.has_padding(&self.shape) {
            return Err(Error::field(
                "the padding of a modulator word",
                "not 0",
                "0",
            ));
        }
        if modulator.has_stale_index(&self.shape) {
            return Err(Error::field(
                "the index of an empty modulator cell",
                "not 0",
                "0",
            ));
        }
        Ok(())
    }
}
