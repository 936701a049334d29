//! Text that describes a filter: a kind and settings as on the command line, or a spec in JSON. What is accepted is printed and read
//! again, and tiny filters are built from it.
//!
//! A text that starts with a brace is JSON. Otherwise its first line is a kind, and each other line is a hashing or `NAME=VALUE`.

#![no_main]

use bloomwise::info::Value;
use bloomwise::{Family, Filter, Hashing, Size, Spec, Workload};
use bloomwise_compare::parse_setting;
use bloomwise_fuzz::memory::within;
use bloomwise_fuzz::{check_error, check_message, init};
use libfuzzer_sys::fuzz_target;

/// The sizes of the filters that are built, besides that of the text.
const SIZES: [Size; 3] = [Size::Bits(2048), Size::BitsPerKey(12.0), Size::Rate(0.01)];

/// The largest filter that is built with the size of the text.
const MAX_BITS: u64 = 1 << 17;

/// The most memory of an input.
const MEMORY: usize = 16 << 20;

/// The keys of the set, and known negatives.
const KEYS: u64 = 40;
const NEGATIVES: u64 = 60;

/// The spec of a text like that of the command line, and the same text as it is printed.
fn of_lines(text: &str) -> Option<(Spec, String)> {
    let mut lines = text.lines();
    let family = lines.next()?.parse::<Family>();
    let family = family.map_err(|error| check_error(&error)).ok()?;
    let mut spec = Spec::new(family);
    let mut printed = family.name().to_string();
    for line in lines {
        if let Ok(hashing) = line.parse::<Hashing>() {
            spec = spec.hashing(hashing);
            printed += &format!("\n{line}");
            continue;
        }
        let setting = parse_setting(line).map_err(|error| check_message(&error.to_string()));
        let (name, value) = setting.ok()?;
        check_value(&value);
        printed += &format!("\n{name}={value}");
        let set = match (&*name, value) {
            ("preset", Value::Word(preset)) => spec.preset(&preset),
            (_, value) => spec.set(&name, value),
        };
        spec = set.map_err(|error| check_error(&error)).ok()?;
    }
    Some((spec, printed))
}

/// Checks that a value is read as it is printed.
fn check_value(value: &Value) {
    let printed = value.to_string();
    let Ok(again) = printed.parse::<Value>();
    assert_eq!(again.to_string(), printed, "{value:?}");
    if let Some(number) = value.as_f64().filter(|number| !number.is_nan()) {
        assert_eq!(again.as_f64(), Some(number), "{value:?}");
    }
}

/// The spec of a JSON text. Its errors are those of the JSON reader, which repeats names as they are.
fn of_json(text: &str) -> Option<Spec> {
    serde_json::from_str(text).ok()
}

/// Builds the filter of a small set. It may fail, but it may not deny a key.
fn build(spec: &Spec) {
    let negatives = (KEYS..KEYS + NEGATIVES).map(|key| (key, (key % 7) as f64));
    match spec.build_from(0..KEYS, negatives) {
        Ok(filter) => assert!((0..KEYS).all(|key| filter.contains(key)), "a key is denied"),
        Err(error) => check_error(&error),
    }
    match spec.create() {
        Ok(mut filter) => {
            filter
                .extend(0..KEYS)
                .expect("it can be created, so it grows");
            assert!((0..KEYS).all(|key| filter.contains(key)), "a key is denied");
        }
        Err(error) => check_error(&error),
    }
}

fuzz_target!(init: init(), |text: &str| {
    let spec = if text.starts_with('{') {
        of_json(text)
    } else {
        of_lines(text).map(|(spec, printed)| {
            let again = of_lines(&printed).map(|(spec, _)| spec);
            assert_eq!(again.as_ref(), Some(&spec), "{printed}");
            spec
        })
    };
    let Some(spec) = spec else { return };
    let printed = serde_json::to_string(&spec).expect("a spec can be printed");
    assert_eq!(of_json(&printed).as_ref(), Some(&spec), "{printed}");
    within(MEMORY, || {
        for size in SIZES {
            build(&spec.clone().size(size).capacity(KEYS));
        }
        match spec.forecast(&Workload::new(KEYS, NEGATIVES)) {
            Ok(forecast) if forecast.bits <= MAX_BITS => build(&spec),
            Ok(_) => {}
            Err(error) => check_error(&error),
        }
    });
});
