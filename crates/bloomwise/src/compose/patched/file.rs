//! Patches and patched filters in files.
//!
//! A patch consists of the checksum of its base, the keys of "added" and of "denied", the number of known negatives, the parameters of each
//! of the two filters that has keys, and then their cells.
//!
//! A patched filter consists of the checksum of its directory, and then base and patch as `format::nested` lays them out.

use super::{Patch, Patched};
use crate::error::{Error, Result};
use crate::families::guarded::Guarded;
use crate::filter::codec::{Body, Form, Head, Parameters, Payload, Writer};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use crate::format::nested;
use std::io;

impl Body for Patch {
    fn parameters(&self) -> Vec<u64> {
        let mut words = vec![self.base, self.added(), self.denied(), self.negatives];
        words.extend(self.parts().flat_map(Body::parameters));
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.parts().try_for_each(|part| part.write_payload(writer))
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        if head.form != Form::Patch {
            return Err(Error::NotAPatch { got: head.name() });
        }
        let base = parameters.word("the checksum of the base")?;
        let added = parameters.word_in(0..=head.profile.keys, "the number of added keys")?;
        let denied = parameters.word("the number of denied keys")?;
        let negatives = parameters.word("the number of known negatives")?;
        let mut part = |keys| read_part(&head.profile, keys, parameters, payload);
        let patch = Patch {
            profile: Profile {
                capacity: None,
                target_rate: None,
                ..head.profile
            },
            base,
            added: part(added)?,
            denied: part(denied)?,
            negatives,
        };
        nested::expect_head(head, &patch)?;
        Ok(patch)
    }

    fn check(&self) -> Result<()> {
        self.parts().try_for_each(Body::check)
    }

    fn form(&self) -> Form {
        Form::Patch
    }
}

/// Reads one of the two filters of a patch; `None` if it has no keys.
fn read_part(
    profile: &Profile,
    keys: u64,
    parameters: &mut Parameters<'_>,
    payload: &mut Payload<'_>,
) -> Result<Option<Guarded>> {
    if keys == 0 {
        return Ok(None);
    }
    let head = Head {
        family: Family::Guarded,
        form: Form::Plain,
        // The profile that a build gives it.
        profile: Profile {
            keys,
            capacity: Some(keys),
            ..*profile
        },
    };
    let filter = Guarded::read(&head, parameters, payload)?;
    match filter.wrong() {
        0 => Ok(Some(filter)),
        // Otherwise a key that stays in the set would be denied.
        wrong => Err(Error::field("the wrong known negatives", wrong, "0")),
    }
}

impl Patched {
    /// The bytes to write for base and patch.
    fn written(&self) -> [nested::Written<'_>; 2] {
        [self.base.written(), self.patch.written()]
    }
}

impl Body for Patched {
    fn parameters(&self) -> Vec<u64> {
        vec![nested::directory_sum(&self.written())]
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
        if head.form != Form::Patched {
            let expected = Form::Patched.name().to_string();
            let got = head.name();
            return Err(Error::OtherFamily { expected, got });
        }
        let sum = parameters.word("the checksum of the directory")?;
        let lengths = nested::read_directory(2, sum, payload)?;
        let base = nested::read(lengths[0], &[Form::Plain, Form::Sharded], payload)?;
        let patch = nested::read(lengths[1], &[Form::Patch], payload)?;
        let patched = Patched::over(base, patch)?;
        nested::expect_head(head, &patched)?;
        Ok(patched)
    }

    fn check(&self) -> Result<()> {
        self.base.check()?;
        self.patch.check()
    }

    fn form(&self) -> Form {
        Form::Patched
    }

    fn trust(&self) {
        self.base().trust();
    }
}
