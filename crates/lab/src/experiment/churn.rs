//! Keys that come and go: a filter that is full, is told of negatives to guard, and then sees some of its keys replaced in
//! each round. Section V-F of the SSCF paper.
//!
//! Rates come three ways. *On guarded negatives* each of them counts once. On *unseen* keys it is what guarding costs. *By cost*
//! it would be mostly chance: with skew 1.5 a single negative holds two fifths of the cost, and whether it passes decides. But a
//! filter does not know which of its guarded negatives cost most, nor which of the others do. So if a share `g` of the
//! guarded ones passes, and `r` of the rest, the mean over all orders of the costs within both is `g G + r (1 - G)`, with the
//! share `G` of the cost that the guarded ones hold; and that is what is shown, with the deviation of a single order. A filter that is
//! blind to costs guards nothing, and all known negatives are alike to it.
//!
//! All keys of the set are asked for whenever rates are taken; a removal that is refused ends the run.

use crate::measure::Answers;
use crate::subject::Subject;
use crate::workload::zipf::{Parts, Spread};
use crate::workload::{Set, Source, vulnerable};
use anyhow::{Result, bail, ensure};
use bloomwise::{AnyFilter, Digest, Filter, Hashing};
use rayon::prelude::*;

/// What is done to the keys.
pub(super) struct Churn<'a> {
    pub source: Source,
    /// The keys at first; known negatives and unseen keys stay as they are.
    pub set: &'a Set,
    pub bits_per_key: f64,
    /// The costliest negatives that are guarded, for each key.
    pub guard: f64,
    /// The share of the keys that is replaced in a round.
    pub share: f64,
    /// After which rounds rates are taken, in order.
    pub shown: &'a [u64],
}

/// Rates after a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// On known negatives, by cost: the mean over all orders of the costs, and how far a single one is from it.
    pub known: Spread,
    /// On the guarded ones among them, over the orders that were drawn.
    pub guarded: Spread,
    pub unseen: f64,
}

impl Churn<'_> {
    /// Rates after each round that is shown, over all orders of the costs.
    pub fn course(&self, subject: &Subject, shuffles: &[Vec<f64>]) -> Result<Vec<Rates>> {
        let even = [vec![1.0; self.set.negatives.len()]];
        let orders = if subject.blind { &even } else { shuffles };
        let later = self.later();
        let courses = orders
            .par_iter()
            .map(|costs| self.run(subject, costs, &later));
        let courses = courses.collect::<Result<Vec<_>>>()?;
        let parts = Parts::new(&shuffles[0], self.guarded(subject));
        let mean = |round: usize| {
            let of = |part: usize| {
                let values: Vec<f64> = courses.iter().map(|course| course[round][part]).collect();
                Spread::of(&values)
            };
            let (guarded, rest) = (of(0), of(1).mean);
            Rates {
                known: parts.rate([guarded.mean, rest]),
                guarded,
                unseen: of(2).mean,
            }
        };
        Ok((0..self.shown.len()).map(mean).collect())
    }

    /// How many negatives a filter guards: as many as it is told of, or all alike if it is blind to them.
    fn guarded(&self, subject: &Subject) -> usize {
        match subject.blind {
            true => self.set.negatives.len(),
            false => (self.guard * self.set.positives.len() as f64).round() as usize,
        }
    }

    /// How many keys are replaced in a round.
    fn replaced(&self) -> usize {
        (self.share * self.set.positives.len() as f64).round() as usize
    }

    /// The keys that come in all rounds.
    fn later(&self) -> Vec<Digest> {
        let set = self.set;
        let first = (set.positives.len() + set.negatives.len() + set.unseen.len()) as u64;
        let count = self.shown.last().unwrap_or(&0) * self.replaced() as u64;
        let numbers = (first..first + count).into_par_iter();
        numbers
            .map(|n| Hashing::default().digest(&self.source.key(n, true)))
            .collect()
    }

    /// One order of the costs: rates on guarded negatives, on the other known ones, on unseen keys.
    fn run(&self, subject: &Subject, costs: &[f64], later: &[Digest]) -> Result<Vec<[f64; 3]>> {
        let mut set = self.set.clone();
        let keys = set.positives.len();
        let sets = set.with_costs(costs)?;
        let Some(spec) = subject.spec((self.bits_per_key * keys as f64) as u64)? else {
            bail!("{} is no kind of bloomwise", subject.name);
        };
        let mut filter = spec.capacity(keys as u64).create()?;
        filter.insert_digests(&set.positives)?;
        let guarded = match &mut filter {
            AnyFilter::Seesaw(filter) => {
                let guarded = vulnerable(&sets, self.guard);
                for &digest in &guarded {
                    filter.guard_digest(digest)?;
                }
                guarded
            }
            // Nothing is guarded, and all are alike.
            _ => set.negatives.clone(),
        };
        let mut course = Vec::new();
        let mut rounds = later.chunks(self.replaced().max(1));
        let mut round = 0;
        for &shown in self.shown {
            while round < shown {
                for &new in rounds.next().unwrap_or_default() {
                    // Which key goes is read from the one that comes.
                    let goes = new.low as usize % keys;
                    let old = std::mem::replace(&mut set.positives[goes], new);
                    ensure!(remove(&mut filter, old)?, "a member could not be removed");
                    filter.insert_digests(&[new])?;
                }
                round += 1;
            }
            let answers = Answers::of(&filter, &set)?;
            let wrong = guarded
                .par_iter()
                .filter(|&&digest| filter.contains_digest(digest));
            let wrong = wrong.count() as f64;
            let negatives = set.negatives.len();
            let rest = answers.known(&set) * negatives as f64 - wrong;
            course.push([
                wrong / guarded.len().max(1) as f64,
                rest / (negatives - guarded.len()).max(1) as f64,
                answers.unseen,
            ]);
        }
        Ok(course)
    }
}

fn remove(filter: &mut AnyFilter, digest: Digest) -> Result<bool> {
    match filter {
        AnyFilter::Seesaw(filter) => Ok(filter.remove_digest(digest)),
        AnyFilter::Counting(filter) => Ok(filter.remove_digest(digest)),
        _ => bail!("keys of this kind cannot be removed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::zipf;

    #[test]
    fn guards_come_to_work_as_keys_are_replaced() {
        let set = Set::sized(Source::Users, 10_000, 10_000, 10_000);
        let churn = Churn {
            source: Source::Users,
            set: &set,
            bits_per_key: 28.0,
            guard: 0.05,
            share: 0.1,
            shown: &[0, 40],
        };
        let shuffles: Vec<_> = (0..2).map(|seed| zipf::costs(10_000, 1.5, seed)).collect();
        let course = churn
            .course(&Subject::kind("seesaw-adaptive"), &shuffles)
            .expect("sound");
        assert!(
            course[1].guarded.mean < course[0].guarded.mean / 10.0,
            "{course:?}"
        );
        assert!(
            (course[1].unseen / course[0].unseen - 1.0).abs() < 0.1,
            "{course:?}"
        );
        let counting = churn
            .course(&Subject::kind("counting"), &shuffles)
            .expect("sound");
        assert!((counting[1].known.mean - counting[1].guarded.mean).abs() < 1e-9);
        assert!(
            (counting[1].unseen / counting[0].unseen - 1.0).abs() < 0.3,
            "{counting:?}"
        );
        assert!(churn.course(&Subject::kind("bloom"), &shuffles).is_err());
    }
}
