//! The rule by which every claim is judged. No figure has a rule of its own.
//!
//! > A published number is *reproduced* if the measured one is within 15 % of it. If it is not, but the two are at most five standard
//! > deviations apart, the difference is *within chance*. Otherwise the number is *not reproduced*.
//!
//! 15 % is about what different keys, different hash functions and numbers with two digits make. The standard deviation is that of the
//! measured number, and of the published one where that is a mean of few random orders.
//!
//! - "At least" and "at most" have the same tolerance on one side ([`Says`]).
//! - An *optimum* is reproduced if the value at the published place is at most 15 % above the best value ([`optimum`]).
//! - A statement about several places is as good as the worst of them ([`Verdict::worst`]).
//! - "Lower" without a number means lower by more than chance ([`lower`]).
//! - A line *falls* if no step rises and the end is below the start ([`falls`]).

use crate::statistics::Spread;
use serde::{Deserialize, Serialize};

/// Two numbers count as the same if they differ at most by this factor.
pub const TOLERANCE: f64 = 1.15;

/// A difference of up to this many standard deviations may be chance.
pub const DEVIATIONS: f64 = 5.0;

/// The verdict on a claim; later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Verdict {
    /// The same here as published.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// Different here, but chance alone can explain the difference.
    #[serde(rename = "within chance")]
    WithinChance,
    /// Not the same here.
    #[serde(rename = "not reproduced")]
    NotReproduced,
}

/// What a source says about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It is this.
    Equal,
    /// It is this or more.
    AtLeast,
    /// It is this or less.
    AtMost,
}

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 3] = [
        Verdict::Reproduced,
        Verdict::WithinChance,
        Verdict::NotReproduced,
    ];

    /// The verdict as text.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::WithinChance => "within chance",
            Verdict::NotReproduced => "not reproduced",
        }
    }

    /// The rule.
    pub fn of(says: Says, paper: f64, measured: impl Into<Spread>) -> Self {
        let measured = measured.into();
        let (low, high) = (paper / TOLERANCE, paper * TOLERANCE);
        let far = match says {
            _ if measured.mean.is_nan() => return Verdict::NotReproduced,
            Says::Equal => measured.mean < low || measured.mean > high,
            Says::AtLeast => measured.mean < low,
            Says::AtMost => measured.mean > high,
        };
        if !far {
            Verdict::Reproduced
        } else if (measured.mean - paper).abs() <= DEVIATIONS * measured.deviation {
            Verdict::WithinChance
        } else {
            Verdict::NotReproduced
        }
    }

    /// The verdict on a statement about several places. No places show nothing.
    pub fn worst(all: impl IntoIterator<Item = Verdict>) -> Self {
        all.into_iter().max().unwrap_or(Verdict::NotReproduced)
    }
}

/// The difference of two measured numbers as a ratio to the second one: 1 and less if `one` is not above `other`.
fn ratio(one: Spread, other: Spread) -> Spread {
    Spread {
        mean: one.mean / other.mean,
        deviation: one.deviation.hypot(other.deviation) / other.mean,
    }
}

/// Whether `one` is at most `other`.
pub fn at_most(one: impl Into<Spread>, other: impl Into<Spread>) -> Verdict {
    let (one, other) = (one.into(), other.into());
    match one.mean <= other.mean {
        true => Verdict::Reproduced,
        false => Verdict::of(Says::AtMost, 1.0, ratio(one, other)),
    }
}

/// Whether `one` is lower than `other` by more than chance.
pub fn lower(one: impl Into<Spread>, other: impl Into<Spread>) -> Verdict {
    let ratio = ratio(one.into(), other.into());
    match 1.0 - ratio.mean > DEVIATIONS * ratio.deviation {
        true => Verdict::Reproduced,
        false => Verdict::NotReproduced,
    }
}

/// Whether the value at each of the `published` places is as good as the lowest of the line. Also returns the place of that, and all
/// places whose value is within the tolerance.
pub fn optimum(line: &[(f64, Spread)], published: &[f64]) -> (Verdict, f64, Vec<f64>) {
    let best = line.iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    let Some(&(place, lowest)) = best else {
        return (Verdict::NotReproduced, f64::NAN, Vec::new());
    };
    let verdict = |value: Spread| at_most(value, lowest);
    let good = line
        .iter()
        .filter(|(_, value)| verdict(*value) == Verdict::Reproduced);
    let good: Vec<f64> = good.map(|(place, _)| *place).collect();
    let at = |place: &f64| {
        let found = line.iter().find(|(known, _)| known == place);
        found.map_or(Verdict::NotReproduced, |(_, value)| verdict(*value))
    };
    (Verdict::worst(published.iter().map(at)), place, good)
}

/// Whether a line falls: no step rises, and the end is below the start by more than the tolerance and by more than chance.
pub fn falls(line: &[Spread]) -> Verdict {
    let [first, .., last] = line else {
        return Verdict::NotReproduced;
    };
    let steps = line.windows(2).map(|pair| at_most(pair[1], pair[0]));
    let whole = match ratio(*last, *first) {
        fall if fall.mean > 1.0 / TOLERANCE => Verdict::NotReproduced,
        fall if 1.0 - fall.mean <= DEVIATIONS * fall.deviation => Verdict::WithinChance,
        _ => Verdict::Reproduced,
    };
    Verdict::worst(steps.chain([whole]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_has_one_tolerance_and_one_measure_of_chance() {
        use Verdict::{NotReproduced, Reproduced, WithinChance};
        let of = |mean| Verdict::of(Says::Equal, 0.01, Spread::from(mean));
        let all = [0.0086, 0.0088, 0.0114, 0.0116, f64::NAN].map(of);
        assert_eq!(
            all,
            [
                NotReproduced,
                Reproduced,
                Reproduced,
                NotReproduced,
                NotReproduced
            ]
        );
        let chance = |mean| {
            Verdict::of(
                Says::Equal,
                0.01,
                Spread {
                    mean,
                    deviation: 0.001,
                },
            )
        };
        assert_eq!([0.0149, 0.0151].map(chance), [WithinChance, NotReproduced]);
        assert_eq!(
            Verdict::of(Says::AtLeast, 2.0, Spread::from(1.8)),
            Reproduced
        );
        assert_eq!(
            Verdict::of(Says::AtLeast, 2.0, Spread::from(1.7)),
            NotReproduced
        );
        assert_eq!(
            Verdict::of(Says::AtMost, 2.0, Spread::from(0.1)),
            Reproduced
        );
        assert_eq!(Verdict::worst([Reproduced, WithinChance]), WithinChance);
        assert_eq!(Verdict::worst([]), NotReproduced);
    }

    #[test]
    fn optimum_is_where_the_value_is_nearly_the_best() {
        let line = [
            (1.0, Spread::from(1.3)),
            (2.0, Spread::from(1.0)),
            (3.0, Spread::from(1.1)),
            (4.0, Spread::from(2.0)),
        ];
        let (verdict, best, good) = optimum(&line, &[3.0]);
        assert_eq!(
            (verdict, best, good),
            (Verdict::Reproduced, 2.0, vec![2.0, 3.0])
        );
        assert_eq!(optimum(&line, &[2.0, 1.0]).0, Verdict::NotReproduced);
        assert_eq!(optimum(&line, &[9.0]).0, Verdict::NotReproduced);
    }

    #[test]
    fn line_falls_if_no_step_rises_and_the_end_is_lower() {
        let line = |values: &[f64]| {
            falls(
                &values
                    .iter()
                    .map(|&mean| Spread::from(mean))
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(line(&[4.0, 3.0, 3.1, 2.0]), Verdict::Reproduced);
        assert_eq!(
            line(&[4.0, 3.9, 3.8]),
            Verdict::NotReproduced,
            "hardly a fall"
        );
        assert_eq!(
            line(&[4.0, 2.0, 3.0]),
            Verdict::NotReproduced,
            "a step rises"
        );
        let noisy = [4.0, 2.0].map(|mean| Spread {
            mean,
            deviation: 1.0,
        });
        assert_eq!(falls(&noisy), Verdict::WithinChance);
    }
}
