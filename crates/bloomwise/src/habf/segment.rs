//! A segment while it is optimised: its keys, its tables, and what was changed.
//!
//! # Invariants
//!
//! *No false negative.* Every bit of every function that a positive has is 1. At first these are the initial functions,
//! and all are set. [`Segment::apply`] takes a function from a positive, and clears its bit only if nothing else of any
//! positive maps to it; it sets the bit of the function that the positive gets instead. So:
//!
//! - a positive that was never changed passes the first round;
//! - one that was changed has its chain stored, which is read back for ever, and all bits of the chain's functions are
//!   1: it passes the second round. The strict one too: its functions differ from the initial ones in one, so that at
//!   most the bit of that one is 0, and the chain names all others.
//!
//! A positive is changed at most once, since its chain is fixed by then.

use super::batch;
use super::expressor::{self, Plan};
use super::ledger::{Marked, Owners, Watchers};
use super::shape::{Places, Shape};
use super::tables::Tables;
use crate::error::Result;
use crate::hash::Digest;
use crate::key::Costed;

/// A positive that gave up one function for another.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub lost: u8,
    pub gained: u8,
}

/// A change that could be made, and what it does.
pub(super) struct Step<const KIND: u8> {
    /// Which positive.
    pub owner: u32,
    pub places: Places<KIND>,
    pub change: Change,
    /// The bit that is left, and cleared if nobody else maps to it.
    pub from: usize,
    /// The bit that is set.
    pub to: usize,
}

/// A segment at work.
pub(super) struct Segment<'a, const KIND: u8> {
    /// The shape of this segment on its own.
    pub shape: Shape,
    /// The query that the optimiser looks at: where the second round is not strict it knows nothing of it, as in the
    /// paper.
    pub looked_at: Shape,
    pub positives: &'a [Digest],
    pub negatives: &'a [Costed],
    /// Costs are multiplied with this, so that their sums are finite.
    pub unit: f64,
    pub tables: Tables,
    /// For each positive, what was changed.
    pub changes: Vec<Option<Change>>,
}

impl<'a, const KIND: u8> Segment<'a, KIND> {
    /// The positives with their initial functions.
    pub fn new(
        shape: &Shape,
        positives: &'a [Digest],
        negatives: &'a [Costed],
        unit: f64,
    ) -> Result<Self> {
        let shape = shape.of_segment();
        let mut tables = Tables::new(&shape)?;
        for &digest in positives {
            tables.insert(&shape, &shape.places::<KIND>(digest));
        }
        Ok(Segment {
            shape,
            looked_at: match shape.strict {
                true => shape,
                false => shape.first_round(),
            },
            positives,
            negatives,
            unit,
            tables,
            changes: vec![None; positives.len()],
        })
    }

    /// The places of a key.
    #[inline]
    pub fn places(&self, digest: Digest) -> Places<KIND> {
        self.shape.places(digest)
    }

    /// What a false positive on a negative costs.
    pub fn cost_of(&self, negative: u32) -> f64 {
        self.negatives[negative as usize].cost * self.unit
    }

    /// The negatives that this query answers with "yes", the costliest first.
    pub fn false_positives(&self, query: &Shape) -> Vec<u32> {
        let digest = |at: usize| self.negatives[at].digest;
        let mut answers = Vec::with_capacity(self.negatives.len());
        batch::contains::<KIND>(
            query,
            &self.tables,
            self.negatives.len(),
            digest,
            &mut answers,
        );
        let yes = (0..).zip(answers).filter(|&(_, yes)| yes);
        let mut found: Vec<u32> = yes.map(|(at, _)| at).collect();
        let cost = |negative: u32| self.negatives[negative as usize].cost;
        found.sort_unstable_by(|&a, &b| cost(b).total_cmp(&cost(a)).then(a.cmp(&b)));
        found
    }

    /// What these negatives cost together.
    pub fn cost(&self, negatives: &[u32]) -> f64 {
        let costs = negatives.iter().map(|&negative| self.cost_of(negative));
        costs.sum()
    }

    /// The bits on which the answer "yes" rests.
    pub fn reasons(&self, negative: u32) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        let places = self.places(self.negatives[negative as usize].digest);
        let functions = self.tables.reason(&self.looked_at, &places);
        places.bits_of(functions.unwrap_or(0))
    }

    /// The single owner of a bit, if it was not changed yet.
    pub fn free_owner(&self, owners: &Owners, bit: usize) -> Option<u32> {
        owners.single(bit).filter(|&owner| self.is_free(owner))
    }

    /// The two owners of a bit, if neither was changed yet.
    pub fn free_pair(&self, owners: &Owners, bit: usize) -> Option<[u32; 2]> {
        let pair = owners.pair(bit)?;
        pair.iter()
            .all(|&owner| self.is_free(owner))
            .then_some(pair)
    }

    fn is_free(&self, owner: u32) -> bool {
        self.changes[owner as usize].is_none()
    }

    /// The owners of the bits that these negatives rest on.
    pub fn owners(&self, queue: &[u32]) -> Owners {
        let bits = queue.iter().flat_map(|&negative| self.reasons(negative));
        let mut owners = Owners::new(Marked::new(self.shape.bits, bits));
        for ((key, &digest), change) in (0..).zip(self.positives).zip(&self.changes) {
            let places = self.places(digest);
            for bit in places.each_bit(0..self.shape.functions) {
                owners.add(bit, key);
            }
            if let Some(change) = change {
                owners.remove(places.bit(u32::from(change.lost)), key);
                owners.add(places.bit(u32::from(change.gained)), key);
            }
        }
        owners
    }

    /// The watchers of the empty bits that owners could move to.
    pub fn watchers(&self, queue: &[u32], owners: &Owners) -> Watchers {
        let targets = queue
            .iter()
            .flat_map(|&negative| self.reasons(negative))
            .filter_map(|bit| self.free_owner(owners, bit))
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

    /// What the negatives cost that would be false positives of the first round after a step.
    pub fn harm(&self, step: &Step<KIND>, watchers: &[u32]) -> f64 {
        let mut harmed: Vec<u32> = watchers
            .iter()
            .copied()
            .filter(|&negative| {
                let places = self.places(self.negatives[negative as usize].digest);
                let mut bits = places.each_bit(0..self.shape.functions);
                bits.all(|bit| bit == step.to || bit != step.from && self.tables.bits.get(bit))
            })
            .collect();
        // Two functions of a negative may lead to the same bit.
        harmed.dedup();
        let costs = harmed.into_iter().map(|negative| self.cost_of(negative));
        costs.sum()
    }

    /// A way to store a step's functions.
    pub fn plan(&self, step: &Step<KIND>) -> Option<Plan> {
        let Change { lost, gained } = step.change;
        let functions = self.shape.initial() & !(1 << lost) | 1 << gained;
        let (cells, cell_bits) = (&self.tables.cells, self.shape.cell_bits);
        expressor::plan(cells, cell_bits, &step.places, functions)
    }

    /// Makes a change.
    pub fn apply(&mut self, step: &Step<KIND>, plan: &Plan, owners: &mut Owners) {
        if owners.remove(step.from, step.owner) {
            self.tables.bits.clear(step.from);
        }
        self.tables.bits.set(step.to);
        owners.add(step.to, step.owner);
        let (cells, cell_bits) = (&mut self.tables.cells, self.shape.cell_bits);
        expressor::store(cells, cell_bits, &step.places, plan);
        self.changes[step.owner as usize] = Some(step.change);
    }
}
