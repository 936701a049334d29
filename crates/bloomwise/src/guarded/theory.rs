//! The information limit, and how many slots an array needs.
//!
//! # The limit
//!
//! A filter of `n` keys that errs on a share `e` of all other keys and on none of `r n` known ones must tell its set from
//! others of the kind. A random set of answers that says "yes" to a share `e` of all keys says "yes" to all positives with
//! probability `e^n` and "no" to all known negatives with probability `(1 - e)^(r n)`. So no filter can do, on average, with
//! fewer bits per key than
//!
//! ```text
//! bits = log2(1 / e) + r log2(1 / (1 - e))
//! ```
//!
//! (Carter, Floyd, Gill, Markowsky, Wegman, "Exact and approximate membership testers", 1978, for `r = 0`.) For small `e` the
//! second part is about `1.44 r e`: to be right on every known negative costs next to nothing. At 8.44 bits per key and
//! as many negatives as positives the limit is 0.29 %, and without negatives it is 0.288 %.
//!
//! ```
//! use bloomwise::guarded::theory::{limit_bits, limit_rate};
//!
//! let rate = limit_rate(8.44, 0.963).expect("more than the least");
//! assert!((rate - 0.00289).abs() < 1e-5);
//! assert!((limit_bits(rate, 0.963) - 8.44).abs() < 1e-9);
//! // To tell two sets of the same size apart takes two bits for each key of one of them.
//! assert_eq!(limit_rate(1.9, 1.0), None);
//! ```
//!
//! Where costs differ and the bits do not suffice for all negatives, the limit is that of rate and distortion: a negative of cost
//! `c` is answered with "yes" with a probability `p(c)` that need not be 0, and takes `D(p(c) || e)` bits, the divergence
//! of two coins, instead of `log2(1 / (1 - e))`. The cost is least, for given bits and `e`, if the odds of `p(c)` are those of `e` times
//! `exp(-t c)` with one `t` for all. [`limit_cost`] looks for `t` and `e`.
//!
//! # Slots
//!
//! Peeling needs more slots than keys: for large arrays 1.024 times as many with 4 slots for each key, 1.089 times as many
//! with 3 (Walzer, "Peeling close to the orientability threshold", 2021). Small arrays need more, because their ends weigh
//! more. [`slots_for`] is a curve near the points where half of all tries succeeded, with windows of the best length, from
//! 1000 to 3 million keys, and 0.4 % above it; if it is too low for a set, the build tries again with more. The curve:
//!
//! | keys | 1000 | 10,000 | 100,000 | 1 million | 3 million |
//! |---|---|---|---|---|---|
//! | slots per key, arity 4 | 1.333 | 1.186 | 1.109 | 1.069 | 1.057 |
//! | slots per key, arity 3 | 1.348 | 1.232 | 1.168 | 1.132 | 1.122 |

use crate::forecast::Workload;

/// The fewest bits per key with which a filter can err on a share `rate` of unseen keys and on none of its known
/// negatives, of which it has `negatives_per_key` for each key.
pub fn limit_bits(rate: f64, negatives_per_key: f64) -> f64 {
    let negatives = match negatives_per_key > 0.0 {
        true => negatives_per_key * -(-rate).ln_1p(),
        false => 0.0,
    };
    (negatives - rate.ln()) / std::f64::consts::LN_2
}

/// The lowest rate on unseen keys that so many bits per key allow a filter without errors on its known negatives; `None` if
/// they allow none at all.
pub fn limit_rate(bits_per_key: f64, negatives_per_key: f64) -> Option<f64> {
    // Beyond this rate more bits are needed again, for the negatives.
    let (mut low, mut high) = (0.0, 1.0 / (1.0 + negatives_per_key));
    if limit_bits(high, negatives_per_key) > bits_per_key {
        return None;
    }
    // Halving, by ratio where the ends are far apart.
    for _ in 0..200 {
        let middle = match low > 0.0 {
            true => f64::sqrt(low * high),
            false => high * 1e-4,
        };
        match limit_bits(middle, negatives_per_key) > bits_per_key {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}

/// What no filter can do better than, by rate and by cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The rate on unseen keys.
    pub unseen: f64,
    /// The rate on known negatives, by cost.
    pub known: f64,
}

/// The rates with the least cost that so many bits per key allow, where unseen keys have `unseen_share` of it.
///
/// ```
/// use bloomwise::{Workload, guarded::theory::limit_cost};
///
/// // To be right on as many negatives as keys takes two bits per key. With fewer it helps if a few have most of the cost.
/// let costs: Vec<f64> = (1..=1000).map(|rank| 1.0 / f64::from(rank)).collect();
/// let equal = limit_cost(1.5, &Workload::new(1000, 1000), 0.0);
/// let skewed = limit_cost(1.5, &Workload::with_costs(1000, &costs)?, 0.0);
/// assert!(equal.known > 0.1 && skewed.known < 0.03);
/// # Ok::<(), bloomwise::Error>(())
/// ```
pub fn limit_cost(bits_per_key: f64, workload: &Workload, unseen_share: f64) -> Limit {
    let negatives_per_key = workload.negatives_per_key();
    let classes: Vec<(f64, f64)> = workload.costs.classes().collect();
    // The rate by cost with this odds factor, and the bits it takes.
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
        let (mut low, mut high) = (0.0, 1e6);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            match spent(rate, middle).0 > bits_per_key {
                true => high = middle,
                false => low = middle,
            }
        }
        let known = spent(rate, low).1;
        Limit {
            unseen: rate,
            known,
        }
    };
    let cost = |limit: &Limit| unseen_share * limit.unseen + (1.0 - unseen_share) * limit.known;
    // From the rate that leaves no bit for negatives up to one that is of no use.
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

/// Rates that are tried for the least cost.
const STEPS: u32 = 500;

/// How many slots an array needs for so many keys of `arity` slots each, 3 or 4.
pub fn slots_for(keys: u64, arity: u32) -> u64 {
    let n = keys.max(1) as f64;
    let per_key = match arity {
        3 => 1.0894 + 1.56 * n.powf(-0.26),
        _ => 1.0238 + 2.14 * n.powf(-0.28),
    };
    ((keys as f64 * (per_key + MARGIN)).ceil() as u64).max(u64::from(arity))
}

/// Slots per key beyond those with which half of all tries succeed.
const MARGIN: f64 = 0.004;

/// How many keys so many slots can hold, the other way round.
pub(super) fn keys_for(slots: u64, arity: u32) -> u64 {
    // Slots per key change slowly, so that a few steps find them.
    let mut keys = slots;
    for _ in 0..8 {
        keys = (slots as f64 * keys as f64 / slots_for(keys, arity) as f64) as u64;
    }
    keys
}

/// Arrays of fewer slots are small.
const SMALL: u64 = 150;

/// The bits of a segment that suit so many slots: segments grow as the 0.7th power of the array, and in small arrays a window
/// takes all there is.
pub(super) fn segment_bits_for(slots: u64, arity: u32) -> u32 {
    let suits = (0.7 * (slots.max(1) as f64).log2() - 2.05).round();
    let most = (slots / u64::from(arity)).max(1).ilog2();
    let suits = match slots < SMALL {
        true => most,
        false => suits.max(2.0) as u32,
    };
    suits.min(most).min(super::array::MAX_SEGMENT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_its_own_inverse_and_has_an_end() {
        for negatives in [0.0, 0.01, 1.0, 20.0, 1000.0] {
            for rate in [1e-9, 1e-4, 0.3, 0.9].map(|rate| rate / (1.0 + negatives)) {
                let bits = limit_bits(rate, negatives);
                let again = limit_rate(bits + 1e-12, negatives).expect("is allowed");
                assert!((again / rate - 1.0).abs() < 1e-6, "{rate}, {again}");
            }
        }
        assert_eq!(limit_rate(0.0, 0.0), Some(1.0));
        assert_eq!(limit_rate(1.0, 1.0), None);
    }

    #[test]
    fn slots_and_keys_lead_back_to_each_other() {
        for arity in [3, 4] {
            for keys in [10u64, 1000, 1_000_000, 1 << 40] {
                let again = keys_for(slots_for(keys, arity), arity);
                assert!(
                    (again as f64 / keys as f64 - 1.0).abs() < 0.1,
                    "{keys}: {again}"
                );
            }
            assert_eq!(slots_for(0, arity), u64::from(arity));
        }
    }
}
