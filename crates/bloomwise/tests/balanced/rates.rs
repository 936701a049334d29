//! Filters against the model: rates, reads, and the mean and variance of the list.

use super::{KEYS, NON_MEMBERS, false_positives, filled};
use bloomwise::balanced::Scheme;
use bloomwise::balanced::theory::lookup::{Rule, of_non_members};
use bloomwise::balanced::theory::{Arrivals, Threshold, region};
use bloomwise::info::Value;
use bloomwise::{Balanced, Filter, Hashing, Insert, Size, Workload};

#[test]
fn every_scheme_performs_as_planned() {
    for scheme in Scheme::ALL {
        for block in [256, 512] {
            for bits_per_key in [8.0, 10.0, 12.0, 16.0, 24.0, 32.0] {
                let builder = Balanced::builder(Size::BitsPerKey(bits_per_key))
                    .capacity(KEYS)
                    .scheme(scheme)
                    .block_bits(block);
                let plan = builder.plan(&Workload::new(KEYS, 0)).expect("valid");
                let filter = filled(&plan, &builder);
                let found = false_positives(&filter);
                for rate in [plan.rate, filter.rate(), filter.info().predicted_fpr] {
                    let expected = rate * NON_MEMBERS as f64;
                    let slack = (0.1 * expected).max(5.0 * expected.sqrt());
                    assert!(
                        (found - expected).abs() <= slack,
                        "{found} for {expected}: {plan:?}"
                    );
                }
                let keys = KEYS as f64;
                // The list has room for five standard deviations more than its mean.
                assert!(filter.overflowed() <= plan.list_room, "{plan:?}");
                assert!(
                    filter.reads_per_insertion() <= plan.reads_allowed,
                    "{plan:?}"
                );
                // Blocks do not count keys whose bits other keys have set, so they reject slightly fewer keys.
                let close =
                    0.5 * plan.rate + 6.0 * ((plan.reads_allowed - 1.0) / keys).sqrt() + 2e-3;
                let off = plan.reads - filter.reads_per_insertion();
                assert!(off.abs() <= close, "{off} reads off: {plan:?}");
                assert!(
                    filter.size_in_bits() as f64 <= bits_per_key * keys,
                    "{plan:?}"
                );
            }
        }
    }
}

#[test]
fn mean_and_variance_of_the_list_are_as_predicted() {
    for (scheme, choices) in [
        (Scheme::Mht, 2),
        (Scheme::Mht, 4),
        (Scheme::Single, 1),
        (Scheme::Sequential, 3),
    ] {
        let keys = 50_000;
        let builder = Balanced::builder(Size::BitsPerKey(24.0))
            .capacity(keys)
            .scheme(scheme);
        let builder = match scheme {
            Scheme::Single => builder.functions(13),
            _ => builder.choices(choices).reads(1.2),
        };
        let plan = builder.plan(&Workload::new(keys, 0)).expect("valid");
        let load = keys as f64 / plan.blocks as f64;
        let (threshold, mean) = (
            Threshold::solve(plan.reads, load, plan.overflow),
            plan.reads * load,
        );
        let blocks = plan.blocks as f64;
        let variance = match scheme {
            Scheme::Single => region::overflow_variance(threshold, mean, &[blocks]),
            Scheme::Sequential => {
                region::sequential_variance(threshold, mean, blocks, choices, plan.overflow)
            }
            Scheme::Mht => {
                let shares =
                    region::mht_shares(region::rejected_share(plan.reads, choices), choices);
                let tables: Vec<_> = shares.iter().map(|share| share * blocks).collect();
                region::overflow_variance(threshold, mean, &tables)
            }
        };
        let lists: Vec<f64> = (0..100)
            .map(|seed| {
                let builder = builder.clone().hashing(Hashing::Xxh3 { seed });
                let mut filter = builder.create().expect("valid");
                filter.extend(0..keys);
                assert!(filter.overflowed() <= plan.list_room, "{plan:?}");
                filter.overflowed() as f64
            })
            .collect();
        let found = lists.iter().sum::<f64>() / 100.0;
        let spread = lists.iter().map(|list| (list - found).powi(2)).sum::<f64>() / 99.0;
        let expected = plan.overflow * keys as f64;
        // Rounding the tables to whole blocks shifts the mean a little.
        let slack = 0.5 * variance.sqrt() + 0.05 * expected;
        assert!(
            (found - expected).abs() < slack,
            "{found} {expected} {plan:?}"
        );
        // Five standard deviations of a variance of 100 samples are seven tenths of it.
        assert!(
            (0.3..1.75).contains(&(spread / variance)),
            "{spread} {variance} {plan:?}"
        );
    }
}

#[test]
fn lookups_read_as_many_blocks_as_predicted_under_every_rule() {
    for (scheme, choices) in [(Scheme::Mht, 3), (Scheme::Mht, 4), (Scheme::Sequential, 3)] {
        let builder = Balanced::builder(Size::BitsPerKey(28.0))
            .capacity(KEYS)
            .block_bits(256);
        let builder = builder.scheme(scheme).reads(1.2).choices(choices);
        let plan = builder.plan(&Workload::new(KEYS, 0)).expect("valid");
        let filter = filled(&plan, &builder);
        let load = KEYS as f64 / plan.blocks as f64;
        let threshold = Threshold::solve(plan.reads, load, plan.overflow);
        let loads = threshold.loads(&Arrivals::new(plan.reads * load), plan.groups);
        let mean = |keys: std::ops::Range<u64>, rule| {
            let count = (keys.end - keys.start) as f64;
            let reads = keys.map(|key| filter.blocks_read(key, rule));
            reads.sum::<usize>() as f64 / count
        };
        for rule in [Rule::Level, Rule::Coin, Rule::Recorded] {
            let found = mean(KEYS..KEYS + NON_MEMBERS, rule);
            let expected = of_non_members(&loads, threshold, choices, rule, |_| 0.0).reads;
            assert!(
                (found / expected - 1.0).abs() < 0.02,
                "{rule:?}: {found}, {expected}"
            );
            // A member is found where it was inserted, whatever the rule.
            let members = mean(0..KEYS, rule);
            assert!(
                (members / filter.reads_per_insertion() - 1.0).abs() < 1e-3,
                "{members}"
            );
        }
        let own = mean(KEYS..KEYS + NON_MEMBERS, Rule::Recorded);
        assert!((own / plan.negative_reads - 1.0).abs() < 0.02);
        let info = filter.info();
        let reported = info.parameter("negative_reads").and_then(Value::as_f64);
        let reported = reported.expect("negative_reads");
        assert!((own / reported - 1.0).abs() < 0.005, "{own}, {reported}");
    }
}
