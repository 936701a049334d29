//! The filter in a file: the slots, then threshold, limit and length of the list; the list follows the slots.

use super::PersonalizedRejecting;
use crate::cells::stash::Stash;
use crate::error::Result;
use crate::families::bloom::Bloom;
use crate::filter::codec::{Body, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use std::io;

impl Body for PersonalizedRejecting {
    fn parameters(&self) -> Vec<u64> {
        let mut words = self.slots.parameters();
        words.extend([u64::from(self.threshold), self.limit, self.rejected()]);
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.slots.write_payload(writer)?;
        writer.words(self.rejected.words())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::PersonalizedRejecting])?;
        let inner = Head {
            family: Family::Personalized,
            form: head.form,
            profile: Profile {
                keys: 0,
                ..head.profile
            },
        };
        let slots = Bloom::read(&inner, parameters, payload)?;
        let longest = u64::from(slots.functions());
        let threshold = parameters.word_in(1..=longest, "the threshold")? as u32;
        let limit = parameters.word("the limit of the list")?;
        let rejected = parameters.word_in(0..=limit, "the length of the list")?;
        let list = payload.storage(rejected.saturating_mul(2), "the list")?;
        Ok(PersonalizedRejecting {
            slots,
            threshold,
            limit,
            rejected: Stash::over(list),
            profile: head.profile,
        })
    }

    fn check(&self) -> Result<()> {
        self.rejected.check()
    }
}
