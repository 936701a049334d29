//! What a caller may do to a filter, from the bytes of the fuzzer.
//!
//! There are 96 keys. They are few, so that the fuzzer finds the same key again, and enough to fill a filter far beyond its capacity.

use arbitrary::{Arbitrary, Unstructured};

/// The number of keys.
const KEYS: u8 = 96;

/// The most steps. More take longer and find nothing that fewer do not.
const MAX_STEPS: usize = 50;

/// The name of a key: a number below [`KEYS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(u8);

impl Name {
    /// All names.
    pub fn all() -> impl Iterator<Item = Name> + Clone {
        (0..KEYS).map(Name)
    }

    /// The key of this name. Keys have different lengths.
    pub fn key(self) -> Vec<u8> {
        vec![self.0; 1 + usize::from(self.0 % 19)]
    }

    /// What a false positive on this key costs. Some keys cost nothing, some cost the same.
    pub fn cost(self) -> f64 {
        f64::from(self.0 % 5)
    }
}

impl<'a> Arbitrary<'a> for Name {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Name(u8::arbitrary(bytes)? % KEYS))
    }
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
        let count = usize::from(self.count % KEYS);
        let names = Name::all().cycle().skip(usize::from(self.first.0));
        names.take(count)
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
