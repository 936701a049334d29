use super::*;
use bloomwise::Hashing;
use proptest::prelude::*;

/// Keys with the given scores.
fn keys(first: u64, scores: impl Iterator<Item = i32>) -> Vec<Scored> {
    let key = |(number, score): (u64, i32)| Scored {
        digest: Hashing::default().digest(number),
        score,
    };
    (first..).zip(scores).map(key).collect()
}

/// All three filters.
fn filters(positives: &[Scored], negatives: &[Scored], bits: u64) -> [Box<dyn ScoredFilter>; 3] {
    let built = || -> Result<[Box<dyn ScoredFilter>; 3]> {
        Ok([
            Box::new(Lbf::build(positives, negatives, bits)?),
            Box::new(Sandwiched::build(positives, negatives, bits)?),
            Box::new(AdaBf::build(positives, negatives, bits)?),
        ])
    };
    built().expect("small filters")
}

/// The share of keys that a filter accepts.
fn share(filter: &dyn ScoredFilter, keys: &[Scored]) -> f64 {
    let accepted = keys.iter().filter(|&&key| filter.may_contain(key));
    accepted.count() as f64 / keys.len() as f64
}

proptest! {
    #[test]
    fn tiny_filters_have_no_false_negatives_whatever_the_scores(
        inside in prop::collection::vec(-20i32..20, 0..80),
        outside in prop::collection::vec(-20i32..20, 0..80),
        extreme in prop::sample::select(vec![0, i32::MIN, i32::MAX]),
        bits in 0u64..900,
    ) {
        let positives = keys(0, inside.into_iter().chain([extreme]));
        let negatives = keys(1000, outside.into_iter());
        for filter in filters(&positives, &negatives, bits) {
            for &key in &positives {
                prop_assert!(filter.may_contain(key));
            }
        }
    }
}

/// Scores that are evenly spread, higher by `gap` for positives.
fn spread(count: i32, gap: i32) -> [Vec<Scored>; 3] {
    let score = move |number: i32| (i64::from(number) * 7919 % i64::from(count)) as i32;
    [
        keys(0, (0..count).map(move |n| score(n) + gap)),
        keys(1 << 32, (0..count).map(score)),
        keys(1 << 33, (0..count).map(move |n| score(n + 13))),
    ]
}

#[test]
fn scores_that_tell_much_lower_the_rate_and_scores_that_tell_nothing_do_not() {
    const COUNT: i32 = 50_000;
    let bits = 8 * COUNT as u64;
    let bloom = bloom_rate(8.0);
    // Two thirds of the positives score higher than any negative.
    let [positives, known, unseen] = spread(COUNT, 2 * COUNT / 3);
    for filter in filters(&positives, &known, bits) {
        assert!(filter.bits() <= bits + 1024);
        assert!(share(filter.as_ref(), &unseen) < bloom / 100.0);
    }
    let [positives, known, unseen] = spread(COUNT, 0);
    let rates = filters(&positives, &known, bits).map(|filter| share(filter.as_ref(), &unseen));
    // The threshold of an LBF gives half of the errors to a model that knows nothing.
    assert!(rates[0] < 3.0 * bloom, "{rates:?}");
    for rate in &rates[1..] {
        assert!((0.9..1.4).contains(&(rate / bloom)), "{rates:?}, {bloom}");
    }
}

#[test]
fn sandwich_has_the_best_rate_among_all_divisions() {
    for (found, wrong) in [(0.5, 0.01), (0.9, 0.001), (0.2, 0.1), (0.7, 0.3)] {
        for per_key in [3.0, 8.0, 16.0] {
            let (backup, rate) = sandwiched::divide(per_key, [found, wrong]);
            assert!((0.0..=per_key).contains(&backup));
            for step in 0..=100 {
                let other = per_key * f64::from(step) / 100.0;
                let of_other = bloom_rate(per_key - other)
                    * (wrong + (1.0 - wrong) * bloom_rate(other / (1.0 - found)));
                assert!(
                    rate <= of_other * (1.0 + 1e-9),
                    "{found}, {wrong}, {per_key}"
                );
            }
        }
    }
}

fn as_bytes(keys: &[String]) -> Vec<&[u8]> {
    keys.iter().map(String::as_bytes).collect()
}

#[test]
fn model_learns_what_distinguishes_keys_and_gives_the_same_score_twice() {
    let inside: Vec<String> = (0..3000).map(|n| format!("ads{n}.example.net")).collect();
    let outside: Vec<String> = (0..3000).map(|n| format!("shop{n}.example.org")).collect();
    let (inside, outside) = (as_bytes(&inside), as_bytes(&outside));
    let model = Model::train(&inside, &outside, 10).expect("converges");
    assert_eq!(model.bytes(), 1024);
    let lowest = inside.iter().map(|key| model.score(key)).min();
    let highest = outside.iter().map(|key| model.score(key)).max();
    assert!(lowest > highest, "{lowest:?}, {highest:?}");
    assert!(model.score(b"ads99999.example.net") > model.score(b"shop99999.example.org"));
    assert!(Model::train(&inside, &[], 10).is_err());
    assert!(Model::train(&inside, &outside, 40).is_err());
    // Very short and very long keys have scores too.
    let _ = (model.score(b""), model.score(&[b'x'; 10_000]));
}
