//! Measured rates of filters that are built with known negatives, on large sets.

use bloomwise::info::Value;
use bloomwise::keys::Digests;
use bloomwise::unstable::Lookup;
use bloomwise::{AnyFilter, Family, Filter, Hashing, KeySets, Size, Spec};

/// The families that use known negatives.
const FAMILIES: [Family; 4] = [
    Family::Habf,
    Family::HabfFast,
    Family::HabfCache,
    Family::Guarded,
];

/// Sets of `positives` positives and `negatives` negatives of equal cost.
fn equal_sets(positives: u32, negatives: u32) -> KeySets {
    let outside = 1_000_000_000..1_000_000_000 + negatives;
    let sets = KeySets::new(0..positives, outside.map(|key| (key, 1.0)));
    sets.expect("sound costs")
}

/// The number of false positives among a million unseen keys.
fn unseen_false_positives(filter: &AnyFilter) -> f64 {
    let unseen = Digests::of(Hashing::default(), 2_000_000_000..2_001_000_000u32);
    let answers = filter.contains_digests(&unseen).expect("one hashing");
    answers.into_iter().filter(|&answer| answer).count() as f64
}

/// The number of false positives among the known negatives.
fn known_false_positives(filter: &AnyFilter, sets: &KeySets) -> u64 {
    let negatives = sets.negatives().iter();
    negatives.filter(|n| filter.query(n.digest)).count() as u64
}

#[test]
fn known_negatives_have_a_lower_rate_than_unseen_keys() {
    let sets = equal_sets(100_000, 100_000);
    for family in FAMILIES {
        let spec = Spec::new(family).size(Size::BitsPerKey(8.44));
        let filter = spec.build(&sets).expect("a sound spec");
        let known = known_false_positives(&filter, &sets);
        let unseen = unseen_false_positives(&filter);
        assert!(
            200.0 * known as f64 <= unseen,
            "{}: {known} known, {unseen} unseen",
            family.name()
        );
        // Within five standard deviations of the prediction.
        let predicted = 1e6 * filter.info().predicted_fpr;
        assert!(
            (unseen - predicted).abs() < 5.0 * predicted.sqrt() + 0.01 * predicted,
            "{unseen}, {predicted}"
        );
    }
}

#[test]
fn few_or_many_negatives_give_rates_close_to_a_plain_filter() {
    for family in FAMILIES {
        let spec = Spec::new(family).size(Size::BitsPerKey(8.44));
        let plain = spec.build(&equal_sets(50_000, 0)).expect("a sound spec");
        let plain = unseen_false_positives(&plain);
        let few = equal_sets(50_000, 100);
        let filter = spec.build(&few).expect("a sound spec");
        let name = family.name();
        assert_eq!(known_false_positives(&filter, &few), 0, "{name}");
        assert!(unseen_false_positives(&filter) < 1.1 * plain, "{name}");
        let many = equal_sets(50_000, 1_000_000);
        let filter = spec.build(&many).expect("a sound spec");
        let known = known_false_positives(&filter, &many) as f64;
        assert!(known <= 1.05 * plain, "{name}");
        assert!(unseen_false_positives(&filter) < 1.5 * plain, "{name}");
    }
}

#[test]
fn target_rate_is_met_on_unseen_keys() {
    let sets = equal_sets(100_000, 100_000);
    for family in FAMILIES {
        for rate in [0.05, 0.01, 0.002] {
            let spec = Spec::new(family).size(Size::Rate(rate));
            let filter = spec.build(&sets).expect("a sound spec");
            let (unseen, wanted) = (unseen_false_positives(&filter), 1e6 * rate);
            assert!(
                unseen < 1.02 * wanted + 5.0 * wanted.sqrt(),
                "{}: {unseen} for {wanted}",
                family.name()
            );
            assert!(
                unseen > 0.85 * wanted,
                "{}: {unseen} for {wanted}",
                family.name()
            );
        }
    }
}

#[test]
fn without_negatives_the_filter_has_the_rate_of_a_plain_one() {
    for family in [Family::Habf, Family::HabfFast, Family::HabfCache] {
        let spec = Spec::new(family).size(Size::BitsPerKey(10.0));
        let filter = spec.build_from_keys(0..50_000u32).expect("sound");
        let rate = filter.info().predicted_fpr;
        let best = if family == Family::HabfCache {
            0.00967
        } else {
            0.00819
        };
        assert!(
            (rate / best - 1.0).abs() < 0.05,
            "{}: {rate}",
            family.name()
        );
        assert_eq!(filter.info().parameter("cells"), Some(&Value::Whole(0)));
    }
}
