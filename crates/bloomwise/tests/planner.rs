//! Filters do what was predicted, and the planner recommends the best family.

use bloomwise::guarded::theory::{limit_cost, limit_rate};
use bloomwise::keys::Costed;
use bloomwise::planner::Planner;
use bloomwise::unstable::Lookup;
use bloomwise::{Family, Filter, KeySets, Operation, Size, Spec, Workload};

/// `keys` positives and `keys` negatives; the cost of the negative of rank `i` is `i^-skew`.
fn sets(keys: u32, skew: f64) -> KeySets {
    let ranked = (1_000_000_000..1_000_000_000 + keys).zip(1..);
    let negatives = ranked.map(|(key, rank)| (key, f64::from(rank).powf(-skew)));
    KeySets::new(0..keys, negatives).expect("valid costs")
}

/// The false positive rate by cost on known negatives, and the rate on a million other non-members.
fn measured(filter: &(impl Filter + Lookup), sets: &KeySets) -> (f64, f64) {
    assert!((sets.positives().iter()).all(|&digest| filter.query(digest)));
    let cost = |negatives: &mut dyn Iterator<Item = &Costed>| {
        negatives.map(|negative| negative.cost).sum::<f64>()
    };
    let wrong = |negative: &&Costed| filter.query(negative.digest);
    let all = cost(&mut sets.negatives().iter());
    let known = cost(&mut sets.negatives().iter().filter(wrong)) / all;
    let non_members = 2_000_000_000u32..2_001_000_000;
    let unseen = non_members.filter(|&key| filter.contains(key));
    (known, unseen.count() as f64 / 1e6)
}

/// Checks that the rate on known negatives is predicted within a factor of 1.6, apart from `chance`.
fn check_known(what: &str, known: f64, predicted: f64, chance: f64) {
    assert!(
        known < 1.6 * predicted + chance && predicted < 1.6 * known + chance,
        "{what}: {known} of known negatives, {predicted}"
    );
}

#[test]
fn every_family_meets_its_forecast() {
    for skew in [0.0, 1.0] {
        let sets = sets(100_000, skew);
        let workload = Workload::of(&sets);
        for bits in [8.0, 10.0, 13.5] {
            for family in Family::ALL {
                let what = format!("{} at {bits} bits, skew {skew}", family.name());
                let spec = Spec::new(family).size(Size::BitsPerKey(bits));
                let forecast = spec.forecast(&workload).expect("a size for all");
                let filter = spec.build(&sets).expect("a size for all");
                // The list of rejected or overflowing keys may be shorter than its limit.
                assert!(filter.size_in_bits() <= forecast.bits, "{what}");
                assert!(filter.size_in_bits() as f64 > 0.9 * forecast.bits as f64);
                let (known, unseen) = measured(&filter, &sets);
                // Models are within 8 %, and counts of a million keys within five standard deviations.
                let slack = 0.08 * forecast.unseen + 5.0 * (forecast.unseen / 1e6).sqrt();
                assert!(
                    (unseen - forecast.unseen).abs() < slack,
                    "{what}: {unseen} of unseen keys, {}",
                    forecast.unseen
                );
                // One negative has a twelfth of the cost, so the rate by cost is mostly chance.
                if skew > 0.0 {
                    continue;
                }
                // For a few keys the rate is mostly chance.
                check_known(&what, known, forecast.known, 1e-4);
            }
        }
    }
}

#[test]
fn habf_meets_its_forecast_with_few_bits_and_with_the_parameters_of_the_paper() {
    for negatives_per_key in [0.3, 1.0, 3.0] {
        let (keys, negatives) = (100_000, (1e5 * negatives_per_key) as u32);
        let known = 1_000_000_000..1_000_000_000 + negatives;
        let sets = KeySets::new(0..keys, known.map(|key| (key, 1.0))).expect("valid costs");
        let workload = Workload::of(&sets);
        for (family, paper, bits) in [Family::Habf, Family::HabfFast, Family::HabfCache]
            .into_iter()
            .flat_map(|family| [false, true].map(|paper| (family, paper)))
            .flat_map(|(family, paper)| [3.0, 4.0, 5.0, 6.0, 7.0, 9.0].map(|b| (family, paper, b)))
        {
            let mut spec = Spec::new(family).size(Size::BitsPerKey(bits));
            if paper {
                spec = spec.preset("paper").expect("they have it");
            }
            let forecast = spec.forecast(&workload).expect("a size for all");
            let filter = spec.build(&sets).expect("a size for all");
            let (known, unseen) = measured(&filter, &sets);
            let what = format!("{}, {paper}, {bits}, {negatives_per_key}", family.name());
            let predicted = filter.info().predicted_fpr;
            assert!(
                (unseen / predicted - 1.0).abs() < 0.025,
                "{what}: {unseen}, {predicted}"
            );
            let slack = if paper { 0.2 } else { 0.06 };
            let ratio = unseen / forecast.unseen;
            assert!(
                (ratio - 1.0).abs() < slack,
                "{what}: {ratio} on unseen keys"
            );
            // Five standard deviations of the count.
            let chance = 5.0 * (forecast.known / f64::from(negatives)).sqrt();
            check_known(&what, known, forecast.known, chance);
        }
    }
}

#[test]
fn no_forecast_beats_the_information_limit() {
    for negatives in [0, 1_000_000, 20_000_000] {
        let workload = Workload::new(1_000_000, negatives);
        for bits in [1.0, 2.0, 5.0, 8.44, 16.0] {
            for share in [0.1, 0.5] {
                let planner = Planner::new(&workload, Size::BitsPerKey(bits)).unseen_share(share);
                let advice = planner.advise().expect("a plan");
                let of = |unseen, known| share * unseen + (1.0 - share) * known;
                let taken = advice
                    .rows
                    .iter()
                    .find(|row| row.family == advice.recommended);
                let taken = taken.and_then(|row| row.forecast.as_ref().ok());
                let taken = taken.expect("a forecast");
                match advice.limit.known {
                    0.0 => assert!(taken.known > 0.0 || taken.unseen >= advice.limit.unseen),
                    known => assert!(taken.cost(share) >= of(advice.limit.unseen, known)),
                }
                for row in &advice.rows {
                    let Ok(forecast) = &row.forecast else {
                        continue;
                    };
                    let limit = limit_cost(forecast.bits as f64 / 1e6, &workload, share);
                    let least = of(limit.unseen, limit.known);
                    let ours = of(forecast.unseen, forecast.known);
                    let what = format!("{} at {bits} bits", row.family.name());
                    assert!(ours > 0.999 * least, "{what}: {ours}, {least}");
                }
            }
        }
    }
}

#[test]
fn both_limits_agree_if_no_known_negative_needs_an_error() {
    let workload = Workload::new(1000, 2000);
    // Unseen keys have almost no cost, so the limit spends its bits on known negatives first.
    let both = limit_cost(6.0, &workload, 1e-3);
    let exact = limit_rate(6.0, 2.0).expect("enough bits");
    assert_eq!(both.known, 0.0);
    assert!(
        (both.unseen / exact - 1.0).abs() < 0.02,
        "{both:?}, {exact}"
    );
}

/// The family recommended for a million keys at 10 bits per key, and the reason.
fn recommended(negatives: u64, adjust: impl Fn(Planner<'_>) -> Planner<'_>) -> (Family, String) {
    let workload = Workload::new(1_000_000, negatives);
    let planner = adjust(Planner::new(&workload, Size::BitsPerKey(10.0)));
    let advice = planner.advise().expect("a plan");
    (advice.recommended, advice.why)
}

#[test]
fn bloom_is_recommended_if_no_family_that_fits_is_better() {
    let (family, why) = recommended(0, |planner| planner.needs(Operation::Insert));
    assert_eq!(family, Family::Bloom);
    assert!(why.contains("No kind that fits is better"), "{why}");
    assert!(why.contains("guarded would err on 0.10"), "{why}");
    assert!(why.contains("cannot insert keys"), "{why}");
}

#[test]
fn needed_operations_and_cache_lines_rule_families_out() {
    assert_eq!(recommended(0, |planner| planner).0, Family::Guarded);
    assert_eq!(recommended(1_000_000, |planner| planner).0, Family::Guarded);
    fn insert(planner: Planner<'_>) -> Planner<'_> {
        planner.needs(Operation::Insert)
    }
    assert_eq!(recommended(0, |p| insert(p).lines(1.5)).0, Family::Blocked);
    assert_eq!(recommended(0, |p| p.lines(1.5)).0, Family::Blocked);
    let one_line = recommended(1_000_000, |p| p.lines(1.5)).0;
    assert_eq!(one_line, Family::HabfCache);
    // Later insertions undo the repairs for known negatives.
    assert_eq!(recommended(1_000_000, insert).0, Family::Bloom);
    let one_line = recommended(1_000_000, |p| insert(p).lines(1.5)).0;
    assert_eq!(one_line, Family::Blocked);
}

#[test]
fn a_rate_gets_the_smallest_filter_and_impossible_options_an_error() {
    let workload = Workload::new(1_000_000, 1_000_000);
    let advice = Planner::new(&workload, Size::Rate(0.01)).advise();
    let advice = advice.expect("a plan");
    assert_eq!(advice.recommended, Family::Guarded);
    assert!(
        advice.why.contains("bits per key it errs"),
        "{}",
        advice.why
    );
    // A slightly larger filter is worth it for known negatives.
    let advice = Planner::new(&workload, Size::Rate(0.01))
        .lines(1.5)
        .advise();
    assert_eq!(advice.expect("a plan").recommended, Family::HabfCache);
    let error = |planner: Planner<'_>| planner.advise().expect_err("impossible").to_string();
    let planner = Planner::new(&workload, Size::BitsPerKey(10.0));
    let text = error(planner.clone().lines(0.5));
    assert!(text.contains("more cache lines"), "{text}");
    let text = error(planner.clone().lines(f64::NAN));
    assert!(text.contains("a number above zero"), "{text}");
    let text = error(planner.unseen_share(1.5));
    assert!(text.contains("a share from 0 to 1"), "{text}");
    let text = error(Planner::new(&workload, Size::BitsPerKey(-1.0)));
    assert!(text.contains("bits per key"), "{text}");
}
