//! How many known negatives were repaired, and why the others were not.

use crate::filter::info::{Report, Value};
use crate::keys::cost::CostCurve;
use crate::keys::cost_sum::CostSum;

/// The results of the optimiser for one or more segments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepairStats {
    /// False positives before the first adjustment.
    pub collisions: u64,
    /// False positives at the end: the sum of the next four fields.
    pub left: u64,
    /// False positives without a bit whose owners could be adjusted.
    pub no_owner: u64,
    /// False positives for which no move fits into the expressor.
    pub no_room: u64,
    /// False positives for which every move that fits costs more than it saves.
    pub too_costly: u64,
    /// False positives that repairs of other negatives caused, and that had no turn of their own.
    pub disturbed: u64,
    /// The cost of the false positives at the end.
    pub cost_left: CostSum,
    /// Adjusted positives.
    pub adjusted: u64,
    /// The maximum number of passes of any segment.
    pub passes: u32,
}

impl RepairStats {
    /// The results of this and `other` together.
    pub fn merge(self, other: RepairStats) -> RepairStats {
        RepairStats {
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

    /// The build report. `negatives` is the number of known negatives, `costs` the curve of their costs, and
    /// `cells_used` the number of cells that are not empty.
    pub fn report(self, negatives: u64, costs: &CostCurve, cells_used: u64) -> Report {
        let counts = [
            ("collisions", self.collisions),
            ("adjusted_keys", self.adjusted),
            ("wrong_no_owner", self.no_owner),
            ("wrong_does_not_fit", self.no_room),
            ("wrong_too_costly", self.too_costly),
            ("wrong_disturbed", self.disturbed),
            ("passes_made", u64::from(self.passes)),
            ("cells_used", cells_used),
        ];
        Report {
            guarded: negatives - self.left,
            wrong: Some(self.left),
            weighted_fpr: Some(costs.share(self.cost_left)),
            exact_bits_per_key: None,
            facts: (counts.into_iter())
                .map(|(name, count)| (name, Value::Whole(count)))
                .collect(),
        }
    }
}
