//! Where a curve is lowest, and which other points could be lowest by chance.
//!
//! All places of a curve are measured with the same shuffles of the costs. Places are compared shuffle by shuffle, so
//! that an effect of the shuffle on all of them cancels out.

use crate::baseline::DigestFilter;
use crate::measure::{Answers, Rates, Shuffled, student};
use crate::output::Claim;
use crate::workload::Set;
use crate::workload::zipf::Spread;
use anyhow::{Context, Result};
use bloomwise::KeySets;
use rayon::prelude::*;

/// The rates by cost of a filter while one parameter changes, one rate per shuffle.
#[derive(Default)]
pub(super) struct Curve(Vec<(f64, Vec<f64>)>);

impl Curve {
    /// Adds a place: builds and queries a filter for each shuffle. The filter guards `guard` negatives per positive.
    /// Returns the rates over the shuffles.
    pub fn measure(
        &mut self,
        place: f64,
        set: &Set,
        shuffles: &[Vec<f64>],
        guard: f64,
        build: impl Fn(&KeySets) -> Result<Box<dyn DigestFilter>> + Sync,
    ) -> Result<Option<Rates>> {
        let guarded = (guard * set.positives.len() as f64).round() as usize;
        let guarded = guarded.min(set.negatives.len());
        let of_shuffle = |costs: &Vec<f64>| {
            let filter = build(&set.with_costs(costs)?)?;
            let answers = Answers::of(filter.as_ref(), set)?;
            let drawn = Shuffled::new(answers, Some(guarded), costs);
            Ok((drawn.rate(costs), drawn))
        };
        let drawn = shuffles.par_iter().map(of_shuffle);
        let drawn = drawn.collect::<Result<Vec<_>>>()?;
        let (values, drawn): (Vec<f64>, Vec<Shuffled>) = drawn.into_iter().unzip();
        self.0.push((place, values));
        let costs = shuffles
            .first()
            .context("give at least one shuffle of the costs")?;
        Ok(Shuffled::join(&drawn, costs, set))
    }

    /// The relative distance of a place from the lowest one, and the standard error of that.
    fn above(&self, rates: &[f64]) -> (f64, f64) {
        let Some((_, best)) = self.lowest() else {
            return (f64::NAN, f64::NAN);
        };
        let differences: Vec<f64> = rates.iter().zip(best).map(|(a, b)| a - b).collect();
        let (spread, base) = (Spread::of(&differences), Spread::of(best).mean);
        let error = spread.deviation / (rates.len() as f64).sqrt();
        (spread.mean / base, error / base)
    }

    fn lowest(&self) -> Option<&(f64, Vec<f64>)> {
        let mean = |place: &&(f64, Vec<f64>)| Spread::of(&place.1).mean;
        self.0.iter().min_by(|a, b| mean(a).total_cmp(&mean(b)))
    }

    /// The lowest place, and all places whose difference to it may be chance, in 95 of 100 cases.
    fn ties(&self) -> Vec<f64> {
        let tied = |(_, rates): &&(f64, Vec<f64>)| {
            let (above, error) = self.above(rates);
            above <= student(rates.len()) * error
        };
        self.0
            .iter()
            .filter(tied)
            .map(|(place, _)| *place)
            .collect()
    }

    /// The claim that the lowest point is where the paper has it; undecided if chance could have made another point the
    /// lowest.
    pub fn claim(&self, what: impl Into<String>, published: f64, why: &str) -> Claim {
        let best = self.lowest().map_or(f64::NAN, |(place, _)| *place);
        let ties = self.ties();
        let mut ours = format!("{best}");
        let others: Vec<String> = ties
            .iter()
            .filter(|&&place| place != best)
            .map(f64::to_string)
            .collect();
        if !others.is_empty() {
            ours += &format!(", or by chance {}", others.join(", "));
        }
        if let Some((_, rates)) = self
            .0
            .iter()
            .find(|(place, _)| *place == published && published != best)
        {
            let (above, error) = self.above(rates);
            ours += &format!(
                "; the rate at {published} is {:.1} ± {:.1} % higher",
                100.0 * above,
                100.0 * error
            );
        }
        let holds = match (ties.contains(&published), ties.len()) {
            (true, 1) => Some(true),
            (true, _) => None,
            (false, _) => Some(false),
        };
        Claim::statement(what, published.to_string(), ours, holds, why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Verdict;

    #[test]
    fn places_are_compared_within_a_shuffle() {
        // The second place is worse by a tenth in every shuffle; the third is sometimes better and sometimes worse.
        let curve = Curve(vec![
            (1.0, vec![1.0, 1.1, 1.2, 1.3]),
            (2.0, vec![1.1, 1.21, 1.32, 1.43]),
            (3.0, vec![0.9, 1.3, 1.2, 1.3]),
        ]);
        assert_eq!(curve.ties(), [1.0, 3.0]);
        assert_eq!(
            curve.claim("", 3.0, "").verdict(),
            Some(Verdict::WithinChance)
        );
        assert_eq!(
            curve.claim("", 2.0, "").verdict(),
            Some(Verdict::NotReproduced)
        );
        assert_eq!(
            curve.claim("", 4.0, "").verdict(),
            Some(Verdict::NotReproduced)
        );
        let clear = Curve(curve.0[..2].to_vec());
        assert_eq!(
            clear.claim("", 1.0, "").verdict(),
            Some(Verdict::Reproduced)
        );
    }
}
