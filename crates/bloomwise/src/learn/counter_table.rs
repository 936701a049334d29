//! A hash table of counters.
//!
//! A tag goes into the first free slot at or after its home, with wrap-around. Tags are hashes, so their homes are uniform. Tags, costs and
//! places are in separate arrays, so a search reads only tags, eight per cache line.

use crate::error::Result;
use crate::keys::hash::reduce;
use crate::machine::memory::{Need, zeroed};
use crate::machine::prefetch;

/// The tag of a free slot.
const FREE: u64 = 0;

/// Stands for the place of a name that a counter does not have.
pub(super) const NO_NAME: u32 = u32::MAX;

/// How many counters are sampled to find a quantile.
const SAMPLE: usize = 4096;

/// Counters by tag.
#[derive(Clone, Debug)]
pub(super) struct CounterTable {
    /// For each slot, 64 bits that identify a key, or [`FREE`].
    tags: Vec<u64>,
    /// For each slot, the cost kept for its key. It is above 0 where there is a tag.
    costs: Vec<f64>,
    /// For each slot, the place of the key's name, or [`NO_NAME`].
    places: Vec<u32>,
    /// The number of counters.
    len: usize,
}

impl CounterTable {
    /// Bytes of a slot.
    pub const SLOT: usize = 20;

    /// A table with this number of slots.
    pub fn new(slots: usize) -> Result<Self> {
        let slots = slots as u64;
        Ok(CounterTable {
            tags: zeroed(slots, FREE, Need::Learner)?,
            costs: zeroed(slots, 0.0, Need::Learner)?,
            places: zeroed(slots, NO_NAME, Need::Learner)?,
            len: 0,
        })
    }

    /// The tag of a hash.
    #[inline]
    pub fn tag(hash: u64) -> u64 {
        // Hashes 0 and 1 share a tag. Keys collide with a probability of 2^-64 anyway.
        hash.max(FREE + 1)
    }

    /// The number of counters.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The memory of the table in bytes.
    pub fn memory(&self) -> usize {
        self.tags.len() * Self::SLOT
    }

    /// The number of slots, used and free.
    pub fn slot_count(&self) -> usize {
        self.tags.len()
    }

    /// Whether four fifths of the slots are used. Searches are short up to there.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len >= self.tags.len() / 5 * 4
    }

    /// Prefetches the slot of a tag.
    #[inline]
    pub fn fetch(&self, tag: u64) {
        let home = self.home(tag);
        prefetch::fetch(&self.tags, home);
        prefetch::fetch(&self.costs, home);
    }

    /// The slot of a tag, or `Err` with the free slot where it would go.
    #[inline]
    pub fn find(&self, tag: u64) -> std::result::Result<usize, usize> {
        let mut slot = self.home(tag);
        loop {
            match self.tags[slot] {
                FREE => return Err(slot),
                other if other == tag => return Ok(slot),
                _ => slot = self.after(slot),
            }
        }
    }

    /// Uses the free slot that [`CounterTable::find`] returned for a tag. The table must not be full.
    #[inline]
    pub fn take(&mut self, slot: usize, tag: u64) {
        self.put(slot, (tag, 0.0, NO_NAME));
        self.len += 1;
    }

    /// The cost of a counter.
    #[inline]
    pub fn cost(&self, slot: usize) -> f64 {
        self.costs[slot]
    }

    /// Adds to the cost of a counter, and returns the sum.
    #[inline]
    pub fn add(&mut self, slot: usize, cost: f64) -> f64 {
        self.costs[slot] += cost;
        self.costs[slot]
    }

    /// Lowers the cost of a counter to `most` if it is above, and returns the cost.
    pub fn cap(&mut self, slot: usize, most: f64) -> f64 {
        self.costs[slot] = self.costs[slot].min(most);
        self.costs[slot]
    }

    /// The place of a counter's name, if it has one.
    #[inline]
    pub fn place(&self, slot: usize) -> Option<u32> {
        Some(self.places[slot]).filter(|&place| place != NO_NAME)
    }

    /// Sets the place of a counter's name.
    pub fn set_place(&mut self, slot: usize, place: u32) {
        self.places[slot] = place;
    }

    /// The slots in use.
    pub fn slots(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.tags.len()).filter(|&slot| self.tags[slot] != FREE)
    }

    /// The slots in use, in an order that spreads evenly over the table at every moment.
    ///
    /// In the order of slots, tags are nearly sorted. A table that inserts tags in that order fills from its start, far beyond its average load, and
    /// searches there get as long as the filled part.
    pub fn scattered(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.tags.len() as u64;
        // Multiples of the golden ratio are spread evenly. Without a common factor, they visit each slot once.
        let golden = (slots as f64 / 1.618_033_988_749_895) as u64;
        let step = (golden.max(1)..).find(|&step| gcd(step, slots) == 1);
        let step = step.unwrap_or(1);
        let order =
            (0..slots).map(move |turn| (u128::from(turn) * u128::from(step)) % u128::from(slots));
        let order = order.map(|slot| slot as usize);
        order.filter(|&slot| self.tags[slot] != FREE)
    }

    /// The tag in a slot in use.
    pub fn tag_at(&self, slot: usize) -> u64 {
        self.tags[slot]
    }

    /// The slots of counters that have a name.
    pub fn named(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.tags.len()).filter(|&slot| self.places[slot] != NO_NAME)
    }

    /// A cost that about a quarter of these slots do not exceed, found by a sample. `None` if there are no slots.
    pub fn lower_quarter(&self, slots: impl Iterator<Item = usize> + Clone) -> Option<f64> {
        let step = (slots.clone().count() / SAMPLE).max(1);
        let costs = slots.step_by(step).map(|slot| self.costs[slot]);
        let mut sample: Vec<f64> = costs.collect();
        if sample.is_empty() {
            return None;
        }
        let quarter = sample.len() / 4;
        Some(*sample.select_nth_unstable_by(quarter, f64::total_cmp).1)
    }

    /// Subtracts an amount from every counter, and drops counters that reach zero.
    pub fn subtract(&mut self, amount: f64) {
        // After a free slot, every counter is taken out and put back as near to its home as possible. All slots between its home and its
        // old slot have been processed before, so it never lands on one that has not.
        let slots = self.tags.len();
        let Some(start) = self.tags.iter().position(|&tag| tag == FREE) else {
            return;
        };
        for slot in (start..slots).chain(0..start) {
            let (tag, cost, place) = (self.tags[slot], self.costs[slot], self.places[slot]);
            if tag == FREE {
                continue;
            }
            self.put(slot, (FREE, 0.0, NO_NAME));
            if cost <= amount {
                self.len -= 1;
                continue;
            }
            if let Err(free) = self.find(tag) {
                self.put(free, (tag, cost - amount, place));
            }
        }
    }

    /// Multiplies every cost.
    pub fn scale(&mut self, factor: f64) {
        self.costs.iter_mut().for_each(|cost| *cost *= factor);
    }

    #[inline]
    fn put(&mut self, slot: usize, (tag, cost, place): (u64, f64, u32)) {
        (self.tags[slot], self.costs[slot], self.places[slot]) = (tag, cost, place);
    }

    #[inline]
    fn home(&self, tag: u64) -> usize {
        reduce(tag, self.tags.len() as u64) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.tags.len() {
            0
        } else {
            slot + 1
        }
    }

    /// How many slots a search for this tag reads.
    #[cfg(test)]
    pub fn probes(&self, tag: u64) -> usize {
        let (Ok(slot) | Err(slot)) = self.find(tag);
        let slots = self.tags.len();
        (slot + slots - self.home(tag)) % slots + 1
    }
}

/// The greatest common divisor.
fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_order_visits_each_slot_in_use_once() {
        for slots in [5, 6, 10, 97, 1000] {
            let mut counters = CounterTable::new(slots).expect("memory");
            for tag in (1..=slots as u64 / 5 * 4).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
                let (Ok(slot) | Err(slot)) = counters.find(tag);
                counters.take(slot, tag);
            }
            let mut visited: Vec<usize> = counters.scattered().collect();
            visited.sort_unstable();
            assert!(visited.into_iter().eq(counters.slots()));
        }
    }
}
