//! What is foretold is what is built; and what is recommended is best.

use bloomwise::guarded::theory::{limit_cost, limit_rate};
use bloomwise::{
    Costed, Digest, Family, Filter, Hashing, KeySets, Operation, Planner, Size, Spec, Workload,
};

/// Keys from a range of numbers.
fn numbers(range: std::ops::Range<u32>) -> impl Iterator<Item = Digest> {
    range.map(|n| Hashing::default().digest(&n.to_le_bytes()))
}

/// So many positives and as many negatives; the cost of the negative of rank `i` is `i^-skew`.
fn sets(keys: u32, skew: f64) -> KeySets {
    let ranked = numbers(1_000_000_000..1_000_000_000 + keys).zip(1..);
    let negatives = ranked.map(|(digest, rank)| Costed {
        digest,
        cost: f64::from(rank).powf(-skew),
    });
    KeySets::new(numbers(0..keys).collect(), negatives.collect()).expect("sound costs")
}

/// The share of the cost of known negatives, and of a million other keys, that are answered with "yes".
fn measured(filter: &dyn Filter, sets: &KeySets) -> (f64, f64) {
    assert!((sets.positives().iter()).all(|&digest| filter.contains_digest(digest)));
    let cost = |negatives: &mut dyn Iterator<Item = &Costed>| {
        negatives.map(|negative| negative.cost).sum::<f64>()
    };
    let wrong = |negative: &&Costed| filter.contains_digest(negative.digest);
    let all = cost(&mut sets.negatives().iter());
    let known = cost(&mut sets.negatives().iter().filter(wrong)) / all;
    let strangers = numbers(2_000_000_000..2_001_000_000);
    let unseen = strangers.filter(|&digest| filter.contains_digest(digest));
    (known, unseen.count() as f64 / 1e6)
}

#[test]
fn every_family_does_what_was_foretold() {
    for skew in [0.0, 1.0] {
        let sets = sets(100_000, skew);
        let workload = Workload::of(&sets);
        for bits in [8.0, 10.0, 13.5] {
            for family in Family::ALL {
                let what = format!("{} at {bits} bits, skew {skew}", family.name());
                let spec = Spec::new(family.name()).expect("a name");
                let spec = spec.size(Size::BitsPerKey(bits));
                let forecast = spec.forecast(&workload).expect("a size for all");
                let filter = spec.build(&sets).expect("a size for all");
                // A list need not be full.
                assert!(filter.size_in_bits() <= forecast.bits, "{what}");
                assert!(filter.size_in_bits() as f64 > 0.9 * forecast.bits as f64);
                let (known, unseen) = measured(&filter, &sets);
                // Models are good to a twelfth, and a million keys to five deviations.
                let slack = 0.08 * forecast.unseen + 5.0 * (forecast.unseen / 1e6).sqrt();
                assert!(
                    (unseen - forecast.unseen).abs() < slack,
                    "{what}: {unseen} of unseen keys, {}",
                    forecast.unseen
                );
                // Where one negative has a twelfth of the cost, chance rules.
                if skew > 0.0 {
                    continue;
                }
                // The repair of known negatives is foretold within a factor of three; below a few keys chance rules.
                let few = 1e-4;
                assert!(
                    known < 3.0 * forecast.known + few && forecast.known < 3.0 * known + few,
                    "{what}: {known} of known negatives, {}",
                    forecast.known
                );
            }
        }
    }
}

#[test]
fn no_family_beats_the_limit() {
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
fn where_all_negatives_can_be_right_both_limits_are_one() {
    let workload = Workload::new(1000, 2000);
    // With hardly any cost on unseen keys, what is known comes first.
    let both = limit_cost(6.0, &workload, 1e-3);
    let exact = limit_rate(6.0, 2.0).expect("bits enough");
    assert_eq!(both.known, 0.0);
    assert!(
        (both.unseen / exact - 1.0).abs() < 0.02,
        "{both:?}, {exact}"
    );
}

/// What is recommended for a million keys at ten bits per key.
fn recommended(negatives: u64, adjust: impl Fn(Planner<'_>) -> Planner<'_>) -> (Family, String) {
    let workload = Workload::new(1_000_000, negatives);
    let planner = adjust(Planner::new(&workload, Size::BitsPerKey(10.0)));
    let advice = planner.advise().expect("a plan");
    (advice.recommended, advice.why)
}

#[test]
fn the_plain_filter_is_recommended_where_nothing_is_better() {
    let (family, why) = recommended(0, |planner| planner.needs(Operation::Insert));
    assert_eq!(family, Family::Bloom);
    assert!(why.contains("No kind that fits is better"), "{why}");
    assert!(why.contains("guarded would err on 0.16"), "{why}");
    assert!(why.contains("cannot insert keys"), "{why}");
}

#[test]
fn needs_and_lines_rule_families_out() {
    assert_eq!(recommended(0, |planner| planner).0, Family::Guarded);
    assert_eq!(recommended(1_000_000, |planner| planner).0, Family::Guarded);
    fn insert(planner: Planner<'_>) -> Planner<'_> {
        planner.needs(Operation::Insert)
    }
    assert_eq!(recommended(0, |p| insert(p).lines(1.5)).0, Family::Blocked);
    assert_eq!(recommended(0, |p| p.lines(1.5)).0, Family::Blocked);
    let one_line = recommended(1_000_000, |p| p.lines(1.5)).0;
    assert_eq!(one_line, Family::HabfCache);
    // Keys that come later undo what was repaired for those that are known.
    assert_eq!(recommended(1_000_000, insert).0, Family::Bloom);
    let one_line = recommended(1_000_000, |p| insert(p).lines(1.5)).0;
    assert_eq!(one_line, Family::Blocked);
}

#[test]
fn a_rate_gets_the_smallest_filter_and_impossible_wishes_an_error() {
    let workload = Workload::new(1_000_000, 1_000_000);
    let advice = Planner::new(&workload, Size::Rate(0.01)).advise();
    let advice = advice.expect("a plan");
    assert_eq!(advice.recommended, Family::Guarded);
    assert!(
        advice.why.contains("bits per key it errs"),
        "{}",
        advice.why
    );
    // Known negatives are worth a few bits.
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
