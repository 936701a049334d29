//! The filter in a file: family 15 of [`crate::guide::file_format`].

use super::buckets::Buckets;
use super::eviction::Eviction;
use super::filter::Cuckoo;
use super::shape::{FINGERPRINT_BITS, SLOTS, Shape};
use super::table::Table;
use crate::cells::words::padded_words;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::sizing::MAX_BITS;
use std::io;

impl Body for Cuckoo {
    fn parameters(&self) -> Vec<u64> {
        let (shape, eviction) = (&self.shape, &self.eviction);
        vec![
            u64::from(shape.bits),
            shape.segments,
            shape.buckets,
            shape.entries,
            eviction.entries,
            eviction.extras,
            eviction.given_up,
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
        head.expect(&[Family::Cuckoo])?;
        let most = MAX_BITS / 64;
        let (fewest, longest) = (*FINGERPRINT_BITS.start(), *FINGERPRINT_BITS.end());
        let bits = parameters.word_in(
            u64::from(fewest)..=u64::from(longest),
            "the bits of a fingerprint",
        )?;
        let segments = parameters.word_in(1..=most, "the number of segments")?;
        let most_buckets = MAX_BITS / segments / (SLOTS * bits);
        let buckets = parameters.word_in(
            1..=most_buckets.max(1),
            "the number of buckets in a segment",
        )?;
        let entries = parameters.word_in(1..=most / 3, "the room of the exact table")?;
        let held = parameters.word_in(0..=entries, "the number of entries")?;
        let extras = parameters.word_in(0..=held, "the number of extras")?;
        let given_up = parameters.word("the number of mistakes given up")?;
        let shape = Shape::new(bits as u32, segments, buckets, entries);
        let words = payload.storage(shape.words(), "the buckets and the exact table")?;
        let eviction = Eviction::new(held, extras, given_up);
        Ok(Cuckoo::over(shape, words, head.profile, eviction))
    }

    fn check(&self) -> Result<()> {
        let words = padded_words(&self.words);
        let mut segments = 0..self.shape.segments as usize;
        if segments.any(|segment| Buckets::new(words, &self.shape, segment).has_padding()) {
            return Err(Error::field("the padding of a segment", "not 0", "0"));
        }
        let (entries, extras) = Table::new(words, &self.shape).check()?;
        let said = (self.eviction.entries, self.eviction.extras);
        if said != (entries, extras) {
            let expected = format!("{entries} and {extras}, those of the table");
            let said = format!("{} and {}", said.0, said.1);
            return Err(Error::field(
                "the numbers of entries and extras",
                said,
                expected,
            ));
        }
        Ok(())
    }
}
