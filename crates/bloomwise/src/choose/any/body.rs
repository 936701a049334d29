//! The filter in a file: that of its family, or one made of several filters.

use super::{AnyFilter, Shards};
use crate::compose::patched::Patched;
use crate::error::{Error, Result};
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::codec::{Body, Form, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};
use std::io;

impl Body for AnyFilter {
    fn parameters(&self) -> Vec<u64> {
        self.inner().parameters()
    }

    fn payload_words(&self) -> u64 {
        self.inner().payload_words()
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.inner().write_payload(writer)
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
        match head.family {
            Family::Bloom | Family::Personalized => Bloom::read(head, p, w).map(AnyFilter::Bloom),
            Family::Blocked => Blocked::read(head, p, w).map(AnyFilter::Blocked),
            Family::Counting | Family::PersonalizedCounting => {
                Counting::read(head, p, w).map(AnyFilter::Counting)
            }
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                Habf::read(head, p, w).map(AnyFilter::Habf)
            }
            Family::Seesaw | Family::SeesawAdaptive => {
                Seesaw::read(head, p, w).map(AnyFilter::Seesaw)
            }
            Family::Balanced => Balanced::read(head, p, w).map(AnyFilter::Balanced),
            Family::Guarded => Guarded::read(head, p, w).map(AnyFilter::Guarded),
            Family::Growing => Growing::read(head, p, w).map(AnyFilter::Growing),
            Family::Cuckoo => Cuckoo::read(head, p, w).map(AnyFilter::Cuckoo),
            Family::PersonalizedRejecting => {
                PersonalizedRejecting::read(head, p, w).map(AnyFilter::PersonalizedRejecting)
            }
        }
    }

    fn check(&self) -> Result<()> {
        self.inner().check()
    }

    fn form(&self) -> Form {
        self.inner().form()
    }

    fn trust(&self) {
        self.inner().trust();
    }
}
