//! Decides what the exact table keeps.
//!
//! # Which exceptions stay
//!
//! A key that the buckets accept now is a mistake that costs what the key costs. A key that they deny now needs no exception yet. But as keys
//! come and go it may be accepted later, and if it is costly, that one mistake outweighs many others. So spare room keeps costly keys in
//! reserve, up to five sixths of the room: a table that is less full answers faster. The score of a key is its cost if the buckets accept
//! it, else its cost times a tenth of the false positive rate. When the table is full, the lowest score goes. If it was a mistake, it is
//! one again: a mistake given up.
//!
//! Scores change with the buckets, so there is no queue that stays sorted. Instead the keys with the lowest scores, a sixteenth of all, are
//! found at once and then given up one by one, those whose score has risen excepted. So a guarded key costs a sixteenth of a scan at most.
//!
//! # Extras
//!
//! Keys of the set that found no room in the buckets are never given up. They take the room of exceptions. When a key is removed, an
//! extra that has one of its buckets moves there.

use super::table::{Entry, GAP, Table};
use crate::hash::Digest;
use crate::words::WordMut;

/// The share of its cost that a key in reserve may be expected to cost, beside the rate: how likely it is to be accepted later.
const RESERVE: f64 = 0.1;

/// How many extras are tried when a key is removed.
const TRIED: usize = 16;

/// The share of the exceptions that are found to be given up at once.
const AT_ONCE: usize = 16;

/// What is in the exact table.
#[derive(Clone, Debug, Default)]
pub(super) struct Keeper {
    /// The number of entries.
    pub entries: u64,
    /// The number of extras among them.
    pub extras: u64,
    /// How many mistakes were given up.
    pub given_up: u64,
    /// The digests of extras, sorted; empty if the filter was just loaded.
    found: Vec<Digest>,
    /// Exceptions to give up, the lowest score last, and the highest score of these.
    lowest: Vec<Digest>,
    highest: f64,
}

/// Only what a file holds.
impl PartialEq for Keeper {
    fn eq(&self, other: &Self) -> bool {
        (self.entries, self.extras, self.given_up) == (other.entries, other.extras, other.given_up)
    }
}

impl Keeper {
    /// What a file holds.
    pub fn new(entries: u64, extras: u64, given_up: u64) -> Self {
        Keeper {
            entries,
            extras,
            given_up,
            ..Keeper::default()
        }
    }

    /// Removes the exception of a key that has been inserted, if it has one.
    pub fn forget_exception(&mut self, table: &Table<'_, impl WordMut>, digest: Digest) {
        if let Some(Entry::Exception(_)) = table.get(digest) {
            table.remove(digest);
            self.entries = self.entries.saturating_sub(1);
        }
    }

    /// Keeps one more insertion of a key that has no room in the buckets. Exceptions make room, the lowest score first. `false`, and
    /// nothing changes, if there are only extras.
    pub fn keep_extra(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        most: u64,
        accepts: &dyn Fn(Digest) -> bool,
    ) -> bool {
        match table.get(digest) {
            Some(Entry::Extra(Entry::MAX_EXTRAS)) => return false,
            Some(Entry::Extra(count)) => return table.set(digest, Entry::Extra(count + 1)),
            Some(Entry::Exception(_)) => {
                // It takes the place of its exception.
                table.set(digest, Entry::Extra(1));
                self.count_extra(digest);
                return true;
            }
            // No entry can have the digest of a gap.
            None if digest == GAP => return false,
            None => {}
        }
        let (full, blocked) = (self.entries >= most, !table.has_gap_for(digest));
        let given_up = match (full, blocked) {
            (false, false) => None,
            // Only an exception behind it leaves a gap for it.
            (_, true) => Some(table.exception_behind(digest)),
            (true, false) => Some(self.lowest(table, 0.0, accepts).map(|(lowest, _)| lowest)),
        };
        match given_up {
            None => {}
            Some(None) => return false,
            Some(Some(exception)) => self.give_up(table, exception, accepts),
        }
        if !table.set(digest, Entry::Extra(1)) {
            return false;
        }
        self.entries += 1;
        self.count_extra(digest);
        true
    }

    /// Counts a key that has become an extra.
    fn count_extra(&mut self, digest: Digest) {
        self.extras += 1;
        let place = self.found.partition_point(|&found| found < digest);
        self.found.insert(place, digest);
    }

    /// Removes one insertion of a key from the extras, if there is one.
    pub fn take_extra(&mut self, table: &Table<'_, impl WordMut>, digest: Digest) -> bool {
        if self.extras == 0 {
            return false;
        }
        let Some(Entry::Extra(count)) = table.get(digest) else {
            return false;
        };
        if count > 1 {
            return table.set(digest, Entry::Extra(count - 1));
        }
        table.remove(digest);
        self.entries = self.entries.saturating_sub(1);
        self.extras = self.extras.saturating_sub(1);
        self.found.retain(|&found| found != digest);
        true
    }

    /// Moves an extra back into the buckets, if `moves` has a place for it.
    pub fn move_back(&mut self, table: &Table<'_, impl WordMut>, moves: impl Fn(Digest) -> bool) {
        if self.extras == 0 {
            return;
        }
        if self.found.len() as u64 != self.extras {
            let extra = |(digest, entry)| matches!(entry, Entry::Extra(_)).then_some(digest);
            self.found = table.iter().filter_map(extra).collect();
        }
        let mut tried = self.found.iter().take(TRIED).copied();
        if let Some(moved) = tried.find(|&digest| moves(digest)) {
            self.take_extra(table, moved);
        }
    }

    /// Makes an exception of a key, or adds to its cost. The lowest score makes room.
    pub fn except(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        cost: f64,
        rate: f64,
        most: u64,
        accepts: &dyn Fn(Digest) -> bool,
    ) {
        let cost = match table.get(digest) {
            // The key is in the set, for certain.
            Some(Entry::Extra(_)) => return,
            Some(Entry::Exception(before)) => {
                let sum = as_cost(f64::from(before) + cost);
                table.set(digest, Entry::Exception(sum));
                return;
            }
            None => as_cost(cost),
        };
        let wrong = accepts(digest);
        let score = score(cost, wrong, rate);
        let most = if wrong { most } else { reserve_room(most) };
        if self.entries >= most {
            match self.lowest(table, rate, accepts) {
                Some((lowest, least)) if least < score => self.give_up(table, lowest, accepts),
                kept => {
                    // The last of a scan is not kept: the next one may find a lower score.
                    if !self.lowest.is_empty() {
                        self.lowest.extend(kept.map(|(digest, _)| digest));
                    }
                    self.given_up = self.given_up.saturating_add(u64::from(wrong));
                    return;
                }
            }
        }
        // Those behind it may leave no gap, though the table is not full.
        if table.set(digest, Entry::Exception(cost)) {
            self.entries += 1;
        } else {
            self.given_up = self.given_up.saturating_add(u64::from(wrong));
        }
    }

    /// Removes an exception to make room.
    fn give_up(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        accepts: &dyn Fn(Digest) -> bool,
    ) {
        table.remove(digest);
        self.entries = self.entries.saturating_sub(1);
        self.given_up = self.given_up.saturating_add(u64::from(accepts(digest)));
    }

    /// The exception with about the lowest score, and its score; `None` if there are no exceptions.
    fn lowest(
        &mut self,
        table: &Table<'_, impl WordMut>,
        rate: f64,
        accepts: &dyn Fn(Digest) -> bool,
    ) -> Option<(Digest, f64)> {
        let score_of = |digest: Digest| match table.get(digest) {
            Some(Entry::Exception(cost)) => Some(score(cost, accepts(digest), rate)),
            _ => None,
        };
        while let Some(digest) = self.lowest.pop() {
            if let Some(score) = score_of(digest)
                && score <= self.highest
            {
                return Some((digest, score));
            }
        }
        let exception = |(digest, entry)| matches!(entry, Entry::Exception(_)).then_some(digest);
        let mut all: Vec<(f64, Digest)> = (table.iter().filter_map(exception))
            .filter_map(|digest| Some((score_of(digest)?, digest)))
            .collect();
        all.sort_unstable_by(|one, other| {
            let ties = tie(one.1).cmp(&tie(other.1));
            one.0.total_cmp(&other.0).then(ties)
        });
        all.truncate((all.len() / AT_ONCE).max(1));
        self.highest = all.last()?.0;
        self.lowest = all.into_iter().rev().map(|(_, digest)| digest).collect();
        let digest = self.lowest.pop()?;
        Some((digest, score_of(digest)?))
    }
}

/// The most entries if the next one is in reserve. A table that is less full answers faster, and leaves room for mistakes to come.
pub(super) fn reserve_room(most: u64) -> u64 {
    most - most / 6
}

/// The order of keys of the same score. It differs from the order of the table: otherwise the keys that stay would crowd at one end of it.
pub(super) fn tie(digest: Digest) -> (u64, u64) {
    (digest.low, digest.high)
}

/// A cost as it is kept.
pub(super) fn as_cost(cost: f64) -> f32 {
    (cost as f32).min(f32::MAX)
}

/// What an exception is worth.
pub(super) fn score(cost: f32, wrong: bool, rate: f64) -> f64 {
    let cost = f64::from(cost);
    if wrong { cost } else { cost * RESERVE * rate }
}
