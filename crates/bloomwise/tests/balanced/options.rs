//! Options that no filter can have, and small sizes.

use bloomwise::balanced::Scheme;
use bloomwise::{Balanced, Builder, Filter, Insert, Size, Workload};

#[test]
fn impossible_options_are_errors_that_say_what_is_possible() {
    let builder = || Balanced::builder(Size::BitsPerKey(16.0)).capacity(10_000);
    let mht = || builder().scheme(Scheme::Mht);
    // Each builder has a capacity, so the keys of the workload do not matter.
    let workload = Workload::new(1, 0);
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
            Balanced::builder(Size::Bits(512)).capacity(10_000),
            "a bit for each key",
        ),
        (Balanced::builder(Size::Rate(0.0)).capacity(10), "rate"),
        (
            Balanced::builder(Size::Rate(1.5))
                .capacity(10)
                .overflow(0.0),
            "rate",
        ),
        (
            Balanced::builder(Size::Rate(0.1))
                .capacity(10)
                .functions(33)
                .overflow(0.0),
            "1 to 32",
        ),
    ] {
        let error = wrong.plan(&workload).expect_err("no such filter");
        let text = error.to_string();
        assert!(
            text.contains(part) && !text.contains('\n'),
            "{part}: {text}"
        );
        assert!(wrong.create().is_err());
    }
    let none = builder().overflow(0.0).plan(&workload);
    assert_eq!(none.expect("an empty list").list_room, 0);
}

#[test]
fn plan_without_a_capacity_is_for_the_keys_of_the_workload() {
    let workload = Workload::new(10_000, 500);
    for size in [Size::BitsPerKey(16.0), Size::Rate(0.01)] {
        let builder = Balanced::builder(size);
        let plan = builder.plan(&workload).expect("valid");
        let given = builder.clone().capacity(10_000);
        assert_eq!(plan, given.plan(&Workload::new(7, 0)).expect("valid"));
        let filter = builder.build_from_keys(0..10_000).expect("valid");
        assert_eq!(
            filter.size_in_bits(),
            plan.bits() - 128 * (plan.list_room - filter.overflowed())
        );
        assert_ne!(
            plan,
            builder.capacity(20_000).plan(&workload).expect("valid")
        );
    }
}

#[test]
fn empty_filter_without_a_capacity_is_an_error_that_asks_for_it() {
    for size in [Size::Bits(4096), Size::BitsPerKey(16.0), Size::Rate(0.01)] {
        let builder = Balanced::builder(size);
        let text = builder.create().expect_err("no capacity").to_string();
        assert!(text.contains("the capacity is not given"), "{text}");
        let builder = builder.scheme(Scheme::Mht).functions(5);
        assert!(builder.create().is_err());
        let filter = builder.build_from_keys(0..100).expect("a hundred keys");
        assert_eq!(filter.capacity(), Some(100));
    }
}

/// The limit in the error message about `option`, and the text after it.
fn limit(wrong: &Builder<Balanced>, option: &str) -> (f64, String) {
    let error = wrong.plan(&Workload::new(10_000, 0));
    let text = error.expect_err("no such filter").to_string();
    assert!(text.contains(option), "{option}: {text}");
    let (_, limit) = text.split_once("expected at least ").expect("a limit");
    let (number, rest) = limit.split_once(' ').unwrap_or((limit, ""));
    (number.parse().expect("a number"), rest.to_string())
}

#[test]
fn an_error_names_the_impossible_option_and_the_exact_limit_for_it() {
    let rate = |rate| Balanced::builder(Size::Rate(rate)).capacity(10_000);
    let million = || {
        Balanced::builder(Size::BitsPerKey(24.0))
            .capacity(1_000_000)
            .scheme(Scheme::Mht)
    };
    let workload = Workload::new(10_000, 0);
    for (builder, condition) in [
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
        assert_eq!(rest, condition);
        let plan = builder.clone().overflow(least).plan(&workload);
        assert!(plan.expect("the limit works").overflow <= least);
        assert!(
            builder.overflow(0.8 * least).plan(&workload).is_err(),
            "{least}"
        );
    }
    for (builder, target) in [
        (rate(1e-8), "0.00000001"),
        (rate(1e-4).scheme(Scheme::Mht).overflow(0.5), "0.0001"),
    ] {
        let (least, rest) = limit(&builder.clone().functions(1), "(k) is 1");
        assert_eq!(rest, format!("for a false positive rate of {target}"));
        let least = least as u32;
        let plan = builder.clone().functions(least).plan(&workload);
        assert_eq!(plan.expect("the limit works").functions, least);
        assert!(
            builder.functions(least - 1).plan(&workload).is_err(),
            "{least}"
        );
    }
}

#[test]
fn small_filters_stay_within_their_size() {
    let schemes = Scheme::ALL.map(Some).into_iter().chain([None]);
    for scheme in schemes {
        for (block, bits) in [256, 512].into_iter().flat_map(|block| {
            [1, 512, 600, 640, 768, 1023, 1024, 1100, 1536, 2048].map(|bits| (block, bits))
        }) {
            for keys in [0, 1, 10, 25, 50, 100] {
                let builder = Balanced::builder(Size::Bits(bits))
                    .capacity(keys)
                    .block_bits(block);
                let builder = match scheme {
                    Some(scheme) => builder.scheme(scheme),
                    None => builder,
                };
                let plan = builder.plan(&Workload::new(keys, 0));
                let plan = plan.expect("a line has room for a hundred keys");
                assert!(plan.bits() <= bits.max(512), "{keys} in {bits}: {plan:?}");
                assert!(u64::from(plan.choices) <= plan.blocks, "{plan:?}");
                assert!(plan.reads_allowed <= f64::from(plan.choices), "{plan:?}");
                // With one choice there is one read.
                assert!(plan.choices > 1 || plan.reads == 1.0, "{plan:?}");
                let mut filter = builder.create().expect("valid");
                filter.extend(0..keys);
                assert!((0..keys).all(|key| filter.contains(key)));
            }
        }
    }
    // A given number of choices or reads is reduced too.
    let builder = Balanced::builder(Size::Bits(1024))
        .capacity(20)
        .scheme(Scheme::Mht);
    let builder = builder.choices(8).reads(6.0);
    let plan = builder.plan(&Workload::new(20, 0)).expect("valid");
    assert!(plan.choices <= 2 && plan.reads_allowed < 2.0 && plan.bits() <= 1024);
}
