//! A slow model of guarded filters. It reads the file of a filter and answers queries as `docs/format.md` describes.

use super::{function, halves, scale};
use bloomwise::{AnyFilter, Digest, Persist};

/// A filter with one `Vec<bool>` per slot.
#[derive(Clone)]
pub struct Guarded {
    /// The number of slots of a key.
    arity: u64,
    /// The number of the hash in the file.
    salt: u128,
    /// For each array, its slots and the bits of a segment. The second array may have no slots.
    arrays: [(Vec<Vec<bool>>, u32); 2],
}

impl Guarded {
    pub fn of(filter: &AnyFilter) -> Self {
        let bytes = filter.to_bytes();
        let word = |at: u64| {
            let at = 8 * at as usize;
            u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word"))
        };
        let parameters: Vec<u64> = (10..17).map(word).collect();
        let [
            arity,
            bits,
            slots,
            segment,
            guard_slots,
            guard_segment,
            salt,
        ] = parameters[..]
        else {
            panic!("seven parameters");
        };
        // The payload starts at the next multiple of 64 bytes.
        let bit = |at: u64| word(24 + at / 64) >> (at % 64) & 1 == 1;
        let cut = |start: u64, bits: u64, slots: u64| {
            let mut at = start;
            let mut slot = |number: u64| {
                let width = bits / slots + u64::from(number >= slots - bits % slots);
                let cut = (at..at + width).map(bit).collect::<Vec<bool>>();
                at += width;
                cut
            };
            let cut: Vec<_> = (0..slots).map(&mut slot).collect();
            assert_eq!(at, start + bits, "all bits belong to a slot");
            cut
        };
        let guard = match guard_slots {
            0 => Vec::new(),
            slots => cut(bits, slots, slots),
        };
        Guarded {
            arity,
            salt: u128::from(salt),
            arrays: [
                (cut(0, bits, slots), segment as u32),
                (guard, guard_segment as u32),
            ],
        }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let first = match self.salt {
            0 => halves(digest).0,
            salt => function(digest, 2 * salt),
        };
        let second = function(digest, 2 * self.salt + 1);
        let arrays = self.arrays.iter().zip([first, second]);
        let mut existing = arrays.filter(|((slots, _), _)| !slots.is_empty());
        existing.all(|((slots, segment), hash)| self.matches(slots, *segment, hash))
    }

    fn matches(&self, slots: &[Vec<bool>], segment: u32, hash: u64) -> bool {
        let length = 1u128 << segment;
        let starts = slots.len() as u128 - u128::from(self.arity) * length + 1;
        let start = scale(hash, starts);
        let product = u128::from(hash) * 0x9E37_79B9_7F4A_7C15;
        let offsets = (product % (1 << 64)) ^ (product >> 64);
        let slot = |j: u64| {
            let offset = (offsets >> (16 * j)) % length;
            (start + u128::from(j) * length + offset) as usize
        };
        let of_key: Vec<&Vec<bool>> = (0..self.arity).map(|j| &slots[slot(j)]).collect();
        // The first slot has the fewest bits.
        (0..of_key[0].len()).all(|bit| {
            let xor = of_key.iter().filter(|slot| slot[bit]).count() % 2 == 1;
            xor == (hash >> bit & 1 == 1)
        })
    }
}
