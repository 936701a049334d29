//! Filters of many kinds and sizes, built and asked one after the other.

use super::drawn::Drawn;
use super::{Answers, Rates};
use crate::baseline::TooSmall;
use crate::subject::Subject;
use crate::workload::Set;
use crate::workload::zipf::{self, Spread};
use anyhow::{Context, Result};
use bloomwise::KeySets;

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
    let mut first = None;
    for seed in 0..shuffles {
        let costs = zipf::costs(set.negatives.len(), skew, seed);
        let sets = set.with_costs(&costs)?;
        let due = |subject: &Subject| seed == 0 || !subject.blind;
        each(set, &sets, sizes, subjects, due, |size, subject, asked| {
            // With equal costs there is no order.
            let alike = if skew == 0.0 { Some(0) } else { asked.alike };
            drawn[size][subject].push(Drawn::new(asked.answers, alike, &costs));
        })?;
        first.get_or_insert(costs);
    }
    let mut costs = first.unwrap_or_default();
    // Any order will do, and this one need not be sorted again.
    costs.sort_unstable_by(|a, b| b.total_cmp(a));
    let cell = |drawn: &Vec<Drawn>| Drawn::join(drawn, &costs, set);
    let row = |row: &Vec<Vec<Drawn>>| row.iter().map(cell).collect();
    Ok(drawn.iter().map(row).collect())
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
        |size, subject, asked| {
            let known = Spread::of(&[asked.answers.weighted(costs)]);
            found[size][subject] = Some(Rates::of(known, None, 0.0, set, &[&asked.answers]));
        },
    )?;
    Ok(found)
}

/// Nothing yet, for each size and each subject.
fn by_size<T: Default>(sizes: &[f64], subjects: &[Subject]) -> Vec<Vec<T>> {
    let row = |_| subjects.iter().map(|_| T::default()).collect();
    sizes.iter().map(row).collect()
}

/// What a filter answered, and how many of the costliest negatives it deals with alike.
struct Asked {
    answers: Answers,
    alike: Option<usize>,
}

/// Builds every subject that is due at every size, and hands over its answers with the numbers of both.
fn each(
    set: &Set,
    sets: &KeySets,
    sizes: &[f64],
    subjects: &[Subject],
    due: impl Fn(&Subject) -> bool,
    mut take: impl FnMut(usize, usize, Asked),
) -> Result<()> {
    for (size, bits_per_key) in sizes.iter().enumerate() {
        let bits = (bits_per_key * set.positives.len() as f64) as u64;
        for (number, subject) in subjects.iter().enumerate() {
            if !due(subject) {
                continue;
            }
            let (filter, alike) = match subject.build_and_tell(sets, bits) {
                Err(error) if error.is::<TooSmall>() => continue,
                built => built.with_context(|| subject.name.clone())?,
            };
            let answers = Answers::of(filter.as_ref(), set);
            let answers = answers.with_context(|| subject.name.clone())?;
            take(size, number, Asked { answers, alike });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Source;

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
        let nothing = Spread {
            mean: 0.0,
            deviation: 0.0,
        };
        assert_eq!(guarded.known, nothing);
        assert!(guarded.unseen > 0.0 && bloom.unseen > 0.0);
    }

    #[test]
    fn rates_over_all_orders_are_what_many_shuffles_come_to() {
        let set = Set::sized(Source::Users, 4000, 4000, 100);
        let subject = || Subject::paper("habf");
        let many = 300;
        let found = rates(&set, 1.0, many, &[7.0], &[subject()]).expect("sound")[0][0];
        let found = found.expect("fits");
        let weighted = (0..many).map(|seed| {
            let costs = zipf::costs(4000, 1.0, seed);
            let filter = subject().build(&set.with_costs(&costs).expect("sound"), 28_000);
            let answers = Answers::of(filter.expect("fits").as_ref(), &set);
            answers.expect("none is denied").weighted(&costs)
        });
        let drawn = Spread::of(&weighted.collect::<Vec<_>>());
        let error = drawn.deviation / (many as f64).sqrt();
        let apart = (drawn.mean - found.known.mean).abs();
        assert!(apart < 4.0 * error, "{drawn:?}, {found:?}");
        assert!(found.error < error, "it tells more than the shuffles alone");
    }
}
