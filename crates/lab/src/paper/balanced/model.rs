//! The model of the paper's Figure 4: blocks of 256 bits, `ln 2` functions per bit per key, and an overflow list of
//! 0.49 % of the keys that costs nothing.

use super::textbook::{BLOCK, Shape};
use bloomwise::balanced::theory::lookup::{Rule, of_non_members};
use bloomwise::balanced::theory::{Arrivals, Bound, Threshold, region};

/// Reads and choices of MHT.
const READS: f64 = 1.2;
const CHOICES: u32 = 3;

/// The filters compared with a Bloom filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One block per key, without a limit to its load.
    Blocked,
    /// One block per key, and an overflow list.
    Single,
    /// One block in each of three subtables, and an overflow list.
    Mht,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Blocked, Kind::Single, Kind::Mht];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Blocked => "blocked",
            Kind::Single => "single",
            Kind::Mht => "mht",
        }
    }

    /// The shape of the filter at `bits_per_key`.
    pub fn shape(self, bits_per_key: f64) -> Shape {
        let (reads, choices) = match self {
            Kind::Mht => (READS, CHOICES),
            _ => (1.0, 1),
        };
        let level = || Threshold::solve(reads, load(bits_per_key), overflow());
        let threshold = (self != Kind::Blocked).then(level);
        // The counter takes its bits from the block.
        let counter = threshold.map_or(0, |threshold| (threshold.level as u32 + 1).ilog2() + 1);
        Shape {
            functions: functions(bits_per_key),
            cells: BLOCK - counter,
            threshold,
            reads,
            choices,
        }
    }

    /// The modelled rate. `of_block` is the rate of a block with the given bits, keys and functions.
    pub fn rate(self, bits_per_key: f64, of_block: fn(f64, usize, u32) -> f64) -> f64 {
        rate(self.shape(bits_per_key), bits_per_key, of_block)
    }
}

/// The modelled rate of any shape. `of_block` is the rate of a block with the given bits, keys and functions.
pub fn rate(shape: Shape, bits_per_key: f64, of_block: fn(f64, usize, u32) -> f64) -> f64 {
    let load = load(bits_per_key);
    let of_block = |keys| of_block(f64::from(shape.cells), keys, shape.functions);
    match shape.threshold {
        None => Bound::new(1.0, load, 0.0).cost(of_block),
        Some(threshold) => {
            let loads = threshold.loads(&Arrivals::new(shape.reads * load), 1);
            of_non_members(&loads, threshold, shape.choices, Rule::Level, of_block).rate
        }
    }
}

/// The share of keys in the overflow list: the smallest with which MHT is optimal.
pub fn overflow() -> f64 {
    region::mht_overflow(READS, CHOICES)
}

/// Mean number of keys per block.
pub fn load(bits_per_key: f64) -> f64 {
    f64::from(BLOCK) / bits_per_key
}

/// The number of functions: `ln 2` times the bits per key.
pub fn functions(bits_per_key: f64) -> u32 {
    (bits_per_key * std::f64::consts::LN_2).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_has_room_for_all_loads_and_one_more() {
        for bits_per_key in 8..=48 {
            let shape = Kind::Mht.shape(f64::from(bits_per_key));
            let level = shape.threshold.expect("has a threshold").level as f64;
            let counter = (level + 2.0).log2().ceil();
            assert_eq!(f64::from(BLOCK - shape.cells), counter, "{bits_per_key}");
        }
        assert_eq!(Kind::Blocked.shape(8.0).cells, 256);
    }
}
