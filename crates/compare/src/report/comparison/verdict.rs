//! The verdict: which kind to ship, what it saves, and what it costs.
//!
//! Mistakes on known negatives decide. Of the kinds that chance does not distinguish there, mistakes on unseen keys decide, then the
//! time of a query, then the order of the kinds, which starts with the simplest. Differences that chance or a busy machine may
//! explain decide nothing. The verdict is about the middle budget.

use super::known_negatives;
use super::speed::{self, Work};
use super::summary::{BuiltRow, baseline, significantly_fewer};
use crate::measure::{Comparison, Mistakes};
use crate::report::text;
use bloomwise::{Family, Operation};

/// What to ship.
pub struct Verdict<'a> {
    /// The comparison.
    comparison: &'a Comparison,
    /// The budget in bits per key.
    pub budget: f64,
    /// The recommended filter.
    winner: BuiltRow<'a>,
    /// The plain Bloom filter of the same size, if it was compared.
    bloom: Option<BuiltRow<'a>>,
    /// The best filter that takes more keys later, if the recommended one does not.
    growing: Option<BuiltRow<'a>>,
}

impl Comparison {
    /// The verdict; `None` if no filter was built within the budget.
    pub fn verdict(&self) -> Option<Verdict<'_>> {
        let budget = self.middle_budget()?;
        let rows = self.built_at(budget);
        let winner = best(self, &rows)?;
        let grow = |row: &&BuiltRow<'_>| row.0.kind.can(Operation::Insert);
        let growing: Vec<BuiltRow<'_>> = rows.iter().filter(grow).copied().collect();
        let fixed = !winner.0.kind.can(Operation::Insert);
        Some(Verdict {
            comparison: self,
            budget,
            winner,
            bloom: baseline(&rows).copied(),
            growing: best(self, &growing).filter(|_| fixed),
        })
    }
}

/// The best of some filters of one budget.
fn best<'a>(comparison: &Comparison, rows: &[BuiltRow<'a>]) -> Option<BuiltRow<'a>> {
    let rows = known_negatives::best(rows);
    let unseen = |row: &BuiltRow<'_>| Some(row.1.evaluation.unseen.as_ref()?.false_positives);
    let least = rows.iter().filter_map(unseen).min();
    let rows = rows.into_iter().filter(|row| {
        least
            .zip(unseen(row))
            .is_none_or(|(least, count)| !significantly_fewer(least, count))
    });
    let rows: Vec<BuiltRow<'a>> = rows.collect();
    let fastest = speed::fastest(comparison, &rows, Work::Query);
    fastest.first().or(rows.first()).copied()
}

impl Verdict<'_> {
    /// The kind to ship.
    pub fn kind(&self) -> Family {
        self.winner.0.kind
    }

    /// What to ship, in one line.
    pub fn headline(&self) -> String {
        let bytes = text::count(self.winner.1.evaluation.bytes);
        let keys = match self.comparison.keys {
            1 => "one key".to_string(),
            keys => format!("{} keys", text::count(keys)),
        };
        let kind = self.kind().name();
        format!("Ship {kind}: {bytes} bytes for {keys}")
    }

    /// What it saves, beside a plain Bloom filter of the same size.
    pub fn saves(&self) -> Option<String> {
        let mine = self.winner.1.evaluation.known.as_ref()?;
        let of = text::count(mine.count);
        let kind = self.kind().name();
        let Some((_, bloom)) = self.bloom else {
            return Some(format!(
                "Of {of} known negatives it accepts {}.",
                wrong(mine)
            ));
        };
        if self.kind() == Family::Bloom {
            return Some(
                "No other kind of the same size makes significantly fewer mistakes on these keys."
                    .to_string(),
            );
        }
        let bloom = bloom.evaluation.known.as_ref()?;
        let Some(worst) = bloom.costliest.first() else {
            return Some(format!(
                "Of {of} known negatives neither {kind} nor a Bloom filter of the same size accepts one."
            ));
        };
        let others = match bloom.false_positives - 1 {
            0 => String::new(),
            others => format!(" and {} others", text::count(others)),
        };
        let share = match bloom.weighted_rate {
            Some(share) => format!(", {} of the cost", text::percent(Some(share))),
            None => String::new(),
        };
        Some(format!(
            "A Bloom filter of the same size wrongly accepts {} (cost {}){others} of {of} known negatives{share}. {kind} accepts {}.",
            text::key(&worst.key),
            text::amount(worst.cost),
            wrong(mine)
        ))
    }

    /// What it costs: mistakes on unseen keys, time, and what it cannot do.
    pub fn costs(&self) -> Vec<String> {
        let mut costs: Vec<String> = self.unseen().into_iter().collect();
        for work in [Work::Build, Work::Query] {
            costs.extend(speed::sentence(
                self.comparison,
                self.winner,
                self.bloom,
                work,
            ));
        }
        if !self.kind().can(Operation::Insert) {
            let mut fixed = format!(
                "{} holds a fixed set: for new keys, build it again.",
                self.kind().name()
            );
            if let Some((row, measured)) = self.growing {
                let known = measured.evaluation.known.as_ref().map(wrong);
                let known = known.map_or(String::new(), |wrong| {
                    format!(", which accepts {wrong} of the known negatives")
                });
                fixed.push_str(&format!(
                    " If keys are to be inserted, take {}{known}.",
                    row.kind.name()
                ));
            }
            costs.push(fixed);
        }
        costs
    }

    /// The sentence about unseen keys.
    fn unseen(&self) -> Option<String> {
        let rate = |row: BuiltRow<'_>| row.1.evaluation.unseen.as_ref()?.rate;
        let shown = |rate: f64| match rate {
            0.0 => "none".to_string(),
            rate => format!("{} ({})", text::percent(Some(rate)), text::odds(rate)),
        };
        let mine = shown(rate(self.winner)?);
        let bloom = self.bloom.filter(|_| self.kind() != Family::Bloom);
        let bloom = bloom.and_then(rate).map_or(String::new(), |rate| {
            format!("; a Bloom filter on {}", shown(rate))
        });
        Some(format!("Unseen keys: it is wrong on {mine}{bloom}."))
    }
}

/// How many known negatives are wrong.
fn wrong(known: &Mistakes) -> String {
    match (known.false_positives, known.weighted_rate) {
        (0, _) => "none".to_string(),
        (count, None) => text::count(count),
        (count, share) => format!(
            "{} ({} of the cost)",
            text::count(count),
            text::percent(share)
        ),
    }
}
