//! What a soak has done so far, by kind.
//!
//! An *operation* is one key inserted, removed, guarded or queried. A key that is queried in two ways counts twice, and so
//! does a key that is inserted into two filters.

use bloomwise::Family;
use std::fmt::Write;
use std::ops::AddAssign;

/// The numbers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rounds.
    pub rounds: u64,
    /// Filters that were made.
    pub filters: u64,
    /// Filters that the library refused to make, with an error that says why, or that would be too large.
    pub refused: u64,
    /// Filters whose report says that they answer all their known negatives correctly.
    pub exact: u64,
    /// Keys inserted, by a build or later.
    pub inserted: u64,
    /// Keys removed.
    pub removed: u64,
    /// Keys guarded, by a build or later.
    pub guarded: u64,
    /// Keys queried.
    pub queried: u64,
    /// Filters written to bytes or to a file.
    pub saves: u64,
    /// Filters read back.
    pub reloads: u64,
}

impl Tally {
    /// The number of operations.
    pub fn operations(&self) -> u64 {
        self.inserted + self.removed + self.guarded + self.queried
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.rounds += more.rounds;
        self.filters += more.filters;
        self.refused += more.refused;
        self.exact += more.exact;
        self.inserted += more.inserted;
        self.removed += more.removed;
        self.guarded += more.guarded;
        self.queried += more.queried;
        self.saves += more.saves;
        self.reloads += more.reloads;
    }
}

/// The numbers of all kinds. A seesaw filter that several threads share is a kind of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies([Tally; Family::ALL.len() + 1]);

/// The last kind.
const SHARED: usize = Family::ALL.len();

impl Tallies {
    /// The numbers of a family.
    pub fn of(&mut self, family: Family) -> &mut Tally {
        let row = Family::ALL.iter().position(|&other| other == family);
        &mut self.0[row.unwrap_or_else(|| unreachable!("all families are listed"))]
    }

    /// The numbers of seesaw filters while several threads share them.
    pub fn shared(&mut self) -> &mut Tally {
        &mut self.0[SHARED]
    }

    /// The sum over all kinds.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.iter().for_each(|&tally| total += tally);
        total
    }

    /// The kinds and their numbers.
    fn rows(&self) -> impl Iterator<Item = (&'static str, &Tally)> {
        let names = Family::ALL.into_iter().map(Family::name);
        names.chain(["shared"]).zip(&self.0)
    }

    /// One line: the operations, by kind in short, and what else was done.
    pub fn line(&self, minutes: u64, findings: usize) -> String {
        let total = self.total();
        let kinds = self.rows().map(|(name, tally)| {
            let share = short(tally.operations());
            format!("{name} {share}")
        });
        let kinds: Vec<String> = kinds.collect();
        format!(
            "{minutes} min: {} operations ({}), {} filters built, {} saves, {} reloads, {findings} findings",
            grouped(total.operations()),
            kinds.join(", "),
            grouped(total.filters),
            grouped(total.saves),
            grouped(total.reloads),
        )
    }

    /// A table with a row for each kind and a row for their sum.
    pub fn table(&self) -> String {
        let columns = [
            "rounds", "filters", "refused", "exact", "inserted", "removed", "guarded", "queried",
            "saves", "reloads",
        ];
        let mut text = format!("{:23}", "kind");
        for column in columns {
            // Writing to a string cannot fail.
            _ = write!(text, "{column:>15}");
        }
        let total = self.total();
        for (name, tally) in self.rows().chain([("all", &total)]) {
            _ = write!(text, "\n{name:23}");
            let Tally {
                rounds,
                filters,
                refused,
                exact,
                inserted,
                removed,
                guarded,
                queried,
                saves,
                reloads,
            } = *tally;
            for number in [
                rounds, filters, refused, exact, inserted, removed, guarded, queried, saves,
                reloads,
            ] {
                _ = write!(text, "{:>15}", grouped(number));
            }
        }
        text
    }
}

impl AddAssign<&Tallies> for Tallies {
    fn add_assign(&mut self, more: &Tallies) {
        for (tally, &more) in self.0.iter_mut().zip(&more.0) {
            *tally += more;
        }
    }
}

/// A number with a comma after every three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number in thousands or millions.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{} k", number / 1000),
        _ => format!("{} M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_added_by_kind_and_shown() {
        let mut tallies = Tallies::default();
        tallies.of(Family::Guarded).queried = 12_000_000;
        tallies.shared().removed = 34;
        let mut twice = tallies.clone();
        twice += &tallies;
        assert_eq!(twice.total().operations(), 24_000_068);
        let line = twice.line(3, 0);
        assert!(
            line.starts_with("3 min: 24,000,068 operations (bloom 0, "),
            "{line}"
        );
        assert!(
            line.contains("guarded 24 M, growing 0, cuckoo 0, shared 68), "),
            "{line}"
        );
        assert!(line.ends_with("0 findings"), "{line}");
        let table = twice.table();
        assert_eq!(table.lines().count(), 1 + Family::ALL.len() + 2);
        assert!(table.lines().all(|line| line.len() == 173), "{table}");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
