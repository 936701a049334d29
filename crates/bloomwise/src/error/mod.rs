//! Errors, and what to do about them.
//!
//! Every message is one line that names what is wrong and says what to do, so a front end can show it unchanged. Errors of the
//! operating system are kept as [`std::error::Error::source`].

mod make;
mod show;

pub(crate) use make::expect_equal;

use show::{hint, short, valid_costs};
use std::io;
use std::path::PathBuf;

/// The result of every operation of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors of this crate.
///
/// ```
/// use bloomwise::{Error, Family, Size, Spec};
///
/// let error = "blom".parse::<Family>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no kind \"blom\""));
/// let fixed = Spec::new(Family::Guarded).size(Size::BitsPerKey(10.0));
/// assert!(matches!(fixed.create(), Err(Error::Unsupported { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside of what the family accepts.
    #[error("{name} is {got}, expected {expected}")]
    #[non_exhaustive]
    Parameter {
        /// The name of the parameter.
        name: &'static str,
        /// The value that was passed.
        got: String,
        /// The values that are valid.
        expected: String,
    },

    /// No family has this name.
    #[error("there is no kind {got:?}{}; choose one of: {valid}", hint(.closest))]
    #[non_exhaustive]
    UnknownFamily {
        /// The name that was asked for.
        got: String,
        /// All names, separated by commas.
        valid: String,
        /// The valid name that is most similar, to be suggested.
        closest: Option<&'static str>,
    },

    /// The family has no setting or preset of this name.
    #[error("{family} has no {what} {got:?}{}; it has: {valid}", hint(.closest))]
    #[non_exhaustive]
    UnknownName {
        /// The name of the family.
        family: &'static str,
        /// `setting` or `preset`.
        what: &'static str,
        /// The name that was asked for.
        got: String,
        /// The valid names, separated by commas, or `none`.
        valid: String,
        /// The valid name that is most similar, to be suggested.
        closest: Option<&'static str>,
    },

    /// The family does not have this operation.
    #[error("a {family} filter cannot {operation}; {instead}")]
    #[non_exhaustive]
    Unsupported {
        /// The name of the family.
        family: &'static str,
        /// The operation, as a verb.
        operation: &'static str,
        /// What to do instead.
        instead: &'static str,
    },

    /// There are no keys and no capacity, so the size of the filter is unknown.
    #[error(
        "the capacity is not given, and there are no keys to count; give the number of keys that the filter will hold"
    )]
    NoCapacity,

    /// A key found no room in a filter of a fixed size.
    #[error(
        "the filter is full: it holds {keys} keys, and there is no room for the next; build it again with a larger capacity, or use growing for a set of unknown size"
    )]
    #[non_exhaustive]
    Full {
        /// The number of keys that it holds.
        keys: u64,
    },

    /// A filter of kind `growing` would grow beyond its limit.
    #[error(
        "the next key would grow the filter to {bytes} bytes; the limit is {most}; check where the filter comes from, or raise the limit"
    )]
    #[non_exhaustive]
    Growth {
        /// The bytes that it would take.
        bytes: u64,
        /// The limit in bytes.
        most: u64,
    },

    /// A cost is negative, too large, infinite or not a number.
    #[error("the cost of {what} {index} is {}; give a {}", short(.cost), valid_costs(*.most))]
    #[non_exhaustive]
    Cost {
        /// `negative`, or `event` for the events of a learner.
        what: &'static str,
        /// Its index, counted from 0 in the order of the input.
        index: usize,
        /// Its cost.
        cost: f64,
        /// The largest valid cost.
        most: f64,
    },

    /// Two things that must agree differ: a filter and digests, a builder and sets, or two filters of a union.
    #[error("the {what} differs: {left} and {right}; use the same {what} for both")]
    #[non_exhaustive]
    Mismatch {
        /// What differs.
        what: &'static str,
        /// The value of the filter or builder that was called.
        left: String,
        /// The value of the argument.
        right: String,
    },

    /// No operation has this name.
    #[error("there is no operation {got:?}{}; choose one of: {valid}", hint(.closest))]
    #[non_exhaustive]
    UnknownOperation {
        /// The name that was asked for.
        got: String,
        /// All names, separated by commas.
        valid: String,
        /// The valid name that is most similar, to be suggested.
        closest: Option<&'static str>,
    },

    /// A seed for XXH3 has more than 64 bits.
    #[error("a seed of xxh3 has at most 64 bits; give a smaller seed, or use siphash")]
    Seed,

    /// The operating system has no random numbers for the key of SipHash.
    #[error("cannot generate a random key for siphash ({reason}); give a key")]
    #[non_exhaustive]
    NoRandomNumbers {
        /// What the operating system says.
        reason: String,
    },

    /// Memory for cells, keys or counters could not be allocated.
    #[error("not enough memory: {what} need {bytes} bytes; {instead}")]
    #[non_exhaustive]
    OutOfMemory {
        /// What the memory was for, in the plural.
        what: &'static str,
        /// The number of bytes that were needed.
        bytes: u64,
        /// How to need less.
        instead: &'static str,
    },

    /// The bytes do not start like a filter.
    #[error(
        "not a bloomwise filter: the first bytes are not \"BLOOMWIS\"; give a file that bloomwise wrote"
    )]
    NotAFilter,

    /// The bytes hold a filter of another family than the type that reads them.
    #[error("this is a {got} filter, expected {expected}; load it as its own type or as AnyFilter")]
    #[non_exhaustive]
    OtherFamily {
        /// The names of the families that the type can be, separated by `or`.
        expected: String,
        /// The name of the family of the filter.
        got: &'static str,
    },

    /// The bytes hold some shards of a filter, and not all of them.
    #[error(
        "these are shards {first} to {last} of {shards}, not a whole filter; join them with the others"
    )]
    #[non_exhaustive]
    Incomplete {
        /// The number of the first shard that is there, counted from 0.
        first: u64,
        /// The number of the last one.
        last: u64,
        /// The number of shards of the whole filter.
        shards: u64,
    },

    /// The bytes hold a patch, which is no filter without its base.
    #[error("this is a patch, not a filter; apply it to the filter that it was made from")]
    IsPatch,

    /// A patch is applied to another filter than the one that it was made from.
    #[error(
        "the patch was made from a filter with checksum {expected:016x}, this one has {got:016x}; apply it to the filter that it was made from"
    )]
    #[non_exhaustive]
    OtherBase {
        /// The checksum of the filter that the patch was made from.
        expected: u64,
        /// The checksum of the filter that was given.
        got: u64,
    },

    /// The keys that a filter is said to hold are not the keys that it was built from.
    #[error(
        "the filter was not built from these {keys} keys: it {instead}; give the keys that it was built from"
    )]
    #[non_exhaustive]
    OtherKeys {
        /// How many keys were given.
        keys: u64,
        /// What it does instead: how many of them it denies, or how many it holds.
        instead: String,
    },

    /// The bytes hold a filter, where a patch is needed.
    #[error("this is a {got} filter, not a patch; make a patch of the keys that changed")]
    #[non_exhaustive]
    NotAPatch {
        /// The family of the filter, or how it is put together.
        got: &'static str,
    },

    /// The bytes are the short form of a filter, which has no header and no length of its own.
    #[error(
        "this is the short form of a filter; read all of its bytes and pass them to from_bytes"
    )]
    ShortForm,

    /// The bytes have another version of the format.
    #[error(
        "format version {got}, this program reads version {expected}; build the filter again with this program"
    )]
    #[non_exhaustive]
    Version {
        /// The version that this crate reads.
        expected: u16,
        /// The version in the file.
        got: u16,
    },

    /// There are too few bytes, or too many.
    #[error(
        "the filter is damaged: {field} needs {expected} bytes, there are {got}; restore the file or build it again"
    )]
    #[non_exhaustive]
    Length {
        /// The field that does not fit.
        field: &'static str,
        /// The number of bytes it must have.
        expected: u64,
        /// The number of bytes that are there.
        got: u64,
    },

    /// A field has a value that no writer produces.
    #[error(
        "the filter is damaged: {field} is {got}, expected {expected}; restore the file or build it again"
    )]
    #[non_exhaustive]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The values that are valid.
        expected: String,
        /// The value in the file.
        got: String,
    },

    /// A checksum does not match the bytes.
    #[error(
        "the filter is damaged: the checksum of {part} is {got:016x}, its bytes give {expected:016x}; restore the file or build it again"
    )]
    #[non_exhaustive]
    Checksum {
        /// The part of the file with the wrong checksum.
        part: String,
        /// The checksum of the bytes.
        expected: u64,
        /// The checksum in the file.
        got: u64,
    },

    /// The filter was opened without verifying its cells, and they are damaged.
    #[error(
        "the filter is damaged: the checksums of the bytes that it was opened from do not match; restore the file or build it again"
    )]
    Damaged,

    /// A file does not hold what it should.
    #[error("{}: {source}", path.display())]
    #[non_exhaustive]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<Error>,
    },

    /// The bytes do not hold a learner.
    #[error("not a saved learner, or a damaged one: {what}; learn again from the logs")]
    #[non_exhaustive]
    Learner {
        /// What is wrong with them.
        what: &'static str,
    },

    /// The operating system could not read or write a file.
    #[error("{}: {source}", path.display())]
    #[non_exhaustive]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A temporary file of a large build could not be written or read.
    #[error(
        "{}: a temporary file could not be {action}: {source}; free some space there or choose another folder",
        folder.display()
    )]
    #[non_exhaustive]
    Scratch {
        /// The folder of the temporary file.
        folder: PathBuf,
        /// `written` or `read`.
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A stream could not be read or written.
    #[error("{action} the filter failed: {source}; check the stream and try again")]
    #[non_exhaustive]
    Stream {
        /// `reading` or `writing`.
        action: &'static str,
        /// The error of the stream.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;
    use std::path::Path;

    #[test]
    fn errors_cross_threads_and_keep_their_source() {
        fn crosses_threads<T: Send + Sync + 'static>(_: &T) {}
        let error = Error::file(Path::new("f.bw"), io::ErrorKind::NotFound.into());
        crosses_threads(&error);
        assert!(
            error
                .source()
                .is_some_and(<dyn std::error::Error>::is::<io::Error>)
        );
        assert!(error.to_string().starts_with("f.bw: "), "{error}");
    }
}
