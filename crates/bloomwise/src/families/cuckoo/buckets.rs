//! The buckets of a segment: fingerprints in packed slots, four to a bucket. An empty slot is 0.
//!
//! # Looking up
//!
//! All slots of a bucket are compared at once ([`Lanes`]). Both buckets are always read, so no branch depends on the key.
//!
//! # Inserting
//!
//! A fingerprint goes into a bucket with a free slot. If both buckets are full, look for a fingerprint there whose other bucket has a free
//! slot: it moves, and the new one takes its slot. If there is none, one of the four moves to its other bucket, pushes out a fingerprint there,
//! and the same step starts again with that one. A walk that finds no free slot after `MAX_STEPS` is undone from its end to its start, so a failed
//! insertion moves nothing.

use super::lanes::Lanes;
use super::shape::{Place, SLOTS, Shape};
use crate::cells::words::{Word, WordMut};

/// The most moves of a walk.
const MAX_STEPS: usize = 100;

/// The buckets of a segment.
pub(super) struct Buckets<'a, W> {
    /// The words of the segment, and at least one more.
    words: &'a [W],
    /// Where segments and buckets are.
    shape: &'a Shape,
    /// How the slots of a bucket are compared.
    lanes: Lanes,
}

impl<'a, W: Word> Buckets<'a, W> {
    /// The buckets of segment `segment` in the words of a filter.
    #[inline(always)]
    pub fn new(words: &'a [W], shape: &'a Shape, segment: usize) -> Self {
        Buckets {
            words: &words[segment * shape.segment_words..],
            shape,
            lanes: shape.lanes,
        }
    }

    /// Whether one of the buckets has the fingerprint.
    #[inline(always)]
    pub fn contains(&self, place: Place) -> bool {
        if self.lanes.pieces > 1 {
            return self.contains_long(place);
        }
        let wanted = self.lanes.ones * place.fingerprint;
        let zeros = |bucket| self.lanes.zeros(self.whole(bucket) ^ wanted);
        zeros(place.first) | zeros(place.second) != 0
    }

    /// Like [`Buckets::contains`], for fingerprints of more than 16 bits.
    #[inline(never)]
    fn contains_long(&self, place: Place) -> bool {
        let found = |bucket| self.find(bucket, place.fingerprint).is_some();
        found(place.first) | found(place.second)
    }

    /// Whether bits after the last bucket are set, in the last word of the segment.
    pub fn has_padding(&self) -> bool {
        let bits = SLOTS as usize * self.lanes.bits as usize * self.shape.buckets as usize;
        let last = self.words[self.shape.segment_words - 1].get();
        !bits.is_multiple_of(64) && last >> (bits % 64) != 0
    }

    /// The number of slots in use.
    pub fn used(&self) -> u64 {
        let buckets = 0..self.shape.buckets as usize;
        let slots = buckets.flat_map(|bucket| (0..SLOTS as usize).map(move |slot| (bucket, slot)));
        slots
            .map(|(bucket, slot)| u64::from(self.get(bucket, slot) != 0))
            .sum()
    }

    /// The first slot of the bucket that has the fingerprint. Fingerprint 0 finds a free slot.
    #[inline(always)]
    fn find(&self, bucket: usize, fingerprint: u64) -> Option<usize> {
        let wanted = self.lanes.ones * fingerprint;
        for piece in 0..self.lanes.pieces {
            let zeros = self.lanes.zeros(self.piece(bucket, piece) ^ wanted);
            if zeros != 0 {
                return Some(2 * piece + self.lanes.first(zeros));
            }
        }
        None
    }

    /// The slots of a bucket whose fingerprints have at most 16 bits.
    #[inline(always)]
    fn whole(&self, bucket: usize) -> u64 {
        // A bucket starts at a byte or in the middle of one, so eight bytes hold it.
        let bit = SLOTS as usize * bucket * self.lanes.bits as usize;
        W::near_bit(self.words, bit) & self.lanes.all
    }

    /// The slots of a piece of a bucket.
    #[inline(always)]
    fn piece(&self, bucket: usize, piece: usize) -> u64 {
        if self.lanes.pieces == 1 {
            return self.whole(bucket);
        }
        let bit = (SLOTS as usize * bucket + 2 * piece) * self.lanes.bits as usize;
        W::at_bit(self.words, bit) & self.lanes.all
    }

    /// The fingerprint in a slot.
    #[inline(always)]
    fn get(&self, bucket: usize, slot: usize) -> u64 {
        let slot = SLOTS as usize * bucket + slot;
        W::near_bit(self.words, slot * self.lanes.bits as usize) & ((1 << self.lanes.bits) - 1)
    }
}

impl<W: WordMut> Buckets<'_, W> {
    /// Adds a fingerprint to one of its buckets. Returns `false`, and changes nothing, if there is no room.
    #[inline(always)]
    pub fn add(&self, place: Place, choices: u64) -> bool {
        for bucket in [place.first, place.second] {
            if let Some(slot) = self.find(bucket, 0) {
                self.put(bucket, slot, place.fingerprint);
                return true;
            }
        }
        self.walk(place, choices)
    }

    /// Moves fingerprints until one finds a free slot. The bits of `choices` choose which.
    #[inline(never)]
    fn walk(&self, place: Place, choices: u64) -> bool {
        let mut path = [(0, 0); MAX_STEPS];
        let mut random = choices | 1;
        let mut bucket = if choices >> 63 == 0 {
            place.first
        } else {
            place.second
        };
        let mut carried = place.fingerprint;
        for passed in &mut path {
            // Does one of the four have a free slot in its other bucket?
            for slot in 0..SLOTS as usize {
                let fingerprint = self.get(bucket, slot);
                let other = self.shape.other(bucket, fingerprint);
                if let Some(free) = self.find(other, 0) {
                    self.put(other, free, fingerprint);
                    self.put(bucket, slot, carried);
                    return true;
                }
            }
            // A multiplicative generator. Its upper bits are the best.
            random = random.wrapping_mul(0xd134_2543_de82_ef95);
            let slot = (random >> 62) as usize;
            *passed = (bucket, slot);
            carried = self.swap(bucket, slot, carried);
            bucket = self.shape.other(bucket, carried);
        }
        for &(bucket, slot) in path.iter().rev() {
            carried = self.swap(bucket, slot, carried);
        }
        debug_assert_eq!(carried, place.fingerprint, "everything is where it was");
        false
    }

    /// Removes one copy of a fingerprint from one of its buckets. Returns `false` if there is none.
    #[inline]
    pub fn remove(&self, place: Place) -> bool {
        for bucket in [place.first, place.second] {
            if let Some(slot) = self.find(bucket, place.fingerprint) {
                self.put(bucket, slot, 0);
                return true;
            }
        }
        false
    }

    /// Replaces the fingerprint in a slot and returns the old one.
    #[inline(always)]
    fn swap(&self, bucket: usize, slot: usize, fingerprint: u64) -> u64 {
        let old = self.get(bucket, slot);
        self.put(bucket, slot, fingerprint);
        old
    }

    /// Puts a fingerprint into a slot.
    #[inline(always)]
    fn put(&self, bucket: usize, slot: usize, fingerprint: u64) {
        let bits = self.lanes.bits as usize;
        let bit = (SLOTS as usize * bucket + slot) * bits;
        let (word, shift) = (bit / 64, bit % 64);
        let mask = (1u64 << bits) - 1;
        let first = &self.words[word];
        first.set(first.get() & !(mask << shift) | fingerprint << shift);
        if shift + bits > 64 {
            let (second, shift) = (&self.words[word + 1], 64 - shift);
            second.set(second.get() & !(mask >> shift) | fingerprint >> shift);
        }
    }
}
