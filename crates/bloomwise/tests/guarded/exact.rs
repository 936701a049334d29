//! What is right, and what it costs.

use super::{build, digest, fact, sets, unseen};
use bloomwise::{Costed, Digest, Filter, Guarded, KeySets, Persist, Size, Spec};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_size_is_the_payload_and_all_of_the_budget(
        bits in 1u64..50_000,
        positives in 0u64..300,
        negatives in 0u64..600,
        arity in 3u32..=4,
    ) {
        let builder = Guarded::builder(Size::Bits(bits)).arity(arity);
        let (filter, _) = build(&builder, &sets(positives, negatives, 1.0));
        prop_assert_eq!(filter.size_in_bits(), (bits / 64 * 64).max(64));
        prop_assert_eq!(filter.to_bytes().len() as u64, 64 + 64 + filter.size_in_bits() / 8 + 8);
        let info = filter.info();
        prop_assert!(info.predicted_fpr <= 1.0 && info.fill <= 1.0);
    }

    #[test]
    fn digests_and_batches_get_the_same_answers(
        bits in 64u64..5000,
        positives in 0u64..300,
        negatives in 0u64..600,
        asked in 0usize..200,
    ) {
        let builder = Guarded::builder(Size::Bits(bits));
        let (filter, _) = build(&builder, &sets(positives, negatives, 0.0));
        let digests: Vec<Digest> = (0..1000).map(digest).take(asked).collect();
        let mut answers = vec![true];
        filter.contains_digests(&digests, &mut answers);
        let single = digests.iter().map(|&d| filter.contains_digest(d));
        prop_assert!(single.eq(answers[1..].iter().copied()));
    }

    #[test]
    fn any_distinct_digests_can_be_solved(
        halves in prop::collection::vec((0u64..12, 0u64..12), 0..100),
        shift in prop::sample::select(vec![0u32, 30, 60]),
        negatives in prop::collection::vec((0u64..12, 0u64..12), 0..100),
    ) {
        // Few values for each half, close together or far apart: many keys share one of them.
        let made = |&(high, low): &(u64, u64)| Digest { high: high << shift, low: low << shift };
        let costed = |pair: &(u64, u64)| Costed { digest: made(pair), cost: 1.0 };
        let negatives = negatives.iter().map(costed).collect();
        let sets = KeySets::new(halves.iter().map(made).collect(), negatives).expect("sound costs");
        build(&Guarded::builder(Size::BitsPerKey(9.0)), &sets);
    }

    #[test]
    fn no_wish_panics(
        bits in prop_oneof![0u64..1 << 20, (1u64 << 60)..],
        real in prop_oneof![any::<f64>(), -2.0..2.0f64, 1e-9..1.0f64],
        which in 0..3,
        share in prop_oneof![any::<f64>(), 0.0..1.0f64],
        arity in 2u32..6,
        positives in 0u64..200,
    ) {
        let size = match which {
            0 => Size::Bits(bits),
            1 => Size::BitsPerKey(real),
            _ => Size::Rate(real),
        };
        prop_assume!(which != 1 || !(1e6..1e13).contains(&real));
        let builder = Guarded::builder(size).arity(arity).unseen_share(share);
        if let Ok(filter) = builder.build(&sets(positives, 50, 0.0)) {
            prop_assert!((0..positives).all(|n| filter.contains_digest(digest(n))));
        }
    }
}

#[test]
fn sets_of_any_size_are_exact_in_nine_bits_per_key() {
    for positives in [0, 1, 2, 3, 10, 100, 1000, 20_000] {
        // The ends of small arrays take too much of nine bits for ten times as many negatives.
        let times = if positives < 1000 { 1 } else { 10 };
        for (arity, times) in [(3, 1), (4, 1), (4, times)] {
            let sets = sets(positives, times * positives, 0.0);
            let builder = Guarded::builder(Size::BitsPerKey(9.0)).arity(arity);
            let (_, report) = build(&builder, &sets);
            assert_eq!(
                fact(&report, "left"),
                0.0,
                "{positives} keys, {times} times"
            );
        }
    }
    // A run of numbers as halves of digests is as good as any.
    let halves = |n: u64| {
        [
            Digest { high: n, low: 0 },
            Digest {
                high: 7,
                low: n + 1,
            },
        ]
    };
    let sets = KeySets::new((0..20_000).flat_map(halves).collect(), Vec::new());
    let sets = sets.expect("no costs");
    build(&Guarded::builder(Size::BitsPerKey(9.0)), &sets);
}

#[test]
fn the_rate_is_the_predicted_one_and_near_the_limit() {
    for (bits, negatives, times_limit) in [
        (4.0, 1, 1.6),
        (8.44, 0, 1.8),
        (8.44, 1, 2.0),
        (8.44, 20, 2.3),
    ] {
        let sets = sets(200_000, negatives * 200_000, 0.0);
        let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(bits)), &sets);
        assert_eq!(
            fact(&report, "left"),
            0.0,
            "{bits} bits, {negatives} negatives"
        );
        assert_eq!(report.guarded, negatives * 200_000);
        let (found, predicted) = (unseen(&filter), filter.info().predicted_fpr);
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
fn where_there_is_no_room_for_all_the_costly_negatives_are_guarded() {
    let sets = sets(300_000, 288_000, 1.0);
    let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(2.0)), &sets);
    let total: f64 = sets.negatives().iter().map(|n| n.cost).sum();
    let wrong = sets
        .negatives()
        .iter()
        .filter(|n| filter.contains_digest(n.digest));
    let cost = wrong.map(|n| n.cost).sum::<f64>() / total;
    assert!((fact(&report, "weighted_fpr") - cost).abs() < 1e-12);
    // At random, as many as are left would cost more than ten times as much.
    let left = fact(&report, "left") / 288_000.0;
    assert!(left > 0.0 && cost < left / 10.0, "{cost}, {left}");
    assert!(cost < 3e-3, "{cost}");
}

#[test]
fn less_than_a_bit_for_a_key_still_denies_some() {
    let sets = sets(10_000, 10_000, 0.0);
    let (filter, report) = build(&Guarded::builder(Size::BitsPerKey(0.5)), &sets);
    let (found, predicted) = (unseen(&filter), filter.info().predicted_fpr);
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
fn the_share_of_unseen_keys_decides_what_is_spent_on_known_ones() {
    let sets = sets(100_000, 100_000, 0.0);
    let rates = ["0.001", "0.999"].map(|share| {
        let spec = Spec::new("guarded").and_then(|spec| {
            let spec = spec.size(Size::BitsPerKey(2.5));
            spec.set("unseen-share", share)
        });
        let (filter, report) = spec.expect("sound").build_and_report(&sets).expect("sound");
        (filter.info().predicted_fpr, report.guarded)
    });
    let [(unseen_first, guarded_first), (unseen, guarded)] = rates;
    assert!(
        unseen < unseen_first && guarded < guarded_first,
        "{rates:?}"
    );
}

#[test]
fn settings_that_cannot_be_are_errors_that_say_what_can() {
    let text = |name, value| {
        let spec = Spec::new("guarded").and_then(|spec| spec.set(name, value));
        spec.expect_err("cannot be").to_string()
    };
    assert_eq!(text("arity", "5"), "arity is \"5\", expected 3 or 4");
    assert!(text("unseen-share", "2").contains("a number from 0 to 1"));
    assert!(text("k", "3").contains("it has: unseen-share, arity"));
    let size = Guarded::builder(Size::Bits(0)).build(&KeySets::default());
    assert!(
        size.expect_err("nothing")
            .to_string()
            .contains("at least 1 bit")
    );
}
