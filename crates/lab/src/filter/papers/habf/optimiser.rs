//! The optimiser (TPJO): repairs false positives on known negatives, the costliest first.
//!
//! A false positive has only set bits. If one of them has a single owner, that key can change to another function: the
//! bit becomes empty. A move onto a bit that is set harms nobody. A move onto an empty bit may make false positives of
//! negatives that watch it; the paper calls that an exchange.

use super::Parameters;
use super::expressor::Expressor;
use super::owners::{Owners, Watchers};
use super::places::{Hashes, Places};
use bloomwise::KeySets;
use bloomwise::keys::Costed;
use std::collections::VecDeque;

/// What the optimiser did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// False positives before the first move, `T` in the paper.
    pub collisions: u64,
    /// Keys that were moved, each to repair one negative; `t` in the paper.
    pub moves: u64,
    /// Negatives that moves made false positives.
    pub harmed: u64,
    /// Bits of collisions, and those of them that had a single owner, before the first move.
    pub collision_bits: [u64; 2],
}

/// The state of a build.
pub struct Optimiser<'a> {
    sets: &'a KeySets,
    hashes: Hashes,
    parameters: Parameters,
    owners: Owners,
    watchers: Watchers,
    /// Whether a negative counts when a bit that it watches is set.
    watches: Vec<bool>,
    /// The false positives that still have a turn.
    queue: VecDeque<u32>,
    repairs: Repairs,
}

/// A move that can be stored.
struct Move {
    key: u32,
    /// The bit that the key leaves, and the bit that it sets.
    bits: [usize; 2],
    functions: Vec<u32>,
    new_cells: u32,
    /// The negatives that become false positives, and what they cost.
    harmed: Vec<u32>,
    harm: f64,
    /// Whether the new bit is already set.
    onto_set: bool,
}

impl<'a> Optimiser<'a> {
    /// All keys have the initial functions.
    pub fn new(sets: &'a KeySets, hashes: Hashes, parameters: Parameters) -> Self {
        let watched = if parameters.fast { 0 } else { hashes.bits };
        let mut optimiser = Optimiser {
            sets,
            hashes,
            parameters,
            owners: Owners::new(hashes.bits),
            watchers: Watchers::new(watched),
            watches: vec![false; sets.negatives().len()],
            queue: VecDeque::new(),
            repairs: Repairs::default(),
        };
        for (key, &digest) in (0..).zip(sets.positives()) {
            for bit in initial_bits(&hashes.places(digest), parameters.functions) {
                optimiser.owners.add(bit, key);
            }
        }
        for negative in 0..sets.negatives().len() as u32 {
            if optimiser.is_false_positive(negative) {
                optimiser.queue.push_back(negative);
            } else {
                optimiser.watch(negative);
            }
        }
        let negatives = sets.negatives();
        let cost = |&negative: &u32| negatives[negative as usize].cost;
        let queue = optimiser.queue.make_contiguous();
        queue.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
        let bits = queue.iter().flat_map(|&negative| {
            let places = hashes.places(negatives[negative as usize].digest);
            initial_bits(&places, parameters.functions)
        });
        let single = bits.map(|bit| u64::from(optimiser.owners.single(bit).is_some()));
        let (all, single) = single.fold((0, 0), |(all, sum), one| (all + 1, sum + one));
        optimiser.repairs.collisions = optimiser.queue.len() as u64;
        optimiser.repairs.collision_bits = [all, single];
        optimiser
    }

    /// Gives each false positive a turn.
    pub fn run(mut self, expressor: &mut Expressor) -> (Owners, Repairs) {
        while let Some(negative) = self.queue.pop_front() {
            if self.parameters.rules.skips_repaired && !self.is_false_positive(negative) {
                continue;
            }
            if let Some(chosen) = self.choose(negative, expressor) {
                self.apply(negative, &chosen, expressor);
            }
        }
        (self.owners, self.repairs)
    }

    fn negative(&self, number: u32) -> (Places, f64) {
        let Costed { digest, cost } = self.sets.negatives()[number as usize];
        (self.hashes.places(digest), cost)
    }

    fn bits_of(&self, negative: u32) -> impl Iterator<Item = usize> + use<> {
        initial_bits(&self.negative(negative).0, self.parameters.functions)
    }

    fn is_false_positive(&self, negative: u32) -> bool {
        self.bits_of(negative).all(|bit| self.owners.is_set(bit))
    }

    /// From now on, moves take this negative into account.
    fn watch(&mut self, negative: u32) {
        if self.parameters.fast {
            return;
        }
        self.watches[negative as usize] = true;
        let (places, functions) = (self.negative(negative).0, self.parameters.functions);
        for (function, bit) in (0..).zip(initial_bits(&places, functions)) {
            // A bit of several functions is watched once.
            if initial_bits(&places, function).all(|earlier| earlier != bit) {
                self.watchers.add(bit, negative);
            }
        }
    }

    /// The negatives that setting an empty bit would make false positives, and their cost.
    fn harm(&self, empty: usize) -> (Vec<u32>, f64) {
        let set = |bit: usize| bit == empty || self.owners.is_set(bit);
        let harmed = self
            .watchers
            .of(empty)
            .filter(|&negative| self.watches[negative as usize] && self.bits_of(negative).all(set));
        let mut harmed: Vec<u32> = harmed.collect();
        // A negative that was repaired twice is in the list twice.
        harmed.sort_unstable();
        harmed.dedup();
        let cost = harmed.iter().map(|&negative| self.negative(negative).1);
        let cost = cost.sum();
        (harmed, cost)
    }

    /// The best move that repairs a negative.
    fn choose(&self, negative: u32, expressor: &Expressor) -> Option<Move> {
        let rules = self.parameters.rules;
        let (_, cost) = self.negative(negative);
        let mut best: Option<Move> = None;
        for bit in self.bits_of(negative) {
            // The authors' program stops at the first empty bit, with the best move so far.
            if !self.owners.is_set(bit) {
                break;
            }
            let Some(key) = self.owners.single(bit) else {
                continue;
            };
            for found in self.moves(key, bit, expressor) {
                let allowed = found.harm < cost || rules.exchanges && found.harm <= cost;
                let rank = |one: &Move| {
                    (
                        one.harm,
                        if rules.compares_moves {
                            one.new_cells
                        } else {
                            0
                        },
                    )
                };
                let better = best.as_ref().is_none_or(|best| rank(&found) < rank(best));
                let taken = found.onto_set && !rules.compares_moves;
                if taken || allowed && better {
                    best = Some(found);
                }
                if taken {
                    return best;
                }
            }
        }
        best
    }

    /// The moves of `key` away from `bit` that can be stored, in the order of the functions.
    fn moves(&self, key: u32, bit: usize, expressor: &Expressor) -> impl Iterator<Item = Move> {
        let (rules, initial) = (self.parameters.rules, self.parameters.functions);
        let places = self.hashes.places(self.sets.positives()[key as usize]);
        // The functions of a key that was moved before do not lead here, or its chain cannot change. Either way nothing is found.
        let kept: Vec<u32> = (0..initial).filter(|&f| places.bit(f) != bit).collect();
        let candidates = self.parameters.pool() - u32::from(!rules.last_function);
        let complete = kept.len() + 1 == initial as usize;
        let candidates = if complete { initial..candidates } else { 0..0 };
        candidates.filter_map(move |function| {
            let new = places.bit(function);
            let onto_set = self.owners.is_set(new);
            if !onto_set && self.parameters.fast {
                return None;
            }
            let functions: Vec<u32> = std::iter::once(function).chain(kept.clone()).collect();
            let order = expressor.order(&places, &functions, rules.fewest_cells)?;
            let (harmed, harm) = if onto_set {
                (Vec::new(), 0.0)
            } else {
                self.harm(new)
            };
            Some(Move {
                key,
                bits: [bit, new],
                functions: order.functions,
                new_cells: order.new_cells,
                harmed,
                harm,
                onto_set,
            })
        })
    }

    fn apply(&mut self, negative: u32, chosen: &Move, expressor: &mut Expressor) {
        let digest = self.sets.positives()[chosen.key as usize];
        expressor.store(&self.hashes.places(digest), &chosen.functions);
        let [old, new] = chosen.bits;
        self.owners.leave(old);
        self.owners.add(new, chosen.key);
        for &harmed in &chosen.harmed {
            self.watches[harmed as usize] = false;
            if self.parameters.rules.exchanges {
                self.queue.push_back(harmed);
            }
        }
        self.watch(negative);
        self.repairs.moves += 1;
        self.repairs.harmed += chosen.harmed.len() as u64;
    }
}

/// The bits of a key's initial functions.
fn initial_bits(places: &Places, functions: u32) -> impl Iterator<Item = usize> + use<> {
    let places = *places;
    (0..functions).map(move |function| places.bit(function))
}
