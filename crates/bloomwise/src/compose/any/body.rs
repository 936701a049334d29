//! The filter in a file: an ordinary filter of its family, or one made of several filters.

use super::AnyFilter;
use super::types::{OfType, of_family};
use crate::compose::patched::Patched;
use crate::compose::sharded::Sharded;
use crate::error::{Error, Result};
use crate::filter::builder::{Buildable, Growable};
use crate::filter::codec::{Body, Form, Head, Parameters, Payload, Writer};
use std::io;

impl Body for AnyFilter {
    fn parameters(&self) -> Vec<u64> {
        each!(self, filter => filter.parameters())
    }

    fn payload_words(&self) -> u64 {
        each!(self, filter => filter.payload_words())
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        each!(self, filter => filter.write_payload(writer))
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        let (p, w) = (parameters, payload);
        match head.form {
            Form::Plain => {}
            Form::Sharded => {
                let shards = Sharded::read(head, p, w)?;
                let (first, count) = shards.range();
                return match shards.is_complete() {
                    true => Ok(AnyFilter::Sharded(shards)),
                    false => Err(Error::Incomplete {
                        first,
                        last: first + count - 1,
                        shards: shards.of(),
                    }),
                };
            }
            Form::Patched => {
                let patched = Patched::read(head, p, w)?;
                return Ok(AnyFilter::Patched(Box::new(patched)));
            }
            Form::Patch => return Err(Error::IsPatch),
        }
        let Reader(read) = of_family(head.family);
        read(head, p, w)
    }

    fn check(&self) -> Result<()> {
        each!(self, filter => filter.check())
    }

    fn form(&self) -> Form {
        each!(self, filter => filter.form())
    }

    fn trust(&self) {
        each!(self, filter => filter.trust());
    }
}

/// Reads the filter of a file, see [`Body::read`].
struct Reader(fn(&Head, &mut Parameters<'_>, &mut Payload<'_>) -> Result<AnyFilter>);

impl OfType for Reader {
    fn fixed<F: Buildable + Body + Into<AnyFilter>>() -> Self {
        Reader(|head, parameters, payload| F::read(head, parameters, payload).map(F::into))
    }

    fn growable<F: Growable + Body + Into<AnyFilter>>() -> Self {
        Self::fixed::<F>()
    }
}
