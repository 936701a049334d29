//! Reading a layer fast: whole blocks, eight columns at a time.
//!
//! A [`Reader`] has what the query of a layer needs, computed once. The plain form ([`Shape::satisfies`](super::shape::Shape))
//! answers for keys whose words are at the end of the layer, where eight at a time cannot be read.

use super::equation::{WINDOW, salted, thinning_byte, value};
use super::layer::{BUCKET, Layer, Thresholds};
use crate::kernel::{LANES, Vectors};
use crate::keys::hash::{Digest, reduce};
use crate::machine::prefetch;

/// A layer, ready for queries.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::families) struct Reader {
    /// The layer itself.
    pub layer: Layer,
    /// The number of rows where a window can start.
    starts: u64,
    /// Windows that start in this row or later are read in the plain form.
    end: u64,
    /// The byte of the filter where the rows start.
    cells: usize,
    /// The byte of the filter where the thresholds start.
    codes: usize,
    /// The logarithm of the bits of a code.
    code_log: u32,
    /// For each code, the number of rows of a bucket whose keys may have been bumped.
    bumped: [u8; 16],
    /// The number of columns of its widest block.
    pub columns: usize,
    /// How its columns are read.
    pub grouping: Grouping,
    /// Keys with a thinning byte below these limits have no guard bit in this layer: one limit for narrow blocks, one for wide ones.
    thinned: [u8; 2],
    /// Whether there are such keys.
    thins: bool,
    /// The bytes of two neighbouring blocks.
    span: usize,
}

/// How columns are read: groups of eight at a time, then single ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::families) struct Grouping {
    /// The number of groups. The last one may reach beyond the last column.
    pub groups: usize,
    /// The number of single columns, at most [`MOST_SINGLES`].
    pub singles: usize,
}

/// The most columns that are read one by one.
pub(super) const MOST_SINGLES: usize = 2;

impl Grouping {
    /// How this many columns are read.
    pub fn new(columns: usize) -> Self {
        let rest = columns % LANES;
        let singles = if rest <= MOST_SINGLES { rest } else { 0 };
        Grouping {
            groups: (columns - singles).div_ceil(LANES),
            singles,
        }
    }
}

/// Where the rows of a key are in a layer.
#[derive(Clone, Copy, Debug)]
pub(in crate::families) struct Place {
    /// The digest in the layer.
    pub digest: Digest,
    /// The first row.
    pub start: u64,
    /// The byte where its block starts.
    byte: usize,
}

impl Place {
    /// A place for arrays that are filled later.
    pub const NOWHERE: Place = Place {
        digest: Digest { high: 0, low: 0 },
        start: 0,
        byte: 0,
    };
}

impl Reader {
    /// The reader of a layer.
    pub fn new(layer: &Layer, thinned: [u8; 2]) -> Self {
        let shape = layer.shape;
        let blocks = shape.whole_blocks();
        let columns = (shape.width + u64::from(shape.narrow < blocks)) as usize;
        let cells = (layer.first_bit / 8) as usize;
        Reader {
            layer: *layer,
            starts: shape.starts(),
            // The next block must be whole too.
            end: match layer.first_bit % 64 {
                0 => blocks.saturating_sub(1) * WINDOW,
                _ => 0,
            },
            cells,
            codes: match layer.thresholds {
                Thresholds::None => 0,
                Thresholds::One | Thresholds::Two => layer.codes_byte(),
            },
            code_log: layer.thresholds.bits().max(1).ilog2(),
            bumped: layer.thresholds.larger(),
            columns,
            grouping: Grouping::new(columns),
            thinned,
            thins: thinned != [0; 2],
            span: 16 * columns,
        }
    }

    /// Where the rows of a key are.
    #[inline(always)]
    pub fn place(&self, digest: Digest) -> Place {
        let digest = salted(digest, self.layer.salt);
        let start = reduce(digest.high, self.starts);
        let byte = self.cells + self.layer.shape.block_start(start / WINDOW) as usize * 8;
        Place {
            digest,
            start,
            byte,
        }
    }

    /// Prefetches the rows that the query of a key reads. Codes are so few that they stay in the cache.
    #[inline(always)]
    pub fn prefetch(&self, bytes: &[u8], place: &Place) {
        let mut line = 0;
        while line < self.span {
            prefetch::fetch(bytes, place.byte + line);
            line += 64;
        }
    }

    /// Whether a key satisfies its equation in all columns; `None` if it may have been bumped, or if it must be read in the
    /// plain form. The constants come from [`Reader::grouping`].
    #[inline(always)]
    pub fn quick<V: Vectors, const GROUPS: usize, const SINGLES: usize>(
        &self,
        bytes: &[u8],
        place: &Place,
    ) -> Option<bool> {
        let bit = (place.start / BUCKET) << self.code_log;
        let code = *bytes.get(self.codes + (bit / 8) as usize)? >> (bit % 8);
        let bumped = place.start % BUCKET < u64::from(self.bumped[usize::from(code % 16)]);
        // One branch for both.
        if bumped | (place.start >= self.end) {
            return None;
        }
        if self.thins && self.thinned(place) {
            return None;
        }
        Some(self.differences::<V, GROUPS, SINGLES>(bytes, place)? == 0)
    }

    /// Whether a key has no guard bit in this layer because of its thinning byte.
    #[inline(always)]
    pub fn thinned(&self, place: &Place) -> bool {
        let wide = usize::from(place.start / WINDOW >= self.layer.shape.narrow);
        thinning_byte(place.digest) < self.thinned[wide]
    }

    /// Whether a key satisfies its equation in the columns of the mask `columns`.
    #[inline(always)]
    pub fn satisfies<V: Vectors>(&self, bytes: &[u8], place: &Place, columns: u32) -> bool {
        const MOST: usize = MOST_SINGLES;
        let differences = match self.grouping.groups {
            _ if place.start >= self.end => None,
            0 => self.differences::<V, 0, MOST>(bytes, place),
            1 => self.differences::<V, 1, MOST>(bytes, place),
            2 => self.differences::<V, 2, MOST>(bytes, place),
            3 => self.differences::<V, 3, MOST>(bytes, place),
            _ => self.differences::<V, 4, 0>(bytes, place),
        };
        if let Some(differences) = differences {
            return differences & columns == 0;
        }
        let equation = self.layer.shape.equation(place.digest);
        self.layer.satisfies(bytes, &equation, columns)
    }

    /// The columns in which a key does not satisfy its equation; `None` if they are not inside the filter. All
    /// columns must be among the groups and singles; words after them may be read, but do not count.
    #[inline(always)]
    fn differences<V: Vectors, const GROUPS: usize, const SINGLES: usize>(
        &self,
        bytes: &[u8],
        place: &Place,
    ) -> Option<u32> {
        let Place {
            digest,
            start,
            byte,
        } = *place;
        let (block, shift) = (start / WINDOW, start % WINDOW);
        let coefficients = digest.low | 1;
        let mask_low = coefficients << shift;
        let mask_high = (coefficients >> 1) >> (63 - shift);
        let columns = self.layer.shape.columns(block) as usize;
        // One check of bounds: the length of a part is known when this is compiled.
        let words = GROUPS * LANES + SINGLES;
        let both = bytes.get(byte..)?.get(..16 * words)?;
        let low = &both[..8 * words];
        let high = both.get(8 * columns..8 * columns + 8 * words)?;
        let mut parities = 0;
        for group in 0..GROUPS {
            let at = group * LANES * 8;
            let (low, high) = (low[at..].first_chunk()?, high[at..].first_chunk()?);
            let bits = V::parities(low, high, mask_low, mask_high);
            parities |= u32::from(bits) << (group * LANES);
        }
        for column in GROUPS * LANES..words {
            let bits = word(low, column)? & mask_low ^ word(high, column)? & mask_high;
            parities |= (bits.count_ones() & 1) << column;
        }
        Some((parities ^ value(digest)) & ((1u64 << columns) - 1) as u32)
    }
}

/// A word of these bytes.
#[inline(always)]
fn word(bytes: &[u8], index: usize) -> Option<u64> {
    let &word = bytes.get(index * 8..)?.first_chunk()?;
    Some(u64::from_le_bytes(word))
}
