//! What the plan chooses, and which options it rejects.

use super::{equal_negatives, found};
use bloomwise::{Builder, Filter, Hashing, Insert, KeySets, Seesaw, Size, Workload};
use std::ops::Range;

/// `count` negatives whose costs follow Zipf's law with exponent `skew`, the costliest first.
fn zipf(count: u32, skew: f64) -> impl Iterator<Item = (u64, f64)> {
    let costs = (1..=count).map(move |rank| f64::from(rank).powf(-skew));
    (10_000_000..).zip(costs)
}

/// Sets of these positives, and of `count` negatives whose costs follow Zipf's law with exponent `skew`.
fn sets(positives: Range<u64>, count: u32, skew: f64) -> KeySets {
    KeySets::new(positives, zipf(count, skew)).expect("sound costs")
}

/// A workload of `count` negatives whose costs follow Zipf's law with exponent `skew`.
fn workload(count: u32, skew: f64) -> Workload {
    Workload::of(&sets(0..0, count, skew))
}

fn builder(bits_per_key: f64) -> Builder<Seesaw> {
    Seesaw::builder(Size::BitsPerKey(bits_per_key)).capacity(100_000)
}

#[test]
fn built_filter_has_the_planned_size_and_rates() {
    for (bits, skew) in [(20.0, 1.0), (28.0, 1.5), (36.0, 1.0)] {
        for options in [
            builder(bits).guard(0.05),
            builder(bits),
            builder(bits).adaptive(),
        ] {
            let sets = sets(0..100_000, 100_000, skew);
            let plan = options.plan(&Workload::of(&sets)).expect("sound");
            let (filter, report) = options.build_and_report(&sets).expect("sound");
            assert_eq!(filter.size_in_bits(), plan.bits);
            assert!(plan.bits as f64 <= bits * 1e5 && plan.bits as f64 > 0.995 * bits * 1e5);
            assert!(
                report
                    .facts
                    .contains(&("chosen", bloomwise::info::Value::Whole(plan.guarded)))
            );
            let unseen = found(&filter, 500_000_000..500_300_000) / 3e5;
            assert!(
                (unseen / plan.unseen_fpr - 1.0).abs() < 0.05,
                "{unseen} {plan:?}"
            );
            for predicted in [filter.info().predicted_fpr, filter.rate()] {
                assert!(
                    (predicted / plan.unseen_fpr - 1.0).abs() < 0.05,
                    "{predicted}"
                );
            }
        }
    }
}

#[test]
fn plan_has_the_lowest_rate_of_all_candidates() {
    let workload = workload(100_000, 1.0);
    let rate = |plan: bloomwise::seesaw::Plan| 0.1 * plan.unseen_fpr + 0.9 * plan.weighted_fpr;
    let best = rate(builder(28.0).guard(0.2).plan(&workload).expect("sound"));
    for k in 1..8 {
        for alpha in [0.0, 0.05, 0.1, 0.3] {
            for index_bits in 1..=3 {
                let options = builder(28.0)
                    .guard(0.2)
                    .functions(k)
                    .alpha(alpha)
                    .index_bits(index_bits);
                let other = options.plan(&workload).expect("sound");
                assert_eq!((other.functions, other.index_bits), (k, index_bits));
                assert!(
                    (other.alpha - alpha).abs() < 0.01,
                    "{} {alpha}",
                    other.alpha
                );
                assert!(best <= 1.0001 * rate(other), "{best} {other:?}");
            }
        }
    }
}

#[test]
fn plan_has_a_modulator_only_if_many_keys_are_guarded_and_unseen_keys_matter() {
    let cells = |guard, unseen_share| {
        let options = builder(28.0).guard(guard).unseen_share(unseen_share);
        options.plan(&workload(100_000, 0.0)).expect("sound").cells
    };
    assert_eq!((cells(0.05, 0.1), cells(0.05, 0.9)), (0, 0));
    assert!(cells(1.0, 0.1) == 0 && cells(1.0, 0.9) > 0);
}

#[test]
fn adaptive_filter_has_a_modulator_unless_alpha_is_0() {
    for bits in [20.0, 28.0, 36.0] {
        for workload in [Workload::new(100_000, 0), workload(100_000, 1.0)] {
            let plan =
                |options: Builder<Seesaw>| options.adaptive().plan(&workload).expect("sound");
            assert!(plan(builder(bits)).alpha > 0.045);
            assert!(plan(builder(bits).guard(0.0)).alpha > 0.045);
            assert_eq!(plan(builder(bits).alpha(0.0)).cells, 0);
        }
    }
}

#[test]
fn without_known_negatives_the_weighted_rate_is_the_unseen_rate() {
    let plan = |options: Builder<Seesaw>| options.plan(&Workload::new(100_000, 0)).expect("sound");
    let (zero_share, default_share) = (plan(builder(28.0).unseen_share(0.0)), plan(builder(28.0)));
    assert_eq!(
        (zero_share.covered, zero_share.weighted_fpr),
        (0.0, zero_share.unseen_fpr)
    );
    assert_eq!(zero_share, default_share, "all cost comes from unseen keys");
}

#[test]
fn filter_keeps_the_requested_rate() {
    for rate in [0.1, 0.01, 1e-3] {
        let none = KeySets::empty(Hashing::default());
        for sets in [none, equal_negatives(1_000_000..1_005_000)] {
            let options = Seesaw::builder(Size::Rate(rate)).capacity(100_000);
            let plan = options.plan(&Workload::of(&sets)).expect("sound");
            assert!(plan.unseen_fpr <= rate, "{plan:?}");
            let mut filter = options.build(&sets).expect("sound");
            filter.extend(0..100_000);
            let wrong = found(&filter, 500_000_000..501_000_000);
            let expected = 1e6 * rate;
            assert!(
                wrong < 1.01 * expected + 5.0 * expected.sqrt(),
                "{wrong} for {rate}"
            );
        }
    }
}

#[test]
fn costliest_negatives_are_guarded() {
    let (filter, report) = builder(36.0)
        .guard(0.05)
        .build_and_report(&sets(0..100_000, 50_000, 1.0))
        .expect("sound");
    let costliest = zipf(5_000, 1.0).map(|(key, _)| key);
    let wrong = costliest.filter(|key| filter.contains(key)).count() as u64;
    assert_eq!(report.guarded, 5_000 - wrong);
    assert!(wrong < 5, "{wrong}");
}

#[test]
fn options_out_of_range_are_errors() {
    let text = |builder: Builder<Seesaw>| {
        builder
            .plan(&Workload::new(100, 0))
            .expect_err("impossible")
            .to_string()
    };
    assert!(text(builder(20.0).functions(0)).contains("functions (k) is 0"));
    assert!(text(builder(20.0).functions(33)).contains("functions (k) is 33"));
    assert!(
        text(builder(20.0).alpha(0.6)).contains("alpha is 0.6, expected a number from 0 to 0.5")
    );
    assert!(text(builder(20.0).alpha(f64::NAN)).contains("alpha is NaN"));
    assert!(text(builder(20.0).guard(-1.0)).contains("guard is -1"));
    assert!(text(builder(20.0).unseen_share(2.0)).contains("unseen-share is 2"));
    assert!(
        text(builder(20.0).count_bits(9))
            .contains("count-bits is 9, expected a number from 1 to 8")
    );
    assert!(text(builder(20.0).index_bits(0)).contains("index-bits is 0"));
    assert!(text(builder(20.0).segments(0)).contains("segments is 0"));
    assert!(text(builder(f64::NAN)).contains("bits per key is NaN"));
    assert!(
        text(Seesaw::builder(Size::Rate(1e-9)).capacity(u64::MAX))
            .contains("no filter is large enough")
    );
}

#[test]
fn rate_follows_the_number_of_keys_and_of_guarded_keys_without_a_scan() {
    for (guard, alpha) in [(0.0, 0.0), (0.05, 0.0), (0.3, 0.1), (1.0, 0.2)] {
        let options = builder(28.0).guard(guard).alpha(alpha);
        let mut filter = options
            .build(&equal_negatives(1_000_000..1_100_000))
            .expect("sound");
        assert_eq!((filter.rate(), filter.load_factor()), (0.0, Some(0.0)));
        for keys in [20_000, 100_000, 200_000] {
            filter.extend(filter.len()..keys);
            let scanned = filter.info().predicted_fpr;
            assert!(
                (filter.rate() / scanned - 1.0).abs() < 0.1,
                "{guard} guarded, {keys} keys: {} and {scanned}",
                filter.rate()
            );
        }
    }
}

#[test]
fn capacity_is_needed_unless_bits_and_functions_are_given() {
    let bits = Seesaw::builder(Size::Bits(6400));
    assert!(bits.create().is_err());
    let fixed = bits.functions(3).create().expect("sound");
    assert_eq!((fixed.capacity(), fixed.load_factor()), (None, None));
    assert!(
        Seesaw::builder(Size::Rate(0.01))
            .functions(3)
            .create()
            .is_err()
    );
    let empty = builder(28.0).adaptive().create().expect("sound");
    assert_eq!((empty.capacity(), empty.rate()), (Some(100_000), 0.0));
    let none = KeySets::empty(Hashing::default());
    assert_eq!(builder(28.0).adaptive().build(&none).expect("sound"), empty);
}
