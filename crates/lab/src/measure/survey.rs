//! Filters of many kinds and sizes, built and asked one after the other.

use super::{Answers, Rates};
use crate::baseline::TooSmall;
use crate::subject::Subject;
use crate::workload::Set;
use crate::workload::zipf::{self, Parts, Spread};
use anyhow::{Context, Result};
use bloomwise::KeySets;

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
        Some(share) => {
            let count = (share * set.positives.len() as f64).round() as usize;
            Some(count.min(set.negatives.len()))
        }
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
