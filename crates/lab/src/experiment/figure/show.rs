//! The tables and charts of a sweep.
//!
//! If the size varies, a row of the table shows the requested and the actual size, since some filters cannot use every bit. A filter that
//! cannot have the size has a row of dashes, so that nothing is missing silently.

use super::{Statement, Sweep, X};
use crate::measure::{Found, Grid, Rates};
use crate::output::{Axis, Cell, Chart, Outcome, Table};

impl Sweep {
    /// Adds tables and charts, for each skew unless the skew varies.
    pub(super) fn show(&self, grid: &Grid, outcome: &mut Outcome) {
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
}
