//! Rates of filters that are built with known negatives, on sets large enough to count.

use bloomwise::habf::theory;
use bloomwise::{AnyFilter, Costed, Digest, Family, Filter, Hashing, KeySets, Size, Spec, Value};

/// The families that look at their known negatives.
const FAMILIES: [Family; 4] = [
    Family::Habf,
    Family::HabfFast,
    Family::HabfCache,
    Family::Guarded,
];

/// Keys from a range of numbers.
fn numbers(range: std::ops::Range<u32>) -> impl Iterator<Item = Digest> {
    range.map(|n| Hashing::default().digest(&n.to_le_bytes()))
}

/// So many positives and so many negatives, which all cost the same.
fn equal_sets(positives: u32, negatives: u32) -> KeySets {
    let outside = numbers(1_000_000_000..1_000_000_000 + negatives);
    let negatives = outside.map(|digest| Costed { digest, cost: 1.0 });
    KeySets::new(numbers(0..positives).collect(), negatives.collect()).expect("sound costs")
}

/// How many of a million keys that nobody has seen are answered with "yes".
fn unseen(filter: &AnyFilter) -> f64 {
    let strangers = numbers(2_000_000_000..2_001_000_000);
    strangers.filter(|&d| filter.contains_digest(d)).count() as f64
}

fn known(filter: &AnyFilter, sets: &KeySets) -> u64 {
    let negatives = sets.negatives().iter();
    negatives
        .filter(|n| filter.contains_digest(n.digest))
        .count() as u64
}

#[test]
fn known_negatives_are_answered_better_than_unseen_ones() {
    let sets = equal_sets(100_000, 100_000);
    for family in FAMILIES {
        let spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::BitsPerKey(8.44));
        let filter = spec.build(&sets).expect("a sound spec");
        let (known, unseen) = (known(&filter, &sets), unseen(&filter));
        assert!(
            200.0 * known as f64 <= unseen,
            "{}: {known} known, {unseen} unseen",
            family.name()
        );
        // Within five deviations of what the filter predicts.
        let predicted = 1e6 * filter.info().predicted_fpr;
        assert!(
            (unseen - predicted).abs() < 5.0 * predicted.sqrt() + 0.01 * predicted,
            "{unseen}, {predicted}"
        );
    }
}

#[test]
fn very_few_and_very_many_negatives_leave_a_filter_that_is_no_worse_than_a_plain_one() {
    for family in FAMILIES {
        let spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::BitsPerKey(8.44));
        let plain = unseen(&spec.build(&equal_sets(50_000, 0)).expect("a sound spec"));
        let few = equal_sets(50_000, 100);
        let filter = spec.build(&few).expect("a sound spec");
        assert_eq!(known(&filter, &few), 0, "{}", family.name());
        assert!(unseen(&filter) < 1.1 * plain, "{}", family.name());
        let many = equal_sets(50_000, 1_000_000);
        let filter = spec.build(&many).expect("a sound spec");
        assert!(
            known(&filter, &many) as f64 <= 1.05 * plain,
            "{}",
            family.name()
        );
        assert!(unseen(&filter) < 1.5 * plain, "{}", family.name());
    }
}

#[test]
fn a_rate_that_is_asked_for_is_kept_on_unseen_keys() {
    let sets = equal_sets(100_000, 100_000);
    for family in FAMILIES {
        for rate in [0.05, 0.01, 0.002] {
            let spec = Spec::new(family.name())
                .expect("a family")
                .size(Size::Rate(rate));
            let filter = spec.build(&sets).expect("a sound spec");
            let (unseen, wanted) = (unseen(&filter), 1e6 * rate);
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
fn the_bound_of_the_paper_holds_over_the_ranges_of_its_figure_8() {
    let sets = equal_sets(100_000, 100_000);
    let by_functions = (2..=10).map(|k| (10.0, k, 5));
    let by_bits = (4..=13).map(|bits| (f64::from(bits), 4, 4));
    for (bits_per_key, k, cell_bits) in by_functions.chain(by_bits) {
        let spec = Spec::new("habf")
            .expect("a family")
            .size(Size::BitsPerKey(bits_per_key));
        let settings = [
            ("k", k.to_string()),
            ("cell-bits", cell_bits.to_string()),
            ("ratio", "0.2".to_string()),
        ];
        let set =
            |spec: Spec, (name, value): &(&str, String)| spec.set(name, value).expect("sound");
        let spec = settings.iter().fold(spec, set);
        let before = spec.clone().set("passes", "0").expect("sound");
        let before = before.build(&sets).expect("sound");
        let filter = spec.build(&sets).expect("sound");
        let info = filter.info();
        let whole = |name| match info.parameters.iter().find(|(known, _)| *known == name) {
            Some((_, Value::Whole(value))) => *value as f64,
            _ => panic!("no {name}"),
        };
        let (negatives, collisions) = (1e5, known(&before, &sets) as f64);
        let (functions, pool) = (f64::from(k), f64::from((1 << (cell_bits - 1)) - 1));
        let adjustable = theory::adjustable_bound(
            before.info().fill,
            functions,
            negatives,
            pool,
            whole("bits"),
        );
        let repaired = theory::repaired(collisions, adjustable, whole("cells"), functions);
        let bound = theory::optimised_rate(collisions / negatives, negatives, repaired);
        let real = known(&filter, &sets) as f64 / negatives;
        assert!(
            real < bound,
            "k = {k}, {bits_per_key} bits per key: {real} is above the bound, {bound}"
        );
    }
}

#[test]
fn without_negatives_it_is_a_plain_filter_of_the_best_rate() {
    for family in [Family::Habf, Family::HabfFast, Family::HabfCache] {
        let spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::BitsPerKey(10.0));
        let filter = spec
            .build_from_keys((0..50_000u32).map(u32::to_le_bytes))
            .expect("sound");
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
        assert!(
            filter
                .info()
                .parameters
                .contains(&("cells", Value::Whole(0)))
        );
    }
}
