//! A segment during optimisation: its keys, its tables, and the adjustments so far.
//!
//! # Invariants
//!
//! *No false negatives.* For every positive, the bits of all its functions are 1. At the start these are the initial
//! functions, and their bits are all set. [`Segment::apply`] takes a function from a positive and gives it another. It
//! clears the bit of the first only if no function of any positive maps to it any more, and it sets the bit of the
//! second. So:
//!
//! - A positive that was not adjusted passes the first round.
//! - An adjusted positive passes the second round: its chain is stored, a stored chain is always read back, and the
//!   bits of all functions in the chain are 1. It also passes the strict second round: its functions differ from the
//!   initial ones in exactly one, so at most the bit of that one is 0, and the chain names all other initial functions.
//!
//! A positive is adjusted at most once, because a stored chain is fixed.

use super::expressor::{self, ChainOrder};
use super::lookup::Batch;
use super::owners::{Marked, Owners, Watchers};
use super::shape::{Places, Shape};
use super::tables::Tables;
use crate::error::Result;
use crate::kernel::Narrow;
use crate::keys::hash::Digest;
use crate::keys::sets::Costed;
use crate::machine::processor::Kernel;

/// How a positive's functions differ from the initial ones.
#[derive(Clone, Copy)]
pub(super) struct Adjustment {
    /// The initial function that the positive gave up.
    pub lost: u8,
    /// The function that it uses instead.
    pub gained: u8,
}

/// A possible adjustment of a positive, and the bits that it affects.
pub(super) struct Move<const KIND: usize> {
    /// The number of the positive.
    pub owner: u32,
    /// Where the bits and cells of the positive are.
    pub places: Places<KIND>,
    /// The functions that change.
    pub adjustment: Adjustment,
    /// The bit that the positive leaves. It is cleared if no other positive maps to it.
    pub from: usize,
    /// The bit that is set.
    pub to: usize,
}

/// A segment during optimisation.
pub(super) struct Segment<'a, const KIND: usize> {
    /// The shape of this segment alone.
    pub shape: Shape,
    /// The query that the optimiser optimises. It has no second round unless that is strict, as in the paper.
    pub optimised: Shape,
    /// The positives of the segment.
    pub positives: &'a [Digest],
    /// The known negatives of the segment.
    pub negatives: &'a [Costed],
    /// A factor for costs that keeps their sums finite.
    pub unit: f64,
    /// The bits and cells of the segment.
    pub tables: Tables,
    /// The adjustment of each positive, if any.
    pub adjustments: Vec<Option<Adjustment>>,
}

impl<'a, const KIND: usize> Segment<'a, KIND> {
    /// A segment that holds the positives with their initial functions.
    pub fn new(
        shape: &Shape,
        positives: &'a [Digest],
        negatives: &'a [Costed],
        unit: f64,
    ) -> Result<Self> {
        let shape = shape.single_segment();
        let mut tables = Tables::new(&shape)?;
        for &digest in positives {
            tables.insert(&shape, &shape.places::<KIND>(digest));
        }
        Ok(Segment {
            shape,
            optimised: if shape.strict {
                shape
            } else {
                shape.without_second_round()
            },
            positives,
            negatives,
            unit,
            tables,
            adjustments: vec![None; positives.len()],
        })
    }

    /// Where the bits and cells of a key are.
    #[inline]
    pub fn places(&self, digest: Digest) -> Places<KIND> {
        self.shape.places(digest)
    }

    /// The cost of a false positive on `negative`, in `unit`.
    pub fn cost_of(&self, negative: u32) -> f64 {
        self.negatives[negative as usize].cost * self.unit
    }

    /// The negatives that are false positives of `query`, in descending order of cost.
    pub fn false_positives(&self, query: &Shape) -> Vec<u32> {
        let digests = self.negatives.iter().map(|negative| negative.digest);
        let digests: Vec<Digest> = digests.collect();
        let mut answers = vec![false; digests.len()];
        let work = Batch {
            shape: query,
            view: self.tables.view(),
            digests: &digests,
        };
        query.run_kind::<_, KIND>(Narrow(Kernel::current()), work, &mut answers);
        let yes = (0..).zip(answers).filter(|&(_, yes)| yes);
        let mut found: Vec<u32> = yes.map(|(at, _)| at).collect();
        sort_costliest_first(&mut found, self.negatives);
        found
    }

    /// The total cost of these negatives, in `unit`.
    pub fn total_cost(&self, negatives: &[u32]) -> f64 {
        let costs = negatives.iter().map(|&negative| self.cost_of(negative));
        costs.sum()
    }

    /// The bits that make `negative` a false positive; none if it is not one. It is repaired when one of them becomes
    /// 0.
    pub fn covering_bits(&self, negative: u32) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        let places = self.places(self.negatives[negative as usize].digest);
        let functions = self
            .tables
            .view()
            .query::<KIND, 0>(&self.optimised, &places);
        places.bits_of(functions.unwrap_or(0))
    }

    /// The single owner of `bit`, if it was not adjusted yet.
    pub fn adjustable_owner(&self, owners: &Owners, bit: usize) -> Option<u32> {
        owners
            .single(bit)
            .filter(|&owner| self.is_adjustable(owner))
    }

    /// The two owners of `bit`, if neither was adjusted yet.
    pub fn adjustable_pair(&self, owners: &Owners, bit: usize) -> Option<[u32; 2]> {
        let pair = owners.pair(bit)?;
        pair.iter()
            .all(|&owner| self.is_adjustable(owner))
            .then_some(pair)
    }

    fn is_adjustable(&self, owner: u32) -> bool {
        self.adjustments[owner as usize].is_none()
    }

    /// The owners of the covering bits of these negatives.
    pub fn owners(&self, queue: &[u32]) -> Owners {
        let bits = queue
            .iter()
            .flat_map(|&negative| self.covering_bits(negative));
        let mut owners = Owners::new(Marked::new(self.shape.bits, bits));
        for ((key, &digest), adjustment) in (0..).zip(self.positives).zip(&self.adjustments) {
            let places = self.places(digest);
            for bit in places.each_bit(0..self.shape.functions) {
                owners.add(bit, key);
            }
            if let Some(adjustment) = adjustment {
                owners.remove(places.bit(u32::from(adjustment.lost)), key);
                owners.add(places.bit(u32::from(adjustment.gained)), key);
            }
        }
        owners
    }

    /// The watchers of the empty bits that the owners of covering bits could move to.
    pub fn watchers(&self, queue: &[u32], owners: &Owners) -> Watchers {
        let targets = queue
            .iter()
            .flat_map(|&negative| self.covering_bits(negative))
            .filter_map(|bit| self.adjustable_owner(owners, bit))
            .flat_map(|owner| {
                let places = self.places(self.positives[owner as usize]);
                places.each_bit(self.shape.functions..self.shape.pool())
            });
        let empty = targets.filter(|&bit| !self.tables.bits.get(bit));
        let functions = self.shape.functions;
        let all = (0..).zip(self.negatives).flat_map(|(at, negative)| {
            let places = self.places(negative.digest);
            places.each_bit(0..functions).map(move |bit| (bit, at))
        });
        Watchers::new(Marked::new(self.shape.bits, empty), all)
    }

    /// The total cost of the `watchers` that `candidate` would make false positives of the first round.
    pub fn harm(&self, candidate: &Move<KIND>, watchers: &[u32]) -> f64 {
        let mut harmed: Vec<u32> = watchers
            .iter()
            .copied()
            .filter(|&negative| {
                let places = self.places(self.negatives[negative as usize].digest);
                let mut bits = places.each_bit(0..self.shape.functions);
                bits.all(|bit| {
                    bit == candidate.to || bit != candidate.from && self.tables.bits.get(bit)
                })
            })
            .collect();
        // A negative is listed twice if two of its functions map to the same bit.
        harmed.dedup();
        let costs = harmed.into_iter().map(|negative| self.cost_of(negative));
        costs.sum()
    }

    /// The order in which the functions of the adjusted positive can be stored, if there is one.
    pub fn find_order(&self, candidate: &Move<KIND>) -> Option<ChainOrder> {
        let Adjustment { lost, gained } = candidate.adjustment;
        let functions = self.shape.initial() & !(1 << lost) | 1 << gained;
        let (cells, cell_bits) = (&self.tables.cells, self.shape.cell_bits);
        expressor::find_order(cells, cell_bits, &candidate.places, functions)
    }

    /// Makes a move, and stores the positive's functions in this order.
    pub fn apply(&mut self, chosen: &Move<KIND>, order: &ChainOrder, owners: &mut Owners) {
        if owners.remove(chosen.from, chosen.owner) {
            self.tables.bits.clear(chosen.from);
        }
        self.tables.bits.set(chosen.to);
        owners.add(chosen.to, chosen.owner);
        let (cells, cell_bits) = (&mut self.tables.cells, self.shape.cell_bits);
        expressor::store_chain(cells, cell_bits, &chosen.places, order);
        self.adjustments[chosen.owner as usize] = Some(chosen.adjustment);
    }
}

/// Sorts the numbers of negatives in descending order of cost.
fn sort_costliest_first(numbers: &mut [u32], negatives: &[Costed]) {
    let cost = |number: u32| negatives[number as usize].cost;
    numbers.sort_unstable_by(|&a, &b| cost(b).total_cmp(&cost(a)).then(a.cmp(&b)));
}
