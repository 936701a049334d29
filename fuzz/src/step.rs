//! What a caller may do to a filter, from the bytes of the fuzzer.
//!
//! There are 256 keys. They are few, so that the fuzzer finds the same key again, and enough to fill a filter far beyond its capacity.

use arbitrary::{Arbitrary, Unstructured};

/// The name of a key.
pub type Name = u8;

/// The most steps. More take longer and find nothing that fewer do not.
const MAX_STEPS: usize = 100;

/// The key of a name. Keys have different lengths.
pub fn key(name: Name) -> Vec<u8> {
    vec![name; 1 + usize::from(name % 37)]
}

/// Names that follow each other.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Range {
    first: Name,
    count: u8,
}

impl Range {
    /// The names.
    pub fn names(self) -> impl Iterator<Item = Name> + Clone {
        (0..self.count).map(move |more| self.first.wrapping_add(more))
    }
}

/// What happens to a filter: as many steps as the fuzzer has bytes for, up to a limit.
#[derive(Debug)]
pub struct Steps(pub Vec<Step>);

impl<'a> Arbitrary<'a> for Steps {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let mut steps = Vec::new();
        while !bytes.is_empty() && steps.len() < MAX_STEPS {
            steps.push(Step::arbitrary(bytes)?);
        }
        Ok(Steps(steps))
    }
}

/// Something a caller may do to a filter.
#[derive(Arbitrary, Debug)]
pub enum Step {
    /// Inserts a key.
    Insert(Name),
    /// Inserts a range of keys at once.
    InsertMany(Range),
    /// Removes a key. If it is not in the multiset, only if the filter denies it.
    Remove(Name),
    /// Removes all keys of a range that are in the multiset, at once.
    RemoveMany(Range),
    /// Guards a key, which may be in the set.
    Guard(Name),
    /// Unites the filter with that of a range of keys.
    Union(Range),
    /// Intersects the filter with that of a range of keys.
    Intersection(Range),
    /// Saves the filter and continues with what is loaded.
    Save(Form),
    /// Lets many threads use the filter, inserts a range of keys, and continues with one thread.
    Share(Range),
}

/// A way to save a filter and to load it.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Form {
    /// The long form, copied.
    Long,
    /// The short form, copied.
    Short,
    /// The long form from a stream.
    Stream,
    /// The long form, borrowed and checked whole.
    Borrowed,
    /// The short form, borrowed and not checked.
    Unchecked,
    /// A file.
    File,
}
