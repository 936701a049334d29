//! Sizes and options: budgets are kept, and impossible options are errors.

use bloomwise::info::Value;
use bloomwise::settings::Setting;
use bloomwise::{Family, Filter, Operation, Persist, Size, Spec};
use proptest::prelude::*;

/// The families that accept keys later.
fn family() -> impl Strategy<Value = Family> {
    let grows = |family: &Family| family.can(Operation::Insert);
    prop::sample::select(Family::ALL.into_iter().filter(grows).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn size_is_the_payload_and_stays_in_the_budget(family in family(), bits in 1u64..100_000) {
        // A cuckoo filter has a slot for each key.
        let bits = if family == Family::Cuckoo { bits + 1100 } else { bits };
        let spec = Spec::new(family).size(Size::Bits(bits)).capacity(100);
        let filter = spec.create().expect("a sound spec");
        let least = family.least_bits();
        // What is planned for a list is in no use yet.
        let info = filter.info();
        let list = info.parameter("list").or(info.parameter("list_room"));
        let list = list.and_then(Value::as_u64).map(|list| 128 * list);
        prop_assert!(filter.size_in_bits() <= bits.max(least));
        // From 65,536 bits on, pairs of positions need whole lines.
        let pairs = matches!(family, Family::Bloom | Family::Counting | Family::Growing) && bits >= 1 << 16;
        // Two entries of an exact table take five words.
        let step = match family {
            _ if pairs => 512,
            Family::Cuckoo => 192,
            _ => least,
        };
        prop_assert!(filter.size_in_bits() + list.unwrap_or(0) + step > bits, "less than a step is lost");
        let bytes = filter.to_bytes();
        // A header of 80 bytes and the parameters up to a multiple of 64; a checksum for the payload and one for that.
        let start = (80 + 8 * u64::from(bytes[56])).next_multiple_of(64);
        prop_assert_eq!(bytes.len() as u64, start + filter.size_in_bits() / 8 + 16);
        prop_assert_eq!(bytes.len() as u64, filter.encoded_len());
    }

    #[test]
    fn no_option_panics(
        family in family(),
        bits in prop_oneof![0u64..1 << 20, (1u64 << 60)..],
        real in prop_oneof![any::<f64>(), -2.0..2.0f64],
        which in 0..3,
        capacity in prop_oneof![3 => 0u64..5000, 1 => (1u64 << 60)..],
        k in prop::option::of(prop_oneof![1u32..40, any::<u32>()]),
    ) {
        // Sizes that could be had, but only by taking all memory of the machine, are left out.
        prop_assume!(!(1e8..1e15).contains(&(real * capacity as f64)));
        let size = match which {
            0 => Size::Bits(bits),
            1 => Size::BitsPerKey(real),
            _ => Size::Rate(real),
        };
        let mut spec = Ok(Spec::new(family).size(size).capacity(capacity));
        if let Some(k) = k.filter(|_| Setting::of(family).any(|setting| setting.name == "k")) {
            spec = spec.and_then(|spec| spec.set("k", u64::from(k)));
            prop_assert_eq!(spec.is_ok(), (1..=32).contains(&k));
        }
        if let Ok(mut filter) = spec.and_then(|spec| spec.create()) {
            filter.insert("key").expect("all of them grow");
            prop_assert!(filter.contains("key"));
            prop_assert!(filter.info().predicted_fpr <= 1.0);
            prop_assert!((0.0..=1.0).contains(&filter.rate()), "{}", filter.rate());
        }
    }
}

#[test]
fn the_order_of_settings_does_not_matter_and_the_last_value_counts() {
    let set = |spec: Spec, name: &str, value: u64| spec.set(name, value).expect("a value");
    let blocked = || Spec::new(Family::Blocked);
    let one = set(set(blocked(), "k", 6), "block", 256);
    let other = set(set(set(blocked(), "block", 256), "k", 5), "k", 6);
    assert_eq!(one, other);
    assert_ne!(one, set(other, "k", 7));
}

#[test]
fn errors_are_one_line_whatever_the_caller_wrote() {
    let strange = "a\nb\u{1b}[31m";
    let bloom = || Spec::new(Family::Bloom);
    for error in [
        strange.parse::<Family>().expect_err("no family"),
        bloom().set(strange, 1).expect_err("no setting"),
        bloom().set("k", strange).expect_err("no number"),
        bloom().preset(strange).expect_err("no preset"),
    ] {
        let text = error.to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

#[test]
fn a_filter_far_too_full_has_a_rate_of_at_most_one() {
    let set = |spec: Spec, (name, value): (&str, Value)| spec.set(name, value).expect("a value");
    let settings: [(&str, Value); 3] = [
        ("k", 21.into()),
        ("scheme", "mht".into()),
        ("overflow", 0.413_927_301_796_033.into()),
    ];
    let spec = Spec::new(Family::Balanced).size(Size::BitsPerKey(1.054_907_515_592_571_8));
    let spec = settings.into_iter().fold(spec, set);
    let filter = spec.build_from_keys(0..4524).expect("sound");
    assert!(filter.rate() <= 1.0, "{}", filter.rate());
    assert!(filter.info().predicted_fpr <= 1.0);
}

#[test]
fn impossible_options_are_errors_that_list_the_possible_ones() {
    let text = |result: bloomwise::Result<Spec>| result.expect_err("no such thing").to_string();
    let unknown = "blom".parse::<Family>().expect_err("no family").to_string();
    let expected =
        "there is no kind \"blom\" (did you mean bloom?); choose one of: bloom, blocked,";
    assert!(unknown.starts_with(expected), "{unknown}");
    let blocked = || Spec::new(Family::Blocked);
    assert_eq!(
        text(blocked().set("blocks", 256)),
        "blocked has no setting \"blocks\" (did you mean block?); it has: k, block"
    );
    assert_eq!(
        text(blocked().set("block", 300)),
        "block is 300, expected 256 or 512"
    );
    assert_eq!(
        text(blocked().set("k", "many")),
        "k is \"many\", expected a whole number from 1 to 32"
    );
    assert_eq!(
        text(blocked().preset("paper")),
        "blocked has no preset \"paper\"; it has: none"
    );
    let unsized_spec = blocked().create().expect_err("no capacity").to_string();
    assert!(
        unsized_spec.contains("the capacity is not given"),
        "{unsized_spec}"
    );
    // A size in bits and a number of functions need no capacity.
    let fixed = blocked().size(Size::Bits(4096)).set("k", 5).expect("sound");
    assert_eq!(fixed.create().expect("sound").capacity(), None);
}
