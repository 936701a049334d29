//! Mistakes that wait for room in the exact table.
//!
//! # The idea
//!
//! Mistakes are reported one by one, each with what this one has cost. When the table is full of costlier ones, a report finds no room. If it
//! were forgotten, the next one would find none either, however often the mistake is made. So what such mistakes have cost so far is
//! remembered here, and they get in when it is more than what the cheapest exception has cost. An exception that makes room waits here in turn,
//! with its cost: if it was the wrong one, its next report brings it back.
//!
//! There is a place for each exception that the table has room for. A key has one place, which it shares with others. The place remembers one key and its
//! cost. A report of another key takes half of its cost from that, and the key is replaced when nothing is left: so the one that is
//! reported most has the place (Boyer and Moore's majority vote, in each place). Half, because two keys that are reported equally often would
//! keep each other out for ever.
//!
//! ```text
//! reports   a      a      b        a        b      b        b
//! place     a: 1   a: 2   a: 1.5   a: 2.5   a: 2   a: 1.5   a: 1     and two more of b replace a
//! ```
//!
//! # Costs
//!
//! Eight bytes for each exception that there is room for, from the first report on that finds none. If there is no memory for them, nobody waits: each
//! report counts alone. They are not in files: a filter that was loaded or copied starts anew, as with stamps.

use crate::cells::storage::zeroed;
use crate::keys::hash::{Digest, reduce};

/// A key that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    /// 32 bits of its digest.
    tag: u32,
    /// What its mistakes have cost; 0 if nobody waits.
    cost: f32,
}

/// Keys that wait for room.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The places; none before the first key waits.
    places: Vec<Place>,
}

impl Waiting {
    /// Adds to the cost of a key, of `room` that may wait, and returns what it has cost so far.
    pub fn add(&mut self, digest: Digest, cost: f32, room: u64) -> f32 {
        let Some(place) = self.place(digest, room) else {
            return cost;
        };
        let tag = tag(digest);
        if place.tag == tag {
            place.cost = (place.cost + cost).min(f32::MAX);
            return place.cost;
        }
        place.cost -= cost / 2.0;
        if place.cost <= 0.0 {
            *place = Place { tag, cost };
        }
        cost
    }

    /// Lets a key wait that has cost so much, if nobody else at its place has cost more.
    pub fn put(&mut self, digest: Digest, cost: f32, room: u64) {
        if let Some(place) = self.place(digest, room)
            && place.cost < cost
        {
            *place = Place {
                tag: tag(digest),
                cost,
            };
        }
    }

    /// Forgets a key that has found room.
    pub fn remove(&mut self, digest: Digest, room: u64) {
        if let Some(place) = self.place(digest, room)
            && place.tag == tag(digest)
        {
            *place = Place::default();
        }
    }

    /// The bytes of memory that it takes.
    pub fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<Place>()) as u64
    }

    /// The bytes of memory that it takes once a key waits, of `room` that may wait.
    pub fn bytes_for(room: u64) -> u64 {
        room.max(1).saturating_mul(size_of::<Place>() as u64)
    }

    /// The place of a key; `None` if there is no memory for places.
    fn place(&mut self, digest: Digest, room: u64) -> Option<&mut Place> {
        if self.places.is_empty() {
            self.places = zeroed(room.max(1), Place::default()).unwrap_or_default();
        }
        let at = reduce(digest.function(PLACES), self.places.len() as u64);
        self.places.get_mut(at as usize)
    }
}

/// The hash function that chooses places.
const PLACES: u64 = 1 << 32;

/// The bits of a digest that tell keys of a place apart.
fn tag(digest: Digest) -> u32 {
    digest.low as u32
}

/// A copy is another filter, for which nobody waits.
impl Clone for Waiting {
    fn clone(&self) -> Self {
        Waiting::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_that_is_reported_most_has_the_place() {
        let mut waiting = Waiting::default();
        let [a, b] = [7, 8].map(|key: u128| Digest::from(key << 100 | key));
        let costs = [a, a, b, b, b, b, a].map(|key| waiting.add(key, 1.0, 1));
        assert_eq!(costs, [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(waiting.add(b, 5.0, 1), 5.5);
        waiting.put(a, 3.0, 1);
        assert_eq!(waiting.add(b, 1.0, 1), 6.5, "it has cost more");
        waiting.remove(b, 1);
        assert_eq!(waiting.add(a, 1.0, 1), 1.0);
        assert_eq!((waiting.bytes(), waiting.clone().bytes()), (8, 0));
        assert_eq!(Waiting::bytes_for(1), 8);
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "Miri ends at an allocation that the machine cannot make"
    )]
    fn nobody_waits_if_there_is_no_memory() {
        let (mut waiting, room) = (Waiting::default(), 1 << 60);
        let key = Digest::from(7);
        assert_eq!(waiting.add(key, 1.0, room), 1.0);
        assert_eq!(waiting.add(key, 1.0, room), 1.0);
        waiting.put(key, 5.0, room);
        waiting.remove(key, room);
        assert_eq!(waiting.bytes(), 0);
    }
}
