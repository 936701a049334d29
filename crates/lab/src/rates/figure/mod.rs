//! A figure on false positive rates, as data: what varies, which filters take part, and what the paper says about it. One runner measures
//! all of them, draws known negatives and unseen keys side by side, and judges the paper's statements.
//!
//! This file has the data and the runner, `show.rs` draws tables and charts, `statement.rs` has what a paper can say and judges it.

mod show;
mod statement;

pub use statement::Stated;
use statement::Statement;

use crate::prelude::*;
use crate::rates::sweep;

/// What the horizontal axis of a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum X {
    /// The size in bits per key.
    Space,
    /// The skew of the costs.
    Skew,
    /// A parameter of the filters.
    Parameter(&'static str),
}

impl X {
    fn name(self) -> &'static str {
        match self {
            X::Space => "bits per key",
            X::Skew => "skew of the costs",
            X::Parameter(name) => name,
        }
    }
}

/// Part of a figure: rates while one thing varies.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The title.
    pub title: String,
    /// The keys.
    pub source: Source,
    /// What varies.
    pub x: X,
    /// The skews of the costs.
    pub skews: Vec<f64>,
    /// The orders of the costs that filters are built for, if they use costs.
    pub orders: u64,
    /// The places on the horizontal axis, with the filters.
    pub places: Vec<Place>,
    /// Whether the paper's numbers leave out the lowest and the highest of several orders.
    pub trimmed: bool,
    /// The bits per key of one of the paper's megabytes, if a column shows megabytes.
    pub megabyte: Option<f64>,
    /// What the paper says.
    pub says: Vec<Stated>,
}

impl Sweep {
    /// A sweep with equal costs.
    pub fn new(title: impl Into<String>, source: Source, x: X, places: Vec<Place>) -> Self {
        Sweep {
            title: title.into(),
            source,
            x,
            skews: vec![0.0],
            orders: 1,
            places,
            trimmed: false,
            megabyte: None,
            says: Vec::new(),
        }
    }
}

/// Runs all parts of a figure. Returns their rates, for statements that only one figure has.
pub fn run(about: &str, sweeps: &[Sweep], options: &Options) -> Result<(Outcome, Vec<Grid>)> {
    let mut outcome = Outcome::new(about);
    let mut grids = Vec::new();
    let mut last: Option<(Source, Set)> = None;
    for part in sweeps {
        let set = match last.take() {
            Some((source, set)) if source == part.source => set,
            _ => {
                let set = Set::new(part.source, options)?;
                outcome.about += &format!(" {}.", set.describe());
                set
            }
        };
        let grid = sweep(&set, &part.skews, part.orders, &part.places)?;
        part.show(&grid, &mut outcome);
        if set.is_published_set() {
            for stated in &part.says {
                outcome.claims.push(part.judge(stated, &grid)?);
            }
        }
        grids.push(grid);
        last = Some((part.source, set));
    }
    if sweeps
        .iter()
        .any(|part| part.skews.iter().any(|&skew| skew > 0.0))
    {
        outcome.about += " Rates by cost: the mean over all orders of the costs and its standard error, then what ten orders show.";
    }
    Ok((outcome, grids))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_that_cannot_have_the_size_has_a_row_and_statements_are_judged() {
        let subjects = |_| vec![Subject::kind(Family::Bloom), Subject::xor()];
        let places = Place::sizes(&[1.0, 8.0], subjects);
        let part = Sweep {
            megabyte: Some(0.5),
            says: vec![
                Stated::rate("bloom", 0.0, 8.0, 0.0216).headline(),
                Stated::lowest("bloom", &["xor"], None),
            ],
            ..Sweep::new("Rates", Source::Users, X::Space, places)
        };
        let options = Options {
            scale: 0.001,
            data: None,
        };
        let (outcome, _) = run("About.", &[part], &options).expect("valid");
        let lines = outcome.tables[0].markdown();
        let lines: Vec<&str> = lines.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| MB | bits per key, requested | filter | actual | known | unseen |"
        );
        // An Xor filter needs more than one bit per key.
        assert_eq!(lines[3], "| 2.00 | 1 | xor | - | - | - |");
        let verdicts: Vec<_> = outcome.claims.iter().map(Claim::verdict).collect();
        assert_eq!(verdicts.len(), 2);
        assert!(outcome.claims[0].summary().is_some());
    }
}
