//! What the plan chooses, and what it refuses.

use super::{equal_negatives, numbers};
use bloomwise::seesaw::SeesawBuilder;
use bloomwise::{Costed, Filter, KeySets, Seesaw, Size, Workload};

/// Negatives whose costs follow Zipf's law.
fn zipf(count: u32, skew: f64) -> Vec<Costed> {
    let digests = numbers(10_000_000..10_000_000 + u64::from(count));
    let costed = (1..=count).zip(digests).map(|(rank, digest)| Costed {
        digest,
        cost: f64::from(rank).powf(-skew),
    });
    costed.collect()
}

/// The same in numbers.
fn workload(count: u32, skew: f64) -> Workload {
    let sets = KeySets::new(Vec::new(), zipf(count, skew)).expect("sound");
    Workload::of(&sets)
}

fn builder(bits_per_key: f64) -> SeesawBuilder {
    Seesaw::builder(100_000, Size::BitsPerKey(bits_per_key))
}

#[test]
fn a_filter_is_as_planned() {
    for (bits, skew) in [(20.0, 1.0), (28.0, 1.5), (36.0, 1.0)] {
        for wishes in [
            builder(bits).guard(0.05),
            builder(bits),
            builder(bits).adaptive(),
        ] {
            let negatives = zipf(100_000, skew);
            let sets = KeySets::new(numbers(0..100_000).collect(), negatives).expect("sound");
            let plan = wishes.plan(&Workload::of(&sets)).expect("sound");
            let (filter, report) = wishes.build_and_report(&sets).expect("sound");
            assert_eq!(filter.size_in_bits(), plan.bits);
            assert!(plan.bits as f64 <= bits * 1e5 && plan.bits as f64 > 0.995 * bits * 1e5);
            assert!(
                report
                    .facts
                    .contains(&("chosen", bloomwise::Value::Whole(plan.guarded)))
            );
            let unseen = numbers(500_000_000..500_300_000);
            let unseen = unseen
                .filter(|&digest| filter.contains_digest(digest))
                .count() as f64
                / 3e5;
            assert!(
                (unseen / plan.unseen_fpr - 1.0).abs() < 0.05,
                "{unseen} {plan:?}"
            );
            assert!((filter.info().predicted_fpr / plan.unseen_fpr - 1.0).abs() < 0.05);
        }
    }
}

#[test]
fn the_plan_has_the_lowest_rate_of_all_settings() {
    let workload = workload(100_000, 1.0);
    let rate = |plan: bloomwise::seesaw::Plan| 0.1 * plan.unseen_fpr + 0.9 * plan.weighted_fpr;
    let best = rate(builder(28.0).guard(0.2).plan(&workload).expect("sound"));
    for k in 1..8 {
        for alpha in [0.0, 0.05, 0.1, 0.3] {
            for index_bits in 1..=3 {
                let wishes = builder(28.0)
                    .guard(0.2)
                    .functions(k)
                    .alpha(alpha)
                    .index_bits(index_bits);
                let other = wishes.plan(&workload).expect("sound");
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
fn a_modulator_pays_only_where_much_is_guarded_and_unseen_keys_matter() {
    let cells = |guard, unseen_share| {
        let wishes = builder(28.0).guard(guard).unseen_share(unseen_share);
        wishes.plan(&workload(100_000, 0.0)).expect("sound").cells
    };
    assert_eq!((cells(0.05, 0.1), cells(0.05, 0.9)), (0, 0));
    assert!(cells(1.0, 0.1) == 0 && cells(1.0, 0.9) > 0);
}

#[test]
fn an_adaptive_filter_has_a_modulator_unless_none_is_asked_for() {
    for bits in [20.0, 28.0, 36.0] {
        for workload in [Workload::new(100_000, 0), workload(100_000, 1.0)] {
            let plan = |wishes: SeesawBuilder| wishes.adaptive().plan(&workload).expect("sound");
            assert!(plan(builder(bits)).alpha > 0.045);
            assert!(plan(builder(bits).guard(0.0)).alpha > 0.045);
            assert_eq!(plan(builder(bits).alpha(0.0)).cells, 0);
        }
    }
}

#[test]
fn without_known_negatives_the_rate_by_cost_is_that_of_strangers() {
    let plan = |wishes: SeesawBuilder| wishes.plan(&Workload::new(100_000, 0)).expect("sound");
    let (least, most) = (plan(builder(28.0).unseen_share(0.0)), plan(builder(28.0)));
    assert_eq!((least.covered, least.weighted_fpr), (0.0, least.unseen_fpr));
    assert_eq!(least, most, "all cost is with strangers, whatever is said");
}

#[test]
fn a_rate_that_is_asked_for_is_kept() {
    for rate in [0.1, 0.01, 1e-3] {
        for sets in [KeySets::default(), equal_negatives(1_000_000..1_005_000)] {
            let wishes = Seesaw::builder(100_000, Size::Rate(rate));
            let plan = wishes.plan(&Workload::of(&sets)).expect("sound");
            assert!(plan.unseen_fpr <= rate, "{plan:?}");
            let mut filter = wishes.build(&sets).expect("sound");
            filter.insert_digests(&numbers(0..100_000).collect::<Vec<_>>());
            let unseen = numbers(500_000_000..501_000_000);
            let wrong = unseen
                .filter(|&digest| filter.contains_digest(digest))
                .count() as f64;
            let expected = 1e6 * rate;
            assert!(
                wrong < 1.01 * expected + 5.0 * expected.sqrt(),
                "{wrong} for {rate}"
            );
        }
    }
}

#[test]
fn the_costliest_are_guarded() {
    let negatives = zipf(50_000, 1.0);
    let costliest: Vec<_> = negatives[..5_000].to_vec();
    let sets = KeySets::new(numbers(0..100_000).collect(), negatives).expect("sound");
    let (filter, report) = builder(36.0)
        .guard(0.05)
        .build_and_report(&sets)
        .expect("sound");
    let wrong = costliest
        .iter()
        .filter(|n| filter.contains_digest(n.digest))
        .count() as u64;
    assert_eq!(report.guarded, 5_000 - wrong);
    assert!(wrong < 5, "{wrong}");
}

#[test]
fn wishes_that_no_filter_can_have_are_errors() {
    let text = |builder: SeesawBuilder| {
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
        text(Seesaw::builder(u64::MAX, Size::Rate(1e-9))).contains("no filter is large enough")
    );
}
