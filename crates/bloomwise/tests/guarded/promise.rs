//! If a forecast says that a filter will be exact, it is; otherwise the filter says how many known negatives are wrong.

use super::{build, fact, sets};
use bloomwise::{Guarded, Size, Workload};
use proptest::prelude::*;

/// Numbers from `low` to `high`, with as many below as above any geometric mean.
fn geometric(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_promised_is_kept(
        keys in geometric(1.0, 6000.0),
        negatives_per_key in geometric(0.01, 100.0),
        bits in geometric(0.3, 20.0),
        skew in 0.0..2.0f64,
        share in prop::option::weighted(0.2, 0.0..1.0f64),
    ) {
        let keys = keys as u64;
        let negatives = (keys as f64 * negatives_per_key) as u64;
        let sets = sets(keys, negatives.min(50_000), skew);
        let builder = Guarded::builder(Size::BitsPerKey(bits));
        let builder = match share {
            Some(share) => builder.unseen_share(share),
            None => builder,
        };
        let forecast = builder.forecast(&Workload::of(&sets)).expect("valid");
        // `build` has compared the report with a count.
        let (filter, report) = build(&builder, &sets);
        prop_assert_eq!(filter.wrong(), fact(&report, "wrong") as u64);
        prop_assert_eq!(filter.known_negatives(), sets.negatives().len() as u64);
        if forecast.wrong == Some(0) {
            prop_assert_eq!(filter.wrong(), 0, "promised");
        }
        if filter.wrong() > 0 && share.is_none() {
            // With the bits that the report asks for, the filter is exact.
            let enough = Size::BitsPerKey(fact(&report, "exact_bits_per_key"));
            let builder = Guarded::builder(enough);
            let forecast = builder.forecast(&Workload::of(&sets)).expect("valid");
            prop_assert_eq!(forecast.wrong, Some(0));
            prop_assert_eq!(build(&builder, &sets).0.wrong(), 0);
        }
    }
}

#[test]
fn a_filter_is_exact_from_a_tenth_above_the_least_bits_on() {
    // The fewest bits per key that tell the keys from the negatives: (1 + r) H(1 / (1 + r)).
    for negatives_per_key in [1.0, 2.6, 10.0, 50.0] {
        let keys = 20_000u32;
        let share = 1.0 / (1.0 + negatives_per_key);
        let entropy = -share * f64::log2(share) - (1.0 - share) * f64::log2(1.0 - share);
        let least = entropy / share;
        let negatives = (f64::from(keys) * negatives_per_key) as u64;
        let sets = sets(u64::from(keys), negatives, 1.0);
        let builder = Guarded::builder(Size::BitsPerKey(1.1 * least + 0.1));
        let forecast = builder.forecast(&Workload::of(&sets)).expect("valid");
        assert_eq!(
            forecast.wrong,
            Some(0),
            "{negatives_per_key} negatives per key"
        );
        assert_eq!(build(&builder, &sets).0.wrong(), 0);
    }
}
