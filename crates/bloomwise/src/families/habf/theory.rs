//! The paper's formulas, as functions of numbers.
//!
//! | paper | here |
//! |---|---|
//! | `k`, `b`, `m` | `functions`, `bits_per_key`, `bits` |
//! | `S`, `O` | positives, negatives |
//! | `H`, `omega` | `pool` (the number of functions to choose from), `cells` of the expressor |
//! | `F_bf`, `F*_bf`, `F_h`, `F_habf` | rate of the first round before and after optimisation, of the expressor, of both rounds |
//! | `P_xi` | the chance that a set bit has a single owner |
//! | `P_c'`, `P_s` | the chances that an owner can be adjusted at all, and that the change can be stored |
//! | `T`, `t` | `collisions`, repaired collisions |
//! | `l` | `blocks` |
//!
//! The paper has two errata. In the appendix `p0` must be the share of bits that are *one* for the proofs to hold.
//! Equations 5 and 8 have the wrong sign in an exponent; bound 3, which follows from them, is right.
//!
//! ```
//! use bloomwise::habf::theory;
//!
//! // With 10 bits per key and 4 functions, more than four in five set bits have a single owner.
//! assert!(theory::single_owner(4.0, 10.0) > 0.81);
//! ```

/// The rate of both rounds together (equation 2), from the rate of the first round and the rate of the expressor. A
/// false positive comes from the first round, or from a chain and the bits that it names.
pub fn both_rounds(first_round: f64, expressor: f64) -> f64 {
    first_round + expressor * first_round - expressor * first_round * first_round
}

/// An upper bound on the rate at which a key without a chain reads one, after `stored` chains were stored in `cells`
/// cells (section III-F).
pub fn expressor_rate(stored: f64, cells: f64) -> f64 {
    (stored / cells).min(1.0)
}

/// A lower bound on the chance that a set bit has a single owner (equation 3, theorem 4.1).
pub fn single_owner(functions: f64, bits_per_key: f64) -> f64 {
    let load = functions / bits_per_key;
    if load > 0.0 {
        load / load.exp_m1()
    } else {
        1.0
    }
}

/// The chance that an owner can take a function without harming a negative (appendix, equation 9). `watchers` has one
/// entry for each function that the owner could take: the number of negatives that map to its bit. `ones` is the share
/// of set bits.
pub fn adjustable(ones: f64, functions: f64, watchers: &[u32]) -> f64 {
    let unharmed = 1.0 - ones.powf(functions - 1.0);
    let all_harm = watchers
        .iter()
        .map(|&count| 1.0 - unharmed.powi(count as i32));
    1.0 - all_harm.product::<f64>()
}

/// A lower bound on [`adjustable`] that does not need the watchers (appendix, equation 15). `ones` is the share of set
/// bits, `pool` the number of functions to choose from.
pub fn adjustable_bound(ones: f64, functions: f64, negatives: f64, pool: f64, bits: f64) -> f64 {
    let watchers = negatives * pool * pool / (4.0 * bits);
    (1.0 - ones.powf(functions - 1.0)).powf(watchers)
}

/// A lower bound on the chance that an adjustment can be stored after `stored` others (equation 11).
pub fn storable(stored: f64, functions: f64, cells: f64) -> f64 {
    let empty = 1.0 - functions * (stored + 1.0) / cells;
    empty.max(0.0).powf(functions)
}

/// A lower bound on the number of repaired collisions (equation 12, theorem 4.2; appendix, equation 22). `adjustable`
/// is the chance that a collision has an owner that can be adjusted.
pub fn repaired(collisions: f64, adjustable: f64, cells: f64, functions: f64) -> f64 {
    let hopeful = collisions * adjustable;
    let chain = functions * functions;
    (hopeful * (cells - chain) / (cells + hopeful * chain)).max(0.0)
}

/// An upper bound on the rate of the first round on known negatives after optimisation (equation 19). `first_round` is
/// the rate before it.
pub fn optimised_rate(first_round: f64, negatives: f64, repaired: f64) -> f64 {
    first_round - repaired / negatives
}

/// The expected number of repaired collisions per block of c-HABF, if each collision falls into one of `blocks` blocks
/// with equal chance and each block has an equal share of the cells (appendix, equations 25 and 26).
pub fn repaired_in_block(
    collisions: u64,
    blocks: f64,
    adjustable: f64,
    cells: f64,
    functions: f64,
) -> f64 {
    let n = collisions as f64;
    if blocks <= 1.0 {
        return repaired(n, adjustable, cells, functions);
    }
    // The chances of 0, 1, 2, ... collisions in a block are binomial; each follows from the one before. They are kept
    // as logarithms, because the first ones may be too small for an `f64`.
    let mut chance = n * (-1.0 / blocks).ln_1p();
    let mut total = 0.0;
    for x in 0..=collisions {
        let x = x as f64;
        total += chance.exp() * repaired(x, adjustable, cells / blocks, functions);
        chance += ((n - x) / (x + 1.0) / (blocks - 1.0)).ln();
        if chance < NEGLIGIBLE && x > n / blocks {
            break;
        }
    }
    total
}

/// The logarithm of a chance that is too small to matter.
const NEGLIGIBLE: f64 = -42.0;

/// An approximation of [`repaired_in_block`] for many collisions: their number per block follows the Poisson
/// distribution (appendix, equation 27).
pub fn repaired_in_block_poisson(
    collisions: f64,
    blocks: f64,
    adjustable: f64,
    cells: f64,
    functions: f64,
) -> f64 {
    let mean = collisions / blocks;
    let (mut total, mut x, mut chance) = (0.0, 0.0, -mean);
    while x <= mean || chance > NEGLIGIBLE {
        total += chance.exp() * repaired(x, adjustable, cells / blocks, functions);
        x += 1.0;
        chance += (mean / x).ln();
    }
    total
}

/// An upper bound on the rate of c-HABF's first round on known negatives after optimisation (appendix, equation 28).
/// `first_round` is the rate before it.
pub fn optimised_blocked_rate(
    first_round: f64,
    negatives: f64,
    blocks: f64,
    repaired_in_block: f64,
) -> f64 {
    first_round - blocks * repaired_in_block / negatives
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_match_small_cases_by_hand() {
        assert_eq!(both_rounds(0.5, 0.0), 0.5);
        assert_eq!(both_rounds(0.5, 1.0), 0.75);
        assert_eq!(expressor_rate(5.0, 2.0), 1.0);
        assert!((single_owner(1.0, 1.0) - 1.0 / (std::f64::consts::E - 1.0)).abs() < 1e-12);
        // Without watchers an owner is always adjustable. One watcher is harmed in half of all cases.
        assert_eq!(adjustable(0.5, 2.0, &[0]), 1.0);
        assert_eq!(adjustable(0.5, 2.0, &[1]), 0.5);
        assert_eq!(adjustable(0.5, 2.0, &[1, 1]), 0.75);
        assert_eq!(adjustable(0.5, 2.0, &[]), 0.0);
        assert_eq!(storable(0.0, 2.0, 4.0), 0.25);
        assert_eq!(storable(9.0, 2.0, 4.0), 0.0);
        assert_eq!(repaired(10.0, 1.0, 1e9, 3.0).round(), 10.0);
        assert_eq!(repaired(10.0, 1.0, 4.0, 3.0), 0.0);
    }

    #[test]
    fn blocks_follow_the_binomial_and_approach_poisson() {
        // Two collisions and two blocks: the first block has none, one or both with chances of 1/4, 1/2 and 1/4.
        let of = |x| repaired(x, 0.9, 100.0, 3.0);
        let by_hand = 0.5 * of(1.0) + 0.25 * of(2.0);
        let ours = repaired_in_block(2, 2.0, 0.9, 200.0, 3.0);
        assert!((ours / by_hand - 1.0).abs() < 1e-12);
        let binomial = repaired_in_block(50_000, 10_000.0, 0.9, 640_000.0, 4.0);
        let poisson = repaired_in_block_poisson(50_000.0, 10_000.0, 0.9, 640_000.0, 4.0);
        assert!((binomial / poisson - 1.0).abs() < 1e-3);
        // A mean at which the chance of no collision is too small for an `f64`.
        let full = repaired_in_block(800_000, 1000.0, 0.9, 640_000.0, 4.0);
        let poisson_full = repaired_in_block_poisson(800_000.0, 1000.0, 0.9, 640_000.0, 4.0);
        assert!(full > 1.0 && (full / poisson_full - 1.0).abs() < 1e-2);
        assert_eq!(
            repaired_in_block(9, 1.0, 0.9, 640.0, 4.0),
            repaired(9.0, 0.9, 640.0, 4.0)
        );
        // Sharing the cells between blocks repairs more.
        assert!(10_000.0 * poisson < repaired(50_000.0, 0.9, 640_000.0, 4.0));
        let rate = optimised_blocked_rate(0.05, 1e6, 10_000.0, poisson);
        assert!(rate < 0.05 && rate > optimised_rate(0.05, 1e6, 50_000.0));
    }

    #[test]
    fn bound_without_watchers_is_below_the_chance_with_them() {
        // Equation 14 bounds the number of watchers with k = H/2, so that H/2 functions are left to change to.
        for (ones, functions, pool) in [(0.4, 4.0, 8), (0.5, 3.0, 6), (0.3, 5.0, 10)] {
            let (negatives, bits) = (1000.0, 7000.0);
            let each = negatives * functions / bits;
            let watchers = vec![f64::ceil(each) as u32; pool / 2];
            let bound = adjustable_bound(ones, functions, negatives, pool as f64, bits);
            assert!(bound < adjustable(ones, functions, &watchers));
        }
    }
}
