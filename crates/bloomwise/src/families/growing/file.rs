//! The filter in a file: the capacity of the first layer, the expansion, the number of layers, and for each layer its keys, functions and
//! bits; then the bits of all layers.

use super::options::MAX_EXPANSION;
use super::schedule::Schedule;
use super::{Growing, MAX_LAYERS};
use crate::error::{Error, Result};
use crate::families::bloom::Bloom;
use crate::families::probe::Placement;
use crate::filter::Filter;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use std::io;

/// Returns an error unless the header states the sum over the layers.
fn expect(field: &'static str, said: u64, all: u64) -> Result<()> {
    match said == all {
        true => Ok(()),
        false => Err(Error::field(
            field,
            said,
            format!("{all}, that of all layers"),
        )),
    }
}

impl Body for Growing {
    fn parameters(&self) -> Vec<u64> {
        let Schedule {
            capacity,
            expansion,
            ..
        } = self.schedule;
        let mut words = vec![capacity, u64::from(expansion), self.layers.len() as u64];
        for layer in &self.layers {
            words.push(layer.len());
            words.extend(layer.parameters());
        }
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        let mut layers = self.layers.iter();
        layers.try_for_each(|layer| layer.write_payload(writer))
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Growing])?;
        let capacity = parameters.word_in(1..=u64::MAX, "the first capacity")?;
        let expansion = parameters.word_in(1..=u64::from(MAX_EXPANSION), "the expansion")?;
        let count = parameters.word_in(1..=MAX_LAYERS as u64, "the number of layers")?;
        let (mut layers, mut all) = (Vec::with_capacity(1), 0u64);
        for _ in 0..count {
            let keys = parameters.word("the keys of a layer")?;
            all = all.saturating_add(keys);
            let profile = Profile {
                keys,
                ..head.profile
            };
            let layer = Bloom::read_as(Placement::Pairs, profile, parameters, payload)?;
            // Each key of a layer was new, so it has set at least one bit.
            let bits = layer.size_in_bits();
            if keys > bits {
                let expected = format!("at most {bits}, the bits of the layer");
                return Err(Error::field("the keys of a layer", keys, expected));
            }
            layers.push(layer);
        }
        expect("the keys", head.profile.keys, all)?;
        let filter = Growing::over(layers, capacity, expansion as u32, head.profile);
        let (said, all) = (head.profile.capacity, filter.capacity());
        expect("the capacity", said.unwrap_or(0), all.unwrap_or(0))?;
        Ok(filter)
    }

    fn check(&self) -> Result<()> {
        self.layers.iter().try_for_each(Body::check)
    }
}
