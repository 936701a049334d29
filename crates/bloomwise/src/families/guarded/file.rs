//! The form of a filter in a file.
//!
//! The parameters: the words of the payload, the two thinning bytes as one number, the known negatives and how many of them are wrong,
//! the bit where the layers of the guard start, and the two chains. A chain is the number of its layers and, for each,
//! salt, form of the thresholds, rows, width and narrow blocks. The payload: all layers, one after the other; those of the
//! guard start at their own bit. A layer with thresholds starts at a word.

use super::Guarded;
use super::chain::MAX_LAYERS;
use super::equation::MAX_SALT;
use super::filter::Known;
use super::layer::{Layer, Thresholds};
use super::lookup::Layers;
use super::reader::Reader;
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::sizing::MAX_BITS;
use std::io;

/// The forms of thresholds, by their numbers.
const FORMS: [Thresholds; 3] = [Thresholds::None, Thresholds::One, Thresholds::Two];

/// The words of a chain.
fn write_chain(parameters: &mut Vec<u64>, layers: &[Reader]) {
    parameters.push(layers.len() as u64);
    for Reader { layer, .. } in layers {
        let form = FORMS.iter().position(|form| *form == layer.thresholds);
        parameters.extend([
            layer.salt,
            form.unwrap_or(0) as u64,
            layer.shape.rows,
            layer.shape.width,
            layer.shape.narrow,
        ]);
    }
}

/// Reads a chain whose first layer starts at bit `first`, and that ends before bit `end`.
fn read_chain(
    parameters: &mut Parameters<'_>,
    (first, end): (u64, u64),
    may_be_double: bool,
) -> Result<Vec<Layer>> {
    let count = parameters.word_in(0..=MAX_LAYERS as u64, "the number of layers")?;
    let mut next = first;
    let mut layers: Vec<Layer> = Vec::new();
    for index in 0..count {
        let salt = parameters.word_in(0..=MAX_SALT, "the salt of a layer")?;
        let most = if may_be_double && index == 0 { 2 } else { 1 };
        let form = parameters.word_in(0..=most, "the form of the thresholds")?;
        let rows = parameters.word("the rows of a layer")?;
        let width = parameters.word("the columns of a layer")?;
        let narrow = parameters.word("the narrow blocks of a layer")?;
        let expected = "rows and columns of a layer that fit each other";
        let shape = Shape::new(rows, width, narrow);
        let shape = shape.ok_or_else(|| Error::field("the rows of a layer", rows, expected))?;
        let layer = Layer::new(next, salt, shape, FORMS[form as usize]);
        // Layers with thresholds have whole blocks, and their first columns everywhere.
        let double = layer.thresholds == Thresholds::Two;
        let whole = layer.thresholds == Thresholds::None || rows.is_multiple_of(64);
        if !whole || double && width == 0 {
            return Err(Error::field("the rows of a layer", rows, expected));
        }
        next = layer.end();
        if next > end {
            let expected = format!("layers within {} bits", end - first);
            return Err(Error::field("the rows of a layer", rows, expected));
        }
        layers.push(layer);
    }
    Ok(layers)
}

/// The bit where the guard's chain starts, which is after the last word if it has no layers.
fn first_bit(first: Option<&Layer>, words: u64) -> u64 {
    first.map_or(words * 64, |layer| layer.first_bit)
}

impl Body for Guarded {
    fn parameters(&self) -> Vec<u64> {
        let words = self.bytes.len() as u64 / 8;
        let guard = self.layers.guard.first().map(|reader| &reader.layer);
        let mut parameters = vec![
            words,
            u64::from(u16::from_le_bytes(self.layers.thinned)),
            self.known.negatives,
            self.known.wrong,
            first_bit(guard, words),
        ];
        write_chain(&mut parameters, &self.layers.fingerprint);
        write_chain(&mut parameters, &self.layers.guard);
        parameters
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(&self.bytes)
    }

    // Rows and thresholds may hold any value, so there are no cells that a check could reject.
    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Guarded])?;
        let words = parameters.word_in(1..=MAX_BITS / 64, "the words of the filter")?;
        let thinned = parameters.word_in(0..=u64::from(u16::MAX), "the thinning bytes")? as u16;
        let negatives = parameters.word("the known negatives")?;
        let wrong = parameters.word_in(0..=negatives, "the wrong known negatives")?;
        let guard_start = parameters.word_in(0..=words * 64, "the first bit of the guard")?;
        let fingerprint = read_chain(parameters, (0, guard_start), true)?;
        let guard = read_chain(parameters, (guard_start, words * 64), false)?;
        let start = first_bit(guard.first(), words);
        if guard_start != start {
            let field = "the first bit of the guard";
            return Err(Error::field(field, guard_start, start));
        }
        let layers = Layers::new(&fingerprint, &guard, thinned.to_le_bytes());
        let bytes = payload.storage(words, "the layers")?;
        let known = Known { negatives, wrong };
        Ok(Guarded::new(layers, bytes, known, head.profile))
    }
}
