//! The optimiser (the paper's TPJO), for one segment.
//!
//! # The idea
//!
//! A known negative is a false positive because all of its bits are 1. If one of these bits has a single owner, that
//! positive can give up the function that maps to the bit and take another from the pool. The bit becomes 0, and the
//! negative is repaired. The move is possible only if the expressor can store the positive's new functions.
//!
//! Negatives have their turns in descending order of cost. A turn considers all single owners of the negative's bits,
//! and all functions that each owner could take. In order of preference:
//!
//! 1. A function whose bit is already 1: no other key is affected. The first move that fits is taken.
//! 2. A function whose bit is 0, if setting it makes no negative a false positive.
//! 3. A function whose bit is 0, if the negatives that become false positives cost no more in total than the repaired
//!    one. The move with the least harm is taken.
//!
//! If none of these is possible, a bit with two owners may help: both move to bits that are already 1.
//!
//! # Passes
//!
//! A pass tests all negatives with the whole query, queues the false positives of either round, and gives each a turn.
//! Moves may create new false positives: negatives that were harmed, and negatives that now read a chain by chance. If
//! these have at least a tenth of the remaining cost, another pass follows. A pass that does not lower the cost is
//! undone.

use super::empty_bits::EmptyBits;
use super::expressor::ChainOrder;
use super::owners::{Owners, Watchers};
use super::repair_stats::RepairStats;
use super::segment::{Adjustment, Move, Segment};
use super::tables::Tables;

/// What the optimiser may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Whether moves may set empty bits.
    pub empty_bits: EmptyBits,
    /// The maximum number of passes.
    pub passes: u32,
    /// Whether both owners of a bit may be adjusted if no single owner helps.
    pub pairs: bool,
}

/// Another pass follows if negatives that had no turn yet have at least this share of the remaining cost.
const WORTH_A_PASS: f64 = 0.1;

/// Why a false positive was not repaired.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// None of its bits has owners that can be adjusted.
    NoOwner,
    /// The expressor cannot store any of the moves.
    NoRoom,
    /// Every possible move costs more than it saves.
    TooCostly,
}

/// Repairs as many false positives as possible. Returns the tables of the segment and the results.
pub(super) fn optimise<const KIND: usize>(
    mut segment: Segment<'_, KIND>,
    effort: Effort,
) -> (Tables, RepairStats) {
    // No chain is stored yet, so the first round is the whole query.
    let mut queue = segment.false_positives(&segment.shape.without_second_round());
    let mut stats = RepairStats {
        collisions: queue.len() as u64,
        ..RepairStats::default()
    };
    let mut unrepaired = Vec::new();
    // Negatives without an entry had no turn in the last pass.
    let obstacle = |unrepaired: &[(u32, Obstacle)], negative: u32| {
        let found = unrepaired.binary_search_by_key(&negative, |&(negative, _)| negative);
        found.ok().map(|at| unrepaired[at].1)
    };
    // A plain filter cannot store adjustments.
    let passes = if segment.shape.cells > 0 {
        effort.passes
    } else {
        0
    };
    while !queue.is_empty() && stats.passes < passes {
        let before = (segment.tables.clone(), segment.adjustments.clone());
        let mut still_unrepaired = pass(&mut segment, &queue, effort);
        sort_by_number(&mut still_unrepaired);
        let left = segment.false_positives(&segment.optimised);
        stats.passes += 1;
        let rank = |queue: &[u32]| (segment.total_cost(queue), queue.len());
        if rank(&left) >= rank(&queue) {
            (segment.tables, segment.adjustments) = before;
            unrepaired = still_unrepaired;
            break;
        }
        (queue, unrepaired) = (left, still_unrepaired);
        let new = queue.iter().copied();
        let new: Vec<u32> = new
            .filter(|&negative| obstacle(&unrepaired, negative).is_none())
            .collect();
        if segment.total_cost(&new) < WORTH_A_PASS * segment.total_cost(&queue) {
            break;
        }
    }
    // The results are for the whole query, including a round that the optimiser ignored.
    if segment.optimised != segment.shape {
        queue = segment.false_positives(&segment.shape);
    }
    for &negative in &queue {
        *match obstacle(&unrepaired, negative) {
            Some(Obstacle::NoOwner) => &mut stats.no_owner,
            Some(Obstacle::NoRoom) => &mut stats.no_room,
            Some(Obstacle::TooCostly) => &mut stats.too_costly,
            None => &mut stats.disturbed,
        } += 1;
    }
    stats.left = queue.len() as u64;
    let left = queue
        .iter()
        .map(|&negative| segment.negatives[negative as usize].cost);
    stats.cost_left = left.sum();
    stats.adjusted = segment.adjustments.iter().flatten().count() as u64;
    (segment.tables, stats)
}

/// Sorts negatives by their numbers.
fn sort_by_number(unrepaired: &mut [(u32, Obstacle)]) {
    unrepaired.sort_unstable_by_key(|&(negative, _)| negative);
}

/// Gives every negative of the queue a turn. Returns the negatives that were not repaired.
fn pass<const KIND: usize>(
    segment: &mut Segment<'_, KIND>,
    queue: &[u32],
    effort: Effort,
) -> Vec<(u32, Obstacle)> {
    let mut owners = segment.owners(queue);
    let watchers = match effort.empty_bits {
        EmptyBits::Watch => Some(segment.watchers(queue, &owners)),
        EmptyBits::Blind | EmptyBits::Never => None,
    };
    let mut unrepaired = Vec::new();
    for &negative in queue {
        let watchers = watchers.as_ref();
        match turn(segment, negative, &owners, effort.empty_bits, watchers) {
            Ok(Some((chosen, order))) => segment.apply(&chosen, &order, &mut owners),
            // A move for another negative has repaired this one too.
            Ok(None) => {}
            Err(_) if effort.pairs && move_pair(segment, negative, &mut owners) => {}
            Err(obstacle) => unrepaired.push((negative, obstacle)),
        }
    }
    unrepaired
}

/// Finds the move that repairs `negative`; `None` if the negative is not a false positive any more.
fn turn<const KIND: usize>(
    segment: &Segment<'_, KIND>,
    negative: u32,
    owners: &Owners,
    empty_bits: EmptyBits,
    watchers: Option<&Watchers>,
) -> Result<Option<(Move<KIND>, ChainOrder)>, Obstacle> {
    let mut bits = segment.covering_bits(negative).peekable();
    if bits.peek().is_none() {
        return Ok(None);
    }
    let adjustable = bits.filter_map(|bit| Some((bit, segment.adjustable_owner(owners, bit)?)));
    let mut obstacle = Obstacle::NoOwner;
    for (bit, owner) in adjustable.clone() {
        obstacle = Obstacle::NoRoom;
        if let Some(found) = move_to_set_bit(segment, bit, owner) {
            return Ok(Some(found));
        }
    }
    if empty_bits == EmptyBits::Never {
        return Err(obstacle);
    }
    let mut best: Option<(f64, Move<KIND>, ChainOrder)> = None;
    for (bit, owner) in adjustable {
        for candidate in moves(segment, bit, owner, false) {
            let harm = match watchers.map(|watchers| watchers.of(candidate.to)) {
                None => 0.0,
                Some(Some(watching)) => segment.harm(&candidate, watching),
                // The pass did not collect the watchers of this bit.
                Some(None) => continue,
            };
            if harm > segment.cost_of(negative) {
                obstacle = Obstacle::TooCostly;
            } else if best.as_ref().is_none_or(|&(least, ..)| harm < least)
                && let Some(order) = segment.find_order(&candidate)
            {
                best = Some((harm, candidate, order));
            }
        }
    }
    best.map(|(_, chosen, order)| Some((chosen, order)))
        .ok_or(obstacle)
}

/// Repairs `negative` by adjusting both owners of one of its bits. Returns whether that was possible.
fn move_pair<const KIND: usize>(
    segment: &mut Segment<'_, KIND>,
    negative: u32,
    owners: &mut Owners,
) -> bool {
    let bits: Vec<usize> = segment.covering_bits(negative).collect();
    for bit in bits {
        let Some(pair) = segment.adjustable_pair(owners, bit) else {
            continue;
        };
        // Both owners need a move before the first one is adjusted.
        if !pair
            .iter()
            .all(|&owner| move_to_set_bit(segment, bit, owner).is_some())
        {
            continue;
        }
        let moved = pair.into_iter().filter(|&owner| {
            // The chain of the first owner may take the cells that the second needs. Then the bit has one owner less.
            let found = move_to_set_bit(segment, bit, owner);
            found.is_some_and(|(chosen, order)| {
                segment.apply(&chosen, &order, owners);
                true
            })
        });
        if moved.count() == 2 {
            return true;
        }
    }
    false
}

/// The first move of `owner` from `bit` to a bit that is already set, if the expressor can store one.
fn move_to_set_bit<const KIND: usize>(
    segment: &Segment<'_, KIND>,
    bit: usize,
    owner: u32,
) -> Option<(Move<KIND>, ChainOrder)> {
    let stored = |candidate: Move<KIND>| {
        let order = segment.find_order(&candidate)?;
        Some((candidate, order))
    };
    moves(segment, bit, owner, true).find_map(stored)
}

/// All moves of `owner` from the bit `from` to bits that are 1 (if `set`) or 0.
fn moves<'a, const KIND: usize>(
    segment: &'a Segment<'_, KIND>,
    from: usize,
    owner: u32,
    set: bool,
) -> impl Iterator<Item = Move<KIND>> + 'a {
    let places = segment.places(segment.positives[owner as usize]);
    let mut own = 0..segment.shape.functions;
    let gained = own.end..segment.shape.pool();
    let lost = own.find(|&function| places.bit(function) == from);
    lost.into_iter().flat_map(move |lost| {
        gained.clone().filter_map(move |gained| {
            let to = places.bit(gained);
            let fits = to != from && segment.tables.bits.get(to) == set;
            let adjustment = Adjustment {
                lost: lost as u8,
                gained: gained as u8,
            };
            fits.then_some(Move {
                owner,
                places,
                adjustment,
                from,
                to,
            })
        })
    })
}
