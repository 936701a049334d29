//! Figure 13: rate over the skew of Zipf's law, from 0 to 3, at 1.5 MB.
//!
//! Filters that know the costs repair the costliest negatives first, so that the rate by cost falls as few negatives come to
//! make up all of the cost. For a filter that is blind to costs the mean over all shuffles is its plain rate, whatever the skew,
//! while single shuffles vary more and more.

use super::{bits_per_key, rates_of, subjects};
use crate::experiment::sweep::Sweep;
use crate::measure::rates;
use crate::options::Options;
use crate::output::{Claim, Outcome};
use crate::workload::zipf::Spread;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};

/// Shuffles of the costs, as many as in the paper.
const SHUFFLES: u64 = 10;

const SKEWS: [f64; 11] = [0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0];

/// From where on the paper sees HABF fall and the others fluctuate.
const FROM: f64 = 0.9;

/// The skew from 0 to 3 at 1.5 MB.
pub fn figure_13(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 13: rate over the skew of Zipf's law at 1.5 MB, 8.44 bits per key. {}. Mean and standard deviation over {SHUFFLES} shuffles; of filters that are blind to costs, over all.",
        set.describe()
    ));
    let subjects = subjects(true);
    let mut sweep = Sweep::new("HABF, Figure 13, 8.44 bits per key", "skew of the costs");
    let size = bits_per_key(Source::Urls, 1.5);
    let mut all = Vec::new();
    for skew in SKEWS {
        let found = rates(&set, skew, SHUFFLES, &[size], &subjects)?;
        let found = found.into_iter().next().context("one size has rates")?;
        for (subject, rates) in subjects.iter().zip(&found) {
            sweep.add(skew, &subject.name, *rates);
        }
        all.push((skew, found));
    }
    sweep.into(&mut outcome);
    if set.published() {
        let line = |name: &str| -> Result<Vec<(f64, Spread)>> {
            let places = all.iter();
            places
                .map(|(skew, found)| Ok((*skew, rates_of(name, &subjects, found)?.known)))
                .collect()
        };
        for name in ["habf, paper", "habf-fast, paper"] {
            outcome.claims.push(falls(name, &line(name)?)?);
        }
        for name in ["bloom", "xor"] {
            let line = line(name)?;
            outcome.claims.push(fluctuates(name, &line)?);
            outcome.claims.push(gains_nothing(name, &line)?);
        }
    }
    Ok(outcome)
}

/// The part of a line that the paper speaks of.
fn from(line: &[(f64, Spread)]) -> impl Iterator<Item = &(f64, Spread)> + Clone {
    line.iter().filter(|(skew, _)| *skew >= FROM)
}

fn ends(line: &[(f64, Spread)]) -> Result<(f64, f64)> {
    let mean = |end: Option<&(f64, Spread)>| end.map(|(_, spread)| spread.mean);
    let ends = mean(line.first()).zip(mean(line.last()));
    ends.context("a line has ends")
}

/// Whether each mean is below the one before; where it is not, whether chance can have done it.
fn falls(name: &str, line: &[(f64, Spread)]) -> Result<Claim> {
    let part: Vec<(f64, Spread)> = from(line).copied().collect();
    let mut rises = Vec::new();
    for pair in part.windows(2) {
        let [(_, before), (skew, after)] = pair else {
            continue;
        };
        if after.mean >= before.mean {
            // The same shuffles are behind both, so this bound is a generous one.
            let error = before.deviation.max(after.deviation) / (SHUFFLES as f64).sqrt();
            let chance = match after.mean - before.mean <= 2.0 * error {
                true => "less than two standard errors",
                false => "more than two standard errors",
            };
            rises.push(format!("a rise to {:.2e} at {skew}, {chance}", after.mean));
        }
    }
    let (first, last) = ends(&part)?;
    let mut measured = format!("{first:.2e} at {FROM}, {last:.2e} at 3.0");
    if !rises.is_empty() {
        measured += &format!("; {}", rises.join(", "));
    }
    Ok(Claim::holds(
        format!("{name}: falls steadily from skew {FROM} on"),
        "yes",
        measured,
        rises.is_empty(),
        "tested: each mean is below the one before",
    ))
}

/// Whether one shuffle may be far off the mean, at every skew that the paper speaks of.
fn fluctuates(name: &str, line: &[(f64, Spread)]) -> Result<Claim> {
    let relative = from(line).map(|(_, spread)| spread.deviation / spread.mean);
    let least = relative.clone().fold(f64::MAX, f64::min);
    let most = relative.fold(0.0, f64::max);
    Ok(Claim::holds(
        format!("{name}: fluctuates greatly from skew {FROM} on"),
        "yes",
        format!("a standard deviation of {least:.2} to {most:.2} times the mean"),
        least > 0.25,
        "tested: the deviation of a shuffle is more than a quarter of the mean at each skew",
    ))
}

/// Whether the mean is the same with costs as without.
fn gains_nothing(name: &str, line: &[(f64, Spread)]) -> Result<Claim> {
    let (first, last) = ends(line)?;
    Ok(Claim::holds(
        format!("{name}: hardly any gain by skew"),
        "yes",
        format!("{first:.2e} at 0.0, {last:.2e} at 3.0"),
        last > 0.85 * first,
        "nothing else can be: the mean over all shuffles of a filter that is blind to costs is its plain rate",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Verdict;

    fn line(means: [f64; 4], deviation: f64) -> Vec<(f64, Spread)> {
        let spread = |mean| Spread { mean, deviation };
        [0.6, 0.9, 1.2, 1.5]
            .into_iter()
            .zip(means.map(spread))
            .collect()
    }

    #[test]
    fn a_line_falls_if_every_mean_from_the_start_on_is_below_the_one_before() {
        let verdict = |means| {
            let claim = falls("a", &line(means, 1.0)).expect("four places");
            claim.verdict()
        };
        // What comes before the start does not count.
        assert_eq!(verdict([1.0, 4.0, 3.0, 2.0]), Some(Verdict::Reproduced));
        let risen = verdict([5.0, 4.0, 4.1, 2.0]);
        assert_eq!(risen, Some(Verdict::NotReproduced));
        assert!(falls("a", &[]).is_err());
    }

    #[test]
    fn a_line_fluctuates_if_it_does_everywhere_and_gains_if_it_ends_lower() {
        let means = [1.0, 1.0, 1.0, 0.5];
        let verdict = |deviation| {
            let claim = fluctuates("a", &line(means, deviation)).expect("four places");
            claim.verdict()
        };
        assert_eq!(verdict(0.3), Some(Verdict::Reproduced));
        assert_eq!(verdict(0.2), Some(Verdict::NotReproduced));
        let gain = gains_nothing("a", &line(means, 0.0)).expect("four places");
        assert_eq!(gain.verdict(), Some(Verdict::NotReproduced));
    }
}
