//! The theory compared with filters: every lemma and the rates. The lab compares the theorems on the paper's query.

use super::{equal_negatives, found};
use bloomwise::seesaw::theory::{Setup, State, paper};
use bloomwise::{Builder, Filter, Insert, Remove, Seesaw, Size, Workload};
use std::ops::Range;

const KEYS: u64 = 60_000;
const NON_MEMBERS: u64 = 400_000;

/// A filter that holds as many keys as its capacity, and its parameters for the theory.
struct Case {
    filter: Seesaw,
    setup: Setup,
    guarded: u64,
}

impl Case {
    fn new(share: f64, functions: u32, alpha: f64) -> Self {
        let guarded = (share * KEYS as f64) as u64;
        let builder = Seesaw::builder(Size::BitsPerKey(28.0))
            .capacity(KEYS)
            .functions(functions)
            .alpha(alpha)
            .count_bits(4)
            .index_bits(1)
            .guard(share);
        let sets = equal_negatives(1_000_000..1_000_000 + guarded);
        let plan = builder.plan(&Workload::of(&sets)).expect("sound");
        let mut filter = builder.build(&sets).expect("sound");
        filter.extend(0..KEYS);
        Case {
            filter,
            guarded,
            setup: Setup {
                guarded: share,
                counters: plan.counters as f64 / KEYS as f64,
                cells: plan.cells as f64 / KEYS as f64,
                functions,
                index_bits: 1,
            },
        }
    }
}

/// Cases with few and many guarded keys, functions and modulator cells.
fn cases() -> Vec<Case> {
    let parameters = [
        (0.05, 4, 0.0),
        (0.05, 4, 0.1),
        (0.3, 3, 0.1),
        (0.3, 4, 0.0),
        (1.0, 3, 0.2),
    ];
    parameters
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
fn measured_fills_agree_with_the_lemmas() {
    for case in cases() {
        let (setup, found, expected) = (case.setup, case.filter.state(), case.setup.state());
        let marked = paper::marked(setup.functions, setup.counters, setup.guarded);
        close(found.marked, marked, 0.02, "Lemma IV.1");
        close(found.plain_fill, expected.plain_fill, 0.01, "Lemma IV.6");
        // Few marked counters are in use, so the measured share varies more.
        close(found.marked_fill, expected.marked_fill, 0.08, "Lemma IV.5");
        if let Some(load) = expected.load {
            close(found.load.expect("a modulator"), load, 0.02, "Lemma IV.3");
        }
        assert_eq!(found.load.is_some(), expected.load.is_some());
    }
}

#[test]
fn measured_rates_agree_with_the_state() {
    for case in cases() {
        let state: State = case.setup.state();
        let rate = |range: Range<u64>| {
            let count = (range.end - range.start) as f64;
            (found(&case.filter, range), count)
        };
        for (what, (wrong, queries), expected) in [
            (
                "unseen",
                rate(5_000_000..5_000_000 + NON_MEMBERS),
                state.unseen_rate(),
            ),
            (
                "guarded",
                rate(1_000_000..1_000_000 + case.guarded),
                state.guarded_rate(),
            ),
        ] {
            let mean = queries * expected;
            // The rate on guarded keys is about the fill of marked counters to the power of k, which varies much.
            let bound = 5.0 * mean.sqrt() + if what == "unseen" { 0.02 } else { 0.15 } * mean;
            assert!(
                (wrong - mean).abs() < bound + 1.0,
                "{what}: {wrong} of {queries}, {mean}"
            );
        }
        let measured = case.filter.info().predicted_fpr;
        close(
            measured,
            state.unseen_rate(),
            0.03,
            "the rate that the filter predicts",
        );
    }
}

#[test]
fn keys_with_marked_counters_find_stand_ins_as_often_as_the_lemmas_predict() {
    // From equation 1: a key with a stand-in counts in one marked counter less.
    for case in cases() {
        let (setup, state) = (case.setup, case.filter.state());
        let k = setup.functions;
        let marked_per_key = f64::from(k) * state.marked;
        let with_marks = paper::modulations(k, state.marked);
        // The fill of marked counters tells how many marked counters a key counts in.
        let counted = -(1.0 - state.marked_fill).ln() * setup.counters * state.marked;
        let success = (marked_per_key - counted) / with_marks;
        let mean_load = if setup.cells > 0.0 {
            paper::mean_load(setup.scale())
        } else {
            0.0
        };
        close(
            success,
            paper::success(mean_load, state.marked, setup.index_bits),
            0.02,
            "Lemma IV.4",
        );
    }
}

/// A filter that holds its keys and guards `known` negatives, and the range of keys to guard now.
fn filled_filter(builder: &Builder<Seesaw>, known: u64) -> (Seesaw, Range<u64>) {
    let sets = equal_negatives(1_000_000..1_000_000 + known);
    let mut filter = builder.build(&sets).expect("sound");
    filter.extend(0..KEYS);
    (filter, 2_000_000..2_000_000 + KEYS / 20)
}

/// Guards the keys of a range.
fn guard(filter: &mut Seesaw, range: &Range<u64>) {
    for key in range.clone() {
        filter.guard(key).expect("adaptive");
    }
}

#[test]
fn guarding_late_raises_the_rate_little_and_lowers_it_as_keys_are_replaced() {
    // The number of negatives guarded from the start, and the maximum rate, relative to the rate before: right after guarding,
    // and after half of the keys were replaced.
    let cases = [
        (0, 1.2, 0.6),
        (KEYS / 100, 1.2, 0.6),
        (KEYS / 10, 1.1, 0.85),
    ];
    for (bits, (known, at_once, halfway)) in [20.0, 24.0, 28.0, 36.0]
        .into_iter()
        .flat_map(|bits| cases.map(|case| (bits, case)))
    {
        let builder = Seesaw::builder(Size::BitsPerKey(bits))
            .capacity(KEYS)
            .adaptive();
        let (mut filter, guarded) = filled_filter(&builder, known);
        let before = found(&filter, guarded.clone());
        guard(&mut filter, &guarded);
        let after = found(&filter, guarded.clone());
        assert!(
            after <= at_once * before,
            "{bits} bits, {known} known: {before}, then {after}"
        );
        for old in 0..KEYS / 2 {
            assert!(filter.remove(old));
            filter.insert(KEYS + old);
        }
        let half = found(&filter, guarded.clone());
        assert!(
            half < halfway * before,
            "{bits} bits, {known} known: {before}, later {half}"
        );
    }
}

#[test]
fn guarding_late_without_a_modulator_doubles_the_rate_at_first() {
    for bits in [24.0, 28.0, 36.0] {
        let builder = Seesaw::builder(Size::BitsPerKey(bits))
            .capacity(KEYS)
            .adaptive();
        let (mut filter, guarded) = filled_filter(&builder.alpha(0.0), 0);
        let before = found(&filter, guarded.clone());
        guard(&mut filter, &guarded);
        let after = found(&filter, guarded.clone());
        assert!(after > 2.0 * before, "{bits} bits: {before}, then {after}");
    }
}

#[test]
fn predicted_guarded_rate_is_right_while_marks_are_pending() {
    for (bits, alpha) in [(28.0, 0.0), (28.0, 0.1), (36.0, 0.0), (36.0, 0.1)] {
        let builder = Seesaw::builder(Size::BitsPerKey(bits))
            .capacity(KEYS)
            .adaptive();
        let mut filter = builder.alpha(alpha).create().expect("sound");
        let has_prediction =
            |filter: &Seesaw| filter.info().parameter("predicted_guarded_fpr").is_some();
        filter.extend(0..KEYS);
        assert!(!has_prediction(&filter), "nothing is guarded");
        let guarded = 2_000_000..2_000_000 + KEYS / 5;
        guard(&mut filter, &guarded);
        assert!(has_prediction(&filter));
        for quarter in 0..5 {
            let mean = (KEYS / 5) as f64 * filter.state().guarded_rate();
            let wrong = found(&filter, guarded.clone());
            assert!(
                (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.12 * mean + 1.0,
                "{bits} bits, alpha {alpha}, {quarter} of 4: {wrong}, predicted {mean}"
            );
            for old in quarter * KEYS / 4..(quarter + 1) * KEYS / 4 {
                assert!(filter.remove(old));
                filter.insert(KEYS + old);
            }
        }
    }
}

#[test]
fn formulas_have_the_right_limits() {
    assert_eq!(paper::marked(4, 5.0, 0.0), 0.0);
    assert_eq!(paper::marked_fill(4, 5.0, 0.0, 1.0), 0.0);
    assert!((paper::load(1.0) - 0.632_120_558).abs() < 1e-8);
    assert_eq!(paper::load(f64::INFINITY), 0.0);
    assert_eq!(paper::mean_load(f64::INFINITY), 0.0);
    assert!((paper::mean_load(1.0) - 0.367_879_441).abs() < 1e-8);
    assert_eq!(paper::success(0.0, 0.5, 1), 0.75);
    assert_eq!(paper::success(1.0, 0.5, 1), 0.5);
    // One key per cell on average, and a count of at most 1: cells with one or more keys are stuck.
    assert!((paper::stuck(1.0, 1) - 0.632_120_558).abs() < 1e-8);
    assert!(paper::stuck(1.0, 3) < 1e-4 && paper::stuck(1.0, 3) > 5e-5);
    // Parameters that no filter has do not panic.
    assert!(paper::stuck(1.0, 32) < 1e-12 && paper::stuck(1.0, 99) < 1e-12);
    assert_eq!(paper::success(0.0, 0.5, 99), 1.0);
}
