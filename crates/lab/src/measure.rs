//! What filters answer: on known negatives by cost, and on unseen keys beside it.
//!
//! Costs that are shuffled anew leave keys and answers of a filter that is blind to them as they are, so that answers are kept
//! apart from costs: which known negatives are false positives, and how many of the unseen keys are.

use crate::baseline::Member;
use crate::subject::Subject;
use crate::workload::Set;
use crate::workload::zipf::{self, Spread};
use anyhow::{Context, Result, bail};
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
}

/// What a filter answered over all shuffles of the costs.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// On known negatives, by cost.
    pub known: Spread,
    /// On unseen keys, the mean.
    pub unseen: f64,
    /// The size, the mean.
    pub bits_per_key: f64,
}

impl Rates {
    /// By how much the rate on so many known negatives can differ from a published mean over ten shuffles by chance: two
    /// standard deviations, of the shuffles and of the number of false positives.
    pub fn chance(&self, shuffles: u64, negatives: usize) -> f64 {
        let of_means = self.known.deviation.powi(2) * (1.0 / shuffles as f64 + 0.1);
        let of_counts = self.known.mean / negatives.max(1) as f64;
        2.0 * (of_means + of_counts).sqrt()
    }
}

/// Rates of all subjects at all sizes: for each size, in the order of the subjects. Nothing where a filter cannot have the
/// size. With skew 0 there is nothing to shuffle.
pub fn rates(
    set: &Set,
    skew: f64,
    shuffles: u64,
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<Vec<Vec<Option<Rates>>>> {
    let shuffles = if skew == 0.0 { 1 } else { shuffles };
    let of_shuffle = |seed: u64| zipf::costs(set.negatives.len(), skew, seed);
    let costs: Vec<Vec<f64>> = (0..shuffles).map(of_shuffle).collect();
    rates_of(set, &costs, sizes, subjects)
}

/// The same for costs that are given.
pub fn rates_of(
    set: &Set,
    costs: &[Vec<f64>],
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<Vec<Vec<Option<Rates>>>> {
    // For each size and subject: the answers, one for each shuffle or one for all.
    let mut answers: Vec<Vec<Vec<Answers>>> = Vec::new();
    answers.resize_with(sizes.len(), || {
        subjects.iter().map(|_| Vec::new()).collect()
    });
    let mut tables = vec![vec![Vec::new(); subjects.len()]; sizes.len()];
    for (number, costs) in costs.iter().enumerate() {
        let sets = set.with_costs(costs)?;
        for (size, (answers, tables)) in sizes.iter().zip(answers.iter_mut().zip(&mut tables)) {
            let bits = (size * set.positives.len() as f64) as u64;
            for (subject, (answers, table)) in subjects.iter().zip(answers.iter_mut().zip(tables)) {
                if number == 0 || !subject.blind {
                    answers.clear();
                    if let Some(filter) = built(subject, &sets, bits)? {
                        let answer = Answers::of(filter.as_ref(), set);
                        answers.push(answer.with_context(|| subject.name.clone())?);
                    }
                }
                if let Some(last) = answers.last() {
                    table.push((last.weighted(costs), last.unseen, last.bits_per_key));
                }
            }
        }
    }
    let mean = |values: &[(f64, f64, f64)], of: fn(&(f64, f64, f64)) -> f64| {
        Spread::of(&values.iter().map(of).collect::<Vec<_>>())
    };
    let cell = |values: Vec<(f64, f64, f64)>| {
        (!values.is_empty()).then(|| Rates {
            known: mean(&values, |value| value.0),
            unseen: mean(&values, |value| value.1).mean,
            bits_per_key: mean(&values, |value| value.2).mean,
        })
    };
    let row = |row: Vec<Vec<_>>| row.into_iter().map(cell).collect();
    Ok(tables.into_iter().map(row).collect())
}

/// The filter, or nothing if a baseline cannot have the size; kinds of bloomwise must.
fn built(
    subject: &Subject,
    sets: &bloomwise::KeySets,
    bits: u64,
) -> Result<Option<Box<dyn Member>>> {
    match subject.build(sets, bits) {
        Ok(filter) => Ok(Some(filter)),
        Err(_) if subject.spec(bits)?.is_none() => Ok(None),
        Err(error) => Err(error.context(subject.name.clone())),
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

    #[test]
    fn blind_filters_are_weighed_anew_for_each_shuffle() {
        let set = Set::sized(Source::Users, 5000, 5000, 5000);
        let subjects = [
            Subject::kind("bloom"),
            Subject::xor(),
            Subject::kind("guarded"),
        ];
        let found = rates(&set, 1.0, 3, &[1.0, 8.0], &subjects).expect("sound");
        assert!(found[0][1].is_none(), "no Xor filter has one bit per key");
        let [Some(bloom), Some(_), Some(guarded)] = found[1][..] else {
            panic!("all have eight");
        };
        assert!(bloom.known.deviation > 0.0);
        assert_eq!(
            guarded.known,
            Spread {
                mean: 0.0,
                deviation: 0.0
            }
        );
        assert!(guarded.unseen > 0.0 && bloom.unseen > 0.0);
    }
}
