//! Insertions and removals: a filter is filled, learns which negatives to guard, and then some of its keys are replaced
//! in each round. Section V-F of the SSCF paper.
//!
//! There are three rates. The rate *on guarded negatives* counts each of them once. The rate on *unseen* keys is the
//! price of guarding. The rate *by cost* would be mostly chance: with skew 1.5 a single negative holds two fifths of
//! the cost, and that one decides. But the filter does not know which of its guarded negatives cost most, nor which of
//! the others do. So if `g` is its rate on the guarded negatives, `r` its rate on the rest and `G` the share of the
//! cost that the guarded ones hold, the mean over all orders of the costs within both classes is `g G + r (1 - G)`. The
//! tables show this mean, with the standard deviation of a single order. A filter that ignores costs guards nothing and
//! treats all known negatives alike.
//!
//! Whenever rates are measured, all keys of the set are queried. A failed removal ends the run.

use crate::data::costliest;
use crate::filter::changing::Start;
use crate::prelude::*;
use crate::rates::Orders;
use crate::rates::cost_classes::{CostClasses, Wrong, total};

/// The digests of `count` keys that are in no part of `set`.
pub fn later_keys(set: &Set, source: Source, count: u64) -> Vec<Digest> {
    let first = (set.positives.len() + set.negatives.len() + set.unseen.len()) as u64;
    let numbers = (first..first + count).into_par_iter();
    let digest = |n| Hashing::default().digest(source.key(n, true));
    numbers.map(digest).collect()
}

/// The parameters of a run.
pub struct Churn<'a> {
    pub source: Source,
    /// The keys at first. Known negatives and unseen keys do not change.
    pub set: &'a Set,
    pub bits_per_key: f64,
    /// The number of guarded negatives per key; the costliest are guarded.
    pub guard: f64,
    /// The share of the keys that is replaced in a round.
    pub share: f64,
    /// The rounds after which rates are measured, in order.
    pub measured_after: &'a [u64],
}

/// Rates after a round.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// On known negatives by cost: the mean over all orders of the costs, and the deviation of a single order.
    pub known: Spread,
    /// The same in ten orders.
    pub orders: Orders,
    /// On the guarded negatives, with the standard error.
    pub guarded: Spread,
    /// On known negatives by cost, as measured: the mean over the shuffles. For filters that know the costs.
    pub measured: f64,
    pub unseen: f64,
}

/// What was counted after a round, with one order of the costs.
struct Counted {
    /// False positives among the guarded negatives, and among the other known ones.
    wrong: [Wrong; 2],
    /// The rate on unseen keys, and on known negatives by cost.
    unseen: f64,
    weighted: f64,
}

impl Churn<'_> {
    /// The rates after each round in `shown`, over all orders of the costs.
    pub fn rates_by_round(&self, start: &Start, shuffles: &[Vec<f64>]) -> Result<Vec<Rates>> {
        let even = [vec![1.0; self.set.negatives.len()]];
        let ignores = start.ignores_costs();
        let orders = if ignores { &even } else { shuffles };
        let rounds = self.measured_after.last().unwrap_or(&0);
        let later = later_keys(self.set, self.source, rounds * self.replaced() as u64);
        let courses = orders.par_iter();
        let courses = courses.map(|costs| self.run_order(start, costs, &later));
        let courses = courses.collect::<Result<Vec<_>>>()?;
        let mut sorted = shuffles[0].clone();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        // Where nothing is guarded, all negatives are one class.
        let guarded = (self.guard * self.set.positives.len() as f64).round() as usize;
        let classes = CostClasses::new(&sorted, if ignores { sorted.len() } else { guarded });
        let mean = |round: usize| {
            let all = || courses.iter().map(|course| &course[round]);
            let wrong: Vec<[Wrong; 2]> = all().map(|counted| counted.wrong).collect();
            let sum = total(&wrong);
            let of =
                |part: fn(&Counted) -> f64| Spread::of(&all().map(part).collect::<Vec<_>>()).mean;
            let guarded = sum[0].rate();
            Rates {
                known: classes.rate(sum),
                orders: Orders::draw(&classes, &wrong),
                guarded: Spread {
                    mean: guarded,
                    deviation: (guarded / sum[0].of.max(1) as f64).sqrt(),
                },
                measured: of(|counted| counted.weighted),
                unseen: of(|counted| counted.unseen),
            }
        };
        Ok((0..self.measured_after.len()).map(mean).collect())
    }

    /// The number of keys replaced in a round.
    fn replaced(&self) -> usize {
        (self.share * self.set.positives.len() as f64).round() as usize
    }

    /// Runs one order of the costs.
    fn run_order(&self, start: &Start, costs: &[f64], later: &[Digest]) -> Result<Vec<Counted>> {
        let mut set = self.set.clone();
        let keys = set.positives.len();
        let sets = set.with_costs(costs)?;
        let mut filter = start.empty(set.bits(self.bits_per_key), keys as u64)?;
        filter.insert(&set.positives)?;
        let guarded = if start.ignores_costs() {
            // Nothing is guarded, so all negatives are one class.
            set.negatives.clone()
        } else {
            let guarded = costliest(&sets, (self.guard * keys as f64).round() as usize);
            let costs: Vec<f64> = guarded.iter().map(|negative| negative.cost).collect();
            let guarded: Vec<Digest> = guarded.iter().map(|negative| negative.digest).collect();
            filter.guard(&guarded, &costs)?;
            guarded
        };
        let mut course = Vec::new();
        let mut rounds = later.chunks(self.replaced().max(1));
        let mut round = 0;
        for &shown in self.measured_after {
            while round < shown {
                for &new in rounds.next().unwrap_or_default() {
                    // The new key determines which key it replaces.
                    let goes = u128::from(new) as usize % keys;
                    let old = std::mem::replace(&mut set.positives[goes], new);
                    ensure!(filter.remove(old)?, "a key of the set could not be removed");
                    filter.insert(&[new])?;
                }
                round += 1;
            }
            let answers = Answers::of(filter.as_ref(), &set)?;
            let wrong = accepted(filter.as_ref(), &guarded).len();
            let negatives = set.negatives.len();
            let known = (answers.known(&set) * negatives as f64).round() as usize;
            let rest = Wrong {
                wrong: known - wrong,
                of: negatives - guarded.len(),
            };
            let of = guarded.len();
            course.push(Counted {
                wrong: [Wrong { wrong, of }, rest],
                unseen: answers.unseen,
                weighted: answers.weighted(costs),
            });
        }
        Ok(course)
    }
}

/// The rates of a kind while keys come and go.
pub struct Course {
    /// The kind.
    pub family: Family,
    /// The size.
    pub bits_per_key: f64,
    /// The share of the keys that is replaced in a round.
    pub share: f64,
    /// The rates after each round that is measured.
    pub rates: Vec<Rates>,
}

impl Course {
    /// The first cells of a row: kind, bits per key, share of replaced keys, and the rate on unseen keys after the last round.
    pub fn about(&self) -> (&'static str, f64, String, Option<f64>) {
        let share = format!("{:.0} %", 100.0 * self.share);
        let unseen = self.rates.last().map(|rates| rates.unseen);
        (self.family.name(), self.bits_per_key, share, unseen)
    }
}

/// The skew of the costs in [`courses`], and how many orders of them there are.
pub const SKEW: f64 = 1.5;
pub const SHUFFLES: u64 = 5;

/// Rates of `families` at all `sizes` while 2, 5 and 10 % of `keys` YCSB keys are replaced in a round. 5 % of as many negatives are
/// guarded after insertion.
pub fn courses(
    keys: u64,
    sizes: &[f64],
    families: &[Family],
    measured_after: &[u64],
) -> Result<Vec<Course>> {
    let set = Set::sized(Source::Users, keys, keys, keys);
    let shuffles = zipf::shuffles(set.negatives.len(), SKEW, SHUFFLES);
    let mut courses = Vec::new();
    for &bits_per_key in sizes {
        for share in [0.02, 0.05, 0.1] {
            let churn = Churn {
                source: Source::Users,
                set: &set,
                bits_per_key,
                guard: 0.05,
                share,
                measured_after,
            };
            for &family in families {
                let start = Subject::kind(family).into();
                courses.push(Course {
                    family,
                    bits_per_key,
                    share,
                    rates: churn.rates_by_round(&start, &shuffles)?,
                });
            }
        }
    }
    Ok(courses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_take_effect_as_keys_are_replaced() {
        let set = Set::sized(Source::Users, 10_000, 10_000, 10_000);
        let churn = Churn {
            source: Source::Users,
            set: &set,
            bits_per_key: 28.0,
            guard: 0.05,
            share: 0.1,
            measured_after: &[0, 40],
        };
        let shuffles: Vec<_> = (0..2).map(|seed| zipf::costs(10_000, 1.5, seed)).collect();
        let course = churn
            .rates_by_round(&Subject::kind(Family::SeesawAdaptive).into(), &shuffles)
            .expect("valid");
        assert!(
            course[1].guarded.mean < course[0].guarded.mean / 10.0,
            "{course:?}"
        );
        assert!(
            (course[1].unseen / course[0].unseen - 1.0).abs() < 0.1,
            "{course:?}"
        );
        let counting = churn
            .rates_by_round(&Subject::kind(Family::Counting).into(), &shuffles)
            .expect("valid");
        assert!((counting[1].known.mean - counting[1].guarded.mean).abs() < 1e-9);
        assert!(
            (counting[1].unseen / counting[0].unseen - 1.0).abs() < 0.3,
            "{counting:?}"
        );
        assert!(
            churn
                .rates_by_round(&Subject::kind(Family::Bloom).into(), &shuffles)
                .is_err()
        );
    }
}
