//! Mistakes that wait for room in the exact table.
//!
//! # The idea
//!
//! Mistakes are reported one at a time, each with what it cost. When the table is full of costlier ones, a report finds no room. If the report were
//! forgotten, the next would find none either, however often the mistake is made. So the costs of such mistakes add up here. A key gets into the
//! table once they exceed the costs of the cheapest exception. The exception that is dropped for it waits here in turn, with its cost: if it should have
//! stayed, its next report brings it back.
//!
//! There are as many places as the table can hold exceptions. Each key has one place, which it shares with other keys. A place remembers one key
//! and its cost. A report of another key subtracts half of its own cost, and replaces the key when nothing is left. So the place goes to the key that
//! is reported most (Boyer and Moore's majority vote, in each place). Only half is subtracted because two keys that are reported equally often would
//! otherwise keep each other out forever.
//!
//! ```text
//! reports   a      a      b        a        b      b        b
//! place     a: 1   a: 2   a: 1.5   a: 2.5   a: 2   a: 1.5   a: 1     two more reports of b replace a
//! ```
//!
//! # Costs
//!
//! Once a report has found no room, eight bytes for each exception that the table can hold. If that memory is not available, no key waits and each
//! report counts alone. Files do not store the waiting keys, so a filter that was loaded or copied starts without any, as it does with stamps.

use crate::keys::hash::{Digest, reduce};
use crate::machine::memory::{Need, zeroed};

/// A key that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WaitingKey {
    /// 32 bits of the key's digest.
    tag: u32,
    /// What the key's mistakes have cost; 0 if no key waits here.
    cost: f32,
}

/// Keys that wait for room.
#[derive(Debug, Default)]
pub(super) struct WaitingMistakes {
    /// The places. Empty until the first key waits.
    places: Vec<WaitingKey>,
}

impl WaitingMistakes {
    /// Adds `cost` to what a key has cost and returns the sum. `room` is the number of places.
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
            *place = WaitingKey { tag, cost };
        }
        cost
    }

    /// Stores a waiting key with its cost unless its place holds a costlier one.
    pub fn put(&mut self, digest: Digest, cost: f32, room: u64) {
        if let Some(place) = self.place(digest, room)
            && place.cost < cost
        {
            *place = WaitingKey {
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
            *place = WaitingKey::default();
        }
    }

    /// The heap memory in bytes.
    pub fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<WaitingKey>()) as u64
    }

    /// The heap memory in bytes once a key waits, with `room` places.
    pub fn bytes_for(room: u64) -> u64 {
        room.max(1).saturating_mul(size_of::<WaitingKey>() as u64)
    }

    /// The place of a key, or `None` if there is no memory for places.
    fn place(&mut self, digest: Digest, room: u64) -> Option<&mut WaitingKey> {
        if self.places.is_empty() {
            self.places =
                zeroed(room.max(1), WaitingKey::default(), Need::Cells).unwrap_or_default();
        }
        let at = reduce(digest.function(PLACES), self.places.len() as u64);
        self.places.get_mut(at as usize)
    }
}

/// Separates the hash that chooses places from others of the same digest.
const PLACES: u64 = 1 << 32;

/// The bits of a digest that tell keys of one place apart.
fn tag(digest: Digest) -> u32 {
    digest.low as u32
}

/// A copy is another filter, in which no key waits.
impl Clone for WaitingMistakes {
    fn clone(&self) -> Self {
        WaitingMistakes::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_that_is_reported_most_has_the_place() {
        let mut waiting = WaitingMistakes::default();
        let [a, b] = [7, 8].map(|key: u128| Digest::from(key << 100 | key));
        let costs = [a, a, b, b, b, b, a].map(|key| waiting.add(key, 1.0, 1));
        assert_eq!(costs, [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(waiting.add(b, 5.0, 1), 5.5);
        waiting.put(a, 3.0, 1);
        assert_eq!(waiting.add(b, 1.0, 1), 6.5, "it has cost more");
        waiting.remove(b, 1);
        assert_eq!(waiting.add(a, 1.0, 1), 1.0);
        assert_eq!((waiting.bytes(), waiting.clone().bytes()), (8, 0));
        assert_eq!(WaitingMistakes::bytes_for(1), 8);
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "Miri ends at an allocation that the machine cannot make"
    )]
    fn nobody_waits_if_there_is_no_memory() {
        let (mut waiting, room) = (WaitingMistakes::default(), 1 << 60);
        let key = Digest::from(7);
        assert_eq!(waiting.add(key, 1.0, room), 1.0);
        assert_eq!(waiting.add(key, 1.0, room), 1.0);
        waiting.put(key, 5.0, room);
        waiting.remove(key, room);
        assert_eq!(waiting.bytes(), 0);
    }
}
