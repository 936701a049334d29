//! The filter in a file: the number of functions and the counters.

use super::{Counting, LOG};
use crate::cells::PackedArray;
use crate::error::{Error, Result};
use crate::families::probe::Placement;
use crate::families::spread::ArrayShape;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use std::io;

impl Body for Counting {
    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.shape.functions()), self.counters.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.counters.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Counting, Family::PersonalizedCounting])?;
        let functions = parameters.functions()?;
        let counters = parameters.multiple_of(64 >> LOG, "the counters")?;
        let placement = Placement::of(head.family);
        let shape = ArrayShape::checked(placement, counters, functions, "the counters")?;
        let words = PackedArray::words_for(counters, 1 << LOG);
        let bytes = payload.storage(words, "the counters")?;
        let wrong = || Error::field("the counters", counters, "as many as the payload holds");
        let counters = PackedArray::over(bytes, counters, 1 << LOG).ok_or_else(wrong)?;
        Ok(Counting::over(counters, shape, head.profile))
    }
}
