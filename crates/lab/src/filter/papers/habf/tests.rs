use super::*;
use crate::data::{Set, Source, digest_of, zipf};
use crate::filter::tests::{check, set};
use crate::paper::habf::theory;
use crate::rates::Answers;
use bloomwise::habf::theory::single_owner;
use bloomwise::{Hashing, KeySets};
use proptest::prelude::*;

impl PaperHabf {
    /// The share of bits that are set.
    fn fill(&self) -> f64 {
        self.bits.ones() as f64 / self.bits.len() as f64
    }
}

/// All rules of the paper's table, and each alone.
fn all_rules() -> Vec<Rules> {
    let mut all = vec![Rules::PROGRAM, Rules::TEXT];
    let switches: [fn(&mut Rules); 6] = [
        |rules| rules.shared_hashes = false,
        |rules| rules.skips_repaired = true,
        |rules| rules.fewest_cells = true,
        |rules| rules.last_function = true,
        |rules| rules.compares_moves = true,
        |rules| rules.exchanges = true,
    ];
    for switch in switches {
        let mut rules = Rules::PROGRAM;
        switch(&mut rules);
        all.push(rules);
    }
    all
}

proptest! {
    #[test]
    fn tiny_filters_have_no_false_negatives(
        positives in 1u64..60,
        negatives in 1u64..400,
        seed in any::<u64>(),
        budget in 128u64..700,
        functions in 1u32..6,
        cell_bits in 4u32..6,
        ratio in 0.05f64..0.6,
        fast in any::<bool>(),
        rules in prop::sample::select(all_rules()),
    ) {
        let hashing = Hashing::Xxh3 { seed };
        let mut sets = KeySets::builder(hashing);
        sets.positives(0..positives);
        sets.negatives((1000..1000 + negatives).map(|key| (key, (key % 7) as f64)));
        let sets = sets.build().expect("sound costs");
        let parameters = Parameters { functions, cell_bits, ratio, fast, rules };
        if let Ok(filter) = PaperHabf::build(&sets, budget, parameters) {
            prop_assert!(filter.bits() <= budget);
            for &digest in sets.positives() {
                prop_assert!(filter.may_contain(digest));
            }
        }
    }
}

#[test]
fn known_negatives_have_a_lower_rate_than_unseen_keys() {
    let set = set();
    let sets = set.with_equal_costs().expect("valid");
    let budget = 10 * set.positives.len() as u64;
    for parameters in [
        Parameters::habf(Rules::PROGRAM),
        Parameters::habf(Rules::TEXT),
        Parameters::fast(Rules::PROGRAM),
    ] {
        let filter = PaperHabf::build(&sets, budget, parameters).expect("fits");
        let answers = Answers::of(&filter, &set).expect("no false negative");
        assert!(
            answers.known(&set) < answers.unseen / 5.0,
            "{parameters:?}: {}, {}",
            answers.known(&set),
            answers.unseen
        );
        // The optimiser sets hardly any bits, so the first round has the rate of a Bloom filter with three functions.
        let first = filter.fill().powi(3);
        let hits = set
            .unseen
            .iter()
            .filter(|&&digest| filter.first_round(digest));
        let (hits, queries) = (hits.count() as f64, set.unseen.len() as f64);
        assert!((hits - queries * first).abs() < 5.0 * (queries * first).sqrt());
        check(&filter, &set, budget, answers.unseen, 0.0);
    }
}

#[test]
fn costly_negatives_are_repaired_first() {
    let set = set();
    let costs = zipf::costs(set.negatives.len(), 1.0, 1);
    let sets = set.with_costs(&costs).expect("valid");
    let budget = 5 * set.positives.len() as u64;
    for rules in [Rules::PROGRAM, Rules::TEXT] {
        let filter = PaperHabf::build(&sets, budget, Parameters::habf(rules)).expect("fits");
        let left = set.negatives.iter().zip(&costs);
        let left = left.filter(|(digest, _)| filter.first_round(**digest));
        let (count, cost) = left.fold((0.0, 0.0), |(n, sum), (_, cost)| (n + 1.0, sum + cost));
        let mean = costs.iter().sum::<f64>() / costs.len() as f64;
        assert!(
            count > 500.0 && cost / count < mean / 2.0,
            "{count}, {cost}, {mean}"
        );
    }
}

#[test]
fn impossible_parameters_are_errors() {
    let sets = set().with_equal_costs().expect("valid");
    let build = |budget: u64, functions: u32, cell_bits: u32| {
        let parameters = Parameters {
            functions,
            cell_bits,
            ..Parameters::habf(Rules::TEXT)
        };
        PaperHabf::build(&sets, budget, parameters).err()
    };
    assert!(build(200_000, 3, 4).is_none());
    assert!(build(200_000, 7, 4).is_some_and(|error| error.to_string().contains("1 to 6")));
    assert!(build(200_000, 0, 4).is_some());
    assert!(build(200_000, 1, 1).is_some());
    assert!(build(10, 3, 4).is_some_and(|error| error.is::<TooSmall>()));
}

/// Positives and negatives of large filters.
const KEYS: u64 = 40_000;

/// A filter of many positives and as many negatives.
fn large(bits_per_key: u64, parameters: Parameters) -> (Set, PaperHabf, Repairs) {
    let set = Set::sized(Source::Users, KEYS, KEYS, 1000);
    let sets = set.with_equal_costs().expect("valid");
    let built = PaperHabf::build_and_report(&sets, bits_per_key * KEYS, parameters);
    let (filter, repairs) = built.expect("fits");
    (set, filter, repairs)
}

/// False positives of the first round on known negatives.
fn first_round(filter: &PaperHabf, set: &Set) -> u64 {
    let negatives = set.negatives.iter();
    negatives
        .filter(|&&digest| filter.first_round(digest))
        .count() as u64
}

#[test]
fn bits_of_collisions_have_single_owners_as_often_as_equation_3_says() {
    for (bits_per_key, functions) in [(5, 3), (8, 3), (8, 5), (12, 2), (12, 6)] {
        let parameters = Parameters {
            functions,
            ..Parameters::habf(Rules::TEXT)
        };
        let (_, filter, repairs) = large(bits_per_key, parameters);
        let [all, single] = repairs.collision_bits.map(|count| count as f64);
        let per_key = filter.bit_count() as f64 / KEYS as f64;
        // With even functions the bound is met with equality.
        let bound = single_owner(f64::from(functions), per_key);
        let deviation = (bound * (1.0 - bound) / all).sqrt();
        assert!(
            (single / all - bound).abs() < 5.0 * deviation,
            "{} of {all}, {bound}",
            single / all
        );
    }
}

#[test]
fn rate_falls_by_one_negative_per_move_as_equation_9_says() {
    for (bits_per_key, rules) in [(6, Rules::TEXT), (8, Rules::TEXT), (10, Rules::TEXT)] {
        let (set, filter, repairs) = large(bits_per_key, Parameters::habf(rules));
        let after = first_round(&filter, &set);
        let by_moves = repairs.collisions + repairs.harmed - repairs.moves;
        // A move may repair other negatives too, which the equation does not count.
        assert!(after <= by_moves, "{after}, {repairs:?}");
        assert!(
            by_moves - after <= repairs.moves / 10,
            "{after}, {repairs:?}"
        );
    }
}

#[test]
fn first_round_stays_below_the_bound_of_equation_19_over_figure_8() {
    let by_functions = (2..=10).map(|k| (10, k));
    let by_bits = (4..=13).map(|bits| (bits, 4));
    let places = by_functions.chain(by_bits);
    let both = [Rules::PROGRAM, Rules::TEXT];
    for ((bits_per_key, functions), rules) in
        places.flat_map(|place| both.map(|rules| (place, rules)))
    {
        let parameters = Parameters {
            functions,
            cell_bits: if functions < 6 { 4 } else { 5 },
            ..Parameters::habf(rules)
        };
        let (set, filter, repairs) = large(bits_per_key, parameters);
        let (negatives, collisions) = (KEYS as f64, repairs.collisions as f64);
        let k = f64::from(functions);
        let pool = f64::from(parameters.pool());
        let m = filter.bit_count() as f64;
        // The share of ones before any move.
        let ones = 1.0 - (-k * KEYS as f64 / m).exp();
        let adjustable = theory::adjustable_bound(ones, k, negatives, pool, m);
        let repaired = theory::repaired(collisions, adjustable, filter.cell_count() as f64, k);
        let bound = theory::optimised_rate(collisions / negatives, negatives, repaired);
        let rate = first_round(&filter, &set) as f64 / negatives;
        assert!(
            rate <= bound,
            "{bits_per_key} bits per key, {parameters:?}: {rate} is above {bound}"
        );
    }
}

#[test]
fn program_has_no_function_to_change_to_if_six_of_seven_are_initial() {
    let parameters = |rules| Parameters {
        functions: 6,
        ..Parameters::habf(rules)
    };
    assert_eq!(large(10, parameters(Rules::PROGRAM)).2.moves, 0);
    assert!(large(10, parameters(Rules::TEXT)).2.moves > 500);
}

#[test]
fn chains_can_be_stored_at_least_as_often_as_equation_11_says() {
    const CELLS: u64 = 40_000;
    let hashes = Hashes {
        double: false,
        shared: false,
        bits: 64,
        cells: CELLS,
    };
    for (functions, fewest) in [(2, false), (3, false), (3, true), (5, false)] {
        let mut expressor = Expressor::new(CELLS, 5).expect("small");
        let (mut stored, mut key) = (0u32, 0u64);
        for goal in [0, 500, 1000, 2000, 4000] {
            let mut next = || {
                key += 1;
                // Functions of the pool, different for each key.
                let digest = Hashing::default().digest(key);
                let first = (digest.function(1 << 40) % 10) as u32;
                let set: Vec<u32> = (first..first + functions).collect();
                (hashes.places(digest), set)
            };
            while stored < goal {
                let (places, set) = next();
                if let Some(order) = expressor.order(&places, &set, fewest) {
                    expressor.store(&places, &order.functions);
                    stored += 1;
                }
            }
            let tries = 4000;
            let fits = (0..tries).filter(|_| {
                let (places, set) = next();
                expressor.order(&places, &set, fewest).is_some()
            });
            let share = fits.count() as f64 / f64::from(tries);
            let bound = theory::storable(f64::from(stored), f64::from(functions), CELLS as f64);
            let deviation = (bound * (1.0 - bound) / f64::from(tries)).sqrt();
            assert!(
                share > bound - 5.0 * deviation,
                "{functions} functions, {stored} stored: {share}, {bound}"
            );
        }
    }
}

#[test]
fn stored_chains_stay_readable_and_the_fewest_new_cells_are_found() {
    let hashes = Hashes {
        double: true,
        shared: true,
        bits: 64,
        cells: 24,
    };
    let mut expressor = Expressor::new(24, 4).expect("small");
    let mut stored = Vec::new();
    for key in 0..200u64 {
        let digest = digest_of(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), key << 32 | 77);
        let places = hashes.places(digest);
        let set = [(key % 3) as u32, 3 + (key % 2) as u32, 5];
        let first = expressor.order(&places, &set, false);
        let best = expressor.order(&places, &set, true);
        assert_eq!(first.is_some(), best.is_some());
        if let (Some(first), Some(best)) = (first, best) {
            assert!(best.new_cells <= first.new_cells);
            expressor.store(&places, &best.functions);
            stored.push((digest, best.functions));
        }
        for (digest, functions) in &stored {
            let mut named = Vec::new();
            let found = expressor.chain(&hashes.places(*digest), 3, &mut |function| {
                named.push(function);
                true
            });
            assert!(found && named == *functions);
        }
    }
    assert!(stored.len() > 3, "{}", stored.len());
}
