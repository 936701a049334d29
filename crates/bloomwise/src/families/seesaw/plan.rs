//! The result of the search: the shape of a filter, and its predicted rates.

use crate::filter::forecast::Forecast;
use crate::filter::info::{Parameter, Value};

/// The shape of a filter, and its predicted rates when it holds as many keys as its capacity and guards all chosen keys.
///
/// ```
/// use bloomwise::{Seesaw, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Seesaw::builder(Size::BitsPerKey(36.0)).guard(0.05);
/// let plan = builder.plan(&Workload::new(10_000, 10_000))?;
/// assert_eq!(plan.guarded, 500);
/// assert!(plan.bits <= 360_000 && plan.guarded_fpr < plan.unseen_fpr);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The size in bits.
    pub bits: u64,
    /// Hash functions per key.
    pub functions: u32,
    /// The number of counters.
    pub counters: u64,
    /// The number of modulator cells; 0 if there is no modulator.
    pub cells: u64,
    /// The share of the space that the modulator has.
    pub alpha: f64,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// The binary logarithm of the number of backup functions.
    pub index_bits: u32,
    /// The number of segments. Threads can change different segments at the same time.
    pub segments: u64,
    /// The number of known negatives that the filter guards: the costliest.
    pub guarded: u64,
    /// The share of the known cost that the guarded negatives have.
    pub covered: f64,
    /// The predicted false positive rate on guarded negatives.
    pub guarded_fpr: f64,
    /// The predicted false positive rate on all other non-members.
    pub unseen_fpr: f64,
    /// The predicted cost-weighted false positive rate on known negatives, guarded or not.
    pub weighted_fpr: f64,
}

impl Plan {
    /// The plan in the form that all families share.
    pub(super) fn forecast(&self) -> Forecast {
        let whole = |number: u32| Value::Whole(u64::from(number));
        Forecast {
            bits: self.bits,
            parameters: vec![
                Parameter::total("counters", self.counters),
                Parameter::setting("k", whole(self.functions)),
                Parameter::measure("segments", self.segments),
                Parameter::measure("modulator_cells", self.cells),
                Parameter::measure("guarded", self.guarded),
            ],
            unseen: self.unseen_fpr,
            known: self.weighted_fpr,
            wrong: None,
            lines: f64::from(self.functions) + if self.cells > 0 { 1.0 } else { 0.0 },
        }
    }
}
