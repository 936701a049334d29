//! What filters answer: on known negatives by cost, and on unseen keys beside it.
//!
//! Costs that are shuffled anew leave keys and answers of a filter that is blind to them as they are, so that answers are kept
//! apart from costs: which known negatives are false positives, and how many of the unseen keys are.
//!
//! With costs by Zipf's law, a filter that sees costs is built anew for each of some shuffles, and its rate is their mean. A
//! blind one is built once, and its rate is the mean over all shuffles there are; and so is that of a filter that guards the
//! costliest and sees no more of costs, from its rates on these and on the others.

use crate::baseline::{Member, TooSmall};
use crate::subject::Subject;
use crate::workload::Set;
use crate::workload::zipf::{self, Parts, Spread};
use anyhow::{Context, Result, bail};
use bloomwise::KeySets;
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
    fn parts(&self, costs: &[f64], costliest: usize) -> [f64; 2] {
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

/// What a filter answered over all shuffles of the costs.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// On known negatives, by cost.
    pub known: Spread,
    /// Shuffles of which this is the mean; nothing if it is that of all there are.
    shuffles: Option<usize>,
    /// The standard error of the mean.
    pub error: f64,
    /// How many known negatives there are.
    negatives: usize,
    /// On known negatives, each as much as another.
    pub plain: f64,
    /// On unseen keys, the mean.
    pub unseen: f64,
    /// The size, the mean.
    pub bits_per_key: f64,
}

/// The published rates are means of so many shuffles.
const PUBLISHED_SHUFFLES: f64 = 10.0;

impl Rates {
    /// From the rates by cost of shuffles that were drawn.
    pub(crate) fn drawn(values: &[f64], set: &Set, answers: &[Answers]) -> Self {
        let known = Spread::of(values);
        let error = known.deviation / (values.len() as f64).sqrt();
        Self::of(known, Some(values.len()), error, set, answers)
    }

    fn of(
        known: Spread,
        shuffles: Option<usize>,
        error: f64,
        set: &Set,
        answers: &[Answers],
    ) -> Self {
        let mean = |of: &dyn Fn(&Answers) -> f64| {
            answers.iter().map(of).sum::<f64>() / answers.len() as f64
        };
        Rates {
            known,
            shuffles,
            error,
            negatives: set.negatives.len(),
            plain: mean(&|answers| answers.known(set)),
            unseen: mean(&|answers| answers.unseen),
            bits_per_key: mean(&|answers| answers.bits_per_key),
        }
    }

    /// By how much the rate can differ from this published one by chance, in 95 of 100 cases: the paper drew shuffles, and so
    /// did we unless all are known, and both counted false positives.
    pub fn chance(&self, published: f64) -> f64 {
        let of_paper = self.known.deviation.powi(2) / PUBLISHED_SHUFFLES;
        let counted = match self.shuffles {
            // Drawn rates vary with what was counted, too.
            Some(_) => 0.0,
            None => published / self.negatives.max(1) as f64,
        };
        self.deviations() * (self.error.powi(2) + of_paper + counted).sqrt()
    }

    /// Standard errors within which the mean is in 95 of 100 cases.
    pub fn deviations(&self) -> f64 {
        self.shuffles.map_or(1.96, student)
    }
}

/// Deviations, as estimated from so many values, within which 95 of 100 means are: Student's distribution.
pub(crate) fn student(values: usize) -> f64 {
    const BY_VALUES: [f64; 11] = [
        f64::INFINITY,
        f64::INFINITY,
        12.71,
        4.30,
        3.18,
        2.78,
        2.57,
        2.45,
        2.36,
        2.31,
        2.26,
    ];
    BY_VALUES.get(values).copied().unwrap_or(2.26)
}

/// The rates of a filter with one shuffle, by cost, on the costliest that it guards and on the others; and its answers.
type Drawn = ([f64; 3], Answers);

/// Rates of subjects: for each size, in the order of the subjects. Nothing where a filter cannot have the size.
pub type RatesBySize = Vec<Vec<Option<Rates>>>;

/// Rates of all subjects at all sizes with costs by Zipf's law. With skew 0 there is nothing to shuffle.
pub fn rates(
    set: &Set,
    skew: f64,
    shuffles: u64,
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<RatesBySize> {
    let shuffles = if skew == 0.0 { 1 } else { shuffles };
    let mut drawn: Vec<Vec<Vec<Drawn>>> = by_size(sizes, subjects);
    let mut exact = None;
    for seed in 0..shuffles {
        let costs = zipf::costs(set.negatives.len(), skew, seed);
        let sets = set.with_costs(&costs)?;
        let due = |subject: &Subject| seed == 0 || !subject.blind;
        each(
            set,
            &sets,
            sizes,
            subjects,
            due,
            |size, subject, answers| {
                let count = costliest(&subjects[subject], set, skew).unwrap_or(0);
                let [costly, rest] = answers.parts(&costs, count);
                drawn[size][subject].push(([answers.weighted(&costs), costly, rest], answers));
            },
        )?;
        exact.get_or_insert(costs);
    }
    let costs = exact.unwrap_or_default();
    let cell = |subject: &Subject, drawn: Vec<Drawn>| {
        let (values, answers): (Vec<[f64; 3]>, Vec<Answers>) = drawn.into_iter().unzip();
        if values.is_empty() {
            return None;
        }
        let part = |part: usize| values.iter().map(move |value| value[part]);
        Some(match costliest(subject, set, skew) {
            Some(count) => {
                let parts = Parts::new(&costs, count);
                let mean = |at: usize| part(at).sum::<f64>() / values.len() as f64;
                let rates = [mean(1), mean(2)];
                let error = parts.error(rates, values.len());
                Rates::of(parts.rate(rates), None, error, set, &answers)
            }
            None => Rates::drawn(&part(0).collect::<Vec<_>>(), set, &answers),
        })
    };
    let row = |row: Vec<_>| subjects.iter().zip(row).map(|(s, d)| cell(s, d)).collect();
    Ok(drawn.into_iter().map(row).collect())
}

/// How many of the costliest negatives a filter deals with in its own way, if it knows no more of costs than which these are.
fn costliest(subject: &Subject, set: &Set, skew: f64) -> Option<usize> {
    match subject.guards {
        _ if subject.blind || skew == 0.0 => Some(0),
        Some(share) => Some((share * set.positives.len() as f64).round() as usize),
        None => None,
    }
}

/// The same for costs that are given, in one order.
pub fn rates_of(
    set: &Set,
    costs: &[f64],
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<RatesBySize> {
    let sets = set.with_costs(costs)?;
    let mut found = by_size(sizes, subjects);
    each(
        set,
        &sets,
        sizes,
        subjects,
        |_| true,
        |size, subject, answers| {
            let known = Spread::of(&[answers.weighted(costs)]);
            found[size][subject] = Some(Rates::of(known, None, 0.0, set, &[answers]));
        },
    )?;
    Ok(found)
}

/// Nothing yet, for each size and each subject.
fn by_size<T: Default>(sizes: &[f64], subjects: &[Subject]) -> Vec<Vec<T>> {
    let row = |_| subjects.iter().map(|_| T::default()).collect();
    sizes.iter().map(row).collect()
}

/// Builds every subject that is due at every size, and hands over its answers with the numbers of both.
fn each(
    set: &Set,
    sets: &KeySets,
    sizes: &[f64],
    subjects: &[Subject],
    due: impl Fn(&Subject) -> bool,
    mut take: impl FnMut(usize, usize, Answers),
) -> Result<()> {
    for (size, bits_per_key) in sizes.iter().enumerate() {
        let bits = (bits_per_key * set.positives.len() as f64) as u64;
        for (number, subject) in subjects.iter().enumerate() {
            if !due(subject) {
                continue;
            }
            let filter = match subject.build(sets, bits) {
                Err(error) if error.is::<TooSmall>() => continue,
                built => built.with_context(|| subject.name.clone())?,
            };
            let answers = Answers::of(filter.as_ref(), set);
            take(size, number, answers.with_context(|| subject.name.clone())?);
        }
    }
    Ok(())
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
    fn blind_filters_have_the_rate_of_all_shuffles() {
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
        assert!((bloom.known.mean - bloom.plain).abs() < 1e-12);
        assert!(bloom.known.deviation > bloom.known.mean, "few decide");
        // Ten draws of the paper's cannot tell 2 % from 3 %, of equal costs they can.
        assert!(bloom.chance(0.03) > 0.01);
        let equal = rates(&set, 0.0, 3, &[8.0], &subjects[..1]).expect("sound")[0][0];
        assert!(equal.expect("is there").chance(0.03) < 0.01);
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
