//! A figure on false positive rates, as data: what varies, which filters take part, and what the paper says about it. One runner measures
//! all of them, draws known negatives and unseen keys side by side, and judges the paper's statements.
//!
//! If the size varies, a row of the table shows the requested and the actual size, since some filters cannot use every bit. A filter that
//! cannot have the size has a row of dashes, so that nothing is missing silently.

use crate::measure::{Found, Grid, Place, Rates, Spread, sweep};
use crate::options::Options;
use crate::output::verdict::{Says, at_most, falls};
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::{Set, Source};
use anyhow::Result;

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

/// What a paper says about a sweep.
#[derive(Clone, Debug)]
pub enum Statement {
    /// The filter has this rate at this place.
    Rate {
        who: &'static str,
        skew: f64,
        x: f64,
        rate: f64,
    },
    /// The filter has its lowest rate at these places.
    Best {
        who: &'static str,
        x: &'static [f64],
    },
    /// The filter has the lowest rate of all these, with this skew, or with any if there is none.
    Lowest {
        who: &'static str,
        others: &'static [&'static str],
        skew: Option<f64>,
    },
    /// The rates of these filters are at least this many times that of the first, everywhere.
    Gains {
        who: &'static str,
        others: &'static [&'static str],
        skew: f64,
        times: f64,
    },
    /// The rate falls as the skew grows, from this skew on.
    Falls { who: &'static str, from: f64 },
}

/// A statement, whether it is one of the paper's main points, and why it may not be reproduced.
#[derive(Clone, Debug)]
pub struct Stated {
    statement: Statement,
    headline: bool,
    because: &'static str,
    ours: bool,
}

impl Statement {
    /// One statement of many.
    pub fn plain(self) -> Stated {
        Stated {
            statement: self,
            headline: false,
            because: "",
            ours: false,
        }
    }

    /// A main point of the paper.
    pub fn headline(self) -> Stated {
        Stated {
            headline: true,
            ..self.plain()
        }
    }
}

impl Stated {
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

impl Sweep {
    /// Adds tables and charts, for each skew unless the skew varies.
    fn show(&self, grid: &Grid, outcome: &mut Outcome) {
        if self.x == X::Skew {
            let rows = grid.0.iter().map(|found| (found.skew, found));
            self.panel(&self.title, true, rows.collect(), outcome);
            return;
        }
        for &skew in &self.skews {
            let title = match self.skews[..] {
                [_] => self.title.clone(),
                _ => format!("{}, skew {skew:.1}", self.title),
            };
            let rows = grid.0.iter().filter(|found| found.skew == skew);
            let rows = rows.map(|found| (found.x, found)).collect();
            self.panel(&title, skew > 0.0, rows, outcome);
        }
    }

    fn panel(&self, title: &str, skewed: bool, rows: Vec<(f64, &Found)>, outcome: &mut Outcome) {
        let x = self.x.name();
        let place = if self.x == X::Space {
            "bits per key, requested"
        } else {
            x
        };
        let size = if self.x == X::Space {
            "actual"
        } else {
            "bits per key"
        };
        let by_cost = [
            "known, by cost",
            "error",
            "ten orders: median",
            "lowest",
            "highest",
        ];
        let known = if skewed { &by_cost[..] } else { &["known"] };
        let columns = self
            .megabyte
            .map(|_| "MB")
            .into_iter()
            .chain([place, "filter", size]);
        let columns = columns.chain(known.iter().copied()).chain(["unseen"]);
        let mut table = Table::new(title, columns);
        let axis = || Axis::rates("false positive rate");
        let chart = |what: &str| Chart::new(format!("{title}: {what}"), Axis::linear(x), axis());
        let known = if skewed {
            "known negatives, by cost"
        } else {
            "known negatives"
        };
        let (mut known, mut unseen) = (chart(known), chart("unseen keys"));
        for (x, Found { name, rates, .. }) in rows {
            let of = |value: fn(&Rates) -> Option<f64>| {
                Cell::or_dash(rates.as_ref().and_then(value), Cell::rate)
            };
            let megabytes = self.megabyte.map(|one| Cell::number(x / one, 2));
            let size = Cell::or_dash(*rates, |rates| Cell::number(rates.bits_per_key, 2));
            let place = Cell::Number(x, format!("{}", (x * 1e4).round() / 1e4));
            let first = [
                place,
                name.as_str().into(),
                size,
                of(|rates| Some(rates.known.mean)),
            ];
            let orders = [
                of(|rates| Some(rates.error).filter(|&error| error > 0.0)),
                of(|rates| Some(rates.orders?.median)),
                of(|rates| Some(rates.orders?.low)),
                of(|rates| Some(rates.orders?.high)),
            ];
            let orders = orders.into_iter().filter(|_| skewed);
            let cells = megabytes.into_iter().chain(first).chain(orders);
            table.row(cells.chain([of(|rates| Some(rates.unseen))]));
            if let Some(rates) = rates {
                known.point(name, x, rates.known.mean, rates.interval);
                unseen.point(name, x, rates.unseen, 0.0);
            }
        }
        for stated in &self.says {
            if let Statement::Rate { who, skew, x, rate } = stated.statement {
                let shown = self.skews.len() == 1 || title.ends_with(&format!("skew {skew:.1}"));
                if shown || self.x == X::Skew {
                    known.published(who, if self.x == X::Skew { skew } else { x }, rate);
                }
            }
        }
        outcome.tables.push(table);
        outcome.charts.extend([known, unseen]);
    }

    /// The verdict on a statement.
    fn judge(&self, stated: &Stated, grid: &Grid) -> Result<Claim> {
        let name = self.source.name();
        let skewed = |skew: f64| {
            if skew > 0.0 {
                "ten orders"
            } else {
                "equal costs"
            }
        };
        let means = match self.skews[..] {
            [0.0] => "equal costs",
            _ => "mean over all orders",
        };
        let claim = match stated.statement {
            Statement::Rate { who, skew, x, rate } => {
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
                    _ => skewed(skew).to_string(),
                })
            }
            Statement::Best { who, x } => {
                let line = grid.line(who, self.skews[0]).into_iter();
                let line: Vec<(f64, Spread)> = line.map(|(x, rates)| (x, rates.mean())).collect();
                let what = format!("{who}: best {}{}", self.x.name(), self.part());
                Claim::optimum(what, x, &line).rests_on(means)
            }
            Statement::Lowest { who, others, skew } => {
                let skews = self
                    .skews
                    .iter()
                    .filter(|&&one| skew.is_none_or(|skew| skew == one));
                let pairs = skews.flat_map(|&skew| self.pairs(grid, who, others, skew));
                let verdicts = pairs.map(|(own, other)| at_most(own.mean(), other.mean()));
                let what = format!("{who}: the lowest rate, {name}");
                let what = skew.map_or(what.clone(), |skew| format!("{what}, skew {skew:.1}"));
                Claim::everywhere(what, "always", verdicts).rests_on(means)
            }
            Statement::Gains {
                who,
                others,
                skew,
                times,
            } => {
                let pairs = self.pairs(grid, who, others, skew).into_iter();
                let gain = |(own, other): (Rates, Rates)| {
                    let (own, other) = (own.mean(), other.mean());
                    let mean = other.mean / own.mean.max(own.deviation);
                    let relative = (own.deviation / own.mean).hypot(other.deviation / other.mean);
                    let deviation = if relative.is_finite() {
                        mean * relative
                    } else {
                        mean
                    };
                    Spread { mean, deviation }
                };
                let least = pairs.map(gain).min_by(|a, b| a.mean.total_cmp(&b.mean));
                let what = format!(
                    "{who}: times better than {}, {name}, skew {skew:.1}",
                    others.join(", ")
                );
                Claim::ratio(what, Says::AtLeast, times, least.unwrap_or_default()).rests_on(means)
            }
            Statement::Falls { who, from } => {
                let lines = self.skews.iter().filter(|&&skew| skew >= from);
                let line = lines
                    .flat_map(|&skew| grid.line(who, skew))
                    .map(|(_, rates)| rates);
                let line: Vec<Spread> = line.map(|rates| rates.mean()).collect();
                let ends =
                    [line.first(), line.last()].map(|end| end.map_or(f64::NAN, |end| end.mean));
                let [first, last] = ends.map(|end| Cell::rate(end).shown().to_string());
                let what = format!("{who}: the rate falls from skew {from} on");
                let measured = format!("{first} to {last}");
                Claim::new(what, "yes", measured, falls(&line)).rests_on(means)
            }
        };
        let claim = claim.because(stated.because);
        let claim = if stated.ours { claim.ours() } else { claim };
        Ok(if stated.headline {
            claim.headline()
        } else {
            claim
        })
    }

    /// The part of the title that tells panels of a figure apart.
    fn part(&self) -> &str {
        let figure = self
            .title
            .split_once("Figure ")
            .map_or("", |(_, rest)| rest);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;
    use bloomwise::Family;

    #[test]
    fn filter_that_cannot_have_the_size_has_a_row_and_statements_are_judged() {
        let part = Sweep {
            title: "Rates".to_string(),
            source: Source::Users,
            x: X::Space,
            skews: vec![0.0],
            orders: 1,
            places: Place::sizes(&[1.0, 8.0], |_| {
                vec![Subject::kind(Family::Bloom), Subject::xor()]
            }),
            trimmed: false,
            megabyte: Some(0.5),
            says: vec![
                Statement::Rate {
                    who: "bloom",
                    skew: 0.0,
                    x: 8.0,
                    rate: 0.0216,
                }
                .headline(),
                Statement::Lowest {
                    who: "bloom",
                    others: &["xor"],
                    skew: None,
                }
                .plain(),
            ],
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
        let verdicts: Vec<_> = outcome.claims.iter().map(|claim| claim.verdict()).collect();
        assert_eq!(verdicts.len(), 2);
        assert!(outcome.claims[0].summary().is_some());
    }
}
