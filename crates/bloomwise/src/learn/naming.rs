//! Decides which counters have a name.
//!
//! *A counter without a name is at most the bar*, at any time. The bar rises when names are dropped to make room, and when a counter of
//! another learner arrives without its name. A name below the bar is harmless: it stays while there is room.

use super::counter_table::NO_NAME;
use super::learner::Learner;
use super::names::Names;

impl Learner {
    /// Adds a counter of another learner, which may have a name. The name is kept if there is room, even below the bar, because the other learner
    /// had room for it.
    pub(super) fn add_saved(&mut self, tag: u64, name: Option<&[u8]>, cost: f64) {
        if cost <= 0.0 {
            return;
        }
        let (slot, _) = self.add_cost(tag, cost);
        // In a sound learner no counter exceeds the total. Cap the counters of a forged one, or its saved file could not be read.
        let sum = self.counters.cap(slot, self.sums.total);
        if self.counters.place(slot).is_some() {
            return;
        }
        match name {
            Some(name) if sum > self.sums.bar => self.give_name(slot, name),
            Some(name) => {
                let place = self.names.push(tag, name);
                self.counters.set_place(slot, place.unwrap_or(NO_NAME));
            }
            None => self.sums.bar = self.sums.bar.max(sum),
        }
    }

    /// Gives a counter its name, unless making room has raised the bar above the counter.
    #[cold]
    pub(super) fn give_name(&mut self, slot: usize, name: &[u8]) {
        let tag = self.counters.tag_at(slot);
        let mut place = self.names.push(tag, name);
        if place.is_none() {
            self.make_room();
            if self.counters.cost(slot) > self.sums.bar {
                place = self.names.push(tag, name);
            }
        }
        self.counters.set_place(slot, place.unwrap_or(NO_NAME));
    }

    /// Frees a quarter of the room for names: removes names without a counter, then the cheapest names.
    fn make_room(&mut self) {
        let most = self.names.room() / 4 * 3;
        let mut taken = self.compact();
        while taken > most {
            let Some(bar) = self.counters.lower_quarter(self.counters.named()) else {
                return;
            };
            self.sums.bar = self.sums.bar.max(bar);
            for slot in 0..self.counters.slot_count() {
                // If many names have the same cost, most of them can stay.
                if taken <= most {
                    break;
                }
                if self.counters.place(slot).is_some() && self.counters.cost(slot) <= bar {
                    taken -= Names::size(self.name(slot));
                    self.counters.set_place(slot, NO_NAME);
                }
            }
            taken = self.compact();
        }
    }

    /// Moves the names that have a counter together, and returns the bytes that they take.
    pub(super) fn compact(&mut self) -> usize {
        let counters = &mut self.counters;
        self.names
            .compact(|tag, from, to| match counters.find(tag) {
                Ok(slot) if counters.place(slot) == Some(from) => {
                    counters.set_place(slot, to);
                    true
                }
                _ => false,
            })
    }

    /// The name of a counter. It must have one.
    pub(super) fn name(&self, slot: usize) -> &[u8] {
        let place = self.counters.place(slot);
        place.map_or(&[], |place| self.names.get(place))
    }
}
