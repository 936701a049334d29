//! The two ledgers of the optimiser: who owns a bit, and who watches it.
//!
//! *Owners* (the paper's `V`). A bit that some positives set is *owned* by them. It can be cleared by giving all of its
//! owners other functions, which is best tried where there is one owner, or two. A count and the exclusive-or of the
//! owners' numbers say who it is; when a bit loses its second-last owner, the exclusive-or is the last one, which a flag
//! "more than one" could not tell. Of two owners one is written down, and the exclusive-or gives the other.
//!
//! *Watchers* (the paper's `Gamma`). A negative is answered right because some of its bits are 0. Whoever wants to set
//! a bit that is 0 asks which negatives have it among theirs.
//!
//! Neither is kept for all bits. What a pass of the optimiser can ask about is known before it starts: the bits that
//! false positives rest on, and the bits their owners could move to. [`Marked`] numbers these bits, and the ledgers
//! have entries for them alone: a few percent of all bits.

/// A set of bits of a segment, numbered in their order.
pub(super) struct Marked {
    words: Vec<u64>,
    /// The number of marked bits before each word.
    before: Vec<u32>,
    len: usize,
}

impl Marked {
    /// The set of these bits, among so many.
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

    /// The number of a bit, if it is in the set.
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

/// Who owns a bit.
#[derive(Clone, Copy)]
struct Entry {
    /// How often positives map to it.
    count: u32,
    /// The exclusive-or of their numbers.
    keys: u32,
    /// The number of one of them, as long as that is known.
    first: u32,
}

/// The number of no key.
const NOBODY: u32 = u32::MAX;

/// The owners of marked bits.
pub(super) struct Owners {
    marked: Marked,
    entries: Vec<Entry>,
}

impl Owners {
    /// Nobody owns any of these bits.
    pub fn new(marked: Marked) -> Self {
        let nobody = Entry {
            count: 0,
            keys: 0,
            first: NOBODY,
        };
        let entries = vec![nobody; marked.len];
        Owners { marked, entries }
    }

    /// A key maps to a bit.
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

    /// A key that mapped to a bit no longer does; whether it was the last one, if anybody has looked at the bit.
    pub fn remove(&mut self, bit: usize, key: u32) -> bool {
        let Some(number) = self.marked.number(bit) else {
            return false;
        };
        let entry = &mut self.entries[number];
        entry.count -= 1;
        entry.keys ^= key;
        if entry.first == key {
            entry.first = NOBODY;
        }
        entry.count == 0
    }

    /// The key that alone, and with one function alone, maps to a bit.
    pub fn single(&self, bit: usize) -> Option<u32> {
        let entry = self.entries[self.marked.number(bit)?];
        (entry.count == 1).then_some(entry.keys)
    }

    /// The two keys that alone, and with one function each, map to a bit.
    pub fn pair(&self, bit: usize) -> Option<[u32; 2]> {
        let Entry { count, keys, first } = self.entries[self.marked.number(bit)?];
        // A key that maps there twice is no pair.
        (count == 2 && first != NOBODY && keys != 0).then_some([first, first ^ keys])
    }
}

/// The negatives that have marked bits among theirs.
pub(super) struct Watchers {
    marked: Marked,
    /// Where the list of each bit starts; one more than there are bits.
    starts: Vec<u32>,
    lists: Vec<u32>,
}

impl Watchers {
    /// The watchers of marked bits, from all bits of all negatives.
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

    /// The negatives that have this bit; `None` if nobody wanted to know when the lists were made.
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
        fn owners_agree_with_lists_of_them(
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
                // A pair may have been forgotten, but is never made up.
                if let Some(mut pair) = owners.pair(bit) {
                    let mut list = list.clone();
                    list.sort_unstable();
                    pair.sort_unstable();
                    prop_assert_eq!(list, pair.to_vec());
                }
            }
        }

        #[test]
        fn watchers_are_all_that_have_a_bit(
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
