//! The law of the budget: no filter takes more bits than were asked for, whatever its kind, its settings and its keys.
//!
//! The exception is the least size of a kind, which [`Size::Bits`] documents. A budget lasts as long as the filter: keys
//! beyond the capacity raise the rate, not the size.

use bloomwise::info::Value;
use bloomwise::settings::{Setting, Values};
use bloomwise::{
    AnyFilter, Error, Family, Filter, Hashing, KeySets, Operation, Size, Spec, Workload,
};
use proptest::prelude::*;

/// A filter to build.
#[derive(Clone, Debug)]
struct Case {
    spec: Spec,
    size: Size,
    capacity: Option<u64>,
    seed: u64,
    positives: u64,
    negatives: u64,
}

impl Case {
    fn sets(&self) -> KeySets {
        let mut sets = KeySets::builder(Hashing::Xxh3 { seed: self.seed });
        sets.positives(0..self.positives);
        sets.negatives((0..self.negatives).map(|key| (!key, (key % 7) as f64)));
        sets.build().expect("sound costs")
    }

    /// The number of bits that the filter may take.
    fn budget(&self, sets: &KeySets) -> u64 {
        let keys = self.capacity.unwrap_or(self.positives);
        let bits = match self.size {
            Size::Bits(bits) => bits,
            Size::BitsPerKey(bits) => (bits * keys as f64) as u64,
            // A rate is no budget. But the forecast says what it takes, within a few steps or a few percent.
            _ => {
                let costs: Vec<f64> = sets.negatives().iter().map(|known| known.cost).collect();
                let workload = Workload::with_costs(keys, &costs).expect("sound costs");
                let bits = self.spec.forecast(&workload).expect("it was built").bits;
                bits + bits / 20 + 4 * self.spec.family().least_bits()
            }
        };
        bits.max(self.spec.family().least_bits())
    }
}

/// Values of a setting: all of them, or a part where the whole range would make builds slow.
fn value(setting: Setting) -> BoxedStrategy<Value> {
    let whole = |numbers: std::ops::RangeInclusive<u64>| numbers.prop_map(Value::Whole).boxed();
    let real = |numbers: std::ops::RangeInclusive<f64>| numbers.prop_map(Value::Real).boxed();
    let word = |words: &[&'static str]| {
        let words: Vec<Value> = words.iter().map(|&word| Value::from(word)).collect();
        prop::sample::select(words).boxed()
    };
    match setting.name {
        "list" => whole(0..=60),
        "segment-bits" => whole(4096..=40_000),
        "passes" => whole(0..=5),
        "reads" => real(1.0..=4.0),
        "guard" => real(0.0..=10.0),
        "expansion" => whole(1..=10),
        _ => match setting.values {
            Values::Whole(least, most) => whole(least.into()..=most.into()),
            Values::OneOf(numbers) => prop::sample::select(numbers)
                .prop_map(|number| Value::Whole(number.into()))
                .boxed(),
            Values::Real(least, most) => real(least..=most),
            Values::Word(words) => word(words),
            other => unreachable!("{other:?}"),
        },
    }
}

/// Settings of the kind, each of them set in one case of four.
fn settings(family: Family) -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let each = Setting::of(family).map(|setting| {
        prop::option::weighted(0.25, value(setting))
            .prop_map(move |value| value.map(|value| (setting.name, value)))
    });
    let each: Vec<_> = each.collect();
    each.prop_map(|chosen| chosen.into_iter().flatten().collect())
}

/// Numbers of which small ones are as likely as large ones.
fn count(most: f64) -> impl Strategy<Value = u64> {
    (0.0..most.ln()).prop_map(|logarithm: f64| logarithm.exp() as u64 - 1)
}

fn size() -> impl Strategy<Value = Size> {
    prop_oneof![
        6 => (0.0..6.0f64).prop_map(|power| Size::BitsPerKey(power.exp2())),
        2 => count(60_000.0).prop_map(|bits| Size::Bits(bits + 1)),
        1 => (1.0..24.0f64).prop_map(|power| Size::Rate((-power).exp2())),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let family = prop::sample::select(Family::ALL.to_vec());
    let spec = family.prop_flat_map(|family| (Just(family), settings(family)));
    let capacity = prop::option::weighted(0.2, count(3000.0));
    let keys = (count(3000.0), count(3000.0), any::<u64>());
    (spec, size(), capacity, keys).prop_map(|((family, settings), size, capacity, keys)| {
        let (positives, negatives, seed) = keys;
        // With more keys than its capacity, a filter that grows needs more room. Without any, it has room for a thousand.
        let capacity = match family {
            Family::Growing => Some(positives.max(1)),
            _ => capacity,
        };
        let spec = settings
            .into_iter()
            .fold(Spec::new(family).size(size), |spec, (name, value)| {
                spec.set(name, value).expect("a value of the setting")
            });
        Case {
            spec: match capacity {
                Some(keys) => spec.capacity(keys),
                None => spec,
            },
            size,
            capacity,
            seed,
            positives,
            negatives,
        }
    })
}

/// Inserts twice as many keys as the filter holds, where its kind allows it.
fn insert_more(filter: &mut AnyFilter, held: u64) {
    if filter.family().can(Operation::Insert) {
        match filter.extend(held..3 * held + 10) {
            Err(Error::Full { .. }) => {}
            result => result.expect("the kind can insert"),
        }
    }
}

proptest! {
    // Ten thousand filters that are built, whatever the number of those that cannot be.
    #![proptest_config(ProptestConfig {
        cases: 10_000,
        max_global_rejects: 10_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_filter_exceeds_its_budget(case in case()) {
        let sets = case.sets();
        // Settings that rule each other out are errors, which name the setting.
        let built = case.spec.build(&sets);
        let mut filter = built.map_err(|error| TestCaseError::reject(error.to_string()))?;
        let budget = case.budget(&sets);
        prop_assert!(filter.size_in_bits() <= budget, "{} of {budget} bits", filter.size_in_bits());
        prop_assert!((0..case.positives).all(|key| filter.contains(key)));
        insert_more(&mut filter, case.positives);
        let within = filter.size_in_bits() <= budget || filter.family() == Family::Growing;
        prop_assert!(within, "{} of {budget} bits", filter.size_in_bits());
        prop_assert!((0..case.positives).all(|key| filter.contains(key)));
    }
}
