//! Rates of some filters while one thing changes: a table, and two pictures, of known and of unseen keys.

use crate::measure::Rates;
use crate::output::{Axis, Cell, Chart, Outcome, Table};

/// Rates while one thing changes.
pub struct Sweep {
    table: Table,
    known: Chart,
    unseen: Chart,
}

impl Sweep {
    /// Nothing yet. `x` is what changes, with its unit.
    pub fn new(title: &str, x: &str) -> Self {
        let columns = [x, "filter", "bits per key", "known, by cost", "±", "unseen"];
        let chart = |what: &str| {
            let title = format!("{title}: {what}");
            Chart::new(title, Axis::linear(x), Axis::log("false positive rate"))
        };
        Sweep {
            table: Table::new(title, columns),
            known: chart("known negatives, by cost"),
            unseen: chart("unseen keys"),
        }
    }

    /// Adds what was measured at one place, under a name; nothing where the filter cannot be.
    pub fn add(&mut self, x: f64, name: &str, rates: Option<Rates>) {
        let Some(rates) = rates else {
            return;
        };
        let place = Cell::Number(x, format!("{}", (x * 1e4).round() / 1e4));
        self.table.row([
            place,
            name.into(),
            Cell::number(rates.bits_per_key, 2),
            Cell::rate(rates.known.mean),
            match rates.known.deviation {
                0.0 => Cell::Nothing,
                deviation => Cell::rate(deviation),
            },
            Cell::rate(rates.unseen),
        ]);
        let (mean, deviation) = (rates.known.mean, rates.known.deviation);
        self.known.point(name, x, mean, deviation);
        self.unseen.point(name, x, rates.unseen, 0.0);
    }

    /// Hands table and pictures over.
    pub fn into(self, outcome: &mut Outcome) {
        outcome.tables.push(self.table);
        outcome.charts.extend([self.known, self.unseen]);
    }
}
