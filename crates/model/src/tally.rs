//! What lives have done so far, by kind.
//!
//! An *operation* is one key inserted, removed, guarded or queried. A key that is queried in two ways counts twice, and so
//! does a key that is inserted into two filters.

use bloomwise::Family;
use std::fmt::Write;
use std::ops::AddAssign;

/// The numbers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lives.
    pub lives: u64,
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
    /// Filters patched.
    pub patches: u64,
    /// Files that the command updated.
    pub updates: u64,
}

impl Tally {
    /// The number of operations.
    pub fn operations(&self) -> u64 {
        self.inserted + self.removed + self.guarded + self.queried
    }

    /// All numbers, with their names.
    fn numbers(&mut self) -> [(&'static str, &mut u64); 12] {
        [
            ("lives", &mut self.lives),
            ("filters", &mut self.filters),
            ("refused", &mut self.refused),
            ("exact", &mut self.exact),
            ("inserted", &mut self.inserted),
            ("removed", &mut self.removed),
            ("guarded", &mut self.guarded),
            ("queried", &mut self.queried),
            ("saves", &mut self.saves),
            ("reloads", &mut self.reloads),
            ("patches", &mut self.patches),
            ("updates", &mut self.updates),
        ]
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, mut more: Tally) {
        for ((_, sum), (_, more)) in self.numbers().into_iter().zip(more.numbers()) {
            *sum += *more;
        }
    }
}

/// The numbers of all kinds. Filters that several threads share are a kind of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    kinds: [Tally; Family::ALL.len()],
    shared: Tally,
}

impl Tallies {
    /// The numbers of a family, and the numbers of all filters while several threads share them.
    pub fn of(&mut self, family: Family) -> (&mut Tally, &mut Tally) {
        let kind = Family::ALL.iter().position(|&other| other == family);
        let kind = kind.unwrap_or_else(|| unreachable!("all families are listed"));
        (&mut self.kinds[kind], &mut self.shared)
    }

    /// The sum over all kinds.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.rows().for_each(|(_, tally)| total += tally);
        total
    }

    /// The kinds and their numbers.
    fn rows(&self) -> impl Iterator<Item = (&'static str, Tally)> {
        let kinds = Family::ALL.into_iter().map(Family::name).zip(self.kinds);
        kinds.chain([("shared", self.shared)])
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
        let mut text = format!("{:23}", "kind");
        for (name, _) in Tally::default().numbers() {
            // Writing to a string cannot fail.
            _ = write!(text, "{name:>15}");
        }
        for (kind, mut tally) in self.rows().chain([("all", self.total())]) {
            _ = write!(text, "\n{kind:23}");
            for (_, number) in tally.numbers() {
                _ = write!(text, "{:>15}", grouped(*number));
            }
        }
        text
    }
}

impl AddAssign<&Tallies> for Tallies {
    fn add_assign(&mut self, more: &Tallies) {
        for (tally, &more) in self.kinds.iter_mut().zip(&more.kinds) {
            *tally += more;
        }
        self.shared += more.shared;
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
        tallies.of(Family::Guarded).0.queried = 12_000_000;
        tallies.of(Family::Bloom).1.removed = 34;
        let mut twice = tallies.clone();
        twice += &tallies;
        assert_eq!(twice.total().operations(), 24_000_068);
        let line = twice.line(3, 0);
        assert!(
            line.starts_with("3 min: 24,000,068 operations (bloom 0, "),
            "{line}"
        );
        assert!(line.contains(", guarded 24 M, "), "{line}");
        assert!(line.contains(", shared 68), "), "{line}");
        assert!(line.ends_with("0 findings"), "{line}");
        let table = twice.table();
        assert_eq!(table.lines().count(), 1 + Family::ALL.len() + 2);
        assert!(
            table.lines().all(|line| line.len() == 23 + 12 * 15),
            "{table}"
        );
    }

    #[test]
    fn digits_are_grouped_by_three() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
