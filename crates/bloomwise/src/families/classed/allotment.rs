//! How the words of a filter are divided among its classes.
//!
//! # The problem
//!
//! Class `c` has `n` keys and `m` known negatives, and a share `q` of the cost of false positives on unseen keys falls on it. If it has the rate `e` on
//! unseen keys and no false positive on known negatives, it takes `n log2(1/e) + m log2(1/(1-e))` bits ([`crate::guarded::theory`]). Which rates have
//! the lowest cost, the sum of all `q e`, if all classes together may take a given number of bits?
//!
//! # The solution
//!
//! The bits are a convex function of the rates. So at the optimum, one more bit lowers the cost by the same amount `l` (up to a constant) in every class:
//!
//! ```text
//! q = l (n / e - m / (1 - e))        or        q e^2 - (q + l (n + m)) e + l n = 0
//! ```
//!
//! The smaller root of the quadratic equation is the rate. A larger `l` means higher rates and fewer bits, and bisection finds the smallest one that the
//! size allows. Without negatives the rates are in proportion to `n / q`. A class on which no cost falls gets the rate that takes the fewest
//! bits, `n / (n + m)`.
//!
//! No class gets a rate above the *cap*. Shares are estimates, and queries may come from elsewhere.
//!
//! # Forms of a class
//!
//! Up to a rate of one half, a class is a guarded filter of its keys. Above, a guarded filter of its known *negatives* is smaller: it
//! is exact on the keys of the class, and the class accepts whatever that filter denies. A class without keys takes no bits and denies everything.
//!
//! Everything is computed by additions, multiplications, divisions and square roots, which give the same bits on every machine.

use crate::families::guarded::ExactSizes;
use crate::filter::bisect::bisect;
use crate::filter::forecast::Workload;
use crate::keys::sets::KeySets;

/// The range of multipliers, for shares whose sum is 1.
const MULTIPLIERS: (f64, f64) = (1e-40, 1e10);

/// The steps of the bisection.
const STEPS: u32 = 200;

/// The form of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It denies all keys.
    Denies,
    /// It accepts all keys.
    Accepts,
    /// A guarded filter of its keys.
    Keys,
    /// A guarded filter of its known negatives, whose answers are inverted.
    Negatives,
}

/// What a class gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allotment {
    /// Its form.
    pub form: Form,
    /// Its words.
    pub words: u64,
}

/// What is known about a class before it is built.
#[derive(Debug)]
pub(super) struct Demand {
    /// The number of its keys.
    keys: u64,
    /// The number of its known negatives.
    negatives: u64,
    /// The share of the cost of false positives on unseen keys that falls on the class.
    share: f64,
    /// The sizes of a filter of its keys.
    plain: ExactSizes,
    /// The sizes of a filter of its known negatives.
    inverted: ExactSizes,
}

impl Demand {
    /// The demand of a class with these keys, on which this share of the cost falls.
    pub fn new(sets: &KeySets, share: f64) -> Self {
        let workload = Workload::of(sets);
        let (keys, negatives) = (workload.keys, workload.negatives);
        Demand {
            keys,
            negatives,
            share,
            plain: ExactSizes::new(workload),
            inverted: ExactSizes::new(Workload::new(negatives, keys)),
        }
    }

    /// The best rate for a multiplier, at most `cap`.
    fn rate(&self, multiplier: f64, cap: f64) -> f64 {
        let (keys, negatives) = (self.keys as f64, self.negatives as f64);
        let sum = self.share + multiplier * (keys + negatives);
        let product = 4.0 * self.share * multiplier * keys;
        // The usual formula would subtract two numbers that are nearly equal.
        let root = 2.0 * multiplier * keys / (sum + (sum * sum - product).max(0.0).sqrt());
        root.min(cap)
    }

    /// What the class gets to have this rate.
    fn at(&self, rate: f64) -> Allotment {
        let allotment = |form, words| Allotment { form, words };
        if self.keys == 0 {
            return allotment(Form::Denies, 0);
        }
        if self.negatives == 0 && rate >= 1.0 {
            return allotment(Form::Accepts, 0);
        }
        let plain = allotment(Form::Keys, self.plain.words(rate));
        if rate <= 0.5 || self.negatives == 0 {
            return plain;
        }
        let inverted = self.inverted.words(1.0 - rate);
        match inverted < plain.words {
            true => allotment(Form::Negatives, inverted),
            false => plain,
        }
    }
}

/// What the classes get for a multiplier.
fn all_at(classes: &[Demand], multiplier: f64, cap: f64) -> impl Iterator<Item = Allotment> {
    let classes = classes.iter();
    classes.map(move |class| class.at(class.rate(multiplier, cap)))
}

/// The fewest words with which [`allot`] succeeds.
pub(super) fn least_words(classes: &[Demand], cap: f64) -> u64 {
    let all = all_at(classes, MULTIPLIERS.1, cap);
    all.map(|class| class.words).sum()
}

/// What each class gets of `words` words; `None` if they are not enough to be right on all known negatives with rates of at most `cap`.
pub(super) fn allot(classes: &[Demand], cap: f64, words: u64) -> Option<Vec<Allotment>> {
    let taken = |multiplier: f64| -> u64 {
        let all = all_at(classes, multiplier, cap);
        all.map(|class| class.words).sum()
    };
    let exceeds = |multiplier: f64| taken(multiplier) > words;
    let (low, high) = MULTIPLIERS;
    if exceeds(high) {
        return None;
    }
    let multiplier = match exceeds(low) {
        true => bisect((low, high), STEPS, |low, high| (low * high).sqrt(), exceeds).1,
        false => low,
    };
    let mut allotted: Vec<Allotment> = all_at(classes, multiplier, cap).collect();
    // A few words are left, because classes take whole words.
    let rest = words - taken(multiplier);
    let cost = |class: usize| classes[class].share * classes[class].rate(multiplier, cap);
    let of_keys = (0..classes.len()).filter(|&class| allotted[class].form == Form::Keys);
    if let Some(costliest) = of_keys.max_by(|&a, &b| cost(a).total_cmp(&cost(b))) {
        allotted[costliest].words += rest;
    }
    Some(allotted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class with these numbers of keys and negatives, and this share.
    fn demand((keys, negatives, share): (u64, u64, f64)) -> Demand {
        let key = |n: u64| n + (keys << 40);
        let positives = (0..keys).map(key);
        let sets = KeySets::new(positives, (keys..keys + negatives).map(|n| (key(n), 1.0)));
        Demand::new(&sets.expect("sound costs"), share)
    }

    /// The bits of a class by theory.
    fn bits(class: &Demand, rate: f64) -> f64 {
        let negatives = match class.negatives {
            0 => 0.0,
            negatives => negatives as f64 * -(1.0 - rate).log2(),
        };
        class.keys as f64 * -rate.log2() + negatives
    }

    /// The lowest cost of two classes within a number of bits, by trying rates.
    fn brute(classes: &[Demand; 2], cap: f64, budget: f64) -> f64 {
        let rates = || (0..600).map(|step| cap * 0.98f64.powi(step));
        let [one, other] = classes;
        let costs = rates().filter_map(|rate| {
            let left = budget - bits(one, rate);
            // Fewer bits mean a higher rate, up to the rate that needs the fewest.
            let most = other.keys as f64 / (other.keys + other.negatives) as f64;
            let fitting = rates().rfind(|&e| e <= most && bits(other, e) <= left);
            Some(one.share * rate + other.share * fitting?)
        });
        costs.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn rates_are_the_best_that_brute_force_finds() {
        for (one, other) in [
            ((1000, 1000, 0.9), (1000, 1000, 0.1)),
            ((1000, 0, 0.5), (200, 3000, 0.5)),
            ((3000, 100, 0.01), (500, 4000, 0.99)),
        ] {
            let classes = [demand(one), demand(other)];
            let keys = (classes[0].keys + classes[1].keys) as f64;
            for (bits_per_key, cap) in [(4.0, 1.0), (6.0, 0.1), (9.0, 0.02), (12.0, 0.003)] {
                let budget = bits_per_key * keys;
                let total = |multiplier: f64| -> f64 {
                    let rates = classes.iter().map(|class| class.rate(multiplier, cap));
                    classes
                        .iter()
                        .zip(rates)
                        .map(|(class, rate)| bits(class, rate))
                        .sum()
                };
                let middle = |low: f64, high: f64| (low * high).sqrt();
                let (_, best) = bisect(MULTIPLIERS, STEPS, middle, |l| total(l) > budget);
                if total(best) > budget {
                    continue;
                }
                let ours: f64 = classes
                    .iter()
                    .map(|class| class.share * class.rate(best, cap))
                    .sum();
                let brute = brute(&classes, cap, budget);
                assert!(ours < brute * 1.0001, "{one:?} {other:?}: {ours} {brute}");
                // The steps of brute force are 2 %.
                assert!(ours > brute * 0.95, "{one:?} {other:?}: {ours} {brute}");
            }
        }
    }

    #[test]
    fn all_words_are_given_to_classes() {
        let classes = [
            (1000, 1000, 0.7),
            (5000, 300, 0.1),
            (0, 500, 0.2),
            (40, 9000, 0.0),
        ];
        let classes = classes.map(demand);
        let least = least_words(&classes, 1.0);
        assert_eq!(allot(&classes, 1.0, least - 1), None);
        for words in [least, least + 10, 2 * least, 10 * least] {
            let allotted = allot(&classes, 1.0, words).expect("enough words");
            assert_eq!(allotted.iter().map(|class| class.words).sum::<u64>(), words);
            assert_eq!(allotted[2].form, Form::Denies);
        }
        assert!(least_words(&classes, 0.01) > least);
    }

    #[test]
    fn class_of_few_negatives_stores_these() {
        let classes = [demand((5000, 20, 0.5)), demand((5000, 0, 0.5))];
        let least = least_words(&classes, 1.0);
        assert!(least * 64 < 1000, "{least}");
        let allotted = allot(&classes, 1.0, least).expect("enough words");
        assert_eq!(allotted[0].form, Form::Negatives);
        let capped = allot(&classes, 0.5, 10_000).expect("enough words");
        assert!(capped.iter().all(|class| class.form == Form::Keys));
    }
}
