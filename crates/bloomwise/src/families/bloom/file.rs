//! The filter in a file: the number of functions and the bits.

use super::Bloom;
use crate::cells::BitArray;
use crate::error::Result;
use crate::families::probe::Placement;
use crate::families::spread::ArrayShape;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use std::io;

impl Body for Bloom {
    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.shape.functions()), self.bits.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.bits.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Bloom, Family::Personalized])?;
        let placement = Placement::of(head.family);
        Bloom::read_as(placement, head.profile, parameters, payload)
    }
}

impl Bloom {
    /// Reads a filter whose positions are found in this way.
    pub(crate) fn read_as(
        placement: Placement,
        profile: Profile,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(64, "the bits")?;
        let shape = ArrayShape::checked(placement, bits, functions, "the bits")?;
        let bits = BitArray::over(payload.storage(bits / 64, "the bits")?);
        Ok(Bloom::over(bits, shape, profile))
    }
}
