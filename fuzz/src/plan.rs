//! A family, a size and settings, from the bytes of the fuzzer.
//!
//! Filters are tiny, so that keys collide and counters stick. No size is a rate: to find the size for a rate takes as long as hundreds of
//! operations, and the target `settings` does it.

use crate::check_error;
use crate::number::Number;
use arbitrary::Arbitrary;
use bloomwise::{Family, Hashing, Setting, Size, Spec, Value};
use std::borrow::Cow;

/// What a filter is built from, besides its keys.
#[derive(Arbitrary, Clone, Debug)]
pub struct Plan {
    family: u8,
    size: PlannedSize,
    capacity: Option<u8>,
    hashing: PlannedHashing,
    /// The library searches for the best settings if this is 255. That takes as long as hundreds of operations, so it is rare.
    search: u8,
    settings: Vec<(u8, PlannedValue)>,
    paper: bool,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum PlannedSize {
    Bits(u16),
    QuarterBitsPerKey(u8),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum PlannedHashing {
    Default,
    Xxh3(u64),
    SipHash(u64),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum PlannedValue {
    Whole(Number),
    /// In 1024ths.
    Real(u16),
    Word(u8),
}

impl Plan {
    /// The spec. Settings that the family does not have, or that it refuses, are left out.
    pub fn spec(&self) -> Spec {
        let family = Family::ALL[usize::from(self.family) % Family::ALL.len()];
        let mut spec = Spec::new(family).size(self.size()).hashing(self.hashing());
        if let Some(capacity) = self.capacity {
            spec = spec.capacity(u64::from(capacity));
        }
        if self.paper {
            spec = spec.clone().preset("paper").unwrap_or(spec);
        }
        if self.search < u8::MAX {
            let mut settings = fixed(family).iter();
            let set = settings.try_fold(spec, |spec, (name, value)| spec.set(name, value.clone()));
            spec = set.expect("these settings are valid");
        }
        for &(place, value) in self.settings.iter().take(8) {
            let settings = Setting::of(family);
            let name = settings[usize::from(place) % settings.len()].name;
            let value = match (name, value.value()) {
                // A layer of many times the capacity takes more memory than one input may.
                ("expansion", Value::Whole(number)) => Value::Whole(number % 9),
                (_, value) => value,
            };
            match spec.clone().set(name, value) {
                Ok(set) => spec = set,
                Err(error) => check_error(&error),
            }
        }
        spec
    }

    /// The size in bits, if it was given in bits.
    pub fn bits(&self) -> Option<u64> {
        match self.size() {
            Size::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// How keys are hashed.
    pub fn hashing(&self) -> Hashing {
        match self.hashing {
            PlannedHashing::Default => Hashing::default(),
            PlannedHashing::Xxh3(seed) => Hashing::Xxh3 { seed },
            PlannedHashing::SipHash(key) => Hashing::SipHash {
                key: u128::from(key) << 32,
            },
        }
    }

    fn size(&self) -> Size {
        match self.size {
            PlannedSize::Bits(bits) => Size::Bits(u64::from(bits) % (1 << 14)),
            PlannedSize::QuarterBitsPerKey(quarters) => Size::BitsPerKey(f64::from(quarters) / 4.0),
        }
    }
}

/// Settings that leave nothing to a search.
fn fixed(family: Family) -> &'static [(&'static str, Value)] {
    use Value::{Real, Whole};
    const MHT: Value = Value::Word(Cow::Borrowed("mht"));
    match family {
        Family::Balanced => &[
            ("k", Whole(4)),
            ("scheme", MHT),
            ("reads", Real(1.5)),
            ("choices", Whole(2)),
            ("overflow", Real(0.1)),
        ],
        Family::Habf | Family::HabfFast | Family::HabfCache => &[
            ("k", Whole(3)),
            ("ratio", Real(0.2)),
            ("cell-bits", Whole(4)),
        ],
        Family::Seesaw | Family::SeesawAdaptive => &[
            ("k", Whole(3)),
            ("guard", Real(1.0)),
            ("alpha", Real(0.2)),
            ("count-bits", Whole(2)),
            ("index-bits", Whole(1)),
        ],
        Family::Guarded => &[],
        Family::Cuckoo => &[("fingerprint", Whole(8))],
        _ => &[("k", Whole(4))],
    }
}

impl PlannedValue {
    fn value(self) -> Value {
        match self {
            PlannedValue::Whole(number) => Value::Whole(number.instead_of(4)),
            PlannedValue::Real(parts) => Value::Real(f64::from(parts) / 1024.0),
            PlannedValue::Word(word) => {
                let words = ["single", "sequential", "mht", "watch", "blind", "never"];
                Value::from(words[usize::from(word) % words.len()])
            }
        }
    }
}
