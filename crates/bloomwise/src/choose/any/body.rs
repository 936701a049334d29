//! The filter in a file: an ordinary filter of its family, or one made of several filters.

use super::{AnyFilter, Shards};
use crate::choose::types::Types;
use crate::compose::patched::Patched;
use crate::error::{Error, Result};
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
                let shards = Shards::read(head, p, w)?;
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
        (Types::of(head.family).read)(head, p, w)
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
