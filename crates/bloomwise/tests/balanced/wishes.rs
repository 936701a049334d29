//! Wishes that cannot be met, and small sizes.

use bloomwise::balanced::{BalancedBuilder, Scheme};
use bloomwise::{Balanced, Filter, Size};

#[test]
fn wishes_that_no_filter_can_have_are_errors_that_say_what_can() {
    let builder = || Balanced::builder(10_000, Size::BitsPerKey(16.0));
    let mht = || builder().scheme(Scheme::Mht);
    for (wrong, part) in [
        (builder().block_bits(128), "256 or 512"),
        (builder().functions(0), "1 to 32"),
        (builder().functions(33), "1 to 32"),
        (builder().choices(0), "1 to 8"),
        (builder().choices(9), "1 to 8"),
        (mht().choices(1), "2 to 8"),
        (builder().scheme(Scheme::Single).choices(2), "one choice"),
        (builder().scheme(Scheme::Single).reads(5.0), "one choice"),
        (builder().reads(0.9), "from 1 to 8"),
        (builder().reads(f64::NAN), "from 1 to 8"),
        (mht().reads(1.0), "more than 1"),
        (mht().reads(3.0).choices(3), "less than the choices, 3"),
        (builder().overflow(-0.1), "from 0 to 0.5"),
        (builder().overflow(f64::NAN), "from 0 to 0.5"),
        (mht().reads(1.2).choices(2).overflow(0.001), "at least"),
        (mht().reads(2.9).choices(3), "fewer reads"),
        (mht().reads(6.5), "fewer reads"),
        (
            Balanced::builder(10_000, Size::Bits(512)),
            "a bit for each key",
        ),
        (Balanced::builder(10, Size::Rate(0.0)), "rate"),
        (Balanced::builder(10, Size::Rate(1.5)).overflow(0.0), "rate"),
        (
            Balanced::builder(10, Size::Rate(0.1))
                .functions(33)
                .overflow(0.0),
            "1 to 32",
        ),
    ] {
        let text = wrong.plan().expect_err("no such filter").to_string();
        assert!(
            text.contains(part) && !text.contains('\n'),
            "{part}: {text}"
        );
        assert!(wrong.build().is_err());
    }
    let none = builder().overflow(0.0).plan().expect("a list of nobody");
    assert_eq!(none.list, 0);
}

/// The limit that the error of a wish names, and what it says the limit is for.
fn limit(wrong: &BalancedBuilder, wish: &str) -> (f64, String) {
    let text = wrong.plan().expect_err("no such filter").to_string();
    assert!(text.contains(wish), "{wish}: {text}");
    let (_, limit) = text.split_once("expected at least ").expect("a limit");
    let (number, rest) = limit.split_once(' ').unwrap_or((limit, ""));
    (number.parse().expect("a number"), rest.to_string())
}

#[test]
fn the_wish_that_keeps_others_from_being_met_is_named_and_its_limit_is_true() {
    let rate = |rate| Balanced::builder(10_000, Size::Rate(rate));
    let million = || Balanced::builder(1_000_000, Size::BitsPerKey(24.0)).scheme(Scheme::Mht);
    for (builder, of) in [
        (
            rate(1e-3).scheme(Scheme::Mht).reads(1.5).choices(2),
            "with these reads and choices",
        ),
        (
            rate(1e-3).scheme(Scheme::Sequential).choices(2),
            "with these choices",
        ),
        (million(), ""),
        (million().choices(3), "with these choices"),
        (million().reads(1.1), "with these reads"),
    ] {
        let (least, rest) = limit(&builder.clone().overflow(0.0), "(overflow) is 0");
        assert_eq!(rest, of);
        let plan = builder.clone().overflow(least).plan();
        assert!(plan.expect("at its word").overflow <= least);
        assert!(builder.overflow(0.8 * least).plan().is_err(), "{least}");
    }
    for (builder, target) in [
        (rate(1e-8), "0.00000001"),
        (rate(1e-4).scheme(Scheme::Mht).overflow(0.5), "0.0001"),
    ] {
        let (least, rest) = limit(&builder.clone().functions(1), "(k) is 1");
        assert_eq!(rest, format!("for a false positive rate of {target}"));
        let least = least as u32;
        let plan = builder.clone().functions(least).plan();
        assert_eq!(plan.expect("at its word").functions, least);
        assert!(builder.functions(least - 1).plan().is_err(), "{least}");
    }
}

#[test]
fn small_filters_stay_within_their_size_and_are_what_was_planned() {
    let schemes = Scheme::ALL.map(Some).into_iter().chain([None]);
    for scheme in schemes {
        for (block, bits) in [256, 512].into_iter().flat_map(|block| {
            [1, 512, 600, 640, 768, 1023, 1024, 1100, 1536, 2048].map(|bits| (block, bits))
        }) {
            for keys in [0, 1, 10, 25, 50, 100] {
                let builder = Balanced::builder(keys, Size::Bits(bits)).block_bits(block);
                let builder = match scheme {
                    Some(scheme) => builder.scheme(scheme),
                    None => builder,
                };
                let plan = builder.plan().expect("a line has room for a hundred keys");
                assert!(plan.bits() <= bits.max(512), "{keys} in {bits}: {plan:?}");
                assert!(u64::from(plan.choices) <= plan.blocks, "{plan:?}");
                assert!(plan.reads_allowed <= f64::from(plan.choices), "{plan:?}");
                // One choice is one read.
                assert!(plan.choices > 1 || plan.reads == 1.0, "{plan:?}");
                let mut filter = builder.build().expect("sound");
                filter.extend((0..keys).map(u64::to_le_bytes));
                assert!((0..keys).all(|key| filter.contains(&key.to_le_bytes())));
            }
        }
    }
    // Choices and reads that were given, too.
    let builder = Balanced::builder(20, Size::Bits(1024)).scheme(Scheme::Mht);
    let plan = builder.choices(8).reads(6.0).plan().expect("sound");
    assert!(plan.choices <= 2 && plan.reads_allowed < 2.0 && plan.bits() <= 1024);
}
