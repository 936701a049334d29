//! Which positives own a bit, and which negatives watch it.
//!
//! *Owners* (the paper's `V`) of a bit are the positives that map to it. The bit becomes 0 if all of its owners get
//! other functions; the optimiser tries this for bits with one or two owners. A bit's entry has the number of its
//! owners and the XOR of their numbers. If all owners but one leave, the XOR is the number of the last; a flag "more
//! than one" could not tell. For pairs, the entry also has the number of one owner, and the XOR gives the other.
//!
//! *Watchers* (the paper's `Gamma`) of a bit are the negatives that map to it. A negative is answered correctly because
//! some of its bits are 0. Before the optimiser sets a bit, it checks which watchers would become false positives.
//!
//! A pass of the optimiser needs few bits, and they are known before it starts: the bits that false positives map to,
//! and the bits that their owners could move to. [`Marked`] numbers these bits, a few percent of all. Owners and
//! watchers have entries only for them.

/// A set of bits of a segment, numbered in ascending order.
pub(super) struct Marked {
    /// One bit per bit of the segment.
    words: Vec<u64>,
    /// The number of marked bits before each word.
    before: Vec<u32>,
    /// The number of marked bits.
    len: usize,
}

impl Marked {
    /// Marks these bits in a segment of `bits` bits.
    pub fn new(bits: u64, marked: impl Iterator<Item = usize>) -> Self {
        let mut words = vec![0u64; bits.div_ceil(64) as usize];
        for bit in marked {
            words[bit / 64] |= 1 << (bit % 64);
        }
        let mut len = 0;
        let before = words.iter().map(|word| {
            let before = len as u32;
            len += word.count_ones() as usize;
            before
        });
        let before = before.collect();
        Marked { words, before, len }
    }

    /// The number of `bit`, if it is marked.
    #[inline]
    pub fn number(&self, bit: usize) -> Option<usize> {
        let (word, mask) = (self.words[bit / 64], 1 << (bit % 64));
        if word & mask == 0 {
            return None;
        }
        let below = (word & (mask - 1)).count_ones();
        Some((self.before[bit / 64] + below) as usize)
    }
}

/// The owners of one bit.
#[derive(Clone, Copy)]
struct Entry {
    /// How many functions of positives map to the bit.
    count: u32,
    /// The XOR of the numbers of the owners.
    keys: u32,
    /// The number of one owner, or [`NO_KEY`] if it is not known.
    first: u32,
}

/// A number that no key has.
const NO_KEY: u32 = u32::MAX;

/// The owners of marked bits.
pub(super) struct Owners {
    /// The bits that have entries.
    marked: Marked,
    /// One entry per marked bit.
    entries: Vec<Entry>,
}

impl Owners {
    /// Entries for marked bits, without owners yet.
    pub fn new(marked: Marked) -> Self {
        let unowned = Entry {
            count: 0,
            keys: 0,
            first: NO_KEY,
        };
        let entries = vec![unowned; marked.len];
        Owners { marked, entries }
    }

    /// Records that a function of `key` maps to `bit`.
    #[inline]
    pub fn add(&mut self, bit: usize, key: u32) {
        if let Some(number) = self.marked.number(bit) {
            let entry = &mut self.entries[number];
            if entry.count == 0 {
                entry.first = key;
            }
            entry.count += 1;
            entry.keys ^= key;
        }
    }

    /// Records that a function of `key` no longer maps to `bit`. Returns whether the bit is known to have no owner
    /// left; this is always `false` for bits that are not marked.
    pub fn remove(&mut self, bit: usize, key: u32) -> bool {
        let Some(number) = self.marked.number(bit) else {
            return false;
        };
        let entry = &mut self.entries[number];
        entry.count -= 1;
        entry.keys ^= key;
        if entry.first == key {
            entry.first = NO_KEY;
        }
        entry.count == 0
    }

    /// The only key that maps to `bit`, if it does so with one function.
    pub fn single(&self, bit: usize) -> Option<u32> {
        let entry = self.entries[self.marked.number(bit)?];
        (entry.count == 1).then_some(entry.keys)
    }

    /// The only two keys that map to `bit`, if each does so with one function and both numbers are known.
    pub fn pair(&self, bit: usize) -> Option<[u32; 2]> {
        let Entry { count, keys, first } = self.entries[self.marked.number(bit)?];
        // A key that maps to the bit twice is not a pair.
        (count == 2 && first != NO_KEY && keys != 0).then_some([first, first ^ keys])
    }
}

/// The watchers of marked bits.
pub(super) struct Watchers {
    /// The bits that have lists.
    marked: Marked,
    /// Where the list of each bit starts, and the end of the last list.
    starts: Vec<u32>,
    /// The lists of negatives, one after the other.
    lists: Vec<u32>,
}

impl Watchers {
    /// Lists the watchers of marked bits. `all` has all pairs of a bit and a negative that maps to it.
    pub fn new(marked: Marked, all: impl Iterator<Item = (usize, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        all.for_each(|(bit, negative)| {
            if let Some(number) = marked.number(bit) {
                pairs.push((number as u32, negative));
            }
        });
        let mut starts = vec![0u32; marked.len + 1];
        for &(number, _) in &pairs {
            starts[number as usize + 1] += 1;
        }
        for number in 0..marked.len {
            starts[number + 1] += starts[number];
        }
        let mut lists = vec![0; pairs.len()];
        let mut ends = starts.clone();
        for (number, negative) in pairs {
            let end = &mut ends[number as usize];
            lists[*end as usize] = negative;
            *end += 1;
        }
        Watchers {
            marked,
            starts,
            lists,
        }
    }

    /// The negatives that map to `bit`; `None` if the bit is not marked.
    pub fn of(&self, bit: usize) -> Option<&[u32]> {
        let number = self.marked.number(bit)?;
        let list = self.starts[number] as usize..self.starts[number + 1] as usize;
        Some(&self.lists[list])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn marked_bits_are_numbered_in_order(bits in prop::collection::vec(0usize..300, 0..100)) {
            let marked = Marked::new(300, bits.iter().copied());
            let sorted: BTreeSet<usize> = bits.into_iter().collect();
            let numbers = (0..300).filter_map(|bit| marked.number(bit).map(|number| (number, bit)));
            prop_assert!(numbers.eq(sorted.into_iter().enumerate()));
        }

        #[test]
        fn owners_match_explicit_lists(
            marked in prop::collection::vec(0usize..64, 0..30),
            steps in prop::collection::vec((0usize..64, 0u32..8, any::<bool>()), 0..300),
        ) {
            let mut owners = Owners::new(Marked::new(64, marked.iter().copied()));
            let mut lists: Vec<Vec<u32>> = vec![Vec::new(); 64];
            for (bit, key, add) in steps {
                if add {
                    owners.add(bit, key);
                    lists[bit].push(key);
                } else if let Some(at) = lists[bit].iter().position(|&owner| owner == key) {
                    owners.remove(bit, key);
                    lists[bit].remove(at);
                }
            }
            for (bit, list) in lists.iter().enumerate() {
                let single = list.first().filter(|_| list.len() == 1 && marked.contains(&bit));
                prop_assert_eq!(owners.single(bit), single.copied());
                // A pair may be unknown, but it is never wrong.
                if let Some(mut pair) = owners.pair(bit) {
                    let mut list = list.clone();
                    list.sort_unstable();
                    pair.sort_unstable();
                    prop_assert_eq!(list, pair.to_vec());
                }
            }
        }

        #[test]
        fn watchers_are_all_negatives_that_map_to_a_bit(
            marked in prop::collection::vec(0usize..64, 0..30),
            pairs in prop::collection::vec((0usize..64, 0u32..50), 0..200),
        ) {
            let watchers = Watchers::new(Marked::new(64, marked.iter().copied()), pairs.iter().copied());
            for bit in 0..64 {
                let all = pairs.iter().filter(|pair| pair.0 == bit).map(|pair| pair.1);
                let expected = marked.contains(&bit).then(|| all.collect::<Vec<_>>());
                prop_assert_eq!(watchers.of(bit).map(<[u32]>::to_vec), expected);
            }
        }
    }
}
