//! A filter's answers for all keys of a set.

use super::cost_classes::Wrong;
use crate::prelude::*;

/// A filter's answers for all keys of a set.
pub struct Answers {
    /// The indices of the known negatives that are false positives.
    known: Vec<u32>,
    /// The share of unseen keys that are false positives.
    pub unseen: f64,
    /// The size of the filter.
    pub bits_per_key: f64,
}

impl Answers {
    /// Queries `filter` for all keys of `set`. A false negative is an error.
    pub fn of(filter: &dyn DigestFilter, set: &Set) -> Result<Self> {
        let positives = set.positives.len();
        let missing = positives - accepted(filter, &set.positives).len();
        ensure!(
            missing == 0,
            "the filter does not find {missing} of its {positives} keys"
        );
        let unseen = accepted(filter, &set.unseen).len();
        Ok(Answers {
            known: accepted(filter, &set.negatives),
            unseen: unseen as f64 / set.unseen.len().max(1) as f64,
            bits_per_key: filter.bits() as f64 / positives as f64,
        })
    }

    /// The false positive rate on known negatives, weighted by cost.
    pub fn weighted(&self, costs: &[f64]) -> f64 {
        let wrong: f64 = self.known.iter().map(|&at| costs[at as usize]).sum();
        // An empty sum is minus zero.
        wrong / costs.iter().sum::<f64>() + 0.0
    }

    /// The false positives of the two cost classes: the `costliest` costliest negatives, and the others.
    pub(super) fn classes(&self, costs: &[f64], costliest: usize) -> [Wrong; 2] {
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
        let wrong = costly.count();
        let rest = Wrong {
            wrong: self.known.len() - wrong,
            of: costs.len() - costliest,
        };
        let of = costliest;
        [Wrong { wrong, of }, rest]
    }

    /// The false positive rate on known negatives, whatever they cost.
    pub fn known(&self, set: &Set) -> f64 {
        self.known.len() as f64 / set.negatives.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Source;
    use bloomwise::keys::Digest;

    struct AllBut(Digest);

    impl DigestFilter for AllBut {
        fn may_contain(&self, digest: Digest) -> bool {
            digest != self.0
        }

        fn bits(&self) -> u64 {
            0
        }
    }

    #[test]
    fn false_negative_is_an_error() {
        let set = Set::sized(Source::Users, 1000, 100, 100);
        let error = Answers::of(&AllBut(set.positives[500]), &set).err();
        assert_eq!(
            error.expect("is an error").to_string(),
            "the filter does not find 1 of its 1000 keys"
        );
        let answers = Answers::of(&AllBut(set.negatives[3]), &set).expect("no false negative");
        let mut costs = vec![1.0; 100];
        costs[3] = 101.0;
        assert_eq!(answers.weighted(&costs), 99.0 / 200.0);
        assert_eq!(answers.unseen, 1.0);
    }
}
