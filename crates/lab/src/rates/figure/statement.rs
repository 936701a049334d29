//! What a paper says about a sweep, as data, and the verdict on it.

use super::Sweep;
use crate::prelude::*;

/// Names of filters.
type Names = &'static [&'static str];

/// What a paper says about a sweep. The first name is that of the filter.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Skew, place and rate.
    Rate(&'static str, f64, f64, f64),
    /// Places of the lowest rate.
    Best(&'static str, &'static [f64]),
    /// The other filters, and the skew.
    Lowest(&'static str, Names, Option<f64>),
    /// The other filters, the skew, and the factor.
    Gains(&'static str, Names, f64, f64),
    /// The smallest skew at which the rate falls.
    Falls(&'static str, f64),
}

/// A statement, whether it is one of the paper's main points, and why it may not be reproduced.
#[derive(Clone, Debug)]
pub struct Stated {
    pub(super) statement: Statement,
    headline: bool,
    because: &'static str,
    ours: bool,
}

impl Stated {
    fn new(statement: Statement) -> Self {
        Stated {
            statement,
            headline: false,
            because: "",
            ours: false,
        }
    }

    /// The filter has this rate at this place.
    pub fn rate(who: &'static str, skew: f64, x: f64, rate: f64) -> Self {
        Self::new(Statement::Rate(who, skew, x, rate))
    }

    /// The filter has its lowest rate at these places.
    pub fn best(who: &'static str, x: &'static [f64]) -> Self {
        Self::new(Statement::Best(who, x))
    }

    /// The filter has the lowest rate of all these, with this skew, or with any if there is none.
    pub fn lowest(who: &'static str, others: Names, skew: impl Into<Option<f64>>) -> Self {
        Self::new(Statement::Lowest(who, others, skew.into()))
    }

    /// The rates of these filters are at least this many times that of the first, everywhere.
    pub fn gains(who: &'static str, others: Names, skew: f64, times: f64) -> Self {
        Self::new(Statement::Gains(who, others, skew, times))
    }

    /// The rate falls as the skew grows, from this skew on.
    pub fn falls(who: &'static str, from: f64) -> Self {
        Self::new(Statement::Falls(who, from))
    }

    /// It is a main point of the paper.
    pub fn headline(mut self) -> Self {
        self.headline = true;
        self
    }

    /// Adds the reason if it is not reproduced.
    pub fn because(mut self, reason: &'static str) -> Self {
        self.because = reason;
        self
    }

    /// The statement is about a filter of this library instead of the paper's.
    pub fn ours(mut self) -> Self {
        self.ours = true;
        self
    }
}

impl Sweep {
    /// The verdict on a statement.
    pub(super) fn judge(&self, stated: &Stated, grid: &Grid) -> Result<Claim> {
        let name = self.source.name();
        let means = match self.skews[..] {
            [0.0] => "equal costs",
            _ => "mean over all orders",
        };
        let claim = match stated.statement {
            Statement::Rate(who, skew, x, rate) => {
                let found = grid.at(who, skew, x)?;
                let place = match self.megabyte {
                    Some(one) => format!("{:.2} MB", x / one),
                    None => format!("{x} bits per key"),
                };
                let what = match skew {
                    0.0 => format!("{who}, {name}, {place}"),
                    _ => format!("{who}, {name}, {place}, skew {skew:.1}"),
                };
                let claim = Claim::rate(what, rate, found.published(self.trimmed));
                claim.rests_on(match found.orders {
                    Some(orders) if orders.count < 10 => format!("{} orders", orders.count),
                    Some(_) if self.trimmed => "ten orders without lowest and highest".to_string(),
                    _ if skew > 0.0 => "ten orders".to_string(),
                    _ => "equal costs".to_string(),
                })
            }
            Statement::Best(who, x) => {
                let line = grid.line(who, self.skews[0]).into_iter();
                let line: Vec<(f64, Spread)> = line.map(|(x, rates)| (x, rates.mean())).collect();
                let what = format!("{who}: best {}{}", self.x.name(), self.part());
                Claim::optimum(what, x, &line).rests_on(means)
            }
            Statement::Lowest(who, others, skew) => {
                let wanted = |one: &&f64| skew.is_none_or(|skew| skew == **one);
                let skews = self.skews.iter().filter(wanted);
                let pairs = skews.flat_map(|&skew| self.pairs(grid, who, others, skew));
                let verdicts = pairs.map(|(own, other)| at_most(own.mean(), other.mean()));
                let what = format!("{who}: the lowest rate, {name}");
                let what = skew.map_or(what.clone(), |skew| format!("{what}, skew {skew:.1}"));
                Claim::everywhere(what, "always", verdicts).rests_on(means)
            }
            Statement::Gains(who, others, skew, times) => {
                let pairs = self.pairs(grid, who, others, skew).into_iter();
                let gain = |(own, other): (Rates, Rates)| other.mean().over(own.mean());
                let least = pairs.map(gain).min_by(|a, b| a.mean.total_cmp(&b.mean));
                let others = others.join(", ");
                let what = format!("{who}: times better than {others}, {name}, skew {skew:.1}");
                Claim::ratio(what, Says::AtLeast, times, least.unwrap_or_default()).rests_on(means)
            }
            Statement::Falls(who, from) => {
                let lines = self.skews.iter().filter(|&&skew| skew >= from);
                let lines = lines.flat_map(|&skew| grid.line(who, skew));
                let line: Vec<Spread> = lines.map(|(_, rates)| rates.mean()).collect();
                let ends = [line.first(), line.last()];
                let [first, last] = ends.map(|end| percent(end.map_or(f64::NAN, |end| end.mean)));
                let what = format!("{who}: the rate falls from skew {from} on");
                let measured = format!("{first} to {last}");
                Claim::new(what, "yes", measured, falls(&line)).rests_on(means)
            }
        };
        let claim = claim.because(stated.because);
        let claim = if stated.ours { claim.ours() } else { claim };
        let headline = stated.headline;
        Ok(if headline { claim.headline() } else { claim })
    }

    /// The part of the title that tells panels of a figure apart.
    fn part(&self) -> &str {
        let figure = self.title.split_once("Figure ");
        let figure = figure.map_or("", |(_, rest)| rest);
        figure.trim_start_matches(|letter: char| letter.is_ascii_digit())
    }

    /// The rates of a filter and of each of the others, at all places where both exist.
    fn pairs(&self, grid: &Grid, who: &str, others: &[&str], skew: f64) -> Vec<(Rates, Rates)> {
        let mut pairs = Vec::new();
        for (x, own) in grid.line(who, skew) {
            let rates = others
                .iter()
                .filter_map(|other| grid.at(other, skew, x).ok());
            pairs.extend(rates.map(|other| (own, other)));
        }
        pairs
    }
}
