//! Section IV of the paper, lemma by lemma.
//!
//! Three places are mended. The load of the modulator, Lemma IV.3, has an exponent in its statement that its proof does
//! not have. Lemmas IV.5 and IV.6 replace `1 - (1 - mu)^k` by `k mu` on the way to their closed forms, which is too much
//! from some 10 % of marks on; here it stays as it is. And the constant tau of Lemma IV.5, which stands for a modulator that
//! is emptier while keys come than at the end, is the mean of the load over that time ([`mean_load`]), which has a closed
//! form.

/// Lemma IV.1: the share of counters that are marked.
///
/// ```
/// use bloomwise::seesaw::theory::paper::marked;
///
/// // Five functions, seven counters for a key, one guarded key for twenty.
/// assert!((marked(5, 7.0, 0.05) - 0.0351).abs() < 1e-4);
/// ```
pub fn marked(functions: u32, counters: f64, guarded: f64) -> f64 {
    -(-f64::from(functions) * guarded / counters).exp_m1()
}

/// Lemma IV.2: the share of keys that meet a mark.
pub fn modulations(functions: u32, marked: f64) -> f64 {
    1.0 - (1.0 - marked).powi(functions as i32)
}

/// Lemma IV.3: the share of modulator cells in use, with `scale` cells for each key that meets a mark.
pub fn load(scale: f64) -> f64 {
    -(-1.0 / scale).exp_m1()
}

/// The mean of [`load`] over the time in which the keys come.
pub fn mean_load(scale: f64) -> f64 {
    // From 0 to 1, the integral of 1 - e^(-t/s) dt.
    match scale * load(scale) {
        used if used.is_finite() => (1.0 - used).max(0.0),
        _ => 0.0,
    }
}

/// The chance that all functions in reserve lead to marked counters.
pub fn all_marked(marked: f64, index_bits: u32) -> f64 {
    // More than 2^30 functions are as good as so many.
    marked.powi(1 << index_bits.min(30))
}

/// Lemma IV.4: how often a key that meets a mark gets around it.
pub fn success(load: f64, marked: f64, index_bits: u32) -> f64 {
    load * (1.0 - marked) + (1.0 - load) * (1.0 - all_marked(marked, index_bits))
}

/// Equation 1, in the proof of Lemma IV.5: how many marked counters a key counts in.
pub fn in_marked(functions: u32, marked: f64, success: f64) -> f64 {
    let met = f64::from(functions) * marked;
    (met - success * modulations(functions, marked)).max(0.0)
}

/// Lemma IV.5: the share of marked counters that are in use.
pub fn marked_fill(functions: u32, counters: f64, marked: f64, success: f64) -> f64 {
    if marked <= 0.0 {
        return 0.0;
    }
    -(-in_marked(functions, marked, success) / (counters * marked)).exp_m1()
}

/// Lemma IV.6: the share of unmarked counters that are in use.
pub fn plain_fill(functions: u32, counters: f64, marked: f64, success: f64) -> f64 {
    let unmarked = 1.0 - marked;
    let at_home = f64::from(functions) * unmarked;
    let moved = success * modulations(functions, marked);
    -(-(at_home + moved) / (counters * unmarked)).exp_m1()
}

/// Theorem IV.1: the rate on guarded keys, by the paper's query.
pub fn guarded_rate(functions: u32, marked: f64, fills: (f64, f64), load: f64) -> f64 {
    let (marked_fill, plain_fill) = fills;
    let k = f64::from(functions);
    let second = (1.0 - marked_fill) * (1.0 - marked) * k * plain_fill * load;
    marked_fill.powi(functions as i32 - 1) * (marked_fill + second)
}

/// Theorem IV.2: the rate on other keys, by the paper's query.
pub fn other_rate(functions: u32, marked: f64, fills: (f64, f64), load: f64) -> f64 {
    let (marked_fill, plain_fill) = fills;
    let k = f64::from(functions);
    let fill = marked * marked_fill + (1.0 - marked) * plain_fill;
    let second = (1.0 - fill) * k * (1.0 - marked) * plain_fill * load;
    fill.powi(functions as i32 - 1) * (fill + second)
}

/// Theorem IV.3: the rate by cost, if the guarded keys have the share `covered` of the cost.
pub fn rate_by_cost(covered: f64, guarded_rate: f64, other_rate: f64) -> f64 {
    covered * guarded_rate + (1.0 - covered) * other_rate
}

/// Equation 4: the share of the space that the modulator has if there are so many counters for a key.
pub fn modulator_share(bits_per_key: f64, counters: f64, counter_bits: f64) -> f64 {
    1.0 - counters * counter_bits / bits_per_key
}

/// Equation 5, before its last step: modulator cells for each key that meets a mark, if there are so many for a key.
pub fn scale(cells: f64, functions: u32, marked: f64) -> f64 {
    cells / modulations(functions, marked)
}

/// How many modulator cells stick: those to which as many keys come as they can count, at `scale` cells for a key that meets a
/// mark. Not in the paper, which lets them overflow.
pub fn stuck(scale: f64, count_bits: u32) -> f64 {
    let mean = 1.0 / scale;
    let most = (1u64 << count_bits.min(32)) - 1;
    let mut term = (-mean).exp();
    let mut below = 0.0;
    for count in 1..=most {
        // Terms fall in the end, and the rest adds nothing.
        if term == 0.0 {
            break;
        }
        below += term;
        term *= mean / count as f64;
    }
    (1.0 - below).max(0.0)
}
