//! The sets a filter is built from: positives, known negatives, and what a false positive on each of those costs.
//!
//! Keys are byte strings and never kept: a digest of 16 bytes stands for each. [`KeySets::new`] brings what a caller
//! has into the one form that all builders of fixed sets expect:
//!
//! - positives sorted, each once; how many were dropped as duplicates is remembered;
//! - negatives sorted, each once, the costs of duplicates added up;
//! - a key in both sets is a positive; how many negatives that removed is remembered.
//!
//! Sorting makes every build independent of the order of its input.

use crate::error::{Error, Result};
use crate::hash::Digest;
use crate::sort;

/// A known negative and what a false positive on it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costed {
    /// The key.
    pub digest: Digest,
    /// Finite and not below zero; 1 where nothing else is known.
    pub cost: f64,
}

/// Positives and known negatives, checked, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeySets {
    positives: Vec<Digest>,
    negatives: Vec<Costed>,
    duplicates: u64,
    overlap: u64,
}

impl KeySets {
    /// Sorts, joins and checks.
    ///
    /// # Errors
    ///
    /// A cost that is negative, infinite or not a number is an error that names its index.
    pub fn new(mut positives: Vec<Digest>, mut negatives: Vec<Costed>) -> Result<Self> {
        let wrong = |n: &Costed| !(n.cost.is_finite() && n.cost >= 0.0);
        if let Some(index) = negatives.iter().position(wrong) {
            let cost = negatives[index].cost;
            return Err(Error::Cost { index, cost });
        }
        // Minus zero is a cost like zero, and must not look like another.
        negatives
            .iter_mut()
            .for_each(|negative| negative.cost += 0.0);
        let given = positives.len();
        rayon::join(
            || {
                sort::by_digest(&mut positives, |digest| *digest);
                positives.dedup();
            },
            || {
                sort::by_digest(&mut negatives, |negative| negative.digest);
                if negatives
                    .windows(2)
                    .any(|pair| pair[0].digest == pair[1].digest)
                {
                    add_up(&mut negatives);
                }
            },
        );
        let duplicates = (given - positives.len()) as u64;
        let distinct = negatives.len();
        // Both are sorted, so one walk through the two finds what is in both.
        let mut rest = positives.as_slice();
        negatives.retain(|negative| {
            while let [first, others @ ..] = rest
                && *first < negative.digest
            {
                rest = others;
            }
            rest.first() != Some(&negative.digest)
        });
        let overlap = (distinct - negatives.len()) as u64;
        Ok(KeySets {
            positives,
            negatives,
            duplicates,
            overlap,
        })
    }

    /// The positives, sorted, each once.
    pub fn positives(&self) -> &[Digest] {
        &self.positives
    }

    /// The negatives that are no positives, sorted, each once.
    pub fn negatives(&self) -> &[Costed] {
        &self.negatives
    }

    /// How many positives were given again.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// How many distinct negatives were positives too, and were dropped.
    pub fn overlap(&self) -> u64 {
        self.overlap
    }
}

/// Joins negatives that came more than once, and adds their costs up.
fn add_up(negatives: &mut Vec<Costed>) {
    // In the order of their costs, or rounding would depend on the order of the input.
    for same in negatives.chunk_by_mut(|a, b| a.digest == b.digest) {
        same.sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost));
    }
    negatives.dedup_by(|next, kept| {
        let same = next.digest == kept.digest;
        if same {
            // Finite costs stay finite, however many are added.
            kept.cost = (kept.cost + next.cost).min(f64::MAX);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(n: u128) -> Digest {
        Digest::from(n)
    }

    fn costed(n: u128, cost: f64) -> Costed {
        Costed {
            digest: digest(n),
            cost,
        }
    }

    #[test]
    fn duplicates_count_once_and_costs_add_up() {
        let positives = vec![digest(3), digest(1), digest(3)];
        let negatives = vec![costed(2, 0.5), costed(1, 9.0), costed(2, 1.0)];
        let sets = KeySets::new(positives, negatives).expect("sound costs");
        assert_eq!(sets.positives(), [digest(1), digest(3)]);
        assert_eq!(sets.negatives(), [costed(2, 1.5)]);
        assert_eq!((sets.duplicates(), sets.overlap()), (1, 1));
    }

    #[test]
    fn the_order_of_the_input_does_not_matter() {
        let mut costs: Vec<Costed> = (0..50).map(|n| costed(n % 5, 0.1 * n as f64)).collect();
        let sorted = KeySets::new(Vec::new(), costs.clone()).expect("sound costs");
        costs.reverse();
        costs.rotate_left(17);
        assert_eq!(
            KeySets::new(Vec::new(), costs).expect("sound costs"),
            sorted
        );
    }

    #[test]
    fn impossible_costs_are_errors_that_name_the_index() {
        for cost in [-1.0, f64::NAN, f64::INFINITY] {
            let error = KeySets::new(Vec::new(), vec![costed(0, 1.0), costed(1, cost)]);
            let text = error.expect_err("no cost").to_string();
            assert!(text.contains("negative 1 "), "{text}");
        }
        let sets = KeySets::new(Vec::new(), vec![costed(0, -0.0)]).expect("a sound cost");
        assert!(sets.negatives()[0].cost.is_sign_positive());
        let huge = vec![costed(0, f64::MAX), costed(0, f64::MAX)];
        let sets = KeySets::new(Vec::new(), huge).expect("sound costs");
        assert_eq!(sets.negatives()[0].cost, f64::MAX);
    }
}
