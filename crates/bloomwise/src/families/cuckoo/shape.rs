//! Where segments, buckets and the exact table are.
//!
//! A bucket has four slots of `bits` bits. A key has a fingerprint, which is never 0, and two buckets in one segment. The second bucket
//! follows from the first and the fingerprint: `other(i) = (h(fingerprint) - i) mod buckets`. Applied twice it gives `i` again, for any
//! number of buckets. So a fingerprint can be moved without its key.
//!
//! A segment has whole words, so that threads that change different segments share no word.

use super::lanes::Lanes;
use crate::keys::hash::{Digest, reduce};
use std::ops::RangeInclusive;

/// The bits that a fingerprint may have. With fewer than 7, a bucket has too few other buckets to push fingerprints to, and filters fill badly.
pub(crate) const FINGERPRINT_BITS: RangeInclusive<u32> = 7..=32;

/// The slots of a bucket.
pub(super) const SLOTS: u64 = 4;

/// The bits of an entry of the exact table: a digest and a cost or a count.
pub(super) const ENTRY_BITS: u64 = 128 + 32;

/// Spreads fingerprints over the buckets: an odd number whose bits look random.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sizes of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Bits of a fingerprint.
    pub bits: u32,
    /// The number of segments.
    pub segments: u64,
    /// The number of buckets of a segment.
    pub buckets: u64,
    /// The number of entries that the exact table has room for.
    pub entries: u64,
    /// The words of a segment.
    pub(super) segment_words: usize,
    /// How the slots of a bucket are compared.
    pub(super) lanes: Lanes,
}

/// The segment, buckets and fingerprint of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the segment.
    pub segment: usize,
    /// The first bucket, as its number in the segment.
    pub first: usize,
    /// The second bucket, as its number in the segment. It may equal the first.
    pub second: usize,
    /// The fingerprint, never 0.
    pub fingerprint: u64,
}

impl Place {
    /// Whether two keys have a bucket in common.
    pub(super) fn meets(self, other: Place) -> bool {
        let buckets = [other.first, other.second];
        self.segment == other.segment
            && (buckets.contains(&self.first) || buckets.contains(&self.second))
    }
}

impl Shape {
    /// The sizes that follow from these numbers.
    pub fn new(bits: u32, segments: u64, buckets: u64, entries: u64) -> Self {
        let segment_words = (SLOTS * u64::from(bits))
            .saturating_mul(buckets)
            .div_ceil(64);
        Shape {
            bits,
            segments,
            buckets,
            entries,
            segment_words: segment_words as usize,
            lanes: Lanes::new(bits),
        }
    }

    /// The place of a key.
    #[inline(always)]
    pub(super) fn place(&self, digest: Digest) -> Place {
        // The upper half of the product is the segment. The lower half is still uniform, so it chooses the bucket.
        let product = u128::from(digest.high) * u128::from(self.segments);
        let first = reduce(product as u64, self.buckets) as usize;
        let values = (1u64 << self.bits) - 1;
        let fingerprint = 1 + (((digest.low >> 32) * values) >> 32);
        Place {
            segment: (product >> 64) as usize,
            first,
            second: self.other(first, fingerprint),
            fingerprint,
        }
    }

    /// The other bucket of a fingerprint that is in `bucket`.
    #[inline(always)]
    pub(super) fn other(&self, bucket: usize, fingerprint: u64) -> usize {
        let sum = reduce(fingerprint.wrapping_mul(SPREAD), self.buckets);
        let (other, below) = sum.overflowing_sub(bucket as u64);
        other.wrapping_add(if below { self.buckets } else { 0 }) as usize
    }

    /// The first word of a bucket.
    #[inline(always)]
    pub(super) fn word_of(&self, segment: usize, bucket: usize) -> usize {
        let bit = SLOTS as usize * self.bits as usize * bucket;
        segment * self.segment_words + bit / 64
    }

    /// The words of the buckets of all segments.
    pub(super) fn bucket_words(&self) -> u64 {
        self.segments.saturating_mul(self.segment_words as u64)
    }

    /// The words of the exact table: two for each digest, half a word for each number.
    pub(super) fn table_words(&self) -> u64 {
        2 * self.entries + self.entries.div_ceil(2)
    }

    /// The most entries that fit into this many words.
    pub(super) fn entries_in(words: u64) -> u64 {
        let pairs = words / 5;
        2 * pairs + u64::from(words % 5 >= 3)
    }

    /// The words of buckets and table.
    pub(super) fn words(&self) -> u64 {
        self.bucket_words().saturating_add(self.table_words())
    }

    /// The slots of all buckets.
    pub(super) fn slots(&self) -> u64 {
        SLOTS * self.segments * self.buckets
    }

    /// The false positive rate on unseen keys if `used` slots are in use.
    pub(super) fn rate(&self, used: u64) -> f64 {
        rate(self.bits, used as f64 / self.slots() as f64)
    }
}

/// The false positive rate of fingerprints of `bits` bits at this load: the chance that one of eight slots has the fingerprint.
pub(super) fn rate(bits: u32, load: f64) -> f64 {
    let values = (1u64 << bits) - 1;
    let misses = (-1.0 / values as f64).ln_1p() * 2.0 * SLOTS as f64 * load.min(1.0);
    -misses.exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn other_bucket_of_the_other_bucket_is_the_first(
            bits in FINGERPRINT_BITS, segments in 1u64..5, buckets in 1u64..1 << 30, digest: u128
        ) {
            let shape = Shape::new(bits, segments, buckets, 0);
            let place = shape.place(Digest::from(digest));
            prop_assert!((place.segment as u64) < segments);
            for bucket in [place.first, place.second] {
                prop_assert!((bucket as u64) < buckets);
            }
            prop_assert!((1..1 << bits).contains(&place.fingerprint));
            prop_assert_eq!(shape.other(place.second, place.fingerprint), place.first);
        }

        #[test]
        fn entries_fit_into_their_words(words in 0u64..1000) {
            let shape = |entries| Shape::new(8, 1, 1, entries);
            let entries = Shape::entries_in(words);
            prop_assert!(shape(entries).table_words() <= words);
            prop_assert!(shape(entries + 1).table_words() > words);
        }
    }

    #[test]
    fn rate_is_that_of_eight_slots() {
        assert!((rate(8, 1.0) - (1.0 - (254f64 / 255.0).powi(8))).abs() < 1e-12);
        assert!((rate(32, 0.5) / (4.0 / 4_294_967_295.0) - 1.0).abs() < 1e-6);
        assert_eq!(rate(12, 0.0), 0.0);
    }
}
