//! The filter in a file: families 4 to 6 of [`crate::guide::file_format`].

use super::filter::Habf;
use super::options::CELL_BITS;
use super::shape::{DEFAULT_CELL_BITS, Kind, Shape};
use super::tables::Tables;
use crate::cells::{BitArray, PackedArray};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::sizing::MAX_BITS;
use std::io;

impl Body for Habf {
    fn parameters(&self) -> Vec<u64> {
        let shape = &self.shape;
        vec![
            u64::from(shape.functions),
            shape.bits,
            shape.segments,
            shape.cells,
            u64::from(shape.cell_bits),
            u64::from(shape.strict),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.tables.bits.storage())?;
        writer.storage(self.tables.cells.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Habf, Family::HabfFast, Family::HabfCache])?;
        let shape = Shape::read(Kind::of(head.family), parameters)?;
        let tables = Tables::read(&shape, payload)?;
        Ok(Habf::over(shape, tables, head.profile))
    }
}

impl Shape {
    /// Reads and validates the parameters of a filter in a file.
    fn read(kind: Kind, parameters: &mut Parameters<'_>) -> Result<Self> {
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(kind.bit_step(), "the bits of a segment")?;
        let segments = parameters.word_in(1..=MAX_BITS / bits, "the segments")?;
        let cells = parameters.word_in(0..=MAX_BITS / segments, "the cells of a segment")?;
        if !cells.is_multiple_of(kind.cell_step()) {
            let expected = format!("a multiple of {}", kind.cell_step());
            return Err(Error::field("the cells of a segment", cells, expected));
        }
        let default = u64::from(DEFAULT_CELL_BITS);
        let widths = match kind {
            Kind::Full | Kind::Fast if cells > 0 => {
                u64::from(*CELL_BITS.start())..=u64::from(*CELL_BITS.end())
            }
            _ => default..=default,
        };
        let cell_bits = parameters.word_in(widths, "the bits of a cell")? as u32;
        let strict = parameters.word_in(0..=1, "the strict flag")? == 1;
        let shape = Shape {
            kind,
            functions,
            cell_bits,
            segments,
            bits,
            cells,
            strict,
        };
        if cells > 0 && functions >= shape.pool() {
            let expected = format!("fewer than the {} that a cell can name", shape.pool());
            return Err(Error::field("the number of functions", functions, expected));
        }
        Ok(shape)
    }
}

impl Tables {
    /// Reads the bits and cells of a filter in a file.
    fn read(shape: &Shape, payload: &mut Payload<'_>) -> Result<Self> {
        let bits = payload.storage(shape.segments * shape.bits / 64, "the bits")?;
        let bits = BitArray::over(bits);
        let cells = shape.segments * shape.cells;
        let words = PackedArray::words_for(cells, shape.cell_bits);
        let storage = payload.storage(words, "the chain cells")?;
        let wrong = || Error::field("the chain cells", cells, "a number that fits the payload");
        let cells = PackedArray::over(storage, cells, shape.cell_bits).ok_or_else(wrong)?;
        Ok(Tables { bits, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::insert::Insert;
    use crate::filter::sizing::Size;
    use crate::format::{Check, Persist};
    use proptest::prelude::*;

    /// A filter with many chains.
    fn filter(kind: Kind, paper: bool) -> Habf {
        let mut builder = Habf::builder(Size::BitsPerKey(5.0)).segment_bits(4096);
        builder.options.kind = kind;
        builder.options.paper = paper;
        let negatives = (2000..6000).map(|key| (key, 1.0));
        builder.build_from(0..2000, negatives).expect("sound")
    }

    fn kind() -> impl Strategy<Value = Kind> {
        prop::sample::select(vec![Kind::Full, Kind::Fast, Kind::Cache])
    }

    #[test]
    fn borrowed_filter_answers_like_the_original_at_any_alignment() {
        for kind in [Kind::Full, Kind::Fast, Kind::Cache] {
            let original = filter(kind, false);
            for skip in [0, 1] {
                let bytes = [vec![0; skip], original.to_bytes()].concat();
                let owner = bytes::Bytes::from(bytes).slice(skip..);
                let mut borrowed = Habf::from_owner(owner, Check::Whole).expect("sound bytes");
                assert_eq!(borrowed, original);
                let answers = original.contains_batch(0..10_000);
                assert_eq!(borrowed.contains_batch(0..10_000), answers);
                borrowed.insert(10_001);
                assert!(borrowed.contains(10_001) && (0..2000).all(|key| borrowed.contains(key)));
            }
        }
    }

    proptest! {
        #[test]
        fn random_cells_are_harmless(kind in kind(), paper: bool, seed: u64) {
            let filter = filter(kind, paper);
            let mut bytes = filter.to_bytes();
            // The payload follows 80 bytes of header and 6 parameters.
            let payload = &mut bytes[128..][..filter.size_in_bits() as usize / 8];
            for (byte, i) in payload.iter_mut().zip(0..) {
                *byte = (seed ^ i).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes()[7];
            }
            prop_assert!(Habf::from_bytes(&bytes).is_err(), "the checksums do not match");
            let mut filter = Habf::from_owner(bytes, Check::Header).expect("a sound header");
            let answers = filter.contains_batch(0..1000);
            prop_assert!((0..1000).zip(answers).all(|(key, answer)| filter.contains(key) == answer));
            prop_assert!((0.0..=1.0).contains(&filter.info().predicted_fpr));
            filter.extend(0..100);
            prop_assert!((0..100).all(|key| filter.contains(key)));
            prop_assert!(Habf::from_bytes(&filter.to_bytes()).is_err(), "damage stays damage");
        }
    }
}
