//! Measured false positive rates against the formulas, five standard deviations on either side, with fixed seeds.

use bloomwise::sizing::{blocked_rate, bloom_rate};
use bloomwise::{AnyFilter, Family, Filter, Size, Spec};

const KEYS: u64 = 200_000;
const QUERIES: u64 = 2_000_000;

/// Builds a filter of the keys `0..KEYS` and counts "yes" on keys that are not among them.
fn measure(spec: &Spec) -> (AnyFilter, f64) {
    let filter = spec
        .build_from_keys((0..KEYS).map(u64::to_le_bytes))
        .expect("a sound spec");
    let keys = (0..KEYS).map(|key| filter.hashing().digest(&key.to_le_bytes()));
    assert!(
        keys.into_iter()
            .all(|digest| filter.contains_digest(digest)),
        "a false negative"
    );
    let strangers = KEYS..KEYS + QUERIES;
    let digests: Vec<_> = strangers
        .map(|key| filter.hashing().digest(&key.to_le_bytes()))
        .collect();
    let mut answers = Vec::new();
    filter.contains_digests(&digests, &mut answers);
    let hits = answers.iter().filter(|&&yes| yes).count();
    (filter, hits as f64)
}

fn five_deviations(rate: f64) -> f64 {
    5.0 * (rate * (1.0 - rate) * QUERIES as f64).sqrt()
}

fn check(spec: &Spec, expected: f64, what: &str) {
    let (filter, hits) = measure(spec);
    for (rate, whose) in [
        (expected, "formula"),
        (filter.info().predicted_fpr, "cells"),
    ] {
        assert!(
            (hits - rate * QUERIES as f64).abs() < five_deviations(rate),
            "{what}: {hits} false positives, the {whose} predict {}",
            rate * QUERIES as f64
        );
    }
}

#[test]
fn bits_and_counters_keep_the_formula_at_any_size_and_number_of_functions() {
    for bits_per_key in [4, 8, 10, 14] {
        for k in [1, 3, 7, 12] {
            let rate = bloom_rate(bits_per_key * KEYS, KEYS, k);
            for (family, width) in [
                ("bloom", 1),
                ("counting", 4),
                ("personalized", 1),
                ("personalized-counting", 4),
            ] {
                let size = Size::BitsPerKey((width * bits_per_key) as f64);
                let spec = Spec::new(family).expect("a family").size(size);
                let spec = spec
                    .set("k", &k.to_string())
                    .expect("a number of functions");
                check(
                    &spec,
                    rate,
                    &format!("{family}, {bits_per_key} cells per key, k = {k}"),
                );
            }
        }
    }
}

#[test]
fn blocked_keeps_the_formula_for_both_block_sizes() {
    for block in [256, 512] {
        for (bits_per_key, k) in [(4, 3), (8, 5), (10, 6), (10, 11), (16, 9), (20, 16)] {
            let rate = blocked_rate(block, bits_per_key * KEYS, KEYS, k);
            let spec = Spec::new("blocked").expect("a family");
            let spec = spec.size(Size::BitsPerKey(bits_per_key as f64));
            let spec = spec
                .set("k", &k.to_string())
                .and_then(|s| s.set("block", &block.to_string()));
            let what = format!("{block} bits, {bits_per_key} per key, k = {k}");
            check(&spec.expect("sound settings"), rate, &what);
        }
    }
}

#[test]
fn a_rate_that_is_asked_for_is_kept_and_not_paid_for_twice() {
    for family in Family::ALL {
        for rate in [0.1, 0.01, 0.001] {
            let spec = Spec::new(family.name())
                .expect("a family")
                .size(Size::Rate(rate));
            let (_, hits) = measure(&spec);
            let (wanted, slack) = (rate * QUERIES as f64, five_deviations(rate));
            assert!(
                hits < wanted + slack,
                "{}: {hits} for a rate of {rate}",
                family.name()
            );
            assert!(
                hits > 0.95 * wanted - slack,
                "{}: {hits} for a rate of {rate}",
                family.name()
            );
        }
    }
}

#[test]
fn few_keys_in_one_block_keep_the_formula_too() {
    // 50 keys in the smallest filter, over many seeds: here the load of a block is no Poisson variable.
    let mut hits = 0u32;
    let seeds = 400;
    for seed in 0..seeds {
        let spec = Spec::new("blocked")
            .expect("a family")
            .size(Size::Bits(512));
        let spec = spec
            .hashing(bloomwise::Hashing::Xxh3 { seed })
            .set("k", "6")
            .expect("fits");
        let filter = spec
            .build_from_keys((0..50u64).map(u64::to_le_bytes))
            .expect("sound");
        hits += (1000..6000u64)
            .map(|key| u32::from(filter.contains(&key.to_le_bytes())))
            .sum::<u32>();
    }
    // The fill differs from filter to filter, so the spread is that of the filters' rates: about a fifth of the mean.
    let rate = blocked_rate(512, 512, 50, 6);
    let (mean, queries) = (rate * 5000.0, f64::from(seeds as u32));
    let deviation = ((0.2 * mean).powi(2) + mean).sqrt() * queries.sqrt();
    assert!(
        (f64::from(hits) - mean * queries).abs() < 5.0 * deviation,
        "{hits}, {}",
        mean * queries
    );
}

#[test]
fn the_number_of_keys_can_be_read_off_a_bloom_filter() {
    for keys in [0, 1, 1000, 50_000, 100_000] {
        let mut filter = bloomwise::Bloom::builder(50_000, Size::BitsPerKey(10.0))
            .build()
            .expect("sound");
        filter.extend((0..keys as u64).map(u64::to_le_bytes));
        let estimate = filter.estimated_keys();
        // Half a percent is five deviations of the estimate at 50,000 keys and 500,000 bits.
        assert!(
            (estimate - f64::from(keys)).abs() <= 1.0 + 0.005 * f64::from(keys),
            "{estimate}, {keys}"
        );
    }
}
