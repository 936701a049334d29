//! Where a curve is lowest, and where chance alone could have put the lowest point instead.
//!
//! All places of a curve are measured with the same shuffles of the costs, so that places are compared shuffle by shuffle:
//! what a shuffle does to all of them alike falls out.

use crate::measure::Rates;
use crate::output::Claim;
use crate::workload::zipf::Spread;

/// Rates by cost of a filter while one thing changes, one for each shuffle.
#[derive(Default)]
pub(super) struct Curve(Vec<(f64, Vec<f64>)>);

impl Curve {
    /// Adds a place: what was measured there, a shuffle at a time. Returns the mean of it.
    pub fn add(&mut self, place: f64, shuffles: &[Rates]) -> Option<Rates> {
        let of = |part: fn(&Rates) -> f64| {
            let values: Vec<f64> = shuffles.iter().map(part).collect();
            Spread::of(&values)
        };
        let known: Vec<f64> = shuffles.iter().map(|rates| rates.known.mean).collect();
        self.0.push((place, known));
        (!shuffles.is_empty()).then(|| Rates {
            known: of(|rates| rates.known.mean),
            unseen: of(|rates| rates.unseen).mean,
            bits_per_key: of(|rates| rates.bits_per_key).mean,
        })
    }

    /// How far a place lies above the lowest one, as a share of the lowest, and the standard error of that.
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

    /// The lowest place, and all that two standard errors of the difference do not tell from it.
    fn ties(&self) -> Vec<f64> {
        let tied = |(_, rates): &&(f64, Vec<f64>)| {
            let (above, error) = self.above(rates);
            above <= 2.0 * error
        };
        self.0
            .iter()
            .filter(tied)
            .map(|(place, _)| *place)
            .collect()
    }

    /// That the lowest point is where the paper has it.
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
        Claim::holds(
            what,
            published.to_string(),
            ours,
            ties.contains(&published),
            why,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Verdict;

    fn rates(known: f64) -> Rates {
        let known = Spread {
            mean: known,
            deviation: 0.0,
        };
        Rates {
            known,
            unseen: 0.5,
            bits_per_key: 8.0,
        }
    }

    #[test]
    fn places_are_compared_shuffle_by_shuffle() {
        let mut curve = Curve::default();
        // The second place is worse by a tenth in every shuffle, the third now better and now worse.
        for (place, values) in [
            (1.0, [1.0, 2.0, 3.0]),
            (2.0, [1.1, 2.2, 3.3]),
            (3.0, [0.9, 2.2, 3.0]),
        ] {
            let mean = curve
                .add(place, &values.map(rates))
                .expect("three shuffles");
            assert_eq!((mean.unseen, mean.bits_per_key), (0.5, 8.0));
        }
        assert_eq!(curve.ties(), [1.0, 3.0]);
        assert_eq!(curve.claim("", 3.0, "").verdict(), Verdict::Reproduced);
        assert_eq!(curve.claim("", 2.0, "").verdict(), Verdict::NotReproduced);
        assert_eq!(curve.claim("", 4.0, "").verdict(), Verdict::NotReproduced);
    }
}
