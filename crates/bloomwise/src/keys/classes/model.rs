//! The score of a key: a sum of weights, one for each run of two or three bytes.
//!
//! # The idea
//!
//! Each pair and each triple of neighbouring bytes, the first four bytes, the last four and three, and the length are hashed, and each hash chooses one of a few thousand
//! weights of 8 bits. Keys of the set have mostly positive weights, other keys mostly negative ones. The sum of the weights is the *score*.
//!
//! ```text
//! "beetle"   pairs ee et tl le, triples bee eet etl tle, ends "beet", "etle", "tle", length 6       +5 -2 +7 +1 ... = 31
//! ```
//!
//! Different runs may share a weight. Training ([`super::training`]) makes the best of that.
//!
//! Runs are read in blocks of eight triples, from ten bytes at a time. Hashes have 16 bits, so vector instructions compute those of a whole block. The
//! last block ends with the key; runs that the block before has had are masked. Of a key of more than [`MOST_BYTES`] bytes only both ends are
//! read, so the cost of a query is bounded.
//!
//! Scores are divided into [`CELLS`] cells of equal width; the first and the last one have all scores beyond. Cells become classes in
//! [`super::grouping`].

/// The bytes of a key that are read: half of them at its start, half at its end.
pub(super) const MOST_BYTES: usize = 128;

/// The number of cells of scores.
pub(super) const CELLS: usize = 512;

/// The logarithms of the numbers of weights that a model can have.
pub(super) const LOGS: std::ops::RangeInclusive<u32> = 8..=16;

/// The triples of a block, and its bytes.
const TRIPLES: usize = 8;
const SPAN: usize = TRIPLES + 2;

/// Odd constants of the hashes: of pairs, of triples, of the ends and of the length.
const PAIR: u16 = 0x9E37;
const TRIPLE: [u16; 2] = [0x6A6D, 0xD101];
const START: u32 = 0x85EB_CA6B;
const END: u32 = 0x27D4_EB2F;
const SUFFIX: u32 = 0x9E37_79B1;
const LENGTH: u32 = 0xC2B2_AE35;

/// For each number of triples, the mask of the last ones of a block.
static LAST: [[i32; TRIPLES]; TRIPLES + 1] = {
    let mut masks = [[0; TRIPLES]; TRIPLES + 1];
    let mut count = 0;
    while count <= TRIPLES {
        let mut place = TRIPLES - count;
        while place < TRIPLES {
            masks[count][place] = -1;
            place += 1;
        }
        count += 1;
    }
    masks
};

/// The hash of a pair of bytes.
#[inline(always)]
fn pair_hash(pair: u16) -> u16 {
    pair.wrapping_mul(PAIR)
}

/// The hash of a triple: a byte and the pair after it.
#[inline(always)]
fn triple_hash(first: u8, pair: u16) -> u16 {
    let first = u16::from(first).wrapping_mul(TRIPLE[0]);
    pair.wrapping_mul(TRIPLE[1]).wrapping_add(first)
}

/// The parts of a key that are read: all of it, or both ends.
#[inline(always)]
fn parts(key: &[u8]) -> (&[u8], Option<&[u8]>) {
    let half = MOST_BYTES / 2;
    match key.len() {
        ..=MOST_BYTES => (key, None),
        length => (&key[..half], Some(&key[length - half..])),
    }
}

/// The hashes of the first four bytes of a key, of the last four, of the last three, and of its length.
#[inline(always)]
fn ends(key: &[u8]) -> [u16; 4] {
    let (start, end) = match (key.first_chunk(), key.last_chunk()) {
        (Some(&start), Some(&end)) => (u32::from_le_bytes(start), u32::from_le_bytes(end)),
        _ => short_ends(key),
    };
    let length = key.len().min(MOST_BYTES) as u32;
    [
        (start, START),
        (end, END),
        (end >> 8, SUFFIX),
        (length, LENGTH),
    ]
    .map(|(number, factor)| (number.wrapping_mul(factor) >> 16) as u16)
}

/// Both ends of a key of fewer than four bytes, filled up with zeros.
fn short_ends(key: &[u8]) -> (u32, u32) {
    let missing = 4 - key.len().min(4) as u32;
    let bytes = key.iter().rev();
    let all = bytes.fold(0u64, |all, &byte| all << 8 | u64::from(byte));
    (all as u32, (all << (8 * missing)) as u32)
}

/// Calls `take` with the hash of each feature of a key: the plain form of [`Model::score`]. The upper bits of a hash choose a weight.
pub(super) fn features(key: &[u8], mut take: impl FnMut(u16)) {
    let (part, other) = parts(key);
    for part in std::iter::once(part).chain(other) {
        for triple in part.windows(3) {
            let pair = u16::from_le_bytes([triple[1], triple[2]]);
            take(pair_hash(pair));
            take(triple_hash(triple[0], pair));
        }
    }
    ends(key).into_iter().for_each(take);
}

/// The weight that a hash chooses out of `count`, a power of two.
#[inline(always)]
pub(super) fn index(hash: u16, count: usize) -> usize {
    usize::from(hash) >> (u16::BITS - count.ilog2()) & (count - 1)
}

/// Weights of features, and how scores become cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// The weights; their number is a power of two.
    pub(super) weights: Box<[i8]>,
    /// The score where the first cell starts.
    pub(super) low: i32,
    /// A cell has `2^shift` scores.
    pub(super) shift: u32,
}

impl Model {
    /// The cell of a key, below [`CELLS`].
    #[inline]
    pub fn cell(&self, key: &[u8]) -> usize {
        let above = self.score(key).saturating_sub(self.low).max(0);
        ((above >> self.shift) as usize).min(CELLS - 1)
    }

    /// The score of a key. Each size of the model has code of its own, where an index cannot be out of bounds.
    #[inline]
    pub fn score(&self, key: &[u8]) -> i32 {
        match self.weights.len() {
            0x100 => score::<0x100>(&self.weights, key),
            0x200 => score::<0x200>(&self.weights, key),
            0x400 => score::<0x400>(&self.weights, key),
            0x800 => score::<0x800>(&self.weights, key),
            0x1000 => score::<0x1000>(&self.weights, key),
            0x2000 => score::<0x2000>(&self.weights, key),
            0x4000 => score::<0x4000>(&self.weights, key),
            0x8000 => score::<0x8000>(&self.weights, key),
            _ => score::<0x1_0000>(&self.weights, key),
        }
    }
}

/// The score of a key, out of `N` weights.
fn score<const N: usize>(weights: &[i8], key: &[u8]) -> i32 {
    let Some(weights) = weights.first_chunk::<N>() else {
        return 0;
    };
    let (part, other) = parts(key);
    let mut score = sum(weights, part);
    if let Some(other) = other {
        score += sum(weights, other);
    }
    let ends = ends(key).map(|hash| i32::from(weights[index(hash, N)]));
    score + ends.iter().sum::<i32>()
}

/// The sum of the weights of the pairs and triples of a part.
#[inline(always)]
fn sum<const N: usize>(weights: &[i8; N], part: &[u8]) -> i32 {
    let Some(last) = part.last_chunk() else {
        let triples = part.windows(3).map(|triple| {
            let pair = u16::from_le_bytes([triple[1], triple[2]]);
            let pairs = i32::from(weights[index(pair_hash(pair), N)]);
            pairs + i32::from(weights[index(triple_hash(triple[0], pair), N)])
        });
        return triples.sum();
    };
    // Several sums, so that no addition waits for another one.
    let (mut rest, mut sums) = (part, [0; 4]);
    while let Some(block) = rest.first_chunk() {
        let (pairs, triples) = chosen::<N>(block);
        for at in 0..TRIPLES {
            sums[at % 2] += i32::from(weights[usize::from(pairs[at]) & (N - 1)]);
            sums[2 + at % 2] += i32::from(weights[usize::from(triples[at]) & (N - 1)]);
        }
        rest = &rest[TRIPLES..];
    }
    let (pairs, triples) = chosen::<N>(last);
    let mask = &LAST[rest.len() - 2];
    for at in 0..TRIPLES {
        let pair = i32::from(weights[usize::from(pairs[at]) & (N - 1)]);
        let both = pair + i32::from(weights[usize::from(triples[at]) & (N - 1)]);
        sums[at % 4] += both & mask[at];
    }
    sums[0] + sums[1] + sums[2] + sums[3]
}

/// The weights that the pairs and triples of a block choose out of `N`.
#[inline(always)]
fn chosen<const N: usize>(block: &[u8; SPAN]) -> ([u16; TRIPLES], [u16; TRIPLES]) {
    let shift = u16::BITS - N.ilog2();
    let pair = |at: usize| u16::from_le_bytes([block[at + 1], block[at + 2]]);
    (
        std::array::from_fn(|at| pair_hash(pair(at)) >> shift),
        std::array::from_fn(|at| triple_hash(block[at], pair(at)) >> shift),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of many lengths.
    fn keys() -> Vec<Vec<u8>> {
        let bytes: Vec<u8> = (0..400u32).map(|n| (n * n % 251) as u8).collect();
        let lengths = (0..40).chain([63, 64, 65, 127, 128, 129, 130, 255, 400]);
        lengths.map(|length| bytes[..length].to_vec()).collect()
    }

    #[test]
    fn each_run_is_a_feature() {
        let count = |key: &[u8]| {
            let mut count = 0;
            features(key, |_| count += 1);
            count
        };
        assert_eq!((count(b""), count(b"an"), count(b"beetle")), (4, 4, 12));
        assert_eq!(count(&[0; 400]), 4 + 4 * (MOST_BYTES / 2 - 2));
    }

    fn model(weights: Vec<i8>, low: i32, shift: u32) -> Model {
        Model {
            weights: weights.into(),
            low,
            shift,
        }
    }

    #[test]
    fn score_is_the_sum_of_the_weights_for_every_size() {
        for log in LOGS {
            let weights: Vec<i8> = (0..1u32 << log).map(|n| (n * 31 % 255) as i8).collect();
            let model = model(weights.clone(), 0, 0);
            for key in keys() {
                let mut sum = 0;
                features(&key, |hash| {
                    sum += i32::from(weights[index(hash, 1 << log)]);
                });
                assert_eq!(model.score(&key), sum, "{}", key.len());
            }
        }
    }

    #[test]
    fn cells_have_equal_width_and_the_outer_ones_have_the_rest() {
        // Every feature weighs 1, so the score is the number of features.
        let even = model(vec![1; 256], 20, 1);
        let cell = |length: usize| even.cell(&vec![b'x'; length]);
        assert_eq!((cell(0), cell(10), cell(11), cell(12)), (0, 0, 1, 2));
        assert_eq!(cell(64), (2 * 62 + 4 - 20) / 2);
        assert_eq!(model(vec![1; 256], i32::MIN, 0).cell(b"ant"), CELLS - 1);
    }
}
