//! Queries, and what the filter knows about itself.

use super::SharedCuckoo;
use crate::families::cuckoo::inspect::{info, used};
use crate::families::cuckoo::table::Entry;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::keys::hash::Digest;
use crate::machine::prefetch;
use crate::threads::segment_lock::SegmentLock;
use std::fmt;
use std::sync::atomic::Ordering;

impl fmt::Debug for SharedCuckoo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Shared", f)
    }
}

impl sealed::Sealed for SharedCuckoo {}

impl Lookup for SharedCuckoo {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        let place = self.shape.place(digest);
        // Extras before buckets: see the page of `super`.
        if self.extras.load(Ordering::Acquire) > 0
            && let Some(Entry::Extra(_)) = self.entry(digest)
        {
            return true;
        }
        let found = self
            .segment(place)
            .read(|| self.buckets(place).contains(place));
        found
            && (self.entries.load(Ordering::Acquire) == 0
                || !matches!(self.entry(digest), Some(Entry::Exception(_))))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let (place, words) = (self.shape.place(digest), self.words.words());
        for bucket in [place.first, place.second] {
            prefetch::fetch(words, self.shape.word_of(place.segment, bucket));
        }
    }
}

impl Filter for SharedCuckoo {
    fn family(&self) -> Family {
        Family::Cuckoo
    }

    /// The number of keys: insertions minus removals. The call never waits for other threads. The number is exact if every change happens before
    /// or after the call. Otherwise it is off by at most the number of simultaneous changes.
    fn len(&self) -> u64 {
        let changes = self.segments.iter().map(SegmentLock::keys);
        self.profile.keys.saturating_add_signed(changes.sum())
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.len())
    }

    fn size_in_bits(&self) -> u64 {
        64 * self.shape.words()
    }

    /// The numbers are approximate if other threads change the filter during the call.
    fn info(&self) -> Info {
        let used = used(self.words.words(), &self.shape);
        let eviction = self.table.lock();
        info(&self.shape, &self.profile_now(), &eviction, used)
    }
}
