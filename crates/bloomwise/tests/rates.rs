//! Measured false positive rates against the formulas, within five standard deviations, with fixed seeds.

use bloomwise::sizing::{blocked_rate, bloom_rate, paired_rate};
use bloomwise::{AnyFilter, Blocked, Bloom, Family, Filter, Hashing, Insert, Size, Spec};

const KEYS: u64 = 200_000;
const QUERIES: u64 = 2_000_000;

/// Builds a filter of the keys `0..KEYS`, checks that it has no false negative, and counts false positives among `QUERIES`
/// non-members.
fn measure(spec: &Spec) -> (AnyFilter, f64) {
    let filter = spec.build_from_keys(0..KEYS).expect("a valid spec");
    assert!(
        (0..KEYS).all(|key| filter.contains(key)),
        "a false negative"
    );
    let answers = filter.contains_batch(KEYS..KEYS + QUERIES);
    let hits = answers.iter().filter(|&&yes| yes).count();
    (filter, hits as f64)
}

/// Five standard deviations of the number of false positives at this `rate`.
fn five_deviations(rate: f64) -> f64 {
    5.0 * (rate * (1.0 - rate) * QUERIES as f64).sqrt()
}

/// Checks the measured rate against the `expected` rate and against the rates that the filter predicts from its number of
/// keys and from its cells. By chance, keys fill more or fewer cells than they do on average. `by_fill` is the deviation of
/// the rate that this causes, as a share of it.
fn check(spec: &Spec, expected: f64, by_fill: f64, what: &str) {
    let (filter, hits) = measure(spec);
    for (rate, by_fill, source) in [
        (expected, by_fill, "formula"),
        (filter.rate(), by_fill, "number of keys"),
        (filter.info().predicted_fpr, 0.0, "cells"),
    ] {
        let predicted = rate * QUERIES as f64;
        let allowed = five_deviations(rate).hypot(5.0 * by_fill * predicted);
        assert!(
            (hits - predicted).abs() < allowed,
            "{what}: {hits} false positives, predicted by the {source}: {predicted}"
        );
    }
}

/// The deviation of the rate of `k` functions, as a share of it, because keys fill more or fewer of the cells than on average: `k` times
/// that of the fill. Two cells of a pair that depend on each other double its variance.
fn deviation_by_fill(cells: u64, k: u32) -> f64 {
    let balls_per_cell = f64::from(k) * KEYS as f64 / cells as f64;
    let empty = (-balls_per_cell).exp();
    let variance = empty - (1.0 + balls_per_cell) * empty * empty;
    f64::from(k) * (2.0 * variance / cells as f64).sqrt() / (1.0 - empty)
}

#[test]
fn bit_and_counter_filters_match_the_formula_at_any_size_and_number_of_functions() {
    for bits_per_key in [4, 8, 10, 14] {
        for k in [1, 3, 7, 12] {
            let cells = bits_per_key * KEYS;
            let paired = |line| paired_rate(line, cells, KEYS, k);
            let walk = bloom_rate(cells, KEYS, k);
            for (family, width, rate) in [
                (Family::Bloom, 1, paired(512)),
                (Family::Counting, 4, paired(128)),
                (Family::Personalized, 1, walk),
                (Family::PersonalizedCounting, 4, walk),
            ] {
                let size = Size::BitsPerKey((width * bits_per_key) as f64);
                let spec = Spec::new(family).size(size).set("k", u64::from(k));
                let what = format!("{}, {bits_per_key} cells per key, k = {k}", family.name());
                let by_fill = deviation_by_fill(cells, k);
                check(&spec.expect("a number of functions"), rate, by_fill, &what);
            }
        }
    }
}

#[test]
fn blocked_matches_the_formula_for_both_block_sizes() {
    for block in [256, 512] {
        for (bits_per_key, k) in [(4, 3), (8, 5), (10, 6), (10, 11), (16, 9), (20, 16)] {
            let rate = blocked_rate(block, bits_per_key * KEYS, KEYS, k);
            let spec = Spec::new(Family::Blocked).size(Size::BitsPerKey(bits_per_key as f64));
            let spec = spec
                .set("k", u64::from(k))
                .and_then(|spec| spec.set("block", block));
            let what = format!("{block} bits, {bits_per_key} per key, k = {k}");
            check(&spec.expect("valid settings"), rate, 0.0, &what);
        }
    }
}

#[test]
fn a_target_rate_is_met_without_wasting_space() {
    for family in Family::ALL {
        for rate in [0.1, 0.01, 0.001] {
            let (_, hits) = measure(&Spec::new(family).size(Size::Rate(rate)));
            let (target, slack) = (rate * QUERIES as f64, five_deviations(rate));
            assert!(
                hits < target + slack,
                "{}: {hits} for a rate of {rate}",
                family.name()
            );
            let target = match family {
                // Half of the rate is left for the layers to come. A fingerprint has a whole number of bits.
                Family::Growing | Family::Cuckoo => target / 2.0,
                _ => target,
            };
            assert!(
                hits > 0.95 * target - slack,
                "{}: {hits} for a rate of {rate}",
                family.name()
            );
        }
    }
}

#[test]
fn few_keys_in_one_block_match_the_formula() {
    // 50 keys in the smallest filter, over many seeds. Here the load of a block is not Poisson distributed.
    let seeds = 400;
    let hits: usize = (0..seeds)
        .map(|seed| {
            let builder = Blocked::builder(Size::Bits(512)).functions(6);
            let builder = builder.hashing(Hashing::Xxh3 { seed });
            let filter = builder.build_from_keys(0..50).expect("valid");
            (1000..6000).filter(|&key| filter.contains(key)).count()
        })
        .sum();
    // The fill differs between filters, so their rates vary too: by a standard deviation of about a fifth of the mean.
    let rate = blocked_rate(512, 512, 50, 6);
    let (mean, filters) = (rate * 5000.0, seeds as f64);
    let deviation = ((0.2 * mean).powi(2) + mean).sqrt() * filters.sqrt();
    assert!(
        (hits as f64 - mean * filters).abs() < 5.0 * deviation,
        "{hits}, {}",
        mean * filters
    );
}

#[test]
fn a_bloom_filter_estimates_its_number_of_keys() {
    for keys in [0, 1, 1000, 50_000, 100_000] {
        let builder = Bloom::builder(Size::BitsPerKey(10.0)).capacity(50_000);
        let mut filter = builder.create().expect("valid");
        filter.extend(0..keys);
        let estimate = filter.estimated_keys();
        // Half a percent is five standard deviations of the estimate at 50,000 keys and 500,000 bits.
        assert!(
            (estimate - f64::from(keys)).abs() <= 1.0 + 0.005 * f64::from(keys),
            "{estimate}, {keys}"
        );
    }
}
