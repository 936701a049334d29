//! The model: logistic regression over the character n-grams of a key.
//!
//! A key is read as text between two end marks. Each run of 2, 3 and 4 bytes picks one of `2^b` weights by its hash; the score
//! is their sum. Weights are fitted by L-BFGS (crate `argmin`) on the logistic loss of all known keys, then rounded to
//! 8 bits, so the model has as many bytes as weights.
//!
//! Why not something else: the HABF paper uses recurrent networks, and measures their queries at more than 500 times its own.
//! Logistic regression costs one addition per n-gram. Crates with ready-made classifiers (`linfa`, `smartcore`) take a
//! dense matrix of features; with 65,536 columns and a million rows that is hundreds of gigabytes. So the loss is
//! written here, and the solver is the one that `linfa` uses.

use crate::prelude::*;
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;

/// The weight of the squared weights in the loss.
const REGULARISATION: f64 = 1e-6;

/// Iterations of the solver.
const ITERATIONS: u64 = 40;

/// How many former steps the solver remembers.
const MEMORY: usize = 7;

/// Keys per partial sum of the loss.
const CHUNK: usize = 8192;

/// Parts that the gradient is summed in.
const PARTS: usize = 16;

/// A model of keys.
pub struct Model {
    weights: Vec<i8>,
}

/// Calls `take` with the number of the weight of each n-gram.
fn each_gram(key: &[u8], table_bits: u32, mut take: impl FnMut(usize)) {
    let mut last: u64 = b'^'.into();
    for (before, &byte) in (1..).zip(key.iter().chain(b"$")) {
        last = last << 8 & 0xFFFF_FFFF | u64::from(byte);
        for length in 2..=4 {
            if before + 1 >= length {
                let gram = last & ((1 << (8 * length)) - 1) | (length as u64) << 32;
                take((gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - table_bits)) as usize);
            }
        }
    }
}

/// The logistic loss of labelled keys. The last parameter is the bias.
struct Loss<'a> {
    keys: &'a [(&'a [u8], bool)],
    table_bits: u32,
}

impl Loss<'_> {
    fn score(&self, weights: &[f64], key: &[u8]) -> f64 {
        let mut score = weights[1 << self.table_bits];
        each_gram(key, self.table_bits, |gram| score += weights[gram]);
        score
    }

    fn penalty(weights: &[f64]) -> f64 {
        REGULARISATION / 2.0 * weights.iter().map(|weight| weight * weight).sum::<f64>()
    }
}

impl CostFunction for Loss<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let loss = |&(key, inside): &(&[u8], bool)| {
            let score = self.score(weights, key);
            let margin = if inside { -score } else { score };
            // ln(1 + e^margin) without overflow.
            margin.max(0.0) + (-margin.abs()).exp().ln_1p()
        };
        let sums = self.keys.par_chunks(CHUNK);
        let sums: Vec<f64> = sums.map(|keys| keys.iter().map(loss).sum()).collect();
        Ok(sums.iter().sum::<f64>() / self.keys.len() as f64 + Self::penalty(weights))
    }
}

impl Gradient for Loss<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let share = 1.0 / self.keys.len() as f64;
        let part = |keys: &[(&[u8], bool)]| {
            let mut sum = vec![0.0; weights.len()];
            for &(key, inside) in keys {
                let chance = 1.0 / (1.0 + (-self.score(weights, key)).exp());
                let error = share * (chance - f64::from(u8::from(inside)));
                each_gram(key, self.table_bits, |gram| sum[gram] += error);
                sum[1 << self.table_bits] += error;
            }
            sum
        };
        // A fixed number of parts, summed in order, so that the weights do not depend on the number of threads.
        let keys = self.keys.len().div_ceil(PARTS);
        let parts: Vec<Vec<f64>> = self.keys.par_chunks(keys).map(part).collect();
        let penalty = weights.iter().map(|weight| REGULARISATION * weight);
        let mut gradient: Vec<f64> = penalty.collect();
        for part in parts {
            let sums = gradient.iter_mut().zip(part);
            sums.for_each(|(all, one)| *all += one);
        }
        Ok(gradient)
    }
}

impl Model {
    /// Fits `2^table_bits` weights to keys inside and outside the set.
    pub fn train(inside: &[&[u8]], outside: &[&[u8]], table_bits: u32) -> Result<Self> {
        ensure!(
            (4..=24).contains(&table_bits),
            "a table of 2^{table_bits} weights; use 2^4 to 2^24"
        );
        ensure!(
            !inside.is_empty() && !outside.is_empty(),
            "a model needs keys of both sides"
        );
        let keys = inside.iter().map(|&key| (key, true));
        let keys: Vec<(&[u8], bool)> = keys
            .chain(outside.iter().map(|&key| (key, false)))
            .collect();
        let loss = Loss {
            keys: &keys,
            table_bits,
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        let start = vec![0.0; (1 << table_bits) + 1];
        let solved = Executor::new(loss, solver)
            .configure(|state| state.param(start).max_iters(ITERATIONS))
            .run()?;
        let weights = solved.state().get_best_param();
        let weights = weights.context("the solver found no weights")?;
        let largest = weights[..1 << table_bits]
            .iter()
            .fold(f64::MIN_POSITIVE, |most, w| most.max(w.abs()));
        let rounded = weights[..1 << table_bits]
            .iter()
            .map(|weight| (weight / largest * 127.0).round() as i8);
        Ok(Model {
            weights: rounded.collect(),
        })
    }

    /// The score of a key.
    pub fn score(&self, key: &[u8]) -> i32 {
        let table_bits = self.weights.len().ilog2();
        let mut score = 0;
        each_gram(key, table_bits, |gram| {
            score += i32::from(self.weights[gram]);
        });
        score
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        self.weights.len() as u64
    }
}
