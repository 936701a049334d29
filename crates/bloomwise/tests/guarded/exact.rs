//! Right answers on members and known negatives, and the rate on unseen keys.

use super::{build, fact, sets, unseen};
use bloomwise::info::Value;
use bloomwise::keys::{Digest, Digests};
use bloomwise::unstable::Lookup;
use bloomwise::{Family, Filter, Guarded, Hashing, KeySets, Persist, Size, Spec};
use proptest::prelude::*;

/// The sets of these digests; each negative costs 1.
fn sets_of(positives: Vec<Digest>, negatives: Vec<Digest>) -> KeySets {
    let hashing = Hashing::default();
    let (digests, costs) = (
        Digests::from_raw(hashing, &negatives),
        vec![1.0; negatives.len()],
    );
    let mut sets = KeySets::builder(hashing);
    let positives = Digests::from_raw(hashing, positives);
    sets.positive_digests(positives).expect("one hashing");
    sets.negative_digests(&digests, &costs)
        .expect("one hashing");
    sets.build().expect("valid costs")
}

/// The digest with these halves.
fn digest(high: u64, low: u64) -> Digest {
    Digest::from(u128::from(high) << 64 | u128::from(low))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_size_is_the_payload_and_uses_the_budget(
        bits in 1u64..50_000,
        positives in 0u64..300,
        negatives in 0u64..600,
    ) {
        let builder = Guarded::builder(Size::Bits(bits));
        let (filter, _) = build(&builder, &sets(positives, negatives, 1.0));
        let size = filter.size_in_bits();
        let most = (bits / 64 * 64).max(64);
        // A filter has at most 32 columns, so large budgets for few keys are not used up.
        let wide = (positives + negatives) * 40 + 300;
        prop_assert!(size == most || size < most && size < wide, "{size} of {most}");
        // Two checksums follow the payload.
        prop_assert!(filter.to_bytes().len() as u64 >= 80 + size / 8 + 16);
        let info = filter.info();
        prop_assert!(info.predicted_fpr <= 1.0 && info.fill <= 1.0);
    }

    #[test]
    fn single_queries_and_batches_agree(
        bits in 64u64..5000,
        positives in 0u64..300,
        negatives in 0u64..600,
        queries in 0usize..200,
    ) {
        let builder = Guarded::builder(Size::Bits(bits));
        let (filter, _) = build(&builder, &sets(positives, negatives, 0.0));
        let answers = filter.contains_batch(0..queries);
        prop_assert!((0..queries).map(|key| filter.contains(key)).eq(answers));
    }

    #[test]
    fn any_distinct_digests_can_be_solved(
        halves in prop::collection::vec((0u64..12, 0u64..12), 0..100),
        shift in prop::sample::select(vec![0u32, 30, 60]),
        negatives in prop::collection::vec((0u64..12, 0u64..12), 0..100),
    ) {
        // Each half takes few values, close together or far apart. Many keys therefore share a half.
        let digest = |&(high, low): &(u64, u64)| digest(high << shift, low << shift);
        let [positives, negatives] = [halves, negatives].map(|list| list.iter().map(digest).collect());
        build(&Guarded::builder(Size::BitsPerKey(9.0)), &sets_of(positives, negatives));
    }

    #[test]
    fn no_option_panics(
        bits in prop_oneof![0u64..1 << 20, (1u64 << 60)..],
        real in prop_oneof![any::<f64>(), -2.0..2.0f64, 1e-9..1.0f64],
        which in 0..3,
        share in prop_oneof![any::<f64>(), 0.0..1.0f64],
        positives in 0u64..200,
    ) {
        let size = match which {
            0 => Size::Bits(bits),
            1 => Size::BitsPerKey(real),
            _ => Size::Rate(real),
        };
        prop_assume!(which != 1 || !(1e6..1e13).contains(&real));
        let builder = Guarded::builder(size).unseen_share(share);
        if let Ok(filter) = builder.build(&sets(positives, 50, 0.0)) {
            prop_assert!((0..positives).all(|key| filter.contains(key)));
        }
    }
}

#[test]
fn sets_of_any_size_are_exact_at_nine_bits_per_key() {
    for positives in [0, 1, 2, 3, 10, 100, 1000, 20_000] {
        // The least filter has 64 bits, and small ones lose some of them to rounding.
        let times = if positives < 100 { 1 } else { 10 };
        for times in [1, times] {
            let sets = sets(positives, times * positives, 0.0);
            let builder = Guarded::builder(Size::BitsPerKey(9.0));
            let (_, report) = build(&builder, &sets);
            assert_eq!(
                fact(&report, "wrong"),
                0.0,
                "{positives} keys, {times} times"
            );
        }
    }
    // Digests with consecutive numbers as halves can be solved too.
    let halves = |n: u64| [digest(n, 0), digest(7, n + 1)];
    let sets = sets_of((0..20_000).flat_map(halves).collect(), Vec::new());
    build(&Guarded::builder(Size::BitsPerKey(9.0)), &sets);
}

#[test]
fn the_rate_is_as_predicted_and_near_the_limit() {
    for (bits, negatives, times_limit) in [
        (4.0, 1, 1.12),
        (8.44, 0, 1.1),
        (8.44, 1, 1.1),
        (8.44, 20, 1.13),
    ] {
        let sets = sets(200_000, negatives * 200_000, 0.0);
        let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(bits)), &sets);
        assert_eq!(
            fact(&report, "wrong"),
            0.0,
            "{bits} bits, {negatives} negatives"
        );
        assert_eq!(report.guarded, negatives * 200_000);
        let (found, predicted) = (unseen(&filter), filter.rate());
        assert_eq!(predicted, filter.info().predicted_fpr);
        let deviation = (predicted / 1e6).sqrt();
        assert!(
            (found - predicted).abs() < 5.0 * deviation,
            "{found}, {predicted}"
        );
        let times = fact(&report, "times_limit");
        assert!((times - predicted / fact(&report, "information_limit")).abs() < 1e-9);
        assert!(
            times > 1.0 && times < times_limit,
            "{bits} bits: {times} times the limit"
        );
    }
}

#[test]
fn costly_negatives_are_guarded_if_there_is_no_room_for_all() {
    let sets = sets(300_000, 288_000, 1.0);
    let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(1.8)), &sets);
    let total: f64 = sets.negatives().iter().map(|n| n.cost).sum();
    let wrong = sets.negatives().iter().filter(|n| filter.query(n.digest));
    let cost = wrong.map(|n| n.cost).sum::<f64>() / total;
    assert!((fact(&report, "weighted_fpr") - cost).abs() < 1e-12);
    // As many negatives chosen at random would cost more than ten times as much.
    let left = fact(&report, "wrong") / 288_000.0;
    assert!(left > 0.0 && cost < left / 10.0, "{cost}, {left}");
    assert!(cost < 1e-2, "{cost}");
}

#[test]
fn less_than_a_bit_per_key_still_rejects_some_non_members() {
    let sets = sets(10_000, 10_000, 0.0);
    let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(0.5)), &sets);
    let (found, predicted) = (unseen(&filter), filter.rate());
    assert!((found - predicted).abs() < 0.01, "{found}, {predicted}");
    assert!(
        found < 0.85 && report.guarded > 1500,
        "{found}, {}",
        report.guarded
    );
    let (filter, _) = build(&Guarded::builder(Size::Bits(64)), &sets);
    assert!(unseen(&filter) > 0.98);
}

#[test]
fn a_higher_unseen_share_guards_fewer_negatives_and_lowers_the_unseen_rate() {
    let sets = sets(100_000, 100_000, 0.0);
    let rates = [0.001, 0.999].map(|share| {
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(2.5));
        let spec = spec.set("unseen-share", share).expect("a share");
        let (filter, report) = spec.build_and_report(&sets).expect("valid");
        (filter.rate(), report.guarded)
    });
    let [(unseen_low, guarded_low), (unseen_high, guarded_high)] = rates;
    assert!(
        unseen_high < unseen_low && guarded_high < guarded_low,
        "{rates:?}"
    );
}

#[test]
fn errors_of_settings_say_what_is_valid() {
    let text = |name, value: u64| {
        let spec = Spec::new(Family::Guarded).set(name, Value::Whole(value));
        spec.expect_err("out of range").to_string()
    };
    assert!(text("unseen-share", 2).contains("a number from 0 to 1"));
    assert!(text("k", 3).contains("it has: unseen-share"));
    let text = |size| {
        let built = Guarded::builder(size).build_from_keys(0..1000);
        built.expect_err("impossible").to_string()
    };
    assert!(text(Size::Bits(0)).contains("at least 1 bit"));
    assert!(text(Size::Rate(1e-12)).contains("at least 2.3e-10"));
    let lowest = Guarded::builder(Size::Rate(2.4e-10)).build_from_keys(0..1000);
    assert!(lowest.expect("possible").rate() <= 2.4e-10);
}
