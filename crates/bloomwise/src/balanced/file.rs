//! The filter in a file: family 9 of `docs/format.md`.

use super::filter::{Balanced, Reads};
use super::gauge::Gauge;
use super::scheme::Scheme;
use super::tables::{MAX_CHOICES, Tables};
use crate::cells::{Block, BlockArray};
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::stash::Stash;
use crate::vector::Kernel;
use std::io;

impl Body for Balanced {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        let mut words = vec![
            u64::from(self.functions),
            self.lines.len() * Block::BITS,
            u64::from(self.width),
            self.scheme as u64,
            u64::from(self.gauge.level()),
            u64::from(self.gauge.coin()),
            u64::from(self.gauge.groups()),
            self.capacity,
            self.list,
            self.reads.budget,
            self.reads.total,
            self.reads.worst,
            self.overflowed(),
            self.tables.len() as u64,
        ];
        words.extend(self.tables.iter().map(|table| table.size));
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.lines.blocks().iter().flat_map(|block| *block.words()))?;
        writer.words(self.overflow.to_words())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Balanced])?;
        let functions = parameters.functions()?;
        let bits = parameters.word_of(Block::BITS, "the bits")?;
        let width = parameters.word_in(8..=9, "the width of a block")? as u32;
        let number = parameters.word_in(1..=3, "the scheme")?;
        let scheme = Scheme::ALL[number as usize - 1];
        let level = parameters.word_in(0..=u64::from(Gauge::MAX_LEVEL), "the level")?;
        let coin = parameters.word_in(0..=u64::from(Gauge::CERTAIN), "the coin")?;
        let groups = parameters.word_in(1..=u64::from(Gauge::MAX_GROUPS), "the groups")?;
        let capacity = parameters.word("the capacity")?;
        let list = parameters.word("the room in the list")?;
        let budget = parameters.word("the budget of reads")?;
        if scheme != Scheme::Sequential && budget != u64::MAX {
            return Err(Error::field("the budget of reads", budget, u64::MAX));
        }
        let total = parameters.word_in(0..=budget, "the reads")?;
        let worst = parameters.word_in(0..=u64::from(MAX_CHOICES), "the most reads for a key")?;
        let overflowed = parameters.word("the length of the list")?;
        let tables = read_tables(parameters, scheme, bits >> width)?;
        let lines = BlockArray::from_words(payload.words(bits / 64, "the blocks")?)?;
        let listed = payload.words(overflowed.saturating_mul(2), "the list")?;
        let unsorted = || Error::field("the list", "not in order", "rising digests");
        let filter = Balanced {
            lines,
            width,
            functions,
            scheme,
            tables,
            gauge: Gauge::new(level as u32, coin as u32, groups as u32),
            capacity,
            list,
            reads: Reads {
                budget,
                total,
                worst,
            },
            overflow: Stash::from_words(listed).ok_or_else(unsorted)?,
            kernel: Kernel::of_this_processor(),
            head: *head,
        };
        let states = (0..filter.blocks()).map(|block| filter.state(block));
        let highest = filter.gauge.highest();
        match states.max().filter(|&state| state > highest) {
            None => Ok(filter),
            Some(state) => {
                let expected = format!("at most {highest}");
                Err(Error::field("the state of a block", state, expected))
            }
        }
    }
}

/// Reads the tables, which must be those of the scheme.
fn read_tables(parameters: &mut Reader<'_>, scheme: Scheme, blocks: u64) -> Result<Tables> {
    let choices = parameters.word_in(1..=u64::from(MAX_CHOICES), "the choices")?;
    let sizes: Vec<u64> = parameters.words(choices, "the tables")?.collect();
    Tables::of_sizes(scheme, blocks, &sizes).ok_or_else(|| {
        let expected = format!("those of {} in {blocks} blocks", scheme.name());
        Error::field("the tables", "of other sizes", expected)
    })
}
