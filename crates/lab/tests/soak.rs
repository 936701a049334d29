//! The soak finds nothing in a sound library, and notices faults.

use bloomwise::{Family, Size};
use bloomwise_lab::soak::{Case, Fault, Finding, run_round};
use std::process::Command;

/// The seeds of the first `count` rounds whose case is of interest.
fn seeds(count: usize, wanted: impl Fn(&Case) -> bool) -> impl Iterator<Item = u64> {
    let seeds = (0..).filter(move |&seed| wanted(&Case::of(seed)));
    seeds.take(count)
}

/// What the round of a seed finds with this fault; `None` also if the library refuses the filter of the round.
fn found(seed: u64, fault: Fault) -> Option<Finding> {
    let folder = tempfile::tempdir().expect("creates a folder");
    run_round(seed, Some(fault), folder.path()).1
}

/// The maximum number of keys in a round that takes milliseconds.
fn is_small(case: &Case) -> bool {
    case.positives < 5_000
}

#[test]
fn sound_library_passes_a_short_soak() {
    let arguments = [
        "soak",
        "--operations",
        "5000",
        "--seed",
        "7",
        "--threads",
        "2",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_bloomwise-lab"))
        .args(arguments)
        .output();
    let output = output.expect("runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("seed 0x0000000000000007, 2 rounds at a time\n"),
        "{text}"
    );
    let last = text.lines().last().expect("prints a summary");
    let operations = last
        .strip_suffix(" operations, 0 findings")
        .expect("the sum");
    let operations: u64 = operations.replace(',', "").parse().expect("a number");
    assert!(operations >= 5000, "{text}");
}

#[test]
fn panic_is_a_finding_with_the_command_that_repeats_it() {
    let seed = seeds(1, is_small).next().expect("there are small cases");
    let finding = found(seed, Fault::Panics).expect("a panic is noticed");
    assert_eq!(finding.what, "panic: an injected panic");
    let text = finding.to_string();
    let command = format!("cargo run --release -p bloomwise-lab -- soak --round {seed:#018x}");
    assert!(text.ends_with(&command), "{text}");
    assert!(text.contains(&Case::of(seed).to_string()), "{text}");
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
    let guarded = |case: &Case| case.family == Family::Guarded && case.negatives > 0;
    for seed in seeds(20, |case| is_small(case) && guarded(case)) {
        let finding = found(seed, Fault::AcceptsNegative).expect("is noticed");
        assert!(finding.what.contains("known negatives"), "{finding}");
    }
}

#[test]
fn overshot_budget_is_noticed() {
    let plain = |case: &Case| {
        let sized = case.budget().is_some() && case.settings.is_empty();
        // A guarded filter of few keys does not need its budget.
        is_small(case) && sized && (case.family != Family::Guarded || case.positives > 100)
    };
    for seed in seeds(40, plain) {
        let finding = found(seed, Fault::OvershootsBudget);
        let finding = finding.unwrap_or_else(|| panic!("not noticed: {:?}", Case::of(seed)));
        assert!(finding.what.contains("more than its budget"), "{finding}");
    }
}

#[test]
fn round_can_be_repeated() {
    // Threads that share a filter may do so in another order the next time.
    let single = |case: &Case| {
        is_small(case) && !matches!(case.family, Family::Seesaw | Family::SeesawAdaptive)
    };
    let folder = tempfile::tempdir().expect("creates a folder");
    for seed in seeds(5, single) {
        let run = || run_round(seed, Some(Fault::ForgetsKey), folder.path());
        let ((tallies, finding), (again, found_again)) = (run(), run());
        assert_eq!(tallies, again);
        let text = |finding: Option<Finding>| finding.map(|finding| finding.to_string());
        assert_eq!(text(finding), text(found_again));
    }
}
