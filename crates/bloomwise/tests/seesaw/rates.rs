//! The theory against filters: every lemma, and the rates of the paper's query and of ours.

use super::naive::seesaw::SeesawModel;
use super::{equal_negatives, numbers};
use bloomwise::seesaw::SeesawBuilder;
use bloomwise::seesaw::theory::{Load, State, paper};
use bloomwise::{AnyFilter, Filter, Seesaw, Size, Workload};

const KEYS: u64 = 60_000;
const STRANGERS: u64 = 400_000;

/// A filter that holds its capacity, its model, and what the theory says of it.
struct Case {
    filter: Seesaw,
    model: SeesawModel,
    load: Load,
    guarded: u64,
}

impl Case {
    fn new(share: f64, functions: u32, alpha: f64) -> Self {
        let guarded = (share * KEYS as f64) as u64;
        let builder = Seesaw::builder(KEYS, Size::BitsPerKey(28.0))
            .functions(functions)
            .alpha(alpha)
            .count_bits(4)
            .index_bits(1)
            .guard(share);
        let sets = equal_negatives(1_000_000..1_000_000 + guarded);
        let plan = builder.plan(&Workload::of(&sets)).expect("sound");
        let mut filter = builder.build(&sets).expect("sound");
        let model = SeesawModel::of(&AnyFilter::Seesaw(filter.clone()));
        let mut model = model.expect("a seesaw filter");
        numbers(1_000_000..1_000_000 + guarded).for_each(|digest| model.guard(digest));
        for digest in numbers(0..KEYS) {
            filter.insert_digest(digest);
            model.insert(digest);
        }
        Case {
            filter,
            model,
            guarded,
            load: Load {
                guarded: share,
                counters: plan.counters as f64 / KEYS as f64,
                cells: plan.cells as f64 / KEYS as f64,
                functions,
                index_bits: 1,
            },
        }
    }
}

/// Guards, functions and modulators: few and many of each.
fn cases() -> Vec<Case> {
    let wishes = [
        (0.05, 4, 0.0),
        (0.05, 4, 0.1),
        (0.3, 3, 0.1),
        (0.3, 4, 0.0),
        (1.0, 3, 0.2),
    ];
    wishes
        .map(|(share, k, alpha)| Case::new(share, k, alpha))
        .into()
}

fn close(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (got / expected - 1.0).abs() < tolerance,
        "{what}: {got}, expected {expected}"
    );
}

#[test]
fn fills_are_those_of_the_lemmas() {
    for case in cases() {
        let (load, found, expected) = (case.load, case.filter.state(), case.load.state());
        let marked = paper::marked(load.functions, load.counters, load.guarded);
        close(found.marked, marked, 0.02, "Lemma IV.1");
        close(found.plain_fill, expected.plain_fill, 0.01, "Lemma IV.6");
        // Few marked counters are in use, so that chance has more of a say.
        close(found.marked_fill, expected.marked_fill, 0.08, "Lemma IV.5");
        if let Some(load) = expected.load {
            close(found.load.expect("a modulator"), load, 0.02, "Lemma IV.3");
        }
        assert_eq!(found.load.is_some(), expected.load.is_some());
    }
}

#[test]
fn our_rates_are_those_of_the_state() {
    for case in cases() {
        let state: State = case.load.state();
        let rate = |range: std::ops::Range<u64>| {
            let count = (range.end - range.start) as f64;
            let wrong = numbers(range).filter(|&digest| case.filter.contains_digest(digest));
            (wrong.count() as f64, count)
        };
        for (what, (wrong, asked), expected) in [
            (
                "unseen",
                rate(5_000_000..5_000_000 + STRANGERS),
                state.unseen_rate(),
            ),
            (
                "guarded",
                rate(1_000_000..1_000_000 + case.guarded),
                state.guarded_rate(),
            ),
        ] {
            let mean = asked * expected;
            // The fill of marked counters goes in with the power of the functions.
            let bound = 5.0 * mean.sqrt() + if what == "unseen" { 0.02 } else { 0.15 } * mean;
            assert!(
                (wrong - mean).abs() < bound + 1.0,
                "{what}: {wrong} of {asked}, {mean}"
            );
        }
        let measured = case.filter.info().predicted_fpr;
        close(
            measured,
            state.unseen_rate(),
            0.03,
            "what the filter says of itself",
        );
    }
}

#[test]
fn the_papers_query_has_the_rates_of_its_theorems_and_ours_is_better() {
    for case in cases().into_iter().filter(|case| case.load.cells > 0.0) {
        let state = case.load.state();
        let (fills, load) = (
            (state.marked_fill, state.plain_fill),
            state.load.expect("cells"),
        );
        let functions = state.functions;
        let by_paper = |range: std::ops::Range<u64>| {
            let wrong = numbers(range).filter(|&digest| case.model.contains_by_paper(digest));
            wrong.count() as f64
        };
        let ours = |range: std::ops::Range<u64>| {
            let wrong = numbers(range).filter(|&digest| case.filter.contains_digest(digest));
            wrong.count() as f64
        };
        let guarded = 1_000_000..1_000_000 + case.guarded;
        let strangers = 5_000_000..5_000_000 + STRANGERS;
        let theorem_1 = paper::guarded_rate(functions, state.marked, fills, load);
        let theorem_2 = paper::other_rate(functions, state.marked, fills, load);
        let mean = case.guarded as f64 * theorem_1;
        let wrong = by_paper(guarded.clone());
        assert!(
            (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.15 * mean + 1.0,
            "{wrong}, {mean}"
        );
        let mean = STRANGERS as f64 * theorem_2;
        let wrong = by_paper(strangers.clone());
        assert!(
            (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.03 * mean,
            "{wrong}, {mean}"
        );
        assert!(ours(strangers) < wrong && ours(guarded.clone()) <= by_paper(guarded));
    }
}

#[test]
fn keys_that_meet_marks_get_around_them_as_often_as_lemmas_two_and_four_say() {
    // From equation 1: a key that meets marks counts in one marked counter less if it gets around one.
    for case in cases() {
        let (load, state) = (case.load, case.filter.state());
        let k = load.functions;
        let met = f64::from(k) * state.marked;
        let met_any = paper::modulations(k, state.marked);
        // What the filling of marked counters tells about how many settled there.
        let settled = -(1.0 - state.marked_fill).ln() * load.counters * state.marked;
        let success = (met - settled) / met_any;
        let mean = if load.cells > 0.0 {
            paper::mean_load(load.scale())
        } else {
            0.0
        };
        close(
            success,
            paper::success(mean, state.marked, load.index_bits),
            0.02,
            "Lemma IV.4",
        );
    }
}

/// An adaptive filter that holds its keys, and the numbers of keys that are guarded afterwards.
fn guarded_late(builder: &SeesawBuilder, known: u64) -> (Seesaw, std::ops::Range<u64>) {
    let sets = equal_negatives(1_000_000..1_000_000 + known);
    let mut filter = builder.build(&sets).expect("sound");
    filter.insert_digests(&numbers(0..KEYS).collect::<Vec<_>>());
    (filter, 2_000_000..2_000_000 + KEYS / 20)
}

fn wrong(filter: &Seesaw, range: &std::ops::Range<u64>) -> f64 {
    let wrong = numbers(range.clone()).filter(|&digest| filter.contains_digest(digest));
    wrong.count() as f64
}

fn guard(filter: &mut Seesaw, range: &std::ops::Range<u64>) {
    for digest in numbers(range.clone()) {
        filter.guard_digest(digest).expect("adaptive");
    }
}

#[test]
fn guarding_late_does_little_harm_and_helps_as_keys_are_replaced() {
    // How many negatives are known from the start, and what the rate may come to at once, and after half of the keys.
    let cases = [
        (0, 1.2, 0.6),
        (KEYS / 100, 1.2, 0.6),
        (KEYS / 10, 1.8, 0.85),
    ];
    for (bits, (known, at_once, halfway)) in [20.0, 24.0, 28.0, 36.0]
        .into_iter()
        .flat_map(|bits| cases.map(|case| (bits, case)))
    {
        let builder = Seesaw::builder(KEYS, Size::BitsPerKey(bits)).adaptive();
        let (mut filter, guarded) = guarded_late(&builder, known);
        let before = wrong(&filter, &guarded);
        guard(&mut filter, &guarded);
        let after = wrong(&filter, &guarded);
        assert!(
            after <= at_once * before,
            "{bits} bits, {known} known: {before}, then {after}"
        );
        for (old, new) in numbers(0..KEYS / 2).zip(numbers(KEYS..2 * KEYS)) {
            assert!(filter.remove_digest(old));
            filter.insert_digest(new);
        }
        let half = wrong(&filter, &guarded);
        assert!(
            half < halfway * before,
            "{bits} bits, {known} known: {before}, later {half}"
        );
    }
}

#[test]
fn without_a_modulator_guarding_late_does_harm_at_first() {
    for bits in [24.0, 28.0, 36.0] {
        let builder = Seesaw::builder(KEYS, Size::BitsPerKey(bits)).adaptive();
        let (mut filter, guarded) = guarded_late(&builder.alpha(0.0), 0);
        let before = wrong(&filter, &guarded);
        guard(&mut filter, &guarded);
        let after = wrong(&filter, &guarded);
        assert!(after > 2.0 * before, "{bits} bits: {before}, then {after}");
    }
}

#[test]
fn the_rate_on_guarded_keys_is_predicted_while_marks_wait() {
    for (bits, alpha) in [(28.0, 0.0), (28.0, 0.1), (36.0, 0.0), (36.0, 0.1)] {
        let builder = Seesaw::builder(KEYS, Size::BitsPerKey(bits)).adaptive();
        let mut filter = builder
            .alpha(alpha)
            .build(&Default::default())
            .expect("sound");
        let told = |filter: &Seesaw| {
            let parameters = filter.info().parameters;
            parameters
                .iter()
                .any(|(name, _)| *name == "predicted_guarded_fpr")
        };
        filter.insert_digests(&numbers(0..KEYS).collect::<Vec<_>>());
        assert!(!told(&filter), "nothing is guarded");
        let guarded = 2_000_000..2_000_000 + KEYS / 5;
        guard(&mut filter, &guarded);
        assert!(told(&filter));
        for quarter in 0..5 {
            let mean = (KEYS / 5) as f64 * filter.state().guarded_rate();
            let wrong = wrong(&filter, &guarded);
            assert!(
                (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.12 * mean + 1.0,
                "{bits} bits, alpha {alpha}, {quarter} of 4: {wrong}, predicted {mean}"
            );
            let gone = quarter * KEYS / 4..(quarter + 1) * KEYS / 4;
            for (old, new) in numbers(gone.clone()).zip(numbers(gone.start + KEYS..gone.end + KEYS))
            {
                assert!(filter.remove_digest(old));
                filter.insert_digest(new);
            }
        }
    }
}

#[test]
fn the_formulas_have_the_limits_they_must() {
    assert_eq!(paper::marked(4, 5.0, 0.0), 0.0);
    assert_eq!(paper::marked_fill(4, 5.0, 0.0, 1.0), 0.0);
    assert!((paper::load(1.0) - 0.632_120_558).abs() < 1e-8);
    assert_eq!(paper::load(f64::INFINITY), 0.0);
    assert_eq!(paper::mean_load(f64::INFINITY), 0.0);
    assert!((paper::mean_load(1.0) - 0.367_879_441).abs() < 1e-8);
    assert_eq!(paper::success(0.0, 0.5, 1), 0.75);
    assert_eq!(paper::success(1.0, 0.5, 1), 0.5);
    assert!((paper::modulator_share(36.0, 6.48, 5.0) - 0.1).abs() < 1e-12);
    // One key for a cell on average, and room for one: those with one or more are stuck.
    assert!((paper::stuck(1.0, 1) - 0.632_120_558).abs() < 1e-8);
    assert!(paper::stuck(1.0, 3) < 1e-4 && paper::stuck(1.0, 3) > 5e-5);
    // Numbers that no filter has are no reason to panic.
    assert!(paper::stuck(1.0, 32) < 1e-12 && paper::stuck(1.0, 99) < 1e-12);
    assert_eq!(paper::success(0.0, 0.5, 99), 1.0);
}
