//! The input of a build: positives and known negatives in a random order, some of them more than once.

use super::case::Case;
use super::draw::Draw;
use super::keys::{Keys, Numbered};
use bloomwise::{KeySets, Result};

/// The numbers of the keys that a filter is built from, with repetitions, and the costs of the negatives.
#[derive(Clone, Debug)]
pub struct Given {
    positives: Vec<usize>,
    negatives: Vec<(usize, f64)>,
}

impl Given {
    /// The input for a case. About one key in sixty is repeated, and a few positives are among the negatives too.
    pub fn draw(case: &Case, draw: &mut Draw<'_>) -> Self {
        let mut positives: Vec<usize> = (0..case.positives).collect();
        let repeated = draw.below(case.positives / 30 + 2);
        positives.extend((0..repeated).filter_map(|_| below(case.positives, draw)));
        let costs = case.costs.of(case.negatives, draw);
        let mut negatives: Vec<(usize, f64)> = (case.positives..).zip(costs).collect();
        // Both sets, so some are positives.
        let both = case.positives + case.negatives;
        let repeated = draw.below(case.negatives / 30 + 1);
        negatives.extend((0..repeated).filter_map(|_| Some((below(both, draw)?, 0.5))));
        let mut given = Given {
            positives,
            negatives,
        };
        given.shuffle(draw);
        given
    }

    /// Puts both lists in another order.
    pub fn shuffle(&mut self, draw: &mut Draw<'_>) {
        draw.shuffle(&mut self.positives);
        draw.shuffle(&mut self.negatives);
    }

    /// Makes a known negative a positive as well.
    pub fn add_positive(&mut self, number: usize) {
        self.positives.push(number);
    }

    /// The positives.
    pub fn positives<'a>(&'a self, keys: &'a Keys) -> impl Iterator<Item = Numbered> + 'a {
        self.positives.iter().map(|&number| keys.key(number))
    }

    /// The known negatives with their costs.
    pub fn negatives<'a>(&'a self, keys: &'a Keys) -> impl Iterator<Item = (Numbered, f64)> + 'a {
        let negatives = self.negatives.iter();
        negatives.map(|&(number, cost)| (keys.key(number), cost))
    }

    /// The key sets, collected from keys.
    pub fn sets_from_keys(&self, case: &Case, keys: &Keys) -> Result<KeySets> {
        let mut sets = KeySets::builder(case.hashing);
        sets.positives(self.positives(keys))
            .negatives(self.negatives(keys));
        sets.build()
    }

    /// The key sets, collected from digests.
    pub fn sets_from_digests(&self, case: &Case, keys: &Keys) -> Result<KeySets> {
        let (numbers, costs): (Vec<usize>, Vec<f64>) = self.negatives.iter().copied().unzip();
        let mut sets = KeySets::builder(case.hashing);
        sets.positive_digests(keys.digests_of(&self.positives))?
            .negative_digests(&keys.digests_of(&numbers), &costs)?;
        sets.build()
    }
}

/// A number below `end`, if there is one.
fn below(end: usize, draw: &mut Draw<'_>) -> Option<usize> {
    (end > 0).then(|| draw.below(end))
}
