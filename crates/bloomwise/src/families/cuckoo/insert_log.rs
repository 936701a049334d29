//! The latest insertions, so that a late report of a false positive does not deny a key that was inserted in the meantime.
//!
//! # The race
//!
//! A service looks a key up: the filter says "yes", and the store has nothing. It reports the false positive with `guard`. Between the read
//! of the store and the report, another client may have inserted the key. Accepting the report would then deny a key of the set.
//!
//! ```text
//! reader   look up: yes    store: nothing                        guard!
//! writer                                    store it   insert
//! ```
//!
//! # How it is closed
//!
//! A query returns a [`Stamp`]: the number of insertions so far. `guard_since` refuses the key if it is among the latest insertions, which a
//! ring of digests remembers, or if the ring no longer holds all insertions since the stamp. So a key that is inserted between stamp and report
//! is never denied. A key that is inserted after the report loses its exception, as always.
//!
//! The writer must store the key first and insert it after that. Otherwise the reader may find nothing in the store although the key was
//! inserted before the stamp. (The ring refuses such a key too while it remembers it.)
//!
//! A stamp is good for the filter that gave it, in this process. A filter that was loaded or copied refuses the stamps of others. So does
//! a filter of another process, because these numbers start at random. A stamp can be written as text and read back, so clients can pass it on.

use crate::error::{Error, Result};
use crate::keys::hash::Digest;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many insertions are remembered.
const REMEMBERED: usize = 1024;

/// A moment in the life of a filter. [`crate::Cuckoo::contains_stamped`] returns one.
///
/// ```
/// use bloomwise::cuckoo::Stamp;
/// use bloomwise::{Cuckoo, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut stored = Cuckoo::builder(Size::Rate(0.01)).capacity(1000).create()?;
/// let stamp = stored.stamp();
/// stored.insert("ant")?;
/// assert!(stored.may_have_been_inserted("ant", stamp) && !stored.may_have_been_inserted("bee", stamp));
/// assert_eq!(stamp.to_string().parse::<Stamp>()?, stamp, "a client can keep it as text");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The number of the filter that gave the stamp.
    filter: u64,
    /// The number of insertions so far.
    insertions: u64,
}

/// Writes `FILTER-INSERTIONS`, both in hexadecimal.
impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}", self.filter, self.insertions)
    }
}

/// Reads what `Display` writes.
impl FromStr for Stamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |digits: &str| match digits.starts_with('+') {
            true => None,
            false => u64::from_str_radix(digits, 16).ok(),
        };
        let stamp = text.split_once('-').and_then(|(filter, insertions)| {
            Some(Stamp {
                filter: number(filter)?,
                insertions: number(insertions)?,
            })
        });
        stamp.ok_or_else(|| Error::parameter("the stamp", text, "one that a filter has given"))
    }
}

/// The latest insertions of a filter.
pub(super) struct InsertLog {
    /// A random number that distinguishes the filter from all others.
    filter: u64,
    /// The number of insertions so far.
    insertions: u64,
    /// The digest of insertion `n` is at `n % REMEMBERED`. Empty before the first insertion.
    ring: Vec<Digest>,
}

impl InsertLog {
    /// No insertions.
    pub fn new() -> Self {
        static FILTERS: LazyLock<AtomicU64> =
            LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(0)));
        InsertLog {
            filter: FILTERS.fetch_add(1, Ordering::Relaxed),
            insertions: 0,
            ring: Vec::new(),
        }
    }

    /// A stamp of the current moment.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            filter: self.filter,
            insertions: self.insertions,
        }
    }

    /// The heap memory in bytes.
    pub fn bytes(&self) -> u64 {
        (self.ring.capacity() * size_of::<Digest>()) as u64
    }

    /// Remembers an insertion.
    #[inline]
    pub fn remember(&mut self, digest: Digest) {
        let at = (self.insertions % REMEMBERED as u64) as usize;
        match self.ring.get_mut(at) {
            Some(place) => *place = digest,
            None => self.ring.push(digest),
        }
        self.insertions += 1;
    }

    /// Whether the key may have been inserted after `since`.
    pub fn may_have_been_inserted(&self, digest: Digest, since: Stamp) -> bool {
        let forgotten = self.insertions.saturating_sub(REMEMBERED as u64);
        let known = forgotten..=self.insertions;
        since.filter != self.filter
            || !known.contains(&since.insertions)
            || self.ring.contains(&digest)
    }
}

impl fmt::Debug for InsertLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InsertLog({} insertions)", self.insertions)
    }
}

/// A copy is another filter, with a number of its own.
impl Clone for InsertLog {
    fn clone(&self) -> Self {
        InsertLog::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_since_a_stamp_are_remembered_or_the_stamp_is_too_old() {
        let (mut insert_log, digest) = (InsertLog::new(), |key: u64| Digest::from(u128::from(key)));
        insert_log.remember(digest(0));
        let stamp = insert_log.stamp();
        assert!(!insert_log.may_have_been_inserted(digest(7), stamp));
        for key in 1..=REMEMBERED as u64 {
            insert_log.remember(digest(key));
            assert!(insert_log.may_have_been_inserted(digest(key), stamp));
            assert!(
                !insert_log.may_have_been_inserted(digest(5000), stamp),
                "{key}"
            );
        }
        insert_log.remember(digest(6000));
        assert!(
            insert_log.may_have_been_inserted(digest(5000), stamp),
            "the ring has wrapped"
        );
        assert!(!insert_log.may_have_been_inserted(digest(5000), insert_log.stamp()));
    }

    #[test]
    fn stamp_travels_as_text() {
        let mut insert_log = InsertLog::new();
        insert_log.remember(Digest::from(7));
        let stamp = insert_log.stamp();
        assert_eq!(stamp.to_string().parse::<Stamp>().expect("a stamp"), stamp);
        for text in [
            "",
            "-",
            "1",
            "1-",
            "-1",
            "1-2-3",
            "+1-1",
            "g-1",
            "1-10000000000000000",
        ] {
            let error = text.parse::<Stamp>().expect_err("no stamp").to_string();
            assert!(error.contains("one that a filter has given"), "{error}");
        }
        let later = Stamp {
            insertions: stamp.insertions + 1,
            ..stamp
        };
        assert!(
            insert_log.may_have_been_inserted(Digest::from(1), later),
            "from the future"
        );
    }

    #[test]
    fn stamps_of_other_filters_are_refused() {
        let insert_log = InsertLog::new();
        let copy = insert_log.clone();
        let digest = Digest::from(1);
        assert!(insert_log.may_have_been_inserted(digest, copy.stamp()));
        assert!(copy.may_have_been_inserted(digest, insert_log.stamp()));
        assert!(!copy.may_have_been_inserted(digest, copy.stamp()));
    }
}
