//! The SSCF paper's own filter to the letter, in plain vectors: Algorithms 1 to 4, and its adaptive extension.
//!
//! It separates the effect of the paper's rules from that of this library's, and it accepts every size of the paper's
//! sweeps, also those that [`bloomwise::Seesaw`] does not support. One thing is always corrected: "no function" is a separate value, where the
//! paper writes -1 and tests for `> 0`. What remains open are switches:
//!
//! - *Deletion* ([`Deletion`]). Algorithm 4 recomputes where the key counts. The text beside it skips a counter if both
//!   places are in use ("case 3, lazy deletion"), although only one of them can be the key's.
//! - *Full counts* ([`FullCounts`]). The paper does not say what happens to a count that reaches its maximum. If it
//!   sticks there, nothing is lost. If it is decremented like others, as in the authors' program, it reaches 0 while keys still count in it, and
//!   those keys are lost.
//! - *Adaptive*. Each counter has one more bit, for marks that wait until the counter is empty.
//!
//! A query: if all `k` counters are in use, the answer is "yes"; if two or more are empty, it is "no". If one is empty,
//! *marked or not*, the key's modulator cell names a function in reserve. The answer is "yes" if the cell is in use,
//! and the counter of that function is in use and not marked.
//!
//! *No false negatives*, if full counts stick: while a key is in the filter, none of its counters is empty, so none of
//! them becomes marked; and its modulator cell is in use, so its index does not change. So a query and a deletion find the
//! counters of the insertion, or more of them.

use crate::data::costliest_share;
use crate::prelude::*;
use bloomwise::unstable::reduce;

/// The function numbers of a key's modulator cell and of its functions in reserve.
const MODULATOR: u64 = 64;
const RESERVE: u64 = 65;

/// The most that a count of four bits can hold.
const FULL: u16 = 15;

/// How a key is deleted that has a marked counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// Algorithm 4: from the counter in reserve, if that is in use and not marked, else from the marked one.
    Algorithm,
    /// The text: from one of the two counters if the other is empty. If both are in use, from neither.
    Lazy,
}

/// What deletion does to a count that is at its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullCounts {
    /// It stays.
    Stick,
    /// It is decremented.
    Fall,
}

/// The parameters that the paper varies, and what it leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// `k` in the paper.
    pub functions: u64,
    /// The size of `H_B`.
    pub reserve: u8,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// The modulator's share of the space.
    pub alpha: f64,
    /// Whether marks can wait until a counter is empty.
    pub adaptive: bool,
    /// How keys are deleted.
    pub deletion: Deletion,
    /// What happens to full counts.
    pub full: FullCounts,
}

impl Shape {
    /// The paper's defaults, with this number of functions, and nothing lost.
    pub fn new(functions: u64) -> Self {
        Shape {
            functions,
            reserve: 2,
            count_bits: 3,
            alpha: 0.1,
            adaptive: false,
            deletion: Deletion::Algorithm,
            full: FullCounts::Stick,
        }
    }
}

/// The paper's filter.
pub struct PaperSeesaw {
    shape: Shape,
    counts: Vec<u16>,
    marks: Vec<bool>,
    /// Marks that wait until the counter is empty.
    waiting: Vec<bool>,
    /// Count and index of each modulator cell.
    cells: Vec<(u16, u8)>,
    bits: u64,
}

impl PaperSeesaw {
    /// An empty filter of at most `bits` bits.
    pub fn new(bits: u64, shape: Shape) -> Result<Self> {
        ensure!(
            shape.reserve > 0 && shape.functions > 0,
            "a seesaw filter needs at least one function, and one in reserve"
        );
        let cell_bits =
            u64::from(shape.count_bits + u8::BITS - (shape.reserve - 1).leading_zeros());
        let cells = (shape.alpha * bits as f64) as u64 / cell_bits;
        let counter_bits = if shape.adaptive { 6 } else { 5 };
        let counters = bits.saturating_sub(cells * cell_bits) / counter_bits;
        ensure!(
            cells > 0 && counters > 0,
            "{bits} bits are too few; allow more bits per key"
        );
        Ok(PaperSeesaw {
            shape,
            counts: vec![0; counters as usize],
            marks: vec![false; counters as usize],
            waiting: vec![false; counters as usize],
            cells: vec![(0, 0); cells as usize],
            bits: counter_bits * counters + cell_bits * cells,
        })
    }

    /// Guards the costliest negatives, `guard` per positive, then inserts the positives.
    pub fn build(sets: &KeySets, bits: u64, guard: f64, shape: Shape) -> Result<Self> {
        let mut filter = Self::new(bits, shape)?;
        for digest in costliest_share(sets, guard) {
            filter.guard(digest);
        }
        sets.positives().iter().for_each(|&key| filter.insert(key));
        Ok(filter)
    }

    fn counter(&self, digest: Digest, function: u64) -> usize {
        reduce(digest.function(function), self.counts.len() as u64) as usize
    }

    fn reserved(&self, digest: Digest, index: u8) -> usize {
        self.counter(digest, RESERVE + u64::from(index))
    }

    fn cell(&self, digest: Digest) -> usize {
        reduce(digest.function(MODULATOR), self.cells.len() as u64) as usize
    }

    /// The function whose counter a key gives up: the first marked one.
    fn given_up(&self, digest: Digest) -> Option<u64> {
        (0..self.shape.functions).find(|&function| self.marks[self.counter(digest, function)])
    }

    /// The other functions of a key.
    fn kept(&self, given_up: Option<u64>) -> impl Iterator<Item = u64> + use<> {
        (0..self.shape.functions).filter(move |&function| Some(function) != given_up)
    }

    /// Algorithm 1. In an adaptive filter, a counter in use is marked when it becomes empty.
    pub fn guard(&mut self, digest: Digest) {
        for function in 0..self.shape.functions {
            let at = self.counter(digest, function);
            self.waiting[at] = self.shape.adaptive;
            if !self.shape.adaptive || self.counts[at] == 0 {
                self.marks[at] = true;
            }
        }
    }

    /// Algorithm 2.
    pub fn insert(&mut self, digest: Digest) {
        let given_up = self.given_up(digest);
        for function in self.kept(given_up) {
            self.raise(self.counter(digest, function));
        }
        let Some(given_up) = given_up else {
            return;
        };
        let cell = self.cell(digest);
        let (count, mut index) = self.cells[cell];
        if count == 0 {
            let free = |&index: &u8| !self.marks[self.reserved(digest, index)];
            index = (0..self.shape.reserve).find(free).unwrap_or(0);
        }
        self.cells[cell] = (self.full_cell().min(count + 1), index);
        let new = self.reserved(digest, index);
        let old = self.counter(digest, given_up);
        self.raise(if self.marks[new] { old } else { new });
    }

    /// Algorithm 4. The key must be in the filter.
    pub fn remove(&mut self, digest: Digest) {
        let given_up = self.given_up(digest);
        for function in self.kept(given_up) {
            self.lower(self.counter(digest, function));
        }
        let Some(given_up) = given_up else {
            return;
        };
        let old = self.counter(digest, given_up);
        let cell = self.cell(digest);
        let (count, index) = self.cells[cell];
        let new = self.reserved(digest, index);
        let in_use = |at: usize| self.counts[at] > 0;
        let from = match self.shape.deletion {
            Deletion::Algorithm if !self.marks[new] && in_use(new) => Some(new),
            Deletion::Algorithm => Some(old),
            Deletion::Lazy if !in_use(old) => Some(new),
            Deletion::Lazy if !in_use(new) => Some(old),
            Deletion::Lazy => None,
        };
        from.into_iter().for_each(|at| self.lower(at));
        self.cells[cell].0 = lowered(count, self.full_cell(), self.shape.full);
    }

    /// The most that the count of a modulator cell can hold.
    fn full_cell(&self) -> u16 {
        (1 << self.shape.count_bits) - 1
    }

    fn raise(&mut self, at: usize) {
        self.counts[at] = FULL.min(self.counts[at] + 1);
    }

    fn lower(&mut self, at: usize) {
        self.counts[at] = lowered(self.counts[at], FULL, self.shape.full);
        if self.counts[at] == 0 && self.waiting[at] {
            self.marks[at] = true;
        }
    }
}

/// A count after a deletion.
fn lowered(count: u16, most: u16, full: FullCounts) -> u16 {
    match full {
        FullCounts::Stick if count == most => count,
        _ => count.saturating_sub(1),
    }
}

impl DigestFilter for PaperSeesaw {
    /// Algorithm 3.
    fn may_contain(&self, digest: Digest) -> bool {
        let mut empty = 0;
        for function in 0..self.shape.functions {
            empty += u32::from(self.counts[self.counter(digest, function)] == 0);
            if empty > 1 {
                return false;
            }
        }
        let (count, index) = self.cells[self.cell(digest)];
        let new = self.reserved(digest, index);
        empty == 0 || count > 0 && !self.marks[new] && self.counts[new] > 0
    }

    fn bits(&self) -> u64 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Set, Source, zipf};
    use crate::paper::sscf::theory as sscf;
    use crate::rates::Answers;
    use bloomwise::Hashing;
    use proptest::prelude::*;

    /// How full a filter is, with the paper's symbols.
    #[derive(Clone, Copy, Debug)]
    struct Fills {
        /// The share of counters that are marked, `mu`.
        marked: f64,
        /// The share of marked counters that are in use, `psi`.
        marked_in_use: f64,
        /// The share of other counters that are in use, `lambda`.
        plain_in_use: f64,
        /// The share of modulator cells in use, `L`.
        load: f64,
    }

    impl PaperSeesaw {
        /// How full the filter is.
        fn fills(&self) -> Fills {
            let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
            let counters = || self.counts.iter().zip(&self.marks);
            let used =
                |with: bool| counters().filter(move |&(&count, &mark)| mark == with && count > 0);
            let marked = self.marks.iter().filter(|&&mark| mark).count();
            Fills {
                marked: share(marked, self.marks.len()),
                marked_in_use: share(used(true).count(), marked),
                plain_in_use: share(used(false).count(), self.marks.len() - marked),
                load: share(
                    self.cells.iter().filter(|cell| cell.0 > 0).count(),
                    self.cells.len(),
                ),
            }
        }
    }

    fn digest(key: u64) -> Digest {
        Hashing::default().digest(key)
    }

    /// A step in the life of a filter.
    #[derive(Clone, Debug)]
    enum Step {
        Insert(u64),
        RemoveOldest,
        Guard(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0u64..200).prop_map(Step::Insert),
            Just(Step::RemoveOldest),
            (0u64..200).prop_map(|key| Step::Guard(1000 + key)),
        ]
    }

    proptest! {
        #[test]
        fn tiny_filters_have_no_false_negatives_if_full_counts_stick(
            guarded in prop::collection::vec(1000u64..1200, 0..20),
            steps in prop::collection::vec(step(), 0..120),
            bits in 100u64..800, functions in 1u64..5, reserve in 1u8..5, count_bits in 1u32..4,
            adaptive in any::<bool>(), lazy in any::<bool>(),
        ) {
            let shape = Shape {
                functions, reserve, count_bits, alpha: 0.2, adaptive,
                deletion: if lazy { Deletion::Lazy } else { Deletion::Algorithm },
                full: FullCounts::Stick,
            };
            let mut filter = PaperSeesaw::new(bits, shape).expect("large enough");
            guarded.into_iter().for_each(|key| filter.guard(digest(key)));
            let mut members = std::collections::VecDeque::new();
            for step in steps {
                match step {
                    Step::Insert(key) => {
                        filter.insert(digest(key));
                        members.push_back(key);
                    }
                    Step::RemoveOldest => {
                        if let Some(key) = members.pop_front() {
                            filter.remove(digest(key));
                        }
                    }
                    // A filter that is not adaptive takes its guards before its keys.
                    Step::Guard(key) if adaptive => filter.guard(digest(key)),
                    Step::Guard(_) => {}
                }
                for &key in &members {
                    prop_assert!(filter.may_contain(digest(key)), "{key}");
                }
            }
        }
    }

    #[test]
    fn deletion_by_the_algorithm_leaves_nothing_and_lazy_deletion_leaves_counts() {
        let fills = [Deletion::Algorithm, Deletion::Lazy].map(|deletion| {
            // Few guarded keys and large counts, so that no count is full.
            let shape = Shape {
                deletion,
                count_bits: 8,
                ..Shape::new(3)
            };
            let mut filter = PaperSeesaw::new(280_000, shape).expect("large enough");
            (100_000..101_000).for_each(|key| filter.guard(digest(key)));
            (0..10_000).for_each(|key| filter.insert(digest(key)));
            (0..10_000).for_each(|key| filter.remove(digest(key)));
            filter.fills()
        });
        assert_eq!(fills[0].plain_in_use + fills[0].load, 0.0);
        assert!(fills[1].plain_in_use > 0.0002, "{fills:?}");
    }

    #[test]
    fn full_counts_that_fall_lose_keys() {
        let lost = [FullCounts::Stick, FullCounts::Fall].map(|full| {
            // A cell of one bit is full after one key.
            let shape = Shape {
                full,
                count_bits: 1,
                alpha: 0.02,
                ..Shape::new(3)
            };
            let mut filter = PaperSeesaw::new(280_000, shape).expect("large enough");
            (100_000..103_000).for_each(|key| filter.guard(digest(key)));
            (0..10_000).for_each(|key| filter.insert(digest(key)));
            (0..5000).for_each(|key| filter.remove(digest(key)));
            (5000..10_000)
                .filter(|&key| !filter.may_contain(digest(key)))
                .count()
        });
        assert_eq!(lost[0], 0);
        assert!(lost[1] > 50, "{lost:?}");
    }

    #[test]
    fn filter_has_no_false_negatives_in_any_shape_and_guards_negatives() {
        let set = Set::sized(Source::Users, 20_000, 20_000, 20_000);
        let sets = set
            .with_costs(&zipf::costs(20_000, 1.5, 1))
            .expect("valid costs");
        let guarded = costliest_share(&sets, 0.05);
        for (functions, reserve, count_bits, alpha) in
            [(3, 2, 3, 0.1), (1, 1, 1, 0.2), (8, 12, 12, 0.02)]
        {
            let shape = Shape {
                reserve,
                count_bits,
                alpha,
                ..Shape::new(functions)
            };
            let filter = PaperSeesaw::build(&sets, 560_000, 0.05, shape).expect("large enough");
            let answers = Answers::of(&filter, &set).expect("no false negative");
            assert!((27.9..=28.0).contains(&answers.bits_per_key));
            let wrong = guarded
                .iter()
                .filter(|&&digest| filter.may_contain(digest))
                .count();
            let rate = wrong as f64 / guarded.len() as f64;
            assert!(rate < answers.unseen / 2.0, "{rate}, {}", answers.unseen);
        }
    }

    /// The rates on guarded keys and on others, measured and by Theorems IV.1 and IV.2 from the measured fills.
    #[test]
    fn rates_are_those_of_theorems_1_and_2() {
        let set = Set::sized(Source::Users, 100_000, 100_000, 400_000);
        let sets = set.with_equal_costs().expect("valid");
        for (guard, functions, alpha) in
            [(0.05, 3, 0.1), (0.3, 3, 0.1), (0.3, 2, 0.2), (0.9, 4, 0.1)]
        {
            let shape = Shape {
                alpha,
                ..Shape::new(functions)
            };
            let filter = PaperSeesaw::build(&sets, 2_800_000, guard, shape).expect("large enough");
            let fills = filter.fills();
            let k = functions as u32;
            let in_use = (fills.marked_in_use, fills.plain_in_use);
            let guarded = costliest_share(&sets, guard);
            for (what, keys, expected) in [
                (
                    "guarded",
                    &guarded,
                    sscf::guarded_rate(k, fills.marked, in_use, fills.load),
                ),
                (
                    "unseen",
                    &set.unseen,
                    sscf::other_rate(k, fills.marked, in_use, fills.load),
                ),
            ] {
                let wrong = keys.iter().filter(|&&digest| filter.may_contain(digest));
                let (wrong, mean) = (wrong.count() as f64, expected * keys.len() as f64);
                assert!(
                    (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.02 * mean + 1.0,
                    "{what}, {guard} per key, {functions} functions: {wrong} of {}, expected {mean}",
                    keys.len()
                );
            }
        }
    }
}
