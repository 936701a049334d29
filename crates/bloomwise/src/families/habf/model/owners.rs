//! The paper's formula that the choice of parameters uses. The lab has the paper's bounds.

/// A lower bound on the chance that a set bit has a single owner (equation 3, theorem 4.1), with
/// `functions` functions and `bits_per_key` bits per key.
///
/// ```
/// use bloomwise::habf::theory::single_owner;
///
/// // With 10 bits per key and 4 functions, more than four in five set bits have a single owner.
/// assert!(single_owner(4.0, 10.0) > 0.81);
/// ```
pub fn single_owner(functions: f64, bits_per_key: f64) -> f64 {
    let load = functions / bits_per_key;
    if load > 0.0 {
        load / load.exp_m1()
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_and_one_function_per_key_match_the_formula_by_hand() {
        assert!((single_owner(1.0, 1.0) - 1.0 / (std::f64::consts::E - 1.0)).abs() < 1e-12);
    }
}
