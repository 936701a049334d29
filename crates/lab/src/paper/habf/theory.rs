//! The bounds of HABF's paper, as functions of numbers.
//!
//! | paper | here |
//! |---|---|
//! | `k`, `m` | `functions`, `bits` |
//! | `O` | negatives |
//! | `H`, `omega` | `pool` (the number of functions to choose from), `cells` of the expressor |
//! | `F_bf`, `F*_bf` | rate of the first round before and after optimisation |
//! | `P_c'`, `P_s` | the chances that an owner can be adjusted at all, and that the change can be stored |
//! | `T`, `t` | `collisions`, repaired collisions |
//!
//! Equation 3 is [`bloomwise::habf::theory::single_owner`]: the library uses it to choose parameters.
//!
//! The paper has two errata. In the appendix `p0` must be the share of bits that are *one* for the proofs to hold.
//! Equations 5 and 8 have the wrong sign in an exponent; bound 3, which follows from them, is right.

/// A lower bound on the chance that an owner can take a function without harming a negative (appendix, equation 15). `ones`
/// is the share of set bits, `pool` the number of functions to choose from.
pub fn adjustable_bound(ones: f64, functions: f64, negatives: f64, pool: f64, bits: f64) -> f64 {
    let watchers = negatives * pool * pool / (4.0 * bits);
    (1.0 - ones.powf(functions - 1.0)).powf(watchers)
}

/// A lower bound on the chance that an adjustment can be stored after `stored` others (equation 11).
#[cfg(test)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::info::Value;
    use bloomwise::unstable::Lookup;
    use bloomwise::{AnyFilter, Family, Filter, KeySets, Size, Spec};

    /// The chance that an owner can take a function without harming a negative (appendix, equation 9). `watchers` has one
    /// entry for each function that the owner could take: the number of negatives that map to its bit. `ones` is the share
    /// of set bits.
    fn adjustable(ones: f64, functions: f64, watchers: &[u32]) -> f64 {
        let unharmed = 1.0 - ones.powf(functions - 1.0);
        let all_harm = watchers
            .iter()
            .map(|&count| 1.0 - unharmed.powi(count as i32));
        1.0 - all_harm.product::<f64>()
    }

    #[test]
    fn formulas_match_small_cases_by_hand() {
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

    /// Sets of `positives` positives and `negatives` negatives of equal cost.
    fn equal_sets(positives: u32, negatives: u32) -> KeySets {
        let outside = 1_000_000_000..1_000_000_000 + negatives;
        let sets = KeySets::new(0..positives, outside.map(|key| (key, 1.0)));
        sets.expect("sound costs")
    }

    /// The number of false positives among the known negatives.
    fn known_false_positives(filter: &AnyFilter, sets: &KeySets) -> u64 {
        let negatives = sets.negatives().iter();
        negatives.filter(|n| filter.query(n.digest)).count() as u64
    }

    #[test]
    fn rates_stay_below_the_paper_bound_over_figure_8() {
        let sets = equal_sets(100_000, 100_000);
        let by_functions = (2..=10u32).map(|k| (10.0, k, 5u32));
        let by_bits = (4..=13).map(|bits| (f64::from(bits), 4, 4));
        for (bits_per_key, k, cell_bits) in by_functions.chain(by_bits) {
            let spec = Spec::new(Family::Habf).size(Size::BitsPerKey(bits_per_key));
            let settings: [(&str, Value); 3] = [
                ("k", u64::from(k).into()),
                ("cell-bits", u64::from(cell_bits).into()),
                ("ratio", 0.2.into()),
            ];
            let set =
                |spec: Spec, (name, value): (&str, Value)| spec.set(name, value).expect("sound");
            let spec = settings.into_iter().fold(spec, set);
            let before = spec.clone().set("passes", 0).expect("sound");
            let before = before.build(&sets).expect("sound");
            let filter = spec.build(&sets).expect("sound");
            let info = filter.info();
            let whole = |name| {
                let found = info.parameter(name).and_then(Value::as_u64);
                found.expect("a whole number") as f64
            };
            let (negatives, collisions) = (1e5, known_false_positives(&before, &sets) as f64);
            let (functions, pool) = (f64::from(k), f64::from((1 << (cell_bits - 1)) - 1));
            let adjustable = adjustable_bound(
                before.info().fill,
                functions,
                negatives,
                pool,
                whole("bits"),
            );
            let repaired = repaired(collisions, adjustable, whole("cells"), functions);
            let bound = optimised_rate(collisions / negatives, negatives, repaired);
            let real = known_false_positives(&filter, &sets) as f64 / negatives;
            assert!(
                real < bound,
                "k = {k}, {bits_per_key} bits per key: {real} is above the bound, {bound}"
            );
        }
    }
}
