//! Lives notice faults that are put between filter and set.

use bloomwise::{Family, Size};
use bloomwise_model::{Case, Draw, Fault, Finding, Scale, World, live};

/// The case of a seed.
fn case(seed: u64) -> Case {
    Case::draw(Scale::Any, &mut Draw::Seed(seed))
}

/// The seeds of the first `count` lives whose case is of interest.
fn seeds(count: usize, wanted: impl Fn(&Case) -> bool) -> impl Iterator<Item = u64> {
    let seeds = (0..).filter(move |&seed| wanted(&case(seed)));
    seeds.take(count)
}

/// What the life of a seed finds with this fault; `None` also if the library refuses its filter.
fn found(seed: u64, fault: Fault) -> Option<Finding> {
    let world = World::default();
    live(Scale::Any, &mut Draw::Seed(seed), world, Some(fault)).1
}

/// A life that takes milliseconds.
fn is_small(case: &Case) -> bool {
    case.positives < 5_000
}

#[test]
fn panic_is_a_finding_that_names_its_case() {
    let seed = seeds(1, is_small).next().expect("there are small cases");
    let finding = found(seed, Fault::Panics).expect("a panic is noticed");
    assert_eq!(finding.what, "panic: an injected panic");
    assert_eq!(finding.case, case(seed).to_string());
    assert!(finding.to_string().contains(&finding.case), "{finding}");
}

#[test]
fn forgotten_key_is_noticed() {
    // At eight bits per key and more, hardly any filter accepts the key by chance.
    let ample = |case: &Case| {
        is_small(case) && matches!(case.size, Size::BitsPerKey(bits) if bits > 8.0) && !case.paper
    };
    let (mut noticed, mut rounds) = (0, 0);
    for seed in seeds(40, ample) {
        rounds += 1;
        if let Some(finding) = found(seed, Fault::ForgetsKey) {
            // Removing the key or counting all keys tells the same.
            let told = [
                "false negative: ",
                "cannot be removed",
                "were removed",
                "counts",
                "it denies",
            ];
            assert!(
                told.iter().any(|told| finding.what.contains(told)),
                "{finding}"
            );
            noticed += 1;
        }
    }
    assert!(4 * noticed > 3 * rounds, "{noticed} of {rounds}");
}

#[test]
fn accepted_known_negative_is_noticed() {
    let guarded =
        |case: &Case| case.family == Family::Guarded && case.negatives > 0 && case.shards.is_none();
    for seed in seeds(20, |case| is_small(case) && guarded(case)) {
        let finding = found(seed, Fault::AcceptsNegative).expect("is noticed");
        assert!(finding.what.contains("known negatives"), "{finding}");
    }
}

#[test]
fn overshot_budget_is_noticed() {
    let plain = |case: &Case| {
        // Shards would be refused.
        let sized = case.budget().is_some() && case.settings.is_empty() && case.shards.is_none();
        // A guarded filter does not need an ample budget.
        is_small(case) && sized && case.family != Family::Guarded
    };
    for seed in seeds(40, plain) {
        let finding = found(seed, Fault::OvershootsBudget);
        let finding = finding.unwrap_or_else(|| panic!("not noticed: {:?}", case(seed)));
        assert!(finding.what.contains("more than its budget"), "{finding}");
    }
}

#[test]
fn life_can_be_repeated_and_its_finding_has_no_step_too_many() {
    for seed in seeds(20, is_small) {
        let run = || {
            let (draw, fault) = (&mut Draw::Seed(seed), Some(Fault::ForgetsKey));
            live(Scale::Any, draw, World::default(), fault)
        };
        let ((tallies, finding), (again, found_again)) = (run(), run());
        assert_eq!(tallies, again);
        let text = |finding: &Option<Finding>| finding.as_ref().map(ToString::to_string);
        assert_eq!(text(&finding), text(&found_again));
        // Every query shows it.
        let steps = finding.map_or(0, |finding| finding.steps.len());
        assert!(steps <= 1, "{steps} steps");
    }
}
