//! What a filter answers for all keys of a set.

use crate::baseline::Member;
use crate::workload::Set;
use anyhow::{Result, bail};
use rayon::prelude::*;

/// What a filter answered.
pub struct Answers {
    /// The places of the known negatives that are false positives.
    known: Vec<u32>,
    /// The share of unseen keys that are.
    pub unseen: f64,
    /// The size of the filter.
    pub bits_per_key: f64,
}

impl Answers {
    /// Asks for all keys of a set. A positive that is denied is an error.
    pub fn of(filter: &dyn Member, set: &Set) -> Result<Self> {
        let denied = set
            .positives
            .par_iter()
            .filter(|&&digest| !filter.has(digest));
        match denied.count() {
            0 => {}
            some => bail!("{some} of {} positives are denied", set.positives.len()),
        }
        let wrong = |(_, digest): &(usize, &bloomwise::Digest)| filter.has(**digest);
        let known = set.negatives.par_iter().enumerate().filter(wrong);
        let unseen = set.unseen.par_iter().filter(|&&digest| filter.has(digest));
        Ok(Answers {
            known: known.map(|(at, _)| at as u32).collect(),
            unseen: unseen.count() as f64 / set.unseen.len().max(1) as f64,
            bits_per_key: filter.bits() as f64 / set.positives.len() as f64,
        })
    }

    /// The rate on known negatives by cost.
    pub fn weighted(&self, costs: &[f64]) -> f64 {
        let wrong: f64 = self.known.iter().map(|&at| costs[at as usize]).sum();
        // An empty sum is minus zero.
        wrong / costs.iter().sum::<f64>() + 0.0
    }

    /// The shares of so many of the costliest negatives, and of the others, that are false positives.
    pub(super) fn parts(&self, costs: &[f64], costliest: usize) -> [f64; 2] {
        let least = match costliest {
            0 => f64::INFINITY,
            count => {
                let mut costs = costs.to_vec();
                *costs
                    .select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a))
                    .1
            }
        };
        let costly = self.known.iter().filter(|&&at| costs[at as usize] >= least);
        let costly = costly.count();
        let share = |wrong: usize, of: usize| wrong as f64 / of.max(1) as f64;
        [
            share(costly, costliest),
            share(self.known.len() - costly, costs.len() - costliest),
        ]
    }

    /// The share of known negatives that are false positives, whatever they cost.
    pub fn known(&self, set: &Set) -> f64 {
        self.known.len() as f64 / set.negatives.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Source;
    use bloomwise::Digest;

    struct Liar(Digest);

    impl Member for Liar {
        fn has(&self, digest: Digest) -> bool {
            digest != self.0
        }

        fn bits(&self) -> u64 {
            0
        }
    }

    #[test]
    fn a_false_negative_is_an_error_that_stops_the_run() {
        let set = Set::sized(Source::Users, 1000, 100, 100);
        let error = Answers::of(&Liar(set.positives[500]), &set).err();
        assert_eq!(
            error.expect("is one").to_string(),
            "1 of 1000 positives are denied"
        );
        let answers = Answers::of(&Liar(set.negatives[3]), &set).expect("none is denied");
        let mut costs = vec![1.0; 100];
        costs[3] = 101.0;
        assert_eq!(answers.weighted(&costs), 99.0 / 200.0);
        assert_eq!(answers.unseen, 1.0);
    }
}
