//! From cells to classes.
//!
//! Cells are put in the order of their odds: how many keys of the set they have for each negative. A class is a range of that order. Each has about the same
//! weight, where the keys of the set weigh as much as all negatives. So there are many classes where the two sides differ most, and a cell with few
//! keys shares a class with others of similar odds.
//!
//! ```text
//! cell     a   b   c   d   e   f        in order    e   c   a   f   b   d
//! keys     4   9   0  70   0  17                    0   0   4  17   9  70
//! others  30   1  20   0  35  14                   35  20  30  14   1   0
//! class                                             0   0   1   2   3   3
//! ```
//!
//! Cells without keys of the set come first. If a class has only such cells, the filter denies all its keys and needs no bits for that.

/// The keys of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Those of the set.
    pub positives: u64,
    /// Known negatives.
    pub negatives: u64,
}

impl Tally {
    /// The keys of both.
    fn add(self, other: Tally) -> Tally {
        Tally {
            positives: self.positives + other.positives,
            negatives: self.negatives + other.negatives,
        }
    }

    /// The share of the two sides that these keys are, from 0 to 2, where `all` are those of all cells.
    fn weight(self, all: Tally) -> f64 {
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        share(self.positives, all.positives) + share(self.negatives, all.negatives)
    }

    /// The odds, where a cell with few keys tends to those of `all`.
    fn odds(self, all: Tally) -> f64 {
        if self.positives == 0 {
            return 0.0;
        }
        let prior = all.positives as f64 / (all.positives + all.negatives) as f64;
        (self.positives as f64 + prior) / (self.negatives as f64 + 1.0 - prior)
    }
}

/// The class of each cell: at most `most` classes, of at least 2, numbered without gaps in the order of their odds. If the cells are `ordered`,
/// their order stays.
pub(super) fn group(cells: &[Tally], ordered: bool, most: usize) -> Vec<u8> {
    let all = cells
        .iter()
        .fold(Tally::default(), |all, cell| all.add(*cell));
    let mut order: Vec<usize> = (0..cells.len()).collect();
    if !ordered {
        // The sort is stable, so equal odds stay in the order of the cells.
        order.sort_by(|&a, &b| cells[a].odds(all).total_cmp(&cells[b].odds(all)));
    }
    let mut classes = vec![0; cells.len()];
    let empty = order.iter().take_while(|&&cell| cells[cell].positives == 0);
    let order = &order[empty.count()..];
    let mut class = usize::from(order.len() < cells.len());
    let ranges = most - class;
    let weight = |cell: usize| cells[cell].weight(all);
    let total: f64 = order.iter().map(|&cell| weight(cell)).sum();
    let (mut before, mut last) = (0.0, None);
    for &cell in order {
        let middle = before + weight(cell) / 2.0;
        let range = ((middle / total * ranges as f64) as usize).min(ranges - 1);
        class += usize::from(last.is_some_and(|last| last < range));
        (before, last) = (before + weight(cell), Some(range));
        classes[cell] = class as u8;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tallies(cells: &[(u64, u64)]) -> Vec<Tally> {
        let tally = |&(positives, negatives): &_| Tally {
            positives,
            negatives,
        };
        cells.iter().map(tally).collect()
    }

    #[test]
    fn cells_of_similar_odds_share_a_class() {
        let cells = tallies(&[(4, 30), (9, 1), (0, 20), (70, 0), (0, 35), (17, 14)]);
        assert_eq!(group(&cells, false, 4), [1, 2, 0, 3, 0, 2]);
        // With few classes, neighbours in the order of the odds share one.
        assert_eq!(group(&cells, false, 2), [1, 1, 0, 1, 0, 1]);
    }

    #[test]
    fn ordered_cells_become_ranges() {
        let cells = tallies(&[(0, 9), (1, 9), (9, 1), (2, 8), (5, 5), (0, 1), (90, 0)]);
        for most in 2..9 {
            let classes = group(&cells, true, most);
            assert!(classes.is_sorted(), "{classes:?}");
            assert!(usize::from(classes[6]) < most, "{classes:?}");
        }
    }

    #[test]
    fn classes_have_no_gaps_and_similar_weight() {
        let cells: Vec<Tally> = tallies(
            &(0..256)
                .map(|n| (n * n, (256 - n) * 40))
                .collect::<Vec<_>>(),
        );
        let classes = group(&cells, false, 32);
        let count = 1 + usize::from(classes.iter().copied().max().expect("some"));
        assert_eq!(count, 32);
        let all = cells
            .iter()
            .fold(Tally::default(), |all, cell| all.add(*cell));
        for class in 1..count {
            let own = (0..256).filter(|&cell| usize::from(classes[cell]) == class);
            let weight: f64 = own.map(|cell| cells[cell].weight(all)).sum();
            assert!((0.03..0.12).contains(&weight), "{class}: {weight}");
        }
    }

    #[test]
    fn no_keys_are_one_class() {
        assert_eq!(group(&tallies(&[(0, 0); 5]), true, 8), [0; 5]);
        assert_eq!(group(&tallies(&[(0, 3); 5]), false, 8), [0; 5]);
        assert!(group(&[], false, 8).is_empty());
    }
}
