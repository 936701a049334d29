//! What families use to write themselves down and to read themselves back.
//!
//! A family implements [`Body`]: a few words of parameters, and a payload, for families of exactly
//! [`Filter::size_in_bits`](crate::Filter::size_in_bits) bits.
//! [`Writer`] sends the payload on and sums it up. [`Parameters`] and [`Payload`] hand out what was written, check every
//! length before it is used, and name the field in their errors. Header, versions and files are the business of
//! [`crate::format`].

mod parameters;
mod payload;
mod writer;

pub use parameters::Parameters;
pub use payload::{Payload, Source, read_exact};
pub use writer::{CHUNK, Sums, Writer};

use crate::error::{Error, Result};
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use std::io;

/// What a header says of the thing behind it, whatever its form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Description {
    /// The family.
    pub family: Family,
    /// Hashing, keys and what was asked for.
    pub profile: Profile,
    /// The bits of the cells.
    pub bits: u64,
}

/// A filter, or what can become a part of one.
pub trait Described: sealed::Sealed {
    /// Its description. Takes no scan.
    fn description(&self) -> Description;
}

impl<F: Filter + Lookup> Described for F {
    fn description(&self) -> Description {
        Description {
            family: self.family(),
            profile: *self.profile(),
            bits: self.size_in_bits(),
        }
    }
}

/// What can be written down and read back: a filter, or a patch.
pub trait Body: Described {
    /// The words that, with family and profile, determine everything but the payload.
    fn parameters(&self) -> Vec<u64>;

    /// The words of the payload. Only filters made of other filters have more than their cells: the headers of those.
    fn payload_words(&self) -> u64 {
        self.description().bits / 64
    }

    /// Writes the payload: as many words as [`Body::payload_words`] says.
    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what [`Body::parameters`] and [`Body::write_payload`] gave, without a scan of the cells. No word may be
    /// trusted: whatever the words, queries must neither panic nor read outside of the cells. The caller finds words that
    /// nobody reads.
    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// An error if the cells hold what no filter writes. Scans them.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// How the filter is put together.
    fn form(&self) -> Form {
        Form::Plain
    }

    /// Says that the cells need not be verified before they are queried first, for filters that would do so.
    fn trust(&self) {}

    /// What the header says, but for the parameters and the size of the payload.
    fn head(&self) -> Head {
        let Description {
            family, profile, ..
        } = self.description();
        Head {
            family,
            form: self.form(),
            profile,
        }
    }
}

/// How the filter of a file is put together. The number stands in files and never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Form {
    /// One filter.
    #[default]
    Plain = 0,
    /// Several filters of one family, each for a share of the keys: [`crate::sharded::Sharded`].
    Sharded = 1,
    /// A filter and what changed since it was built: [`crate::patched::Patched`].
    Patched = 2,
    /// What changed since a filter was built; no filter of its own: [`crate::patched::Patch`].
    Patch = 3,
}

impl Form {
    /// All forms, in the order of their numbers.
    const ALL: [Form; 4] = [Form::Plain, Form::Sharded, Form::Patched, Form::Patch];

    /// The form with this number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|form| *form as u8 == number)
    }

    /// The name in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Sharded => "sharded",
            Form::Patched => "patched",
            Form::Patch => "patch",
        }
    }
}

/// What the header of a file says about the filter in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Its family.
    pub family: Family,
    /// How it is put together.
    pub form: Form,
    /// The rest.
    pub profile: Profile,
}

impl Head {
    /// What the file holds, for errors.
    pub fn name(&self) -> &'static str {
        match self.form {
            Form::Plain => self.family.name(),
            form => form.name(),
        }
    }

    /// An error unless the file holds one filter of one of these families.
    pub fn expect(&self, families: &[Family]) -> Result<()> {
        if self.form == Form::Plain && families.contains(&self.family) {
            return Ok(());
        }
        let names: Vec<_> = families.iter().map(|family| family.name()).collect();
        Err(Error::OtherFamily {
            expected: names.join(" or "),
            got: self.name(),
        })
    }
}
