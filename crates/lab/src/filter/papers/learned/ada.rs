//! The adaptive learned Bloom filter: the higher the score, the fewer bits are tested.
//!
//! Scores are divided into groups. A key of the lowest group has the most functions, each group above has one fewer, and the
//! highest has none: its keys are accepted. All groups share one array of bits. The groups are those of the paper: each
//! has `c` times as many negatives as the group above it. The largest number of functions and `c` are chosen by the
//! lowest rate, among the values of the authors' program; the rate is predicted, where the authors build each filter.

use super::{Curve, Scored, ScoredFilter};
use anyhow::Result;
use bloomwise::unstable::{BitArray, probe};

/// An Ada-BF.
pub struct AdaBf {
    /// The least score of each group but the lowest, ascending.
    groups: Vec<i32>,
    array: BitArray,
}

/// The ratio of the negatives of a group to those of the group above it, in tenths.
const RATIOS: std::ops::RangeInclusive<u32> = 16..=40;

/// The most functions of a key.
const MOST: std::ops::RangeInclusive<u32> = 3..=22;

/// The least scores of all groups but the lowest, ascending, for up to `most` functions.
fn groups(negatives: &[i32], most: u32, ratio: f64) -> Vec<i32> {
    let total: f64 = (0..=most).map(|group| ratio.powi(group as i32)).sum();
    let mut above = 0.0;
    let mut least: Vec<i32> = (0..most)
        .map(|group| {
            above += negatives.len() as f64 * ratio.powi(group as i32) / total;
            let at = negatives.len() - (above as usize).min(negatives.len());
            match negatives.get(at) {
                Some(&score) => score,
                None => negatives
                    .last()
                    .map_or(i32::MAX, |&most| most.saturating_add(1)),
            }
        })
        .collect();
    least.reverse();
    least
}

/// The number of functions of a key with this score.
fn functions(groups: &[i32], score: i32) -> u32 {
    let below = groups.partition_point(|&least| least <= score);
    (groups.len() - below) as u32
}

/// The expected rate on the negatives.
fn predicted(curve: &Curve, groups: &[i32], bits: f64) -> f64 {
    // The shares of both sides in each group, with its number of functions.
    let mut above = [0.0; 2];
    let mut shares = Vec::new();
    for (functions, &least) in (0..).zip(groups.iter().rev()) {
        let reach = curve.shares(least);
        shares.push((functions, reach[0] - above[0], reach[1] - above[1]));
        above = reach;
    }
    shares.push((groups.len() as i32, 1.0 - above[0], 1.0 - above[1]));
    let balls = shares
        .iter()
        .map(|(k, positives, _)| f64::from(*k) * positives);
    let balls = balls.sum::<f64>() * curve.positives.len() as f64;
    let fill = -(-balls / bits).exp_m1();
    let rates = shares.iter().map(|(k, _, share)| share * fill.powi(*k));
    rates.sum()
}

impl AdaBf {
    /// The filter in `bits` bits, besides the model. `negatives` set the groups.
    pub fn build(positives: &[Scored], negatives: &[Scored], bits: u64) -> Result<Self> {
        let bits = (bits / 64 * 64).max(64);
        let curve = Curve::new(positives, negatives);
        let all = MOST.flat_map(|most| RATIOS.map(move |tenths| (most, f64::from(tenths) / 10.0)));
        let rated = all.map(|(most, ratio)| {
            let groups = groups(&curve.negatives, most, ratio);
            (predicted(&curve, &groups, bits as f64), groups)
        });
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, groups) = best.unwrap_or_default();
        let mut filter = AdaBf {
            groups,
            array: BitArray::new(bits)?,
        };
        for &key in positives {
            for place in filter.places(key) {
                filter.array.set(place);
            }
        }
        Ok(filter)
    }

    fn places(&self, key: Scored) -> impl Iterator<Item = usize> + use<> {
        let functions = functions(&self.groups, key.score);
        probe::spread(key.digest, 0..functions, self.array.len())
    }
}

impl ScoredFilter for AdaBf {
    fn may_contain(&self, key: Scored) -> bool {
        self.places(key).all(|place| self.array.get(place))
    }

    fn bits(&self) -> u64 {
        // The groups are part of the filter.
        self.array.len() + 32 * self.groups.len() as u64
    }
}
