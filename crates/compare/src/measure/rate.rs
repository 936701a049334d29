//! Totals divided by counts that may be zero.

/// `total` divided by `count`; `None` if the count is 0.
pub fn per(total: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| total / count as f64)
}
