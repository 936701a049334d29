//! The exact table: digests whose answer the filter knows, whatever the buckets say.
//!
//! An entry is a digest of 128 bits and a number of 32 bits. For a key outside of the set (an *exception*: the answer is "no") the number is its
//! cost. For a key of the set that found no room in the buckets (an *extra*: the answer is "yes") it counts its insertions.
//!
//! # The idea
//!
//! The digests are sorted, with gaps. The home of a digest is where it would be if all digests were spread evenly. A digest is at its home, or
//! after it if smaller digests have taken that place:
//!
//! ```text
//! homes   0     1     2     3     4
//!        [.07] [.21] [.25] [.39] [   ]        .25 has home 1, which .21 has taken
//! ```
//!
//! So a look-up starts at the home and ends at a gap or at a larger digest, a few entries later, in one or two cache lines. The set of digests
//! alone determines their places, whatever order they came in. A digest of 0 marks a gap, so a key with that digest cannot be stored.
//!
//! A table from a file may be out of order until [`Table::check`] has checked it. Until then, look-ups may miss entries, but they stay
//! within the table.

use super::shape::Shape;
use crate::cells::words::{Word, WordMut};
use crate::error::{Error, Result};
use crate::keys::cost::check_cost;
use crate::keys::hash::{Digest, reduce};

/// What the table knows about a digest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Entry {
    /// A key outside of the set: the cost of a false positive on it.
    Exception(f32),
    /// A key of the set: how many of its insertions are here.
    Extra(u32),
}

/// The bit that distinguishes extras. No cost is negative, so its sign is free.
const EXTRA: u32 = 1 << 31;

impl Entry {
    /// The most insertions of one key.
    pub const MAX_EXTRAS: u32 = EXTRA - 1;

    fn pack(self) -> u32 {
        match self {
            Entry::Exception(cost) => cost.to_bits(),
            Entry::Extra(count) => EXTRA | count,
        }
    }

    fn unpack(bits: u32) -> Self {
        match bits & EXTRA {
            0 => Entry::Exception(f32::from_bits(bits)),
            _ => Entry::Extra(bits ^ EXTRA),
        }
    }
}

/// The digest that stands for a gap.
pub(super) const GAP: Digest = Digest { high: 0, low: 0 };

/// The entries of a filter.
pub(super) struct Table<'a, W> {
    /// Two words for each digest.
    digests: &'a [W],
    /// Half a word for each number.
    numbers: &'a [W],
    /// The number of homes. After the last home there is room for digests that smaller ones push out of their homes.
    homes: u64,
}

impl<'a, W: Word> Table<'a, W> {
    /// The table in the words of a filter.
    #[inline(always)]
    pub fn new(words: &'a [W], shape: &Shape) -> Self {
        let table = &words[shape.bucket_words() as usize..];
        let (digests, numbers) = table.split_at(2 * shape.entries as usize);
        Table {
            digests,
            numbers,
            homes: homes(shape.entries),
        }
    }

    /// The entry of a digest.
    #[inline(always)]
    pub fn get(&self, digest: Digest) -> Option<Entry> {
        let at = self.find(digest).ok()?;
        Some(Entry::unpack(self.number(at)))
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Digest, Entry)> + '_ {
        let places = 0..self.digests.len() / 2;
        places
            .filter(|&at| self.digest(at) != GAP)
            .map(|at| (self.digest(at), Entry::unpack(self.number(at))))
    }

    /// The exceptions in `most` consecutive places, with their costs, in order. The low half of `digest` chooses the first place.
    pub fn exceptions_from(
        &self,
        digest: Digest,
        most: usize,
    ) -> impl Iterator<Item = (Digest, f32)> + '_ {
        let places = self.digests.len() / 2;
        let start = reduce(digest.low, places as u64) as usize;
        let entry = |at| (self.digest(at), Entry::unpack(self.number(at)));
        let near = (start..places).chain(0..start).take(most).map(entry);
        near.filter_map(|(digest, entry)| match entry {
            Entry::Exception(cost) if digest != GAP => Some((digest, cost)),
            _ => None,
        })
    }

    /// The numbers of entries and of extras. Returns an error unless each entry is at its place and has a valid number.
    pub fn check(&self) -> Result<(u64, u64)> {
        let wrong =
            |what: &str| Error::field("the exact table", what.to_string(), "what a filter writes");
        let (mut count, mut extras, mut next, mut last) = (0, 0, 0, GAP);
        for at in 0..self.digests.len() / 2 {
            let digest = self.digest(at);
            if digest == GAP {
                if self.number(at) != 0 {
                    return Err(wrong("a number without a digest"));
                }
                continue;
            }
            if digest <= last || at != self.home(digest).max(next) {
                return Err(wrong("a digest out of place"));
            }
            match Entry::unpack(self.number(at)) {
                Entry::Exception(cost) if check_cost(at, cost.into()).is_err() => {
                    return Err(wrong("a cost that is not finite"));
                }
                Entry::Extra(0) => return Err(wrong("an extra without a key")),
                Entry::Extra(_) => extras += 1,
                Entry::Exception(_) => {}
            }
            (count, next, last) = (count + 1, at + 1, digest);
        }
        // An odd number of places leaves half a word.
        let places = self.digests.len() / 2;
        if !places.is_multiple_of(2) && self.number(places) != 0 {
            return Err(wrong("a number without a place"));
        }
        Ok((count, extras))
    }

    /// Whether the places from the digest's own to the last have no gap. Then only removing [`Table::exception_after`] it makes a gap. A
    /// sorted list is never blocked: removing any entry frees its last place.
    pub fn is_blocked_for(&self, digest: Digest) -> bool {
        let (Ok(at) | Err(at)) = self.find(digest);
        let mut places = at..self.digests.len() / 2;
        self.homes > 1 && places.all(|place| self.digest(place) != GAP)
    }

    /// The exception with the largest digest, if that is larger than `digest`.
    pub fn exception_after(&self, digest: Digest) -> Option<Digest> {
        let (Ok(at) | Err(at)) = self.find(digest);
        let places = (at..self.digests.len() / 2).rev();
        let mut larger = places.map(|at| (self.digest(at), self.number(at)));
        let found = larger.find(|&(found, number)| {
            found != GAP && matches!(Entry::unpack(number), Entry::Exception(_))
        });
        found
            .map(|(found, _)| found)
            .filter(|&found| found > digest)
    }

    /// The place of a digest, or `Err` with the place where it would go.
    #[inline(always)]
    fn find(&self, digest: Digest) -> std::result::Result<usize, usize> {
        let mut at = self.home(digest);
        loop {
            match self.digests.get(2 * at) {
                None => return Err(at),
                Some(_) => {
                    let found = self.digest(at);
                    if found == digest && digest != GAP {
                        return Ok(at);
                    }
                    if found == GAP || found > digest {
                        return Err(at);
                    }
                }
            }
            at += 1;
        }
    }

    /// The place of a digest if no smaller digest pushes it further.
    #[inline(always)]
    fn home(&self, digest: Digest) -> usize {
        reduce(digest.high, self.homes) as usize
    }

    /// The digest at a place; a gap if it is 0.
    #[inline(always)]
    fn digest(&self, at: usize) -> Digest {
        Digest {
            high: self.digests[2 * at].get(),
            low: self.digests[2 * at + 1].get(),
        }
    }

    /// The number at a place.
    #[inline(always)]
    fn number(&self, at: usize) -> u32 {
        (self.numbers[at / 2].get() >> (32 * (at % 2))) as u32
    }
}

/// A table of at most this many entries has one home: it is a sorted list.
const SHORT: u64 = 32;

/// The number of homes of a table with room for `room` entries. The other places are for digests that are pushed out of their homes.
fn homes(room: u64) -> u64 {
    match room {
        ..=SHORT => room.min(1),
        _ => room - 8 - room / 128,
    }
}

/// The most entries that a table with room for `room` may hold. A fuller one would be slow.
pub(super) fn most_entries(room: u64) -> u64 {
    match room {
        ..=SHORT => room,
        _ => homes(room) / 10 * 9,
    }
}

/// The smallest room, or nearly, whose table may hold `entries` entries.
pub(super) fn room_for(entries: u64) -> u64 {
    let mut room = entries;
    while most_entries(room) < entries {
        room += (entries - most_entries(room)).max(1);
    }
    room
}

impl<W: WordMut> Table<'_, W> {
    /// Adds an entry, or replaces the entry of this digest. Returns `false`, and changes nothing, if there is no room.
    pub fn set(&self, digest: Digest, entry: Entry) -> bool {
        let at = match self.find(digest) {
            Ok(at) => {
                self.put(at, digest, entry.pack());
                return true;
            }
            Err(at) => at,
        };
        let room = self.digests.len() / 2;
        let gap = (at..room).find(|&place| self.digest(place) == GAP);
        let Some(gap) = gap.filter(|_| digest != GAP) else {
            return false;
        };
        for to in (at + 1..=gap).rev() {
            self.put(to, self.digest(to - 1), self.number(to - 1));
        }
        self.put(at, digest, entry.pack());
        true
    }

    /// Removes the entry of a digest, if there is one.
    pub fn remove(&self, digest: Digest) {
        let Ok(mut gap) = self.find(digest) else {
            return;
        };
        let room = self.digests.len() / 2;
        // Entries after the gap move up until one is at its home.
        while gap + 1 < room
            && self.digest(gap + 1) != GAP
            && self.home(self.digest(gap + 1)) <= gap
        {
            self.put(gap, self.digest(gap + 1), self.number(gap + 1));
            gap += 1;
        }
        self.put(gap, GAP, 0);
    }

    fn put(&self, at: usize, digest: Digest, number: u32) {
        self.digests[2 * at].set(digest.high);
        self.digests[2 * at + 1].set(digest.low);
        let (word, shift) = (&self.numbers[at / 2], 32 * (at % 2));
        let others = word.get() & !(u64::from(u32::MAX) << shift);
        word.set(others | u64::from(number) << shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::storage::Storage;
    use crate::cells::words::padded_words_mut;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn agrees_with_a_map_and_does_not_depend_on_the_order(
            room in 1u64..60, operations in prop::collection::vec((0u64..30, any::<bool>(), 0u32..100), 0..200)
        ) {
            let shape = Shape::new(8, 1, 1, room);
            let empty = || Storage::new(8 * shape.words()).expect("memory");
            let mut words = empty();
            let table = Table::new(padded_words_mut(&mut words), &shape);
            let mut map = BTreeMap::new();
            let digest = |key: u64| Digest { high: key.wrapping_mul(0x9e37_79b9_7f4a_7c15), low: key };
            for (key, add, number) in operations {
                let entry = if number % 2 == 0 { Entry::Exception(number as f32) } else { Entry::Extra(number) };
                if add {
                    if table.set(digest(key), entry) {
                        map.insert(digest(key), entry);
                    } else {
                        prop_assert!(!map.contains_key(&digest(key)));
                        prop_assert!(key == 0 || map.len() as u64 == room || room > SHORT);
                    }
                } else {
                    table.remove(digest(key));
                    map.remove(&digest(key));
                }
            }
            for key in 0..30 {
                prop_assert_eq!(table.get(digest(key)), map.get(&digest(key)).copied());
            }
            prop_assert!(table.iter().eq(map.iter().map(|(&digest, &entry)| (digest, entry))));
            let extras = map.values().filter(|entry| matches!(entry, Entry::Extra(_))).count();
            prop_assert_eq!(table.check().expect("sound"), (map.len() as u64, extras as u64));
            // The same entries in another order give the same words.
            let mut others = empty();
            let again = Table::new(padded_words_mut(&mut others), &shape);
            for (&digest, &entry) in map.iter().rev() {
                prop_assert!(again.set(digest, entry));
            }
            prop_assert_eq!(words, others);
        }
    }

    #[test]
    fn room_suffices_and_is_hardly_larger() {
        for entries in (0..400).chain([1000, 12_345, 1 << 20]) {
            let room = room_for(entries);
            assert!(most_entries(room) >= entries);
            assert!(room <= entries + entries / 8 + 24, "{room} for {entries}");
        }
    }

    #[test]
    fn full_table_refuses_and_an_empty_one_knows_nothing() {
        let shape = |entries| Shape::new(8, 1, 1, entries);
        let (none, four) = (shape(0), shape(4));
        let mut words = Storage::new(8 * none.words()).expect("memory");
        let table = Table::new(padded_words_mut(&mut words), &none);
        assert_eq!(table.get(Digest::from(7)), None);
        assert!(!table.set(Digest::from(7), Entry::Extra(1)));
        let mut words = Storage::new(8 * four.words()).expect("memory");
        let table = Table::new(padded_words_mut(&mut words), &four);
        for value in 1..=4 {
            assert!(table.set(Digest::from(value), Entry::Extra(1)));
        }
        assert!(!table.set(Digest::from(5), Entry::Extra(1)));
        assert!((1..=4).all(|value| table.get(Digest::from(value)) == Some(Entry::Extra(1))));
    }
}
