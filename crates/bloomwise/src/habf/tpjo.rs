//! The optimiser (the paper's TPJO), for one segment.
//!
//! # The idea
//!
//! A known negative that is answered with "yes" rests on bits that are all 1. If one of them has a single owner, that
//! positive can give up the function that leads there and take another one from the pool: the bit becomes 0, and the
//! negative is answered right. The change must fit into the expressor, or it does not happen.
//!
//! Negatives take their turns by falling cost. For each, all single owners of its bits and all functions they could
//! take are looked at, in this order of preference:
//!
//! 1. a function whose bit is 1 already: nothing else changes. The first that fits is taken;
//! 2. a function whose bit is 0, if no negative becomes a false positive by setting it;
//! 3. the same with harm, if the negatives that are harmed cost no more together than the one that is repaired; the one
//!    with the least harm is taken.
//!
//! If none of this works, a bit with two owners may: both take functions whose bits are 1 already.
//!
//! # Passes
//!
//! A pass tests all negatives with the whole query, queues those answered with "yes", of either round, and gives each
//! a turn. Changes for others may have made new ones: those that were harmed, and those whose chain has come to name
//! functions by chance. If these make up a tenth of the cost that is left, or more, another pass follows. A pass that
//! does not lower the cost is undone.

use super::expressor::Plan;
use super::ledger::{Owners, Watchers};
use super::segment::{Change, Segment, Step};
use super::tables::Tables;
use super::tally::Tally;

/// What a change may do with bits that are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Empties {
    /// Set them after a look at the negatives that have them.
    Watch,
    /// Set them without a look.
    Blind,
    /// Never set them.
    Never,
}

/// How the optimiser works.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub empties: Empties,
    /// The most passes.
    pub passes: u32,
    /// Whether two owners of a bit may be changed where a single one does not help.
    pub pairs: bool,
}

/// Another pass follows if this share of the cost left is that of negatives that had no turn yet.
const WORTH_A_PASS: f64 = 0.1;

/// Why a false positive was not repaired.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// None of its bits has owners that could be changed.
    NoOwner,
    /// No change of an owner fits into the expressor.
    NoRoom,
    /// Every change that fits would do more harm than good.
    TooCostly,
}

/// Repairs what can be repaired.
pub(super) fn optimise<const KIND: u8>(
    mut segment: Segment<'_, KIND>,
    effort: Effort,
) -> (Tables, Tally) {
    // No chain is stored yet, so the first round is the whole query.
    let mut queue = segment.false_positives(&segment.shape.first_round());
    let mut tally = Tally {
        collisions: queue.len() as u64,
        ..Tally::default()
    };
    let mut given_up = Vec::new();
    let had_turn = |given_up: &[(u32, Why)], negative: u32| {
        let found = given_up.binary_search_by_key(&negative, |&(negative, _)| negative);
        found.map(|at| given_up[at].1)
    };
    // A plain filter has nowhere to store a change.
    let passes = if segment.shape.cells > 0 {
        effort.passes
    } else {
        0
    };
    while !queue.is_empty() && tally.passes < passes {
        let before = (segment.tables.clone(), segment.changes.clone());
        let mut reasons = pass(&mut segment, &queue, effort);
        reasons.sort_unstable_by_key(|&(negative, _)| negative);
        let left = segment.false_positives(&segment.looked_at);
        tally.passes += 1;
        let rank = |queue: &[u32]| (segment.cost(queue), queue.len());
        if rank(&left) >= rank(&queue) {
            (segment.tables, segment.changes) = before;
            given_up = reasons;
            break;
        }
        (queue, given_up) = (left, reasons);
        let new = queue.iter().copied();
        let new: Vec<u32> = new.filter(|&n| had_turn(&given_up, n).is_err()).collect();
        if segment.cost(&new) < WORTH_A_PASS * segment.cost(&queue) {
            break;
        }
    }
    // What the optimiser did not look at counts too.
    if segment.looked_at != segment.shape {
        queue = segment.false_positives(&segment.shape);
    }
    for &negative in &queue {
        *match had_turn(&given_up, negative) {
            Ok(Why::NoOwner) => &mut tally.no_owner,
            Ok(Why::NoRoom) => &mut tally.no_room,
            Ok(Why::TooCostly) => &mut tally.too_costly,
            Err(_) => &mut tally.disturbed,
        } += 1;
    }
    tally.left = queue.len() as u64;
    tally.cost_left = segment.cost(&queue);
    tally.adjusted = segment.changes.iter().flatten().count() as u64;
    (segment.tables, tally)
}

/// Gives a turn to every negative of the queue; returns those that were not repaired.
fn pass<const KIND: u8>(
    segment: &mut Segment<'_, KIND>,
    queue: &[u32],
    effort: Effort,
) -> Vec<(u32, Why)> {
    let mut owners = segment.owners(queue);
    let watchers = match effort.empties {
        Empties::Watch => Some(segment.watchers(queue, &owners)),
        Empties::Blind | Empties::Never => None,
    };
    let mut given_up = Vec::new();
    for &negative in queue {
        let watchers = watchers.as_ref();
        match turn(segment, negative, &owners, effort.empties, watchers) {
            Ok(Some((step, plan))) => segment.apply(&step, &plan, &mut owners),
            // A change for another negative has repaired this one too.
            Ok(None) => {}
            Err(_) if effort.pairs && move_pair(segment, negative, &mut owners) => {}
            Err(why) => given_up.push((negative, why)),
        }
    }
    given_up
}

/// The change that repairs a negative, if it needs one.
fn turn<const KIND: u8>(
    segment: &Segment<'_, KIND>,
    negative: u32,
    owners: &Owners,
    empties: Empties,
    watchers: Option<&Watchers>,
) -> Result<Option<(Step<KIND>, Plan)>, Why> {
    let mut bits = segment.reasons(negative).peekable();
    if bits.peek().is_none() {
        return Ok(None);
    }
    let free = bits.filter_map(|bit| Some((bit, segment.free_owner(owners, bit)?)));
    let mut why = Why::NoOwner;
    for (bit, owner) in free.clone() {
        why = Why::NoRoom;
        if let Some(found) = onto_set_bit(segment, bit, owner) {
            return Ok(Some(found));
        }
    }
    if empties == Empties::Never {
        return Err(why);
    }
    let mut best: Option<(f64, Step<KIND>, Plan)> = None;
    for (bit, owner) in free {
        for step in steps(segment, bit, owner, false) {
            let harm = match watchers.map(|watchers| watchers.of(step.to)) {
                None => 0.0,
                Some(Some(watching)) => segment.harm(&step, watching),
                // Nobody has looked who watches this bit.
                Some(None) => continue,
            };
            if harm > segment.cost_of(negative) {
                why = Why::TooCostly;
            } else if best.as_ref().is_none_or(|&(least, ..)| harm < least)
                && let Some(plan) = segment.plan(&step)
            {
                best = Some((harm, step, plan));
            }
        }
    }
    best.map(|(_, step, plan)| Some((step, plan))).ok_or(why)
}

/// Clears one of the bits that a negative rests on by changing both of its owners; whether that was done.
fn move_pair<const KIND: u8>(
    segment: &mut Segment<'_, KIND>,
    negative: u32,
    owners: &mut Owners,
) -> bool {
    let bits: Vec<usize> = segment.reasons(negative).collect();
    for bit in bits {
        let Some(pair) = segment.free_pair(owners, bit) else {
            continue;
        };
        // Both must have somewhere to go before the first one moves.
        if !pair
            .iter()
            .all(|&owner| onto_set_bit(segment, bit, owner).is_some())
        {
            continue;
        }
        let moved = pair.into_iter().filter(|&owner| {
            // The chain of the first may have taken the room of the second; then the bit just has one owner less.
            let found = onto_set_bit(segment, bit, owner);
            found.is_some_and(|(step, plan)| {
                segment.apply(&step, &plan, owners);
                true
            })
        });
        if moved.count() == 2 {
            return true;
        }
    }
    false
}

/// The first step that moves an owner of a bit to one that is set already, and that can be stored.
fn onto_set_bit<const KIND: u8>(
    segment: &Segment<'_, KIND>,
    bit: usize,
    owner: u32,
) -> Option<(Step<KIND>, Plan)> {
    let planned = |step: Step<KIND>| segment.plan(&step).map(|plan| (step, plan));
    steps(segment, bit, owner, true).find_map(planned)
}

/// The steps by which an owner of a bit leaves it for a function whose bit is set already, or is not.
fn steps<'a, const KIND: u8>(
    segment: &'a Segment<'_, KIND>,
    from: usize,
    owner: u32,
    set: bool,
) -> impl Iterator<Item = Step<KIND>> + 'a {
    let places = segment.places(segment.positives[owner as usize]);
    let mut own = 0..segment.shape.functions;
    let gained = own.end..segment.shape.pool();
    let lost = own.find(|&function| places.bit(function) == from);
    lost.into_iter().flat_map(move |lost| {
        gained.clone().filter_map(move |gained| {
            let to = places.bit(gained);
            let fits = to != from && segment.tables.bits.get(to) == set;
            let change = Change {
                lost: lost as u8,
                gained: gained as u8,
            };
            fits.then_some(Step {
                owner,
                places,
                change,
                from,
                to,
            })
        })
    })
}
