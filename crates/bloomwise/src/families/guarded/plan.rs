//! The plan of a filter: how it spends its words, decided before it is built.
//!
//! # The model
//!
//! With `F` columns of fingerprint, a known negative matches it by chance with probability `2^-F` and becomes a *survivor*. Where
//! `F` is not whole, some keys have one column more than others. The guard is one more column, with an equation for every
//! positive and every survivor; an unseen key that matches the fingerprint passes it with probability one half.
//!
//! The guard is in one of two places:
//!
//! - *woven*: column 0 of the first layer of the fingerprint, where a query reads it together with the other columns. The
//!   layer has fewer rows than the guard has equations. The rest goes to layers of the guard alone. If survivors are many, a
//!   share of all keys, chosen by a byte of their digests, goes there directly (*thinning*).
//! - *apart*: layers of its own, for all positives and survivors. Small filters, and filters with more survivors than positives.
//!
//! # The choice
//!
//! More columns mean fewer survivors and fewer unseen false positives, but each takes a bit per key. If the guard of all
//! survivors fits, the plan uses as many columns as still leave room for it: the filter is *exact*. Otherwise, or
//! if the caller has said how much of the cost falls on unseen keys, the plan has the lowest expected cost
//!
//! ```text
//! cost = mu * (rate on unseen keys) + (1 - mu) * (rate by cost on known negatives)
//! ```
//!
//! where `mu` is that share. The guard then takes the costliest survivors, as many as there is room for; each of the others
//! passes it with probability one half.

use super::layer::Thresholds;
use super::rows::{ChainForecast, MOST_IN_LAST, bumped, last_rows, layer_rows};
use super::shape::{MAX_COLUMNS, Shape};
use crate::filter::bisect::bisect;
use crate::filter::forecast::{DEFAULT_UNSEEN_SHARE, Workload};
use crate::filter::info::Parameter;

/// The failures before the guard may leave out survivors for which the plan has room.
const PATIENCE: u64 = 32;

/// How a filter spends its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// All words of the filter.
    pub words: u64,
    /// The bits for layers of the guard alone.
    pub guard_bits: u64,
    /// The place of the guard; `None` if there is none.
    pub guard: Option<GuardPlace>,
    /// The most survivors that the guard takes; [`u64::MAX`] if it takes all.
    pub max_survivors: u64,
    /// The predicted rate on unseen keys.
    pub unseen: f64,
    /// The predicted rate by cost on known negatives.
    pub known: f64,
    /// The predicted number of wrong known negatives; 0 is a promise.
    pub wrong: u64,
}

/// Where the guard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardPlace {
    /// In the first layer of the fingerprint, except for keys whose thinning byte is below the limit: below the first of these in
    /// narrow blocks, below the second in wide ones.
    Woven { thinned: [u8; 2] },
    /// In layers of its own.
    Apart,
}

impl Plan {
    /// The plan for the attempt after `failures` failures: with more room for the guard, then also with fewer survivors.
    pub fn retried(mut self, failures: u64) -> Self {
        if failures > 0 && self.guard.is_some() {
            let more = 1 + (self.guard_bits * failures).div_ceil(100);
            self.guard_bits = (self.guard_bits + more).min(self.words * 64);
        }
        if failures >= PATIENCE {
            let share = 1.0 - (failures - PATIENCE) as f64 / 8.0;
            self.max_survivors = (self.max_survivors as f64 * share.max(0.0)) as u64;
        }
        self
    }

    /// The mean number of cache lines that a query reads: a window spans two blocks, and its threshold in another line.
    pub fn lines(&self) -> f64 {
        let columns = -self.unseen.log2();
        let window = 1.0 + (16.0 * columns - 8.0).max(0.0) / 64.0;
        let own = f64::from(u8::from(self.guard == Some(GuardPlace::Apart)));
        1.0 + window + 2.0 * own
    }

    /// The parameters that [`crate::info::Info`] and [`crate::Forecast`] list: name and value.
    pub fn parameters(&self) -> Vec<Parameter> {
        let guard = match self.guard {
            None => "none",
            Some(GuardPlace::Woven { .. }) => "woven",
            Some(GuardPlace::Apart) => "apart",
        };
        vec![
            Parameter::total("bits", self.words * 64),
            Parameter::setting("guard", guard),
        ]
    }
}

/// The most survivors per positive of a woven guard.
const MOST_WOVEN: f64 = 1.0;

/// Survivors per positive above which keys are thinned.
const THINNING: f64 = 0.02;

/// A promise needs this many times the bits of the model. Where the bits are just enough, more room for the guard leaves fewer
/// columns and more survivors, so another attempt does not help.
const SLACK: f64 = 1.001;

/// Fewer columns than this are left out.
const SLIVER: f64 = 0.05;

/// The steps of the grid of columns.
const STEPS: u32 = 320;

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requirements<'a> {
    /// The keys, the known negatives and their costs.
    pub workload: &'a Workload,
    /// The share of the cost that falls on unseen keys, if the caller has given it.
    pub unseen_share: Option<f64>,
}

/// The share of keys that match `columns` columns by chance, where some keys have one column more than others.
fn survival(columns: f64) -> f64 {
    let width = columns.floor();
    (-width).exp2() * (1.0 - 0.5 * (columns - width))
}

/// The number of survivors to be prepared for, if each of `negatives` survives with this probability.
fn prepared(negatives: u64, survival: f64) -> f64 {
    let mean = negatives as f64 * survival;
    let deviation = f64::sqrt(mean * (1.0 - survival));
    (mean + 3.0 * deviation).ceil().min(negatives as f64)
}

/// The sizes of exact filters for a workload, by their rates.
#[derive(Debug)]
pub(in crate::families) struct ExactSizes {
    /// The keys and the known negatives.
    workload: Workload,
    /// The number of columns that takes the fewest bits. Fewer are of no use.
    cheapest: f64,
}

impl ExactSizes {
    /// The sizes for a workload.
    pub fn new(workload: Workload) -> Self {
        let cheapest = match workload.negatives {
            0 => 0.0,
            _ => Requirements::of(&workload).cheapest_columns(),
        };
        ExactSizes { workload, cheapest }
    }

    /// The words of a filter that is guaranteed to be right on all known negatives and has about this rate on unseen keys, or a lower one
    /// if that takes no more.
    pub fn words(&self, rate: f64) -> u64 {
        let bits = match self.workload.negatives {
            0 => ChainForecast::new(self.workload.keys).bits(columns_for(rate)),
            // The guard halves the rate.
            _ => {
                let columns = columns_for(2.0 * rate).max(self.cheapest);
                let most = (MAX_COLUMNS - 1) as f64;
                Requirements::of(&self.workload).safe_bits(columns.min(most))
            }
        };
        (bits / 64.0).ceil() as u64
    }
}

/// The number of columns that a share `rate` of unseen keys match by chance; the inverse of [`survival`].
fn columns_for(rate: f64) -> f64 {
    let (mut columns, mut share) = (0.0, 1.0);
    while share / 2.0 >= rate && columns < MAX_COLUMNS as f64 {
        columns += 1.0;
        share /= 2.0;
    }
    (columns + 2.0 * (1.0 - rate / share).max(0.0)).min(MAX_COLUMNS as f64)
}

/// What a filter takes.
struct Needs {
    /// The place of the guard.
    guard: GuardPlace,
    /// The bits of the guard's own layers.
    guard_bits: f64,
    /// All bits.
    bits: f64,
}

impl<'a> Requirements<'a> {
    /// What a filter for this workload is planned for that is exact if possible.
    pub fn of(workload: &'a Workload) -> Self {
        Requirements {
            workload,
            unseen_share: None,
        }
    }

    /// The number of survivors that are expected with `columns` columns.
    fn survivors(&self, columns: f64) -> f64 {
        self.workload.negatives as f64 * survival(columns)
    }

    /// What a filter takes that has `columns` columns of fingerprint and whose guard takes `survivors` survivors.
    fn needs(&self, columns: f64, survivors: f64) -> Needs {
        let keys = self.workload.keys;
        let chain = |keys: f64| ChainForecast::new(keys.ceil() as u64).bits(1.0);
        let equations = keys as f64 + survivors;
        let woven = keys > MOST_IN_LAST && survivors <= MOST_WOVEN * keys as f64 && columns > 0.0;
        if !woven {
            let guard_bits = chain(equations);
            let fingerprint = match columns {
                0.0 => 0.0,
                _ => ChainForecast::new(keys).bits(columns),
            };
            return Needs {
                guard: GuardPlace::Apart,
                guard_bits,
                bits: fingerprint + guard_bits,
            };
        }
        let rows = layer_rows(keys);
        let rest = ChainForecast::new(bumped(keys));
        let left = bumped(keys) as f64 + survivors;
        let guard_bits = chain(left + left.max(0.0).sqrt());
        // Survivors are twice as dense where there is one column less.
        let mean = survivors / keys as f64;
        let narrow = mean / (survival(columns) * columns.floor().exp2());
        let thinned = [narrow, narrow / 2.0].map(|excess| match excess {
            ..THINNING => 0,
            _ => (256.0 * excess / (1.0 + excess)) as u8,
        });
        let codes = (Thresholds::Two.words(rows) * 64) as f64;
        let fingerprint = rows as f64 * (columns + 1.0) + codes + rest.bits(columns);
        Needs {
            guard: GuardPlace::Woven { thinned },
            guard_bits,
            bits: fingerprint + guard_bits,
        }
    }

    /// The bits that a filter needs that is right on all known negatives, with `columns` columns.
    fn exact_bits(&self, columns: f64) -> f64 {
        let survivors = prepared(self.workload.negatives, survival(columns));
        self.needs(columns, survivors).bits.ceil()
    }

    /// The smallest size, in bits, at which a filter with `columns` columns is guaranteed to be right on all known negatives.
    fn safe_bits(&self, columns: f64) -> f64 {
        SLACK * self.exact_bits(columns) + 64.0
    }

    /// The number of columns with which the fewest bits suffice for a promise.
    fn cheapest_columns(&self) -> f64 {
        let candidates = (0..=STEPS).map(grid);
        let cheapest = candidates.min_by(|a, b| self.safe_bits(*a).total_cmp(&self.safe_bits(*b)));
        cheapest.unwrap_or(0.0)
    }

    /// The smallest size, in bits of whole words, at which a filter is guaranteed to be right on all known negatives.
    pub fn promised_bits(&self) -> f64 {
        (self.safe_bits(self.cheapest_columns()) / 64.0).ceil() * 64.0
    }

    /// The bits of a filter with the most columns. It has no use for more.
    pub fn most_bits(&self) -> f64 {
        match self.workload.negatives {
            0 => ChainForecast::new(self.workload.keys).bits(MAX_COLUMNS as f64),
            _ => self.exact_bits((MAX_COLUMNS - 1) as f64),
        }
    }

    /// The plan for a filter of `words` words.
    pub fn plan(&self, words: u64) -> Plan {
        if self.workload.negatives == 0 {
            return self.unguarded(words);
        }
        let exact = self.exact(words);
        match (exact, self.unseen_share) {
            (Some(plan), None) => plan,
            (exact, share) => {
                let share = share.unwrap_or(DEFAULT_UNSEEN_SHARE);
                let cost = |plan: &Plan| share * plan.unseen + (1.0 - share) * plan.known;
                let some = (0..=STEPS).filter_map(|step| self.partly(words, grid(step)));
                let all = some.chain(exact).chain([self.unguarded(words)]);
                let best = all.min_by(|a, b| {
                    let equal = a.unseen.total_cmp(&b.unseen);
                    cost(a).total_cmp(&cost(b)).then(equal)
                });
                best.unwrap_or_else(|| self.unguarded(words))
            }
        }
    }

    /// The plan without a guard.
    fn unguarded(&self, words: u64) -> Plan {
        let rate = self.matching(words * 64);
        Plan {
            words,
            guard_bits: 0,
            guard: None,
            max_survivors: 0,
            unseen: rate,
            known: if self.workload.negatives > 0 {
                rate
            } else {
                0.0
            },
            wrong: (self.workload.negatives as f64 * rate).ceil() as u64,
        }
    }

    /// The share of unseen keys that match a fingerprint of this many bits. The extra column of a layer is in its last blocks,
    /// where fewer windows start.
    fn matching(&self, bits: u64) -> f64 {
        let keys = self.workload.keys;
        if keys <= MOST_IN_LAST {
            let shape = Shape::within(last_rows(keys), bits);
            return shape.map_or(1.0, |shape| shape.rate());
        }
        let columns = ChainForecast::new(keys).columns(bits);
        survival(columns.min(MAX_COLUMNS as f64))
    }

    /// The plan whose guard takes all survivors, with as many columns as possible.
    fn exact(&self, words: u64) -> Option<Plan> {
        let fits = |columns: f64| self.exact_bits(columns) <= (words * 64) as f64;
        let least = self.cheapest_columns();
        if self.promised_bits() > (words * 64) as f64 {
            return None;
        }
        let most = MAX_COLUMNS as f64 - 1.0;
        let (columns, _) = if fits(most) {
            (most, most)
        } else {
            bisect((least, most), 60, f64::midpoint, fits)
        };
        // A guard of a fraction of a column is not worth a second chain.
        let columns = if columns < SLIVER && fits(0.0) {
            0.0
        } else {
            columns
        };
        let survivors = prepared(self.workload.negatives, survival(columns));
        let needs = self.needs(columns, survivors);
        let guard_bits = match columns {
            0.0 => words * 64,
            _ => needs.guard_bits.ceil() as u64,
        };
        let rate = match needs.guard {
            GuardPlace::Apart => self.matching(words * 64 - guard_bits),
            GuardPlace::Woven { .. } => survival(columns),
        };
        Some(Plan {
            words,
            guard_bits,
            guard: Some(needs.guard),
            max_survivors: u64::MAX,
            unseen: 0.5 * rate,
            known: 0.0,
            wrong: 0,
        })
    }

    /// The plan with `columns` columns whose guard takes as many survivors as there is room for.
    fn partly(&self, words: u64, columns: f64) -> Option<Plan> {
        let fits = |survivors: f64| self.needs(columns, survivors).bits <= (words * 64) as f64;
        let all = self.survivors(columns);
        if !fits(0.0) {
            return None;
        }
        let (taken, _) = if fits(all) {
            (all, all)
        } else {
            bisect((0.0, all), 50, f64::midpoint, fits)
        };
        let needs = self.needs(columns, taken);
        let left = self.workload.costs.of_cheapest(1.0 - taken / all.max(1.0));
        Some(Plan {
            words,
            guard_bits: needs.guard_bits.ceil() as u64,
            guard: Some(needs.guard),
            max_survivors: taken as u64,
            unseen: 0.5 * survival(columns),
            known: 0.5 * survival(columns) * left,
            wrong: (0.5 * (all - taken)).ceil().max(1.0) as u64,
        })
    }
}

/// The numbers of columns that are tried.
fn grid(step: u32) -> f64 {
    f64::from(step) * (MAX_COLUMNS - 1) as f64 / f64::from(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sizes_have_the_rate_and_no_word_too_many() {
        for (keys, negatives) in [
            (200_000, 100_000),
            (5000, 90_000),
            (400, 9000),
            (50_000, 0),
            (900, 1),
        ] {
            let sizes = ExactSizes::new(Workload::new(keys, negatives));
            for rate in [0.3, 0.05, 0.001, 1e-6] {
                let plan = |words| Requirements::of(&sizes.workload).plan(words);
                let words = sizes.words(rate);
                let (enough, less) = (plan(words), plan(words - words / 25));
                assert_eq!(enough.wrong, 0, "{keys} {negatives} {rate}");
                let high = enough.unseen / rate;
                assert!(high < 1.03, "{keys} {negatives} {rate}: {high}");
                // Where the negatives need more bits, the rate is lower.
                let fewer = less.wrong > 0 || less.unseen > rate;
                assert!(fewer, "{keys} {negatives} {rate}: {}", less.unseen);
            }
        }
    }

    #[test]
    fn columns_are_the_inverse_of_survival() {
        for step in 0..=MAX_COLUMNS * 10 {
            let columns = step as f64 / 10.0;
            assert!((columns_for(survival(columns)) - columns).abs() < 1e-9);
        }
        assert_eq!(columns_for(1.5), 0.0);
        assert_eq!(columns_for(0.0), MAX_COLUMNS as f64);
    }
}
