//! Builds and queries filters of many kinds and sizes.

use super::shuffled::Shuffled;
use super::{Answers, Rates};
use crate::baseline::TooSmall;
use crate::subject::Subject;
use crate::workload::Set;
use crate::workload::zipf::{self, Spread};
use anyhow::{Context, Result};
use bloomwise::KeySets;

/// Rates for each size, in the order of the subjects. `None` where a filter cannot have the size.
pub type RatesBySize = Vec<Vec<Option<Rates>>>;

/// Rates of all subjects at all sizes, with costs by Zipf's law. With skew 0 there is nothing to shuffle.
pub fn rates(
    set: &Set,
    skew: f64,
    shuffles: u64,
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<RatesBySize> {
    let shuffles = if skew == 0.0 { 1 } else { shuffles };
    let mut drawn: Vec<Vec<Vec<Shuffled>>> = by_size(sizes, subjects);
    let mut first = None;
    for seed in 0..shuffles {
        let costs = zipf::costs(set.negatives.len(), skew, seed);
        let sets = set.with_costs(&costs)?;
        let due = |subject: &Subject| seed == 0 || !subject.ignores_costs;
        for_each_filter(
            set,
            &sets,
            sizes,
            subjects,
            due,
            |size, subject, measured| {
                // Equal costs have only one order.
                let top_class = if skew == 0.0 {
                    Some(0)
                } else {
                    measured.top_class
                };
                drawn[size][subject].push(Shuffled::new(measured.answers, top_class, &costs));
            },
        )?;
        first.get_or_insert(costs);
    }
    let mut costs = first.unwrap_or_default();
    // Any order works, and this one need not be sorted again.
    costs.sort_unstable_by(|a, b| b.total_cmp(a));
    let cell = |drawn: &Vec<Shuffled>| Shuffled::join(drawn, &costs, set);
    let row = |row: &Vec<Vec<Shuffled>>| row.iter().map(cell).collect();
    Ok(drawn.iter().map(row).collect())
}

/// Rates of all subjects at all sizes, with the given costs in one order.
pub fn rates_with_costs(
    set: &Set,
    costs: &[f64],
    sizes: &[f64],
    subjects: &[Subject],
) -> Result<RatesBySize> {
    let sets = set.with_costs(costs)?;
    let mut found = by_size(sizes, subjects);
    for_each_filter(
        set,
        &sets,
        sizes,
        subjects,
        |_| true,
        |size, subject, measured| {
            let known = Spread::of(&[measured.answers.weighted(costs)]);
            found[size][subject] = Some(Rates::of(known, None, 0.0, set, &[&measured.answers]));
        },
    )?;
    Ok(found)
}

/// A default value for each size and each subject.
fn by_size<T: Default>(sizes: &[f64], subjects: &[Subject]) -> Vec<Vec<T>> {
    let row = |_| subjects.iter().map(|_| T::default()).collect();
    sizes.iter().map(row).collect()
}

/// A filter's answers, and the size of its top cost class.
struct Measured {
    answers: Answers,
    top_class: Option<usize>,
}

/// Builds every subject that is due at every size. Passes the indices of size and subject and the answers to `take`.
fn for_each_filter(
    set: &Set,
    sets: &KeySets,
    sizes: &[f64],
    subjects: &[Subject],
    due: impl Fn(&Subject) -> bool,
    mut take: impl FnMut(usize, usize, Measured),
) -> Result<()> {
    for (size, bits_per_key) in sizes.iter().enumerate() {
        let bits = set.bits(*bits_per_key);
        for (number, subject) in subjects.iter().enumerate() {
            if !due(subject) {
                continue;
            }
            let (filter, top_class) = match subject.build_with_top_class(sets, bits) {
                Err(error) if error.is::<TooSmall>() => continue,
                built => built.with_context(|| subject.name.clone())?,
            };
            let answers = Answers::of(filter.as_ref(), set);
            let answers = answers.with_context(|| subject.name.clone())?;
            take(size, number, Measured { answers, top_class });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Source;
    use bloomwise::Family;

    #[test]
    fn filter_that_ignores_costs_has_its_plain_rate() {
        let set = Set::sized(Source::Users, 5000, 5000, 5000);
        let subjects = [
            Subject::kind(Family::Bloom),
            Subject::xor(),
            Subject::kind(Family::Guarded),
        ];
        let found = rates(&set, 1.0, 3, &[1.0, 8.0], &subjects).expect("valid");
        assert!(
            found[0][1].is_none(),
            "an Xor filter needs more than one bit per key"
        );
        let [Some(bloom), Some(_), Some(guarded)] = found[1][..] else {
            panic!("all filters fit 8 bits per key");
        };
        assert!((bloom.known.mean - bloom.plain).abs() < 1e-12);
        assert!(
            bloom.known.deviation > 0.5 * bloom.known.mean,
            "few negatives hold most of the cost"
        );
        // Ten shuffles, as in the paper, cannot distinguish 2 % from 3 %. With equal costs they can.
        assert!(bloom.chance(0.03) > 0.01);
        let equal = rates(&set, 0.0, 3, &[8.0], &subjects[..1]).expect("valid")[0][0];
        assert!(equal.expect("exists").chance(0.03) < 0.01);
        let nothing = Spread {
            mean: 0.0,
            deviation: 0.0,
        };
        assert_eq!(guarded.known, nothing);
        assert!(guarded.unseen > 0.0 && bloom.unseen > 0.0);
    }

    #[test]
    fn rate_over_all_orders_matches_the_mean_of_many_shuffles() {
        let set = Set::sized(Source::Users, 4000, 4000, 100);
        let subject = || Subject::paper(Family::Habf);
        let many = 300;
        let found = rates(&set, 1.0, many, &[7.0], &[subject()]).expect("valid")[0][0];
        let found = found.expect("fits");
        let weighted = (0..many).map(|seed| {
            let costs = zipf::costs(4000, 1.0, seed);
            let filter = subject().build(&set.with_costs(&costs).expect("valid"), 28_000);
            let answers = Answers::of(filter.expect("fits").as_ref(), &set);
            answers.expect("no false negative").weighted(&costs)
        });
        let drawn = Spread::of(&weighted.collect::<Vec<_>>());
        let error = drawn.deviation / (many as f64).sqrt();
        let apart = (drawn.mean - found.known.mean).abs();
        assert!(apart < 4.0 * error, "{drawn:?}, {found:?}");
        assert!(
            found.error < error,
            "the error is smaller than that of the shuffles alone"
        );
    }
}
