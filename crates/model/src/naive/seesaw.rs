//! A model of seesaw filters with one struct per counter, by the rules in `docs/format.md`. The caller guards keys in the model too,
//! because a filter does not report which negatives it guards.

use super::{function, scale};
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{Family, Filter};

/// A counter.
#[derive(Clone, Copy, Default)]
struct Counter {
    count: u32,
    marked: bool,
    pending: bool,
}

/// A modulator cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    index: u32,
}

/// A seesaw filter.
#[derive(Clone)]
pub struct SeesawModel {
    counters: Vec<Counter>,
    cells: Vec<Cell>,
    functions: u32,
    backups: u32,
    segments: u128,
    /// Modulator cells in a word.
    cells_in_word: u128,
    /// The maximum count of a modulator cell.
    max_count: u32,
    adaptive: bool,
}

impl SeesawModel {
    /// A model without keys or marks, of the shape of `filter`. `None` if that is not a seesaw filter.
    pub fn of(filter: &impl Filter) -> Option<Self> {
        let adaptive = match filter.family() {
            Family::Seesaw => false,
            Family::SeesawAdaptive => true,
            _ => return None,
        };
        let info = filter.info();
        let whole = |name: &str| info.parameter(name).and_then(Value::as_u64).unwrap_or(0);
        let (backups, count_bits) = (whole("backups") as u32, whole("count_bits") as u32);
        Some(SeesawModel {
            counters: vec![Counter::default(); whole("counters") as usize],
            cells: vec![Cell::default(); whole("modulator_cells") as usize],
            functions: whole("k") as u32,
            backups,
            segments: u128::from(whole("segments")),
            cells_in_word: 64 / u128::from(count_bits + backups.ilog2()),
            max_count: (1 << count_bits) - 1,
            adaptive,
        })
    }

    /// The place to which function `number` leads among `all` places, which are in groups of `size`.
    fn place(&self, digest: Digest, number: u32, all: usize, size: u128) -> usize {
        let groups = all as u128 / size / self.segments;
        let segment = scale((u128::from(digest) >> 64) as u64, self.segments);
        let product = u128::from(function(digest, u128::from(number))) * groups;
        let within = scale((product % (1 << 64)) as u64, size);
        ((segment * groups + product / (1 << 64)) * size + within) as usize
    }

    fn counter(&self, digest: Digest, number: u32) -> usize {
        self.place(digest, number, self.counters.len(), 1)
    }

    /// The counters of functions `0..k`, and the index of the first marked one.
    fn home_counters(&self, digest: Digest) -> (Vec<usize>, Option<usize>) {
        let home: Vec<usize> = (0..self.functions)
            .map(|i| self.counter(digest, i))
            .collect();
        let first = home.iter().position(|&place| self.counters[place].marked);
        (home, first)
    }

    fn cell(&self, digest: Digest) -> Option<usize> {
        let has_modulator = !self.cells.is_empty();
        has_modulator.then(|| self.place(digest, 32, self.cells.len(), self.cells_in_word))
    }

    fn backup(&self, digest: Digest, index: u32) -> usize {
        self.counter(digest, 33 + index)
    }

    fn first_unmarked(&self, digest: Digest) -> Option<u32> {
        let mut all = 0..self.backups;
        all.find(|&index| !self.counters[self.backup(digest, index)].marked)
    }

    /// The counters in which a member counts. `None` if the key needs a modulator cell and that cell is empty.
    fn footprint(&self, digest: Digest) -> Option<Vec<usize>> {
        let (mut home, first) = self.home_counters(digest);
        let Some(first) = first else {
            return Some(home);
        };
        let index = match self.cell(digest) {
            Some(cell) if self.cells[cell].count == 0 => return None,
            Some(cell) => Some(self.cells[cell].index),
            None => self.first_unmarked(digest),
        };
        if let Some(index) = index {
            let place = self.backup(digest, index);
            if !self.counters[place].marked {
                home[first] = place;
            }
        }
        Some(home)
    }

    /// Adds a key.
    pub fn insert(&mut self, digest: Digest) {
        if let (Some(cell), (_, Some(_))) = (self.cell(digest), self.home_counters(digest)) {
            if self.cells[cell].count == 0 {
                self.cells[cell].index = self.first_unmarked(digest).unwrap_or(0);
            }
            let count = &mut self.cells[cell].count;
            *count = (*count + 1).min(self.max_count);
        }
        for place in self.footprint(digest).expect("the cell counts the key") {
            let count = &mut self.counters[place].count;
            *count = (*count + 1).min(15);
        }
    }

    /// Removes a member.
    pub fn remove(&mut self, digest: Digest) {
        let footprint = self.footprint(digest).expect("a member");
        if let (Some(cell), (_, Some(_))) = (self.cell(digest), self.home_counters(digest)) {
            let cell = &mut self.cells[cell];
            cell.count -= u32::from(cell.count != self.max_count);
        }
        for &place in &footprint {
            let count = &mut self.counters[place].count;
            *count -= u32::from(*count != 15);
        }
        for place in footprint {
            let counter = &mut self.counters[place];
            if counter.count == 0 && counter.pending {
                (counter.marked, counter.pending) = (true, false);
            }
        }
    }

    /// Guards a key.
    pub fn guard(&mut self, digest: Digest) {
        let home = self.home_counters(digest).0;
        let spared = self.spared_counter(digest, &home);
        for place in home {
            if Some(place) == spared {
                continue;
            }
            let counter = &mut self.counters[place];
            if counter.count == 0 {
                counter.marked = true;
            } else {
                counter.pending |= self.adaptive && !counter.marked;
            }
        }
    }

    /// The counter that a guard leaves as it is: the only empty one of the key, if there is a modulator and the mark would turn
    /// "no" into "yes".
    fn spared_counter(&self, digest: Digest, home: &[usize]) -> Option<usize> {
        self.cell(digest)?;
        let empty = |place: &&usize| self.counters[**place].count == 0;
        let mut empty = home.iter().filter(empty);
        let (Some(&place), None) = (empty.next(), empty.next()) else {
            return None;
        };
        let mut marked = self.clone();
        marked.counters[place].marked = true;
        (!self.contains(digest) && marked.contains(digest)).then_some(place)
    }

    /// The answer of a filter.
    pub fn contains(&self, digest: Digest) -> bool {
        let used = |places: &Vec<usize>| places.iter().all(|&place| self.counters[place].count > 0);
        used(&self.home_counters(digest).0)
            || self.footprint(digest).is_some_and(|places| used(&places))
    }

    /// The number of stuck counters.
    #[allow(dead_code, reason = "only sequences use this")]
    pub fn stuck(&self) -> u64 {
        self.counters.iter().filter(|c| c.count == 15).count() as u64
    }

    /// Whether a member counts in a stuck counter.
    #[allow(dead_code, reason = "only sequences use this")]
    pub fn has_stuck_counter(&self, digest: Digest) -> bool {
        let footprint = self.footprint(digest).unwrap_or_default();
        footprint
            .iter()
            .any(|&place| self.counters[place].count == 15)
    }

    /// Whether a member counts in a stand-in.
    #[allow(dead_code, reason = "only sequences use this")]
    pub fn has_stand_in(&self, digest: Digest) -> bool {
        self.footprint(digest)
            .is_some_and(|footprint| footprint != self.home_counters(digest).0)
    }

    /// The modulator cell in which a member counts, if it does.
    #[allow(dead_code, reason = "only sequences use this")]
    pub fn counted_cell(&self, digest: Digest) -> Option<usize> {
        self.home_counters(digest).1.and_then(|_| self.cell(digest))
    }

    /// The answer of the paper's query: one counter may be 0 if the modulator leads to an unmarked counter in use.
    #[allow(dead_code, reason = "only the test of the paper's theorems uses this")]
    pub fn contains_by_paper(&self, digest: Digest) -> bool {
        let empty = self.home_counters(digest).0;
        let empty = empty
            .iter()
            .filter(|&&place| self.counters[place].count == 0);
        match empty.count() {
            0 => true,
            1 => self.cell(digest).is_some_and(|cell| {
                let place = self.backup(digest, self.cells[cell].index);
                let Counter { count, marked, .. } = self.counters[place];
                self.cells[cell].count > 0 && count > 0 && !marked
            }),
            _ => false,
        }
    }
}
