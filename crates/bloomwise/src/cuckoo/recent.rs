//! The latest insertions, so that a late report of a miss does not deny a key that has come meanwhile.
//!
//! # The race
//!
//! A service looks a key up, the filter says "yes", the store has nothing: a false positive, which the service reports with `guard`. Between
//! the look into the store and the report, another client may have inserted the key. A report that is taken then would deny a key of the set.
//!
//! ```text
//! reader   look up: yes    store: nothing                        guard!
//! writer                                    store it   insert
//! ```
//!
//! # How it is closed
//!
//! A query returns a [`Stamp`]: the number of insertions so far. `guard_since` refuses the key if it is among the latest insertions, which a
//! ring of digests remembers, or if the ring no longer remembers all insertions since the stamp. So a key that is inserted between stamp
//! and report is never denied. One that is inserted after the report loses its exception, as always.
//!
//! The writer must store the key first and insert it then. Otherwise the reader may find nothing in the store although the key was
//! inserted before the stamp. (The ring refuses such a key too, as long as it remembers it.)
//!
//! A stamp is good for the filter that gave it, in this process. A filter that was loaded or copied refuses the stamps of others.

use crate::hash::Digest;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many insertions are remembered.
const REMEMBERED: usize = 1024;

/// A moment in the life of a filter. See [`crate::Cuckoo::contains_stamped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The filter.
    filter: u64,
    /// The number of insertions so far.
    insertions: u64,
}

/// The latest insertions of a filter.
pub(super) struct Recent {
    /// A number that no other filter of this process has.
    filter: u64,
    /// The number of insertions so far.
    insertions: u64,
    /// The digest of insertion `n` is at `n % REMEMBERED`. There is no memory for it before the first insertion.
    ring: Vec<Digest>,
}

impl Recent {
    /// No insertions.
    pub fn new() -> Self {
        static FILTERS: AtomicU64 = AtomicU64::new(0);
        Recent {
            filter: FILTERS.fetch_add(1, Ordering::Relaxed),
            insertions: 0,
            ring: Vec::new(),
        }
    }

    /// This moment.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            filter: self.filter,
            insertions: self.insertions,
        }
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

    /// Whether the key may have been inserted since that moment.
    pub fn may_have_come(&self, digest: Digest, since: Stamp) -> bool {
        let forgotten = self.insertions.saturating_sub(REMEMBERED as u64);
        since.filter != self.filter || since.insertions < forgotten || self.ring.contains(&digest)
    }
}

impl fmt::Debug for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recent({} insertions)", self.insertions)
    }
}

/// A copy is another filter.
impl Clone for Recent {
    fn clone(&self) -> Self {
        Recent::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_since_a_stamp_are_remembered_or_the_stamp_is_too_old() {
        let (mut recent, digest) = (Recent::new(), |key: u64| Digest::from(u128::from(key)));
        recent.remember(digest(0));
        let stamp = recent.stamp();
        assert!(!recent.may_have_come(digest(7), stamp));
        for key in 1..=REMEMBERED as u64 {
            recent.remember(digest(key));
            assert!(recent.may_have_come(digest(key), stamp));
            assert!(!recent.may_have_come(digest(5000), stamp), "{key}");
        }
        recent.remember(digest(6000));
        assert!(
            recent.may_have_come(digest(5000), stamp),
            "the ring has wrapped"
        );
        assert!(!recent.may_have_come(digest(5000), recent.stamp()));
    }

    #[test]
    fn stamps_of_other_filters_are_refused() {
        let recent = Recent::new();
        let copy = recent.clone();
        let digest = Digest::from(1);
        assert!(recent.may_have_come(digest, copy.stamp()));
        assert!(copy.may_have_come(digest, recent.stamp()));
        assert!(!copy.may_have_come(digest, copy.stamp()));
    }
}
