//! The filter in a file: the number of functions, the bits and the width of a block; then the blocks.

use super::Blocked;
use crate::cells::{Block, BlockArray};
use crate::error::Result;
use crate::filter::Filter;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::kernel::block_bits::BlockBits;
use std::io;

impl Body for Blocked {
    fn parameters(&self) -> Vec<u64> {
        vec![
            u64::from(self.block_bits.functions()),
            self.size_in_bits(),
            u64::from(self.block_bits.width()),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.lines.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Blocked])?;
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(Block::BITS, "the bits")?;
        let width = parameters.word_in(8..=9, "the width of a block")? as u32;
        let lines = BlockArray::over(payload.storage(bits / 64, "the blocks")?);
        Ok(Blocked::over(
            lines,
            BlockBits::new(width, functions),
            head.profile,
        ))
    }
}
