//! The size that each kind needs for a rate on unseen keys, by the formulas that `plan` uses.
//!
//! People have a budget of errors as often as a budget of bytes. Nothing is built for this: the tests of the library compare the formulas with
//! measured rates.

use super::Options;
use bloomwise::guarded::theory::limit_bits;
use bloomwise::{Family, Size, Workload};

/// The rates.
const RATES: [f64; 6] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// The sizes that one kind needs.
pub struct Needed {
    /// The kind; `None` for the information limit: the fewest bytes that any filter needs that is right on all known negatives.
    pub kind: Option<Family>,
    /// Rates and bytes. Rates that the kind does not reach are missing.
    pub sizes: Vec<(f64, f64)>,
}

impl Needed {
    /// The sizes of all kinds, then the limit. Empty if a cost is invalid.
    pub fn of(options: &Options, keys: u64, costs: &[f64]) -> Vec<Self> {
        let Ok(workload) = Workload::with_costs(keys, costs) else {
            return Vec::new();
        };
        let size = |kind: Family, rate: f64| {
            let spec = options.spec(kind, Size::Rate(rate)).ok()?;
            let forecast = spec.forecast(&workload).ok()?;
            Some((rate, forecast.bits as f64 / 8.0))
        };
        let of_kind = |&kind: &Family| Needed {
            kind: Some(kind),
            sizes: RATES.iter().filter_map(|&rate| size(kind, rate)).collect(),
        };
        let negatives_per_key = costs.len() as f64 / keys.max(1) as f64;
        let least = |&rate: &f64| {
            (
                rate,
                limit_bits(rate, negatives_per_key) * keys as f64 / 8.0,
            )
        };
        let limit = Needed {
            kind: None,
            sizes: RATES.iter().map(least).collect(),
        };
        options.kinds.iter().map(of_kind).chain([limit]).collect()
    }
}
