//! How families write and read themselves.
//!
//! A family implements [`Body`]: a few words of parameters, and a payload of [`Filter::size_in_bits`] bits (more only for filters made of
//! filters). [`Writer`] writes the payload and computes its checksums. [`Parameters`] and [`Payload`] read them back. They check every
//! length before it is used, and their errors name the field. [`crate::format`] handles headers, versions and files.

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

/// The facts about a filter or a patch that its header needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Description {
    /// The family.
    pub family: Family,
    /// Hashing, number of keys, and what the filter was planned for.
    pub profile: Profile,
    /// The bits of the cells.
    pub bits: u64,
}

/// A filter or a patch.
pub trait Described: sealed::Sealed {
    /// Its description. The cells are not scanned.
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

/// A filter or a patch that can be written and read.
pub trait Body: Described {
    /// The words that, together with family and profile, determine everything except the payload.
    fn parameters(&self) -> Vec<u64>;

    /// The words of the payload. Only filters made of other filters have more than their cells, for the headers of those filters.
    fn payload_words(&self) -> u64 {
        self.description().bits / 64
    }

    /// Writes the payload: exactly [`Body::payload_words`] words.
    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what [`Body::parameters`] and [`Body::write_payload`] wrote, without scanning the cells. No word may be
    /// trusted: whatever the words are, queries must neither panic nor read outside of the cells. The caller checks that no words are left over.
    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// Returns an error if the cells hold values that no filter writes. Scans the cells.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Whether this is one filter, shards, a patched filter or a patch.
    fn form(&self) -> Form {
        Form::Plain
    }

    /// Skips verifying cells at their first query, for filters that otherwise do that.
    fn trust(&self) {}

    /// The header without the parameters and the payload size.
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

/// What the file of a filter consists of. The numbers are written to files and never change.
///
/// ```
/// use bloomwise::format::{Form, Header};
/// use bloomwise::{Family, KeySets, Persist, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let (filter, _) = Spec::new(Family::Bloom).build_sharded(&KeySets::of_positives(0..100), 2)?;
/// let header = Header::read(&filter.to_bytes()[..])?;
/// assert_eq!((header.family(), header.form()), (Family::Bloom, Form::Sharded));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Form {
    /// One filter.
    #[default]
    Plain = 0,
    /// Several filters of one family, each for a share of the keys: [`crate::sharded::Sharded`].
    Sharded = 1,
    /// A filter and the changes since it was built: [`crate::patched::Patched`].
    Patched = 2,
    /// The changes since a filter was built, without the filter: [`crate::patched::Patch`].
    Patch = 3,
}

impl Form {
    /// All forms, in the order of their numbers.
    const ALL: [Form; 4] = [Form::Plain, Form::Sharded, Form::Patched, Form::Patch];

    /// The form with this number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|form| *form as u8 == number)
    }

    /// The name used in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Sharded => "sharded",
            Form::Patched => "patched",
            Form::Patch => "patch",
        }
    }
}

/// The facts in the header of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// The family of the filter.
    pub family: Family,
    /// Whether the file holds one filter, shards, a patched filter or a patch.
    pub form: Form,
    /// Hashing, number of keys, and what the filter was planned for.
    pub profile: Profile,
}

impl Head {
    /// A name for the content of the file, for errors.
    pub fn name(&self) -> &'static str {
        match self.form {
            Form::Plain => self.family.name(),
            form => form.name(),
        }
    }

    /// Returns an error unless the file holds one filter of one of these families.
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
