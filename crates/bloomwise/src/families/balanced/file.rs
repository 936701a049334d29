//! The file format of the filter: family 9 of [`crate::guide::file_format`].

use super::block_state::BlockState;
use super::filter::{Balanced, Reads};
use super::scheme::Scheme;
use super::tables::{MAX_CHOICES, Tables};
use crate::cells::stash::Stash;
use crate::cells::{Block, BlockArray};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::kernel::block_bits::BlockBits;
use crate::kernel::{Narrow, QueryFn};
use crate::machine::processor::Kernel;
use std::io;

impl Body for Balanced {
    fn parameters(&self) -> Vec<u64> {
        let mut words = vec![
            u64::from(self.block_bits.functions()),
            self.lines.len() * Block::BITS,
            u64::from(self.block_bits.width()),
            self.scheme as u64,
            u64::from(self.block_state.level()),
            u64::from(self.block_state.coin()),
            u64::from(self.block_state.groups()),
            self.list_room,
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
        writer.storage(self.lines.storage())?;
        writer.words(self.overflow.words())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Balanced])?;
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(Block::BITS, "the bits")?;
        let width = parameters.word_in(8..=9, "the width of a block")? as u32;
        let number = parameters.word_in(1..=3, "the scheme")?;
        let scheme = Scheme::ALL[number as usize - 1];
        let level = parameters.word_in(0..=u64::from(BlockState::MAX_LEVEL), "the level")?;
        let coin = parameters.word_in(0..=u64::from(BlockState::DRAWS), "the coin")?;
        let groups = parameters.word_in(1..=u64::from(BlockState::MAX_GROUPS), "the groups")?;
        let list_room = parameters.word("the room in the list")?;
        let budget = parameters.word("the budget of reads")?;
        if scheme != Scheme::Sequential && budget != u64::MAX {
            return Err(Error::field("the budget of reads", budget, u64::MAX));
        }
        let total = parameters.word_in(0..=budget, "the reads")?;
        let worst =
            parameters.word_in(0..=u64::from(MAX_CHOICES), "the maximum of reads for a key")?;
        let overflowed = parameters.word_in(0..=list_room, "the length of the list")?;
        let tables = read_tables(parameters, scheme, bits >> width)?;
        let lines = payload.storage(bits / 64, "the blocks")?;
        let listed = payload.storage(overflowed.saturating_mul(2), "the list")?;
        let block_state = BlockState::new(level as u32, coin as u32, groups as u32);
        let block_bits = BlockBits::new(width, functions).with_reserved(block_state.bits());
        let kernel = Kernel::current();
        Ok(Balanced {
            lines: BlockArray::over(lines),
            scheme,
            tables,
            block_state,
            list_room,
            reads: Reads {
                budget,
                total,
                worst,
            },
            overflow: Stash::over(listed),
            block_bits,
            kernel,
            query_fn: block_bits.run(Narrow(kernel), QueryFn::choose(), ()),
            profile: head.profile,
        })
    }

    fn check(&self) -> Result<()> {
        let highest = self.block_state.highest();
        let states = (0..self.blocks()).map(|block| self.state(block));
        if let Some(state) = states.max().filter(|&state| state > highest) {
            let expected = format!("at most {highest}");
            return Err(Error::field("the state of a block", state, expected));
        }
        self.overflow.check()
    }
}

/// Reads the tables. Returns an error if the scheme cannot have them.
fn read_tables(parameters: &mut Parameters<'_>, scheme: Scheme, blocks: u64) -> Result<Tables> {
    let choices = parameters.word_in(1..=u64::from(MAX_CHOICES), "the choices")?;
    let sizes = parameters.words(choices as usize, "the tables")?;
    Tables::from_sizes(scheme, blocks, sizes).ok_or_else(|| {
        let expected = format!("sizes of scheme {} in {blocks} blocks", scheme.name());
        Error::field("the size of the tables", format!("{sizes:?}"), expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::balanced::theory::lookup::Rule;
    use crate::filter::contract::{Filter, Lookup};
    use crate::filter::insert::Insert;
    use crate::filter::sizing::Size;
    use crate::format::{Check, Persist};
    use crate::keys::hash::Hashing;

    /// Bytes that start at an odd address.
    struct Shifted(Vec<u8>);

    impl Shifted {
        fn new(bytes: &[u8]) -> Self {
            Shifted([&[0], bytes].concat())
        }
    }

    impl AsRef<[u8]> for Shifted {
        fn as_ref(&self) -> &[u8] {
            &self.0[1..]
        }
    }

    /// A filter of 4000 keys in the size for 2000, so that its list is full.
    fn filter(scheme: Scheme, block_bits: u32) -> Balanced {
        let builder = Balanced::builder(Size::BitsPerKey(16.0)).capacity(2000);
        let builder = builder.scheme(scheme).block_bits(block_bits);
        let mut filter = builder.create().expect("sound");
        filter.extend(0..4000);
        assert_eq!(filter.overflowed(), filter.list_room);
        assert!(filter.list_room > 0);
        filter
    }

    fn filters() -> impl Iterator<Item = Balanced> {
        let schemes = Scheme::ALL.into_iter();
        schemes.flat_map(|scheme| [256, 512].map(|bits| filter(scheme, bits)))
    }

    #[test]
    fn filters_survive_their_bytes_and_answer_from_borrowed_ones() {
        for filter in filters() {
            let bytes = filter.to_bytes();
            assert_eq!(Balanced::from_bytes(&bytes).expect("its bytes"), filter);
            for check in [Check::Whole, Check::Header] {
                let owner = Shifted::new(&bytes);
                let mut borrowed = Balanced::from_owner(owner, check).expect("its bytes");
                assert_eq!(borrowed, filter);
                assert!((0..4000).all(|key| borrowed.contains(key)));
                assert_eq!(borrowed.to_bytes(), bytes);
                borrowed.insert("another key");
                let mut owned = filter.clone();
                owned.insert("another key");
                assert_eq!(borrowed, owned);
            }
        }
    }

    #[test]
    fn random_cells_give_wrong_answers_and_nothing_worse() {
        for filter in filters() {
            let mut bytes = filter.to_bytes();
            let cells = filter.size_in_bits() as usize / 8;
            // Less than a mebibyte: one checksum of the payload, and one of that.
            let start = bytes.len() - 16 - cells;
            for (word, cells) in (0u64..).zip(bytes[start..start + cells].chunks_mut(8)) {
                cells.copy_from_slice(&Hashing::default().digest(word).low.to_le_bytes());
            }
            assert!(Balanced::from_bytes(&bytes).is_err());
            assert!(Balanced::from_owner(Shifted::new(&bytes), Check::Whole).is_err());
            let damaged = Balanced::from_owner(Shifted::new(&bytes), Check::Header);
            let mut damaged = damaged.expect("a sound header");
            assert!(damaged.check().is_err());
            let keys: Vec<_> = (0..5000)
                .map(|key| Hashing::default().digest(key))
                .collect();
            let mut answers = vec![false; keys.len()];
            for _ in 0..2 {
                damaged.query_batch(&keys, &mut answers);
                for (&key, answer) in keys.iter().zip(&answers) {
                    assert_eq!(damaged.query(key), *answer);
                }
                for rule in [Rule::Level, Rule::Coin, Rule::Recorded] {
                    assert!((1..=8).contains(&damaged.blocks_read("ant", rule)));
                }
                assert_eq!(damaged.info().keys, damaged.len());
                assert!(damaged.rate().is_finite());
                assert_eq!(damaged.to_bytes().len() as u64, damaged.encoded_len());
                assert_eq!(damaged.clone(), damaged);
                damaged.extend(0..20_000);
            }
        }
    }

    #[test]
    fn states_that_do_not_exist_are_errors() {
        let mut filter = filter(Scheme::Mht, 512);
        assert!(filter.check().is_ok());
        assert!(filter.block_state.highest() < (1 << filter.block_state.bits()) - 1);
        filter.lines.get_mut(3).set_word(7, u64::MAX);
        let text = filter.check().expect_err("no such state").to_string();
        assert!(text.contains("the state of a block"), "{text}");
    }
}
