//! Training of a model: logistic regression by stochastic gradient descent, one pass over the sample.
//!
//! The model says that a key of score `s` is in the set with probability `1 / (1 + e^-s)`. After each key, the weights of its features move by the error of
//! that probability, in steps that become smaller. One pass over 1.5 million keys is within two percent of three passes in the bits that classes save.
//!
//! Then the weights are rounded to 8 bits. The largest one becomes 127.
//!
//! Keys are visited in one order, by one thread, and only additions and multiplications occur, so a model has the same bytes on every machine.

use super::exponential::logistic;
use super::model::{CELLS, Model, features, index};
use super::sample::{Examples, Side};

/// The first step; the last one is nearly 0.
const STEP: f32 = 0.1;

/// The constant part of a score learns more slowly than the weights.
const SLOWER: f32 = 0.1;

/// One key in this many has a score outside of the inner cells.
const OUTSIDE: usize = 2000;

/// Trains a model of `2^log` weights.
pub(super) fn train(examples: &Examples, log: u32) -> Model {
    let count = 1 << log;
    let mut weights = vec![0f32; count];
    let mut constant = 0f32;
    let mut chosen: Vec<u32> = Vec::new();
    for (number, example) in examples.iter().enumerate() {
        let truth = match example.side {
            Side::Positive => 1.0,
            Side::Negative => 0.0,
            Side::HeldOut => continue,
        };
        chosen.clear();
        features(example.key, |hash| chosen.push(index(hash, count) as u32));
        let weights_of = chosen.iter().map(|&at| weights[at as usize]);
        let score = weights_of.fold(constant, |sum, weight| sum + weight);
        let step = STEP * (1.0 - number as f32 / examples.len() as f32);
        let change = step * (truth - logistic(score));
        constant += SLOWER * change;
        for &at in &chosen {
            weights[at as usize] += change;
        }
    }
    scaled(rounded(&weights), examples)
}

/// The weights as whole numbers; the largest one becomes 127.
fn rounded(weights: &[f32]) -> Box<[i8]> {
    let sizes = weights.iter().map(|weight| weight.abs());
    let unit = 127.0 / sizes.fold(f32::MIN_POSITIVE, f32::max);
    let round = |weight: &f32| (weight * unit).round() as i8;
    weights.iter().map(round).collect()
}

/// The model of these weights, with cells that cover nearly all scores.
fn scaled(weights: Box<[i8]>, examples: &Examples) -> Model {
    let mut model = Model {
        weights,
        low: 0,
        shift: 0,
    };
    let mut scores: Vec<i32> = examples.iter().map(|one| model.score(one.key)).collect();
    scores.sort_unstable();
    let outside = scores.len() / OUTSIDE;
    let inner = &scores[outside..scores.len() - outside];
    if let (Some(&low), Some(&high)) = (inner.first(), inner.last()) {
        model.low = low;
        // Scores are sums of a few hundred bytes, so this cannot overflow.
        let width = (high - low) as usize / CELLS + 1;
        model.shift = width.next_power_of_two().ilog2();
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::classes::sample::Sample;
    use crate::keys::hash::Hashing;

    /// Words of two kinds, which differ in their consonants.
    fn word(n: u32, positive: bool) -> String {
        let consonants = if positive { b"bdgkp" } else { b"lmnrs" };
        let letter = |n: u32| char::from(consonants[n as usize % 5]);
        (0..6)
            .map(|k| format!("{}a", letter(n / 5u32.pow(k))))
            .collect()
    }

    fn trained(words: impl Iterator<Item = u32>) -> Model {
        let mut sample = Sample::new(Hashing::default());
        for n in words {
            sample.positive(word(n, true));
            sample.negative(word(n, false));
        }
        train(&sample.examples(), 10)
    }

    #[test]
    fn scores_of_both_sides_differ_also_for_unseen_keys() {
        let model = trained(0..5000);
        for n in 5000..6000 {
            let (inside, outside) = (word(n, true), word(n, false));
            assert!(
                model.cell(inside.as_bytes()) > model.cell(outside.as_bytes()),
                "{n}"
            );
        }
    }

    #[test]
    fn order_of_the_keys_does_not_matter() {
        assert_eq!(trained(0..500), trained((0..500).rev().chain(0..5)));
    }

    #[test]
    fn weights_are_the_same_on_every_machine() {
        let model = trained(0..500);
        let bytes: Vec<u8> = model
            .weights
            .iter()
            .map(|weight| weight.cast_unsigned())
            .collect();
        let sum = xxhash_rust::xxh3::xxh3_64(&bytes);
        let expected = (17_474_555_198_485_100_778, -2194, 4);
        assert_eq!((sum, model.low, model.shift), expected);
    }

    #[test]
    fn no_keys_give_a_model_without_scores() {
        let model = train(&Sample::new(Hashing::default()).examples(), 8);
        assert_eq!((model.score(b"ant"), model.cell(b"ant")), (0, 0));
    }
}
