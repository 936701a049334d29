//! Plans of guarded filters, over many sizes, numbers of negatives and costs.

use super::{build, fact, sets_from};
use bloomwise::unstable::Lookup;
use bloomwise::{Filter, Guarded, Size, Workload};

/// The cost of negative `n`, for several distributions of costs.
const COSTS: [fn(u64) -> f64; 5] = [
    |_| 1.0,
    |n| 1.0 / (n + 1) as f64,
    |n| (n % 2) as f64,
    |n| if n % 10 == 0 { 1.0 } else { 1e-9 },
    |n| if n == 0 { 1e308 } else { 1e-300 },
];

#[test]
fn plans_are_solved_within_a_few_tries() {
    let mut worst = (0, String::new());
    for keys in [10, 50, 300, 3000, 30_000] {
        for negatives_per_key in [0.1, 0.3, 1.0, 5.0] {
            let negatives = (keys as f64 * negatives_per_key) as u64;
            for (number, costs) in COSTS.into_iter().enumerate() {
                let sets = sets_from(0, keys, (0..negatives).map(costs));
                for bits in [0.5, 1.0, 1.5, 2.0, 2.5, 4.0, 8.44, 16.0] {
                    let builder = Guarded::builder(Size::BitsPerKey(bits));
                    let (_, report) = build(&builder, &sets);
                    let what = format!(
                        "{keys} keys, {negatives} negatives of costs {number}, {bits} bits"
                    );
                    worst = worst.max((fact(&report, "tries") as u64, what));
                }
            }
        }
    }
    assert!(worst.0 <= 16, "{worst:?}");
}

#[test]
fn least_exact_size_is_solved_within_a_few_tries() {
    for (keys, negatives_per_key) in [(3000, 50), (20_000, 10), (20_000, 50)] {
        let sets = sets_from(0, keys, (0..keys * negatives_per_key).map(|_| 1.0));
        let (_, report) = build(&Guarded::builder(Size::BitsPerKey(3.0)), &sets);
        let least = Size::BitsPerKey(fact(&report, "exact_bits_per_key"));
        let (filter, report) = build(&Guarded::builder(least), &sets);
        let tries = fact(&report, "tries");
        assert_eq!(filter.wrong(), 0, "{keys} keys");
        assert!(tries <= 4.0, "{keys} keys: {tries} tries");
    }
}

#[test]
fn unseen_shares_of_0_and_1_give_valid_plans() {
    let sets = sets_from(0, 30_000, (0..30_000).map(|_| 1.0));
    for share in [0.0, 1.0] {
        for bits in [1.5, 4.0, 8.44] {
            let builder = Guarded::builder(Size::BitsPerKey(bits)).unseen_share(share);
            let forecast = builder.forecast(&Workload::of(&sets)).expect("valid");
            let (filter, report) = build(&builder, &sets);
            let predicted = filter.rate();
            assert!(fact(&report, "tries") <= 8.0, "{bits} bits, {share}");
            assert!(predicted < 1.05 * forecast.unseen, "{bits} bits, {share}");
        }
    }
}

#[test]
fn cheap_negatives_do_not_harm_costly_ones() {
    let keys = 30_000;
    for bits in [2.0, 4.0, 8.44] {
        for cheap in [0.0, 1e-9, 1e-3] {
            let costs = |n: u64| if n.is_multiple_of(10) { 1.0 } else { cheap };
            let sets = sets_from(0, keys, (0..keys).map(costs));
            let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(bits)), &sets);
            let costly = sets.negatives().iter().filter(|n| n.cost == 1.0);
            let wrong = costly.filter(|n| filter.query(n.digest)).count();
            assert_eq!(wrong, 0, "{bits} bits, cheap ones at {cheap}");
            let cost = fact(&report, "weighted_fpr");
            assert!(cost <= 9.0 * cheap, "{bits} bits, {cheap}: {cost}");
        }
    }
}

#[test]
fn a_target_rate_is_met_after_any_number_of_tries() {
    for keys in [50, 1000, 3000] {
        for number in 0..50 {
            let sets = sets_from(number << 32, keys, (0..keys).map(|_| 1.0));
            let (filter, _) = build(&Guarded::builder(Size::Rate(0.01)), &sets);
            let rate = filter.rate();
            assert!(rate <= 0.01, "{keys} keys: {rate}");
        }
    }
}

#[test]
fn huge_capacities_do_not_panic() {
    let sets = sets_from(0, 10, (0..10).map(|_| 1.0));
    for size in [Size::Rate(0.01), Size::BitsPerKey(1e-6), Size::Bits(64)] {
        for capacity in [0, 1, u64::MAX / 2, u64::MAX] {
            // The build may fail, but must not panic or lose a key.
            let built = Guarded::builder(size).capacity(capacity).build(&sets);
            if let Ok(filter) = built {
                assert!((sets.positives().iter()).all(|&digest| filter.query(digest)));
                assert_eq!(filter.capacity(), Some(capacity).filter(|&keys| keys > 0));
            }
        }
    }
}
