//! What became of the known negatives.

use crate::filter::{Report, Value};

/// What became of the negatives of a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// False positives before the first change.
    pub collisions: u64,
    /// False positives at the end: those of the next four together.
    pub left: u64,
    pub no_owner: u64,
    pub no_room: u64,
    pub too_costly: u64,
    /// Those that came up by changes for others and had no turn.
    pub disturbed: u64,
    /// What those that are left cost.
    pub cost_left: f64,
    /// Positives that were changed.
    pub adjusted: u64,
    /// The most passes that any segment had.
    pub passes: u32,
}

impl Tally {
    /// The tally of two segments together.
    pub fn add(self, other: Tally) -> Tally {
        Tally {
            collisions: self.collisions + other.collisions,
            left: self.left + other.left,
            no_owner: self.no_owner + other.no_owner,
            no_room: self.no_room + other.no_room,
            too_costly: self.too_costly + other.too_costly,
            disturbed: self.disturbed + other.disturbed,
            cost_left: self.cost_left + other.cost_left,
            adjusted: self.adjusted + other.adjusted,
            passes: self.passes.max(other.passes),
        }
    }

    /// The report about so many negatives, with what they cost together.
    pub fn report(self, negatives: u64, total_cost: f64, cells_used: u64) -> Report {
        let counts = [
            ("collisions", self.collisions),
            ("adjusted_keys", self.adjusted),
            ("left", self.left),
            ("left_no_owner", self.no_owner),
            ("left_does_not_fit", self.no_room),
            ("left_too_costly", self.too_costly),
            ("left_disturbed", self.disturbed),
            ("passes", u64::from(self.passes)),
            ("cells_used", cells_used),
        ];
        let mut facts: Vec<_> = (counts.into_iter())
            .map(|(name, count)| (name, Value::Whole(count)))
            .collect();
        let weighted = match total_cost > 0.0 {
            true => self.cost_left / total_cost,
            false => 0.0,
        };
        facts.push(("weighted_fpr", Value::Real(weighted)));
        Report {
            guarded: negatives - self.left,
            facts,
        }
    }
}
