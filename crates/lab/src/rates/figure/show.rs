//! The tables and charts of a sweep.
//!
//! If the size varies, a row of the table shows the requested and the actual size, since some filters cannot use every bit. A filter that
//! cannot have the size has a row of dashes, so that nothing is missing silently.

use super::{Statement, Sweep, X};
use crate::prelude::*;
use crate::rates::Found;

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
        let (place, size) = match self.x {
            X::Space => ("bits per key, requested", "actual"),
            _ => (x, "bits per key"),
        };
        let megabytes = self.megabyte.map_or("", |_| "MB {2} | ");
        let columns = format!("{megabytes}{place} | filter | {size} {{2}}");
        let (known, what) = if skewed {
            let by_cost = [
                "known, by cost",
                "error",
                "ten orders: median",
                "lowest",
                "highest",
            ];
            (by_cost.to_vec(), "known negatives, by cost")
        } else {
            (vec!["known"], "known negatives")
        };
        let table = Table::new(title, &columns).and(&known, "{%}");
        let mut table = table.and(&["unseen"], "{%}");
        let chart = |what: &str| Chart::rates(format!("{title}: {what}"), x);
        let (mut known, mut unseen) = (chart(what), chart("unseen keys"));
        for (x, Found { name, rates, .. }) in rows {
            let megabytes: Vec<f64> = self.megabyte.iter().map(|one| x / one).collect();
            let of = |value: fn(&Rates) -> Option<f64>| rates.as_ref().and_then(value);
            let orders = [
                of(|rates| Some(rates.error).filter(|&error| error > 0.0)),
                of(|rates| Some(rates.orders?.median)),
                of(|rates| Some(rates.orders?.low)),
                of(|rates| Some(rates.orders?.high)),
            ];
            let orders = if skewed { orders.to_vec() } else { Vec::new() };
            let size = of(|rates| Some(rates.bits_per_key));
            let known_rate = of(|rates| Some(rates.known.mean));
            let unseen_rate = of(|rates| Some(rates.unseen));
            table.row((megabytes, x, name, size, known_rate, orders, unseen_rate));
            if let Some(rates) = rates {
                known.point(name, x, rates.known.mean, rates.interval);
                unseen.point(name, x, rates.unseen, 0.0);
            }
        }
        for stated in &self.says {
            if let Statement::Rate(who, skew, x, rate) = stated.statement {
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
