//! Rates of several filters while one parameter changes: a table, and two charts, of known negatives and of unseen
//! keys.
//!
//! If the parameter is the size, a row shows the requested and the actual size, since some filters cannot use every
//! bit. A filter that cannot have the size has a row of dashes, so that nothing is missing silently. "Error" is the
//! standard error of the rate by cost; "deviation" is the standard deviation of a single order of the costs.

use crate::measure::Rates;
use crate::output::{Axis, Cell, Chart, Outcome, Table};

/// The parameter's name if it is the size of the filters.
const SIZE: &str = "bits per key";

/// Rates while one parameter changes.
pub struct Sweep {
    table: Table,
    known: Chart,
    unseen: Chart,
    /// The bits per key of one of the paper's megabytes, if a column shows megabytes.
    megabyte: Option<f64>,
}

impl Sweep {
    /// An empty sweep over the parameter `x`, which includes its unit.
    pub fn new(title: &str, x: &str) -> Self {
        Self::with_columns(title, x, None)
    }

    /// An empty sweep over bits per key. If `megabyte` is given, a column shows the paper's megabytes; one is that many
    /// bits per key.
    pub fn over_space(title: &str, megabyte: Option<f64>) -> Self {
        Self::with_columns(title, SIZE, megabyte)
    }

    fn with_columns(title: &str, x: &str, megabyte: Option<f64>) -> Self {
        let (place, got) = match x {
            SIZE => ("bits per key, requested", "actual"),
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

    /// Adds the rates of the filter `name` at `x`; `None` where the filter cannot have the size.
    pub fn add(&mut self, x: f64, name: &str, rates: Option<Rates>) {
        let place = Cell::Number(x, format!("{}", (x * 1e4).round() / 1e4));
        let positive =
            |value: Option<f64>| Cell::or_dash(value.filter(|&value| value > 0.0), Cell::rate);
        let cells = [
            place,
            name.into(),
            Cell::or_dash(rates, |rates| Cell::number(rates.bits_per_key, 2)),
            Cell::or_dash(rates, |rates| Cell::rate(rates.known.mean)),
            positive(rates.map(|rates| rates.error)),
            positive(rates.map(|rates| rates.known.deviation)),
            Cell::or_dash(rates, |rates| Cell::rate(rates.unseen)),
        ];
        let megabytes = self.megabyte.map(|one| Cell::number(x / one, 2));
        self.table.row(megabytes.into_iter().chain(cells));
        if let Some(rates) = rates {
            // A bar shows the error of the mean, not the spread of the shuffles, which is huge with skewed costs. With
            // too few shuffles for an estimate there is no bar.
            let bar = Some(rates.deviations() * rates.error).filter(|bar| bar.is_finite());
            self.known
                .point(name, x, rates.known.mean, bar.unwrap_or(0.0));
            self.unseen.point(name, x, rates.unseen, 0.0);
        }
    }

    /// Adds the table and the charts to `outcome`.
    pub fn add_to(self, outcome: &mut Outcome) {
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
    use bloomwise::Family;

    #[test]
    fn filter_that_cannot_have_the_size_has_a_row_and_no_point() {
        let mut sweep = Sweep::over_space("Rates", Some(0.5));
        let set = Set::sized(Source::Users, 2000, 2000, 100);
        let subjects = [Subject::kind(Family::Bloom), Subject::xor()];
        let found = rates(&set, 0.0, 1, &[1.0], &subjects).expect("valid");
        for (subject, rates) in subjects.iter().zip(&found[0]) {
            sweep.add(1.0, &subject.name, *rates);
        }
        let mut outcome = Outcome::default();
        sweep.add_to(&mut outcome);
        let lines = outcome.tables[0].markdown();
        let lines: Vec<&str> = lines.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| MB | bits per key, requested | filter | actual | known, by cost | error | deviation | unseen |"
        );
        assert!(lines[2].starts_with("| 2.00 | 1 | bloom |"), "{}", lines[2]);
        // An Xor filter needs more than one bit per key.
        assert_eq!(lines[3], "| 2.00 | 1 | xor | - | - | - | - | - |");
        assert_eq!(outcome.charts[0].series.len(), 1);
    }
}
