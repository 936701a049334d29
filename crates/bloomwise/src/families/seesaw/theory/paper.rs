//! Section IV of the paper, lemma by lemma. The lab has Theorems IV.1 and IV.2, the rates of the paper's query.
//!
//! This module corrects three places:
//!
//! - Lemma IV.3, the load of the modulator, has an exponent in its statement that its proof does not have.
//! - Lemmas IV.5 and IV.6 replace `1 - (1 - mu)^k` by `k mu` to get their closed forms. This is too large if more than about 10 % of
//!   the counters are marked. The functions here keep `1 - (1 - mu)^k`.
//! - The constant tau of Lemma IV.5 stands for the fact that the modulator is emptier during insertions than at the end. The functions
//!   here use the mean load over that time instead ([`mean_load`]), which has a closed form.

/// Lemma IV.1: the share of counters that are marked, with `counters` counters and `guarded` guarded keys per key.
///
/// ```
/// use bloomwise::seesaw::theory::paper::marked;
///
/// // Five functions, seven counters per key, one guarded key per twenty keys.
/// assert!((marked(5, 7.0, 0.05) - 0.0351).abs() < 1e-4);
/// ```
pub fn marked(functions: u32, counters: f64, guarded: f64) -> f64 {
    -(-f64::from(functions) * guarded / counters).exp_m1()
}

/// Lemma IV.2: the share of keys with a marked counter, if a share `marked` of the counters is marked.
///
/// ```
/// use bloomwise::seesaw::theory::paper::modulations;
///
/// assert_eq!(modulations(2, 0.5), 0.75);
/// ```
pub fn modulations(functions: u32, marked: f64) -> f64 {
    1.0 - (1.0 - marked).powi(functions as i32)
}

/// Lemma IV.3: the share of modulator cells in use, with `scale` cells per key with a marked counter.
///
/// ```
/// use bloomwise::seesaw::theory::paper::load;
///
/// assert!((load(1.0) - 0.632).abs() < 1e-3);
/// ```
pub fn load(scale: f64) -> f64 {
    -(-1.0 / scale).exp_m1()
}

/// The mean of [`load`] over the insertion of all keys, with `scale` cells per key with a marked counter at the end.
///
/// ```
/// use bloomwise::seesaw::theory::paper::{load, mean_load};
///
/// assert!(mean_load(1.0) > load(1.0) / 2.0 && mean_load(1.0) < load(1.0));
/// ```
pub fn mean_load(scale: f64) -> f64 {
    // The integral of 1 - e^(-t/s) dt from 0 to 1.
    match scale * load(scale) {
        used if used.is_finite() => (1.0 - used).max(0.0),
        _ => 0.0,
    }
}

/// The chance that all `2^index_bits` backup functions lead to marked counters.
///
/// ```
/// use bloomwise::seesaw::theory::paper::all_marked;
///
/// assert_eq!(all_marked(0.5, 2), 0.0625);
/// ```
pub fn all_marked(marked: f64, index_bits: u32) -> f64 {
    // The limit keeps the shift valid. No filter has more than 2^30 functions.
    marked.powi(1 << index_bits.min(30))
}

/// Lemma IV.4: the chance that a key with a marked counter has a stand-in, if a share `load` of the modulator cells is in use.
///
/// ```
/// use bloomwise::seesaw::theory::paper::success;
///
/// // The cell is free: any of two backup functions may lead to an unmarked counter.
/// assert_eq!(success(0.0, 0.5, 1), 0.75);
/// ```
pub fn success(load: f64, marked: f64, index_bits: u32) -> f64 {
    load * (1.0 - marked) + (1.0 - load) * (1.0 - all_marked(marked, index_bits))
}

/// Equation 1, in the proof of Lemma IV.5: the mean number of marked counters in which a key counts. `success` is the chance that a
/// key with a marked counter has a stand-in.
///
/// ```
/// use bloomwise::seesaw::theory::paper::in_marked;
///
/// assert_eq!(in_marked(2, 0.5, 0.0), 1.0);
/// assert_eq!(in_marked(2, 0.5, 1.0), 0.25);
/// ```
pub fn in_marked(functions: u32, marked: f64, success: f64) -> f64 {
    let marked_of_key = f64::from(functions) * marked;
    (marked_of_key - success * modulations(functions, marked)).max(0.0)
}

/// Lemma IV.5: the share of marked counters that are in use, with `counters` counters per key. `success` is the chance that a key
/// with a marked counter has a stand-in.
///
/// ```
/// use bloomwise::seesaw::theory::paper::marked_fill;
///
/// // Stand-ins keep marked counters empty.
/// assert!(marked_fill(5, 7.0, 0.03, 0.9) < marked_fill(5, 7.0, 0.03, 0.1));
/// ```
pub fn marked_fill(functions: u32, counters: f64, marked: f64, success: f64) -> f64 {
    if marked <= 0.0 {
        return 0.0;
    }
    -(-in_marked(functions, marked, success) / (counters * marked)).exp_m1()
}

/// Lemma IV.6: the share of unmarked counters that are in use, with `counters` counters per key. `success` is the chance that a key
/// with a marked counter has a stand-in.
///
/// ```
/// use bloomwise::seesaw::theory::paper::plain_fill;
///
/// // Without marks, this is the fill of a counting filter.
/// assert!((plain_fill(5, 7.0, 0.0, 0.0) - (1.0 - f64::exp(-5.0 / 7.0))).abs() < 1e-12);
/// ```
pub fn plain_fill(functions: u32, counters: f64, marked: f64, success: f64) -> f64 {
    let unmarked = 1.0 - marked;
    let at_home = f64::from(functions) * unmarked;
    let moved = success * modulations(functions, marked);
    -(-(at_home + moved) / (counters * unmarked)).exp_m1()
}

/// Theorem IV.3: the cost-weighted rate, if the guarded keys have the share `covered` of the cost.
///
/// ```
/// use bloomwise::seesaw::theory::paper::weighted_rate;
///
/// assert!((weighted_rate(0.75, 0.0, 0.04) - 0.01).abs() < 1e-15);
/// ```
pub fn weighted_rate(covered: f64, guarded_rate: f64, other_rate: f64) -> f64 {
    covered * guarded_rate + (1.0 - covered) * other_rate
}

/// Equation 5, before its last step: the number of modulator cells per key with a marked counter, with `cells` cells per key.
///
/// ```
/// use bloomwise::seesaw::theory::paper::scale;
///
/// assert_eq!(scale(1.5, 2, 0.5), 2.0);
/// ```
pub fn scale(cells: f64, functions: u32, marked: f64) -> f64 {
    cells / modulations(functions, marked)
}

/// The share of modulator cells that stick, with `scale` cells per key with a marked counter. A cell sticks if at least as many keys
/// use it as its `count_bits` bits can count. This is not in the paper, which lets counts overflow.
///
/// ```
/// use bloomwise::seesaw::theory::paper::stuck;
///
/// // A count of one bit sticks at the first key.
/// assert!((stuck(1.0, 1) - (1.0 - f64::exp(-1.0))).abs() < 1e-12);
/// ```
pub fn stuck(scale: f64, count_bits: u32) -> f64 {
    let mean = 1.0 / scale;
    let most = (1u64 << count_bits.min(32)) - 1;
    let mut term = (-mean).exp();
    let mut below = 0.0;
    for count in 1..=most {
        // Once a term underflows to 0, all later ones are 0.
        if term == 0.0 {
            break;
        }
        below += term;
        term *= mean / count as f64;
    }
    (1.0 - below).max(0.0)
}
