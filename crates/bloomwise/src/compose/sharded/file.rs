//! Shards in a file: the number of shards of the whole filter, the number of the first one here, how many are here, the plan, and the
//! checksum of their directory; then directory and files as `format::nested` lays them out.

use super::{MAX_SHARDS, Sharded};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Form, Head, Parameters, Payload, Writer};
use crate::format::nested;
use std::io;

impl Sharded {
    /// The bytes to write for the shards that are here.
    fn written(&self) -> Vec<nested::Written<'_>> {
        self.parts.iter().map(nested::Nested::written).collect()
    }
}

impl Body for Sharded {
    fn parameters(&self) -> Vec<u64> {
        let (first, count) = self.range();
        let sum = nested::directory_sum(&self.written());
        vec![self.of, first, count, self.plan, sum]
    }

    fn payload_words(&self) -> u64 {
        nested::words(&self.written())
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        nested::write_all(&self.written(), writer)
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        if head.form != Form::Sharded {
            return Err(Error::OtherFamily {
                expected: Form::Sharded.name().to_string(),
                got: head.name(),
            });
        }
        let of = parameters.word_in(1..=MAX_SHARDS, "the number of shards")?;
        let first = parameters.word_in(0..=of - 1, "the first shard")?;
        let count = parameters.word_in(1..=of - first, "the number of shards that are here")?;
        let plan = parameters.word("the plan")?;
        let sum = parameters.word("the checksum of the directory")?;
        let lengths = nested::read_directory(count, sum, payload)?;
        let parts = lengths.iter();
        let parts = parts.map(|&length| nested::read(length, &[Form::Plain], payload));
        let shards = Sharded::over(plan, of, first, parts.collect::<Result<_>>()?)?;
        nested::expect_head(head, &shards)?;
        Ok(shards)
    }

    fn check(&self) -> Result<()> {
        for (part, sound) in self.parts.iter().zip(&self.sound) {
            part.check()?;
            sound.get_or_init(|| true);
        }
        Ok(())
    }

    fn form(&self) -> Form {
        Form::Sharded
    }

    fn trust(&self) {
        for sound in &self.sound {
            sound.get_or_init(|| true);
        }
    }
}
