//! Rates of some filters while one thing changes: a table, and two pictures, of known and of unseen keys.
//!
//! Where the thing is the size of the filters, a row has the size that was asked for and the one that the filter got, since
//! some cannot use every bit. A filter that cannot be has a row of dashes, so that nothing is missing without a word. "Error" is
//! the standard error of the rate by cost, "deviation" how far that of a single order of the costs is from it.

use crate::measure::Rates;
use crate::output::{Axis, Cell, Chart, Outcome, Table};

/// What changes if it is the size of the filters.
const SIZE: &str = "bits per key";

/// Rates while one thing changes.
pub struct Sweep {
    table: Table,
    known: Chart,
    unseen: Chart,
    /// What a megabyte of the paper is in bits per key, if a column shows megabytes.
    megabyte: Option<f64>,
}

impl Sweep {
    /// Nothing yet. `x` is what changes, with its unit.
    pub fn new(title: &str, x: &str) -> Self {
        Self::shown(title, x, None)
    }

    /// Nothing yet, over bits per key, with the paper's megabytes beside them, if it has any: one is so many bits per key.
    pub fn over_space(title: &str, megabyte: Option<f64>) -> Self {
        Self::shown(title, SIZE, megabyte)
    }

    fn shown(title: &str, x: &str, megabyte: Option<f64>) -> Self {
        let (place, got) = match x {
            SIZE => ("bits per key, asked", "got"),
            _ => (x, SIZE),
        };
        let columns = [
            place,
            "filter",
            got,
            "known, by cost",
            "error",
            "deviation",
            "unseen",
        ];
        let columns = megabyte.map(|_| "MB").into_iter().chain(columns);
        let chart = |what: &str| {
            let title = format!("{title}: {what}");
            Chart::new(title, Axis::linear(x), Axis::log("false positive rate"))
        };
        Sweep {
            table: Table::new(title, columns),
            known: chart("known negatives, by cost"),
            unseen: chart("unseen keys"),
            megabyte,
        }
    }

    /// Adds what was measured at one place, under a name; nothing where the filter cannot be.
    pub fn add(&mut self, x: f64, name: &str, rates: Option<Rates>) {
        let place = Cell::Number(x, format!("{}", (x * 1e4).round() / 1e4));
        let positive =
            |value: Option<f64>| Cell::of(value.filter(|&value| value > 0.0), Cell::rate);
        let cells = [
            place,
            name.into(),
            Cell::of(rates, |rates| Cell::number(rates.bits_per_key, 2)),
            Cell::of(rates, |rates| Cell::rate(rates.known.mean)),
            positive(rates.map(|rates| rates.error)),
            positive(rates.map(|rates| rates.known.deviation)),
            Cell::of(rates, |rates| Cell::rate(rates.unseen)),
        ];
        let megabytes = self.megabyte.map(|one| Cell::number(x / one, 2));
        self.table.row(megabytes.into_iter().chain(cells));
        if let Some(rates) = rates {
            // A bar says how well the mean is known, not how far shuffles are apart, which with skewed costs is all over the place.
            // With too few shuffles to tell there is none.
            let bar = Some(rates.deviations() * rates.error).filter(|bar| bar.is_finite());
            self.known
                .point(name, x, rates.known.mean, bar.unwrap_or(0.0));
            self.unseen.point(name, x, rates.unseen, 0.0);
        }
    }

    /// Hands table and pictures over.
    pub fn into(self, outcome: &mut Outcome) {
        outcome.tables.push(self.table);
        outcome.charts.extend([self.known, self.unseen]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::rates;
    use crate::subject::Subject;
    use crate::workload::{Set, Source};

    #[test]
    fn a_filter_that_cannot_be_has_a_row_and_no_point() {
        let mut sweep = Sweep::over_space("Rates", Some(0.5));
        let set = Set::sized(Source::Users, 2000, 2000, 100);
        let subjects = [Subject::kind("bloom"), Subject::xor()];
        let found = rates(&set, 0.0, 1, &[1.0], &subjects).expect("sound");
        for (subject, rates) in subjects.iter().zip(&found[0]) {
            sweep.add(1.0, &subject.name, *rates);
        }
        let mut outcome = Outcome::default();
        sweep.into(&mut outcome);
        let lines = outcome.tables[0].markdown();
        let lines: Vec<&str> = lines.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| MB | bits per key, asked | filter | got | known, by cost | error | deviation | unseen |"
        );
        assert!(lines[2].starts_with("| 2.00 | 1 | bloom |"), "{}", lines[2]);
        // No Xor filter has one bit per key.
        assert_eq!(lines[3], "| 2.00 | 1 | xor | - | - | - | - | - |");
        assert_eq!(outcome.charts[0].series.len(), 1);
    }
}
