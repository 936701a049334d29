//! Slots of a few bits, and where the slots of a key are.
//!
//! # Places
//!
//! All that an array knows of a key is 64 bits, its hash. The upper bits say where its window starts, the lower ones are
//! its fingerprint. A key has `arity` slots, 3 or 4. They lie in a window of as many
//! segments of `2^segment_bits` slots, one slot in each; where the window starts is even over the array:
//!
//! ```text
//! array   |.........................................................|
//! window            |....x...|x.......|......x.|...x....|              start, then one of 8 slots in each of 4 segments
//! ```
//!
//! A binary fuse filter lets windows start at multiples of the segment only. Here they start anywhere, so that an array can
//! have any number of slots. Keys at the ends of the array have the ends for themselves, which is where the solution
//! starts ([`super::peel`]); windows must be short against the array for that, and long enough to mix.
//!
//! # Widths
//!
//! `bits` that are no multiple of `slots` are used all the same: slots below `narrow` have `width` bits, the others one
//! more. A key uses the extra bit if all of its slots have it. The first slot of a key is its lowest, so that one
//! comparison tells. A width of 0 is sound: a key whose first slot has no bit is always answered with "yes".
//!
//! # Reading
//!
//! Slots lie in bytes without gaps. Eight bytes from the one in which a slot starts hold it whole, since it has at
//! most 33 bits and starts in the first eight; so a slot is one read, one shift, and no question.

use crate::cells;
use crate::codec::Reader;
use crate::error::{Error, Result};
use crate::hash::reduce;
use crate::prefetch;
use crate::sizing::MAX_BITS;
use std::fmt;

/// The most bits of a narrow slot.
pub(super) const MAX_WIDTH: u64 = 32;

/// The largest segment: four offsets of 16 bits are cut out of one word.
pub(super) const MAX_SEGMENT_BITS: u32 = 16;

/// How an array is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Slots of a key, 3 or 4.
    pub arity: u32,
    /// The number of slots; as many as a window has, or more.
    pub slots: u64,
    /// A segment has `2^segment_bits` slots.
    pub segment_bits: u32,
    /// All bits of the array.
    pub bits: u64,
    /// Bits of a narrow slot: whole bits that there are for each.
    pub width: u64,
    /// The number of narrow slots, which come first.
    pub narrow: u64,
}

/// What an array has for a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<const ARITY: usize> {
    /// Its slots, rising.
    pub slots: [usize; ARITY],
    /// The columns in which it is written down, as a mask.
    pub columns: u64,
    /// What the exclusive or of its slots must be in those columns, if it is a positive.
    pub fingerprint: u64,
}

impl Shape {
    /// The shape of so many bits in so many slots; `None` if there is none.
    pub fn new(arity: u32, slots: u64, segment_bits: u32, bits: u64) -> Option<Self> {
        let sound = (3..=4).contains(&arity)
            && segment_bits <= MAX_SEGMENT_BITS
            && (u64::from(arity) << segment_bits..=MAX_BITS).contains(&slots)
            && bits / slots <= MAX_WIDTH;
        sound.then(|| Shape {
            arity,
            slots,
            segment_bits,
            bits,
            width: bits / slots,
            narrow: slots - bits % slots,
        })
    }

    /// The number of slots at which a window can start.
    pub fn starts(&self) -> u64 {
        self.slots + 1 - self.window()
    }

    /// The number of slots in a window.
    pub fn window(&self) -> u64 {
        u64::from(self.arity) << self.segment_bits
    }

    /// Where the window of the key of this hash starts; larger hashes start no earlier.
    #[inline]
    pub fn start(&self, hash: u64) -> u64 {
        reduce(hash, self.starts())
    }

    /// What there is for the key of this hash.
    #[inline]
    pub fn places<const ARITY: usize>(&self, hash: u64) -> Places<ARITY> {
        let start = self.start(hash);
        let product = u128::from(hash) * 0x9E37_79B9_7F4A_7C15;
        let offsets = product as u64 ^ (product >> 64) as u64;
        let offset = (1 << self.segment_bits) - 1;
        let slots = std::array::from_fn(|j| {
            let segment = start + ((j as u64) << self.segment_bits);
            (segment + (offsets >> (16 * j) & offset)) as usize
        });
        let extra = u64::from(slots[0] as u64 >= self.narrow);
        Places {
            slots,
            columns: (1 << (self.width + extra)) - 1,
            fingerprint: hash,
        }
    }

    /// The share of all keys that use the extra bit.
    pub fn wide_share(&self) -> f64 {
        let starts = self.starts() as f64;
        let segment = f64::from(1u32 << self.segment_bits);
        // For an offset `o` the share is (starts - narrow + o) / starts, cut to 0..1; this is its mean over all offsets.
        let low = (starts - self.narrow as f64) / starts;
        let high = low + segment / starts;
        let integral = |x: f64| x.clamp(0.0, 1.0).powi(2) / 2.0 + (x - 1.0).max(0.0);
        (integral(high) - integral(low)) / (high - low)
    }
}

/// Slots that are all there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Array {
    pub shape: Shape,
    /// The bits, and zeros behind them up to eight bytes after the last byte in which a slot can start.
    bytes: Vec<u8>,
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({:?})", self.shape)
    }
}

impl Array {
    /// An array whose slots are all 0.
    pub fn new(shape: Shape) -> Result<Self> {
        let bytes = cells::zeroed(shape.bits.div_ceil(64) * 8 + 8, 0)?;
        Ok(Array { shape, bytes })
    }

    /// The array that so many bits of a payload hold.
    pub fn read(shape: Shape, payload: &mut Reader<'_>) -> Result<Self> {
        let given = payload.bytes(shape.bits.div_ceil(64) * 8, "the slots")?;
        let mut array = Array::new(shape)?;
        array.bytes[..given.len()].copy_from_slice(given);
        let used = shape.bits % 64;
        if used > 0 && array.words().last().is_some_and(|word| word >> used != 0) {
            let expected = "zeros behind the last slot";
            return Err(Error::field("the slots", "too long", expected));
        }
        Ok(array)
    }

    /// The bits as words.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let (words, _) = self.bytes[..self.bytes.len() - 8].as_chunks();
        words.iter().map(|&word| u64::from_le_bytes(word))
    }

    /// Whether the key of this hash is written down here as a positive.
    #[inline]
    pub fn contains<const ARITY: usize>(&self, hash: u64) -> bool {
        self.agrees(&self.shape.places::<ARITY>(hash), u64::MAX)
    }

    /// Whether a key is written down as a positive, as far as some columns tell.
    #[inline]
    pub fn agrees<const ARITY: usize>(&self, places: &Places<ARITY>, columns: u64) -> bool {
        (self.sum(places) ^ places.fingerprint) & places.columns & columns == 0
    }

    /// Changes one slot of a key so that the exclusive or of all of them becomes `wanted` in some columns.
    #[inline]
    pub fn settle<const ARITY: usize>(
        &mut self,
        places: &Places<ARITY>,
        pivot: usize,
        wanted: u64,
        columns: u64,
    ) {
        let change = (self.sum(places) ^ wanted) & places.columns & columns;
        let (byte, shift) = self.place(places.slots[pivot]);
        let changed = self.eight(byte) ^ change << shift;
        self.bytes[byte..byte + 8].copy_from_slice(&changed.to_le_bytes());
    }

    /// Asks for the memory of a key's slots.
    #[inline]
    pub fn prefetch<const ARITY: usize>(&self, places: &Places<ARITY>) {
        for slot in places.slots {
            prefetch::fetch(&self.bytes, self.place(slot).0);
        }
    }

    /// How many slots are not 0.
    pub fn used(&self) -> u64 {
        let used = |slot: &usize| {
            let (byte, shift) = self.place(*slot);
            let extra = u64::from(*slot as u64 >= self.shape.narrow);
            self.eight(byte) >> shift & ((1 << (self.shape.width + extra)) - 1) != 0
        };
        // Where narrow slots have no bits, there may be any number of them.
        let first = if self.shape.width > 0 {
            0
        } else {
            self.shape.narrow
        };
        let slots = first as usize..self.shape.slots as usize;
        slots.into_iter().filter(used).count() as u64
    }

    /// The exclusive or of a key's slots; beyond the columns of the key there is noise.
    #[inline]
    fn sum<const ARITY: usize>(&self, places: &Places<ARITY>) -> u64 {
        places.slots.iter().fold(0, |sum, &slot| {
            let (byte, shift) = self.place(slot);
            sum ^ self.eight(byte) >> shift
        })
    }

    /// The byte in which a slot starts, and its first bit there.
    #[inline]
    fn place(&self, slot: usize) -> (usize, u32) {
        let slot = slot as u64;
        let bit = slot * self.shape.width + slot.saturating_sub(self.shape.narrow);
        ((bit / 8) as usize, (bit % 8) as u32)
    }

    #[inline]
    fn eight(&self, byte: usize) -> u64 {
        let mut eight = [0; 8];
        eight.copy_from_slice(&self.bytes[byte..byte + 8]);
        u64::from_le_bytes(eight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape() -> impl Strategy<Value = Shape> {
        (3u32..=4, 0u32..5, 0u64..500, 0u64..20_000).prop_filter_map(
            "too wide",
            |(arity, segment_bits, more, bits)| {
                let slots = (u64::from(arity) << segment_bits) + more;
                Shape::new(arity, slots, segment_bits, bits)
            },
        )
    }

    proptest! {
        #[test]
        fn slots_rise_and_stay_inside_and_take_all_bits(shape in shape(), hash in any::<u64>()) {
            let slots = shape.places::<4>(hash).slots;
            let slots = &slots[..shape.arity as usize];
            prop_assert!(slots.is_sorted_by(|a, b| a < b));
            prop_assert!(slots.iter().all(|&slot| (slot as u64) < shape.slots));
            prop_assert_eq!(shape.slots * shape.width + shape.slots - shape.narrow, shape.bits);
        }

        #[test]
        fn what_is_settled_is_read_and_changes_nothing_else(
            shape in shape(),
            hash in any::<u64>(),
            wanted in any::<u64>(),
            pivot in 0usize..3,
        ) {
            let mut array = Array::new(shape).expect("small");
            let places = shape.places::<3>(hash);
            array.settle(&places, pivot, wanted, u64::MAX);
            prop_assert_eq!(array.sum(&places) & places.columns, wanted & places.columns);
            prop_assert!(array.used() <= 1);
            let ones = array.words().map(u64::count_ones).sum::<u32>();
            prop_assert_eq!(ones, (wanted & places.columns).count_ones());
        }
    }

    #[test]
    fn the_share_of_wide_keys_is_the_one_that_is_counted() {
        for (slots, bits) in [
            (1000, 3500),
            (1000, 3990),
            (1000, 3020),
            (64, 100),
            (70, 10),
        ] {
            let shape = Shape::new(4, slots, 4, bits).expect("sound");
            let hash = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let wide = |n: &u64| shape.places::<4>(hash(*n)).columns >> shape.width == 1;
            let share = (0..100_000).filter(wide).count() as f64 / 1e5;
            // One slot more or less is a matter of rounding.
            let slack = 1.0 / shape.starts() as f64 + 0.01;
            assert!(
                (share - shape.wide_share()).abs() < slack,
                "{shape:?}: {share}"
            );
        }
    }
}
