//! The file of a filter: families 7 and 8 of [`crate::guide::file_format`].

use super::filter::Seesaw;
use super::shape::{COUNT_BITS, INDEX_BITS, Shape};
use crate::error::Result;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::sizing::MAX_BITS;
use std::io;
use std::ops::RangeInclusive;

impl Body for Seesaw {
    fn parameters(&self) -> Vec<u64> {
        let shape = &self.shape;
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
        writer.storage(&self.words)
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
        Ok(Seesaw {
            shape,
            words: payload.storage(shape.words(), "the counter array and the modulator")?,
            profile: head.profile,
        })
    }

    fn check(&self) -> Result<()> {
        self.cells().check()
    }
}
