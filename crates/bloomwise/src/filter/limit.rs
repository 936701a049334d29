//! The information limit.
//!
//! Consider a filter of `n` keys that errs on a share `e` of all other keys, but on none of `r n` known negatives. It must
//! distinguish its set from other sets. A random set of answers that says "yes" to a share `e` of all keys says "yes" to
//! all positives with probability `e^n`, and "no" to all known negatives with probability `(1 - e)^(r n)`. So on average
//! no filter can use fewer bits per key than
//!
//! ```text
//! bits = log2(1 / e) + r log2(1 / (1 - e))
//! ```
//!
//! (Carter, Floyd, Gill, Markowsky, Wegman, "Exact and approximate membership testers", 1978, for `r = 0`.) For small `e`
//! the second part is about `1.44 r e`: being right on every known negative costs almost nothing. At 8.44 bits per key and
//! as many negatives as positives, the limit is 0.29 %; without negatives it is 0.288 %.
//!
//! ```
//! use bloomwise::guarded::theory::{limit_bits, limit_rate};
//!
//! let rate = limit_rate(8.44, 0.963).expect("enough bits");
//! assert!((rate - 0.00289).abs() < 1e-5);
//! assert!((limit_bits(rate, 0.963) - 8.44).abs() < 1e-9);
//! // Telling two sets of the same size apart takes two bits per key of one of them.
//! assert_eq!(limit_rate(1.9, 1.0), None);
//! ```
//!
//! If costs differ and the bits do not suffice for all negatives, rate-distortion theory gives the limit. A negative of
//! cost `c` is answered with "yes" with a probability `p(c)` that may be above 0. It takes `D(p(c) || e)` bits, the
//! divergence of two coins, instead of `log2(1 / (1 - e))`. For given bits and `e`, the cost is lowest if the odds of `p(c)`
//! are the odds of `e` times `exp(-t c)`, with the same `t` for all negatives. [`limit_cost`] searches for `t` and `e`.

use crate::filter::bisect::bisect;
use crate::filter::forecast::Workload;

/// The fewest bits per key of a filter that errs on a share `rate` of unseen keys and on no known negative, where there
/// are `negatives_per_key` known negatives per key.
pub fn limit_bits(rate: f64, negatives_per_key: f64) -> f64 {
    let negatives = if negatives_per_key > 0.0 {
        negatives_per_key * -(-rate).ln_1p()
    } else {
        0.0
    };
    (negatives - rate.ln()) / std::f64::consts::LN_2
}

/// The lowest false positive rate on unseen keys of a filter with `bits_per_key` that errs on no known negative, where
/// there are `negatives_per_key` known negatives per key. Returns `None` if every filter of that size errs on some.
pub fn limit_rate(bits_per_key: f64, negatives_per_key: f64) -> Option<f64> {
    let impossible = |rate: f64| limit_bits(rate, negatives_per_key) > bits_per_key;
    // Beyond this rate the negatives need more bits again.
    let highest = 1.0 / (1.0 + negatives_per_key);
    if impossible(highest) {
        return None;
    }
    // Rates differ by orders of magnitude, so the middle is the geometric mean.
    let middle = |low: f64, high: f64| {
        if low > 0.0 {
            f64::sqrt(low * high)
        } else {
            high * 1e-4
        }
    };
    let (_, rate) = bisect((0.0, highest), 200, middle, impossible);
    Some(rate)
}

/// The lowest rates that are possible, as [`limit_cost`] finds them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limit {
    /// The false positive rate on unseen keys.
    pub unseen: f64,
    /// The false positive rate by cost on known negatives.
    pub known: f64,
}

/// The rates with the lowest cost that are possible with `bits_per_key`, where a share `unseen_share` of the cost falls on
/// unseen keys.
///
/// ```
/// use bloomwise::{Workload, guarded::theory::limit_cost};
///
/// // Being right on as many negatives as keys takes two bits per key. With fewer bits, the cost is lower if a few
/// // negatives have most of it.
/// let costs: Vec<f64> = (1..=1000).map(|rank| 1.0 / f64::from(rank)).collect();
/// let equal = limit_cost(1.5, &Workload::new(1000, 1000), 0.0);
/// let skewed = limit_cost(1.5, &Workload::with_costs(1000, &costs)?, 0.0);
/// assert!(equal.known > 0.1 && skewed.known < 0.03);
/// # Ok::<(), bloomwise::Error>(())
/// ```
pub fn limit_cost(bits_per_key: f64, workload: &Workload, unseen_share: f64) -> Limit {
    let negatives_per_key = workload.negatives_per_key();
    let classes: Vec<(f64, f64)> = workload.costs.classes().collect();
    // The bits per key, and the rate by cost on known negatives, for this rate on unseen keys and this `t`.
    let spent = |rate: f64, t: f64| {
        let mut bits = 0.0;
        let mut known = 0.0;
        for &(share, cost) in &classes {
            let odds = rate / (1.0 - rate) * (-t * cost / share).exp();
            let yes = odds / (1.0 + odds);
            let no = (1.0 - yes) * ((1.0 - yes) / (1.0 - rate)).ln();
            bits += share
                * (no
                    + if yes > 0.0 {
                        yes * (yes / rate).ln()
                    } else {
                        0.0
                    });
            known += cost * yes;
        }
        let bits = limit_bits(rate, 0.0) + negatives_per_key * bits / std::f64::consts::LN_2;
        (bits, known)
    };
    let at = |rate: f64| {
        if limit_bits(rate, negatives_per_key) <= bits_per_key {
            return Limit {
                unseen: rate,
                known: 0.0,
            };
        }
        let affordable = |t: f64| spent(rate, t).0 <= bits_per_key;
        let (t, _) = bisect((0.0, 1e6), 100, f64::midpoint, affordable);
        let known = spent(rate, t).1;
        Limit {
            unseen: rate,
            known,
        }
    };
    let cost = |limit: &Limit| unseen_share * limit.unseen + (1.0 - unseen_share) * limit.known;
    // From the rate that leaves no bits for negatives up to almost 1.
    let exponents =
        (0..STEPS).map(|step| bits_per_key * (1.0 - f64::from(step) / f64::from(STEPS)));
    let limits = exponents.map(|exponent| at((-exponent).exp2()));
    let none = Limit {
        unseen: 1.0,
        known: 1.0,
    };
    limits.fold(none, |best, limit| {
        if cost(&limit) < cost(&best) {
            limit
        } else {
            best
        }
    })
}

/// The number of rates that [`limit_cost`] tries.
const STEPS: u32 = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_rate_inverts_limit_bits_and_is_none_for_too_few_bits() {
        for negatives in [0.0, 0.01, 1.0, 20.0, 1000.0] {
            for rate in [1e-9, 1e-4, 0.3, 0.9].map(|rate| rate / (1.0 + negatives)) {
                let bits = limit_bits(rate, negatives);
                let again = limit_rate(bits + 1e-12, negatives).expect("enough bits");
                assert!((again / rate - 1.0).abs() < 1e-6, "{rate}, {again}");
            }
        }
        assert_eq!(limit_rate(0.0, 0.0), Some(1.0));
        assert_eq!(limit_rate(1.0, 1.0), None);
    }
}
