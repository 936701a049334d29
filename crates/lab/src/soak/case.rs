//! What a round is about: a family, its size and settings, its keys, and how its filter is made.
//!
//! Everything is drawn from the seed of the round. Sets have 0 to 100,000 keys, each order of magnitude equally often.
//! Budgets reach from a single bit to 64 bits per key, and from a rate of one half to one in a million.

use super::costs::Costs;
use super::keys::Form;
use super::random::Random;
use super::settings;
use bloomwise::{Family, Hashing, Operation, Size, Spec, Value};
use std::fmt;

/// The most keys that a filter is made of.
const MAX_KEYS: f64 = 100_000.0;

/// How the filter of a round is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// From key sets.
    Sets,
    /// From keys.
    Keys,
    /// Empty; the positives are inserted later.
    Empty,
}

/// A random filter to be made, and its keys.
#[derive(Clone, Debug)]
pub struct Case {
    /// The family.
    pub family: Family,
    /// The size that is asked for.
    pub size: Size,
    /// The capacity that is asked for, if it is.
    pub capacity: Option<u64>,
    /// How keys are hashed.
    pub hashing: Hashing,
    /// Settings by name.
    pub settings: Vec<(&'static str, Value)>,
    /// Whether the preset `paper` is asked for.
    pub paper: bool,
    /// The number of segments of a seesaw filter, which only its own builder can set.
    pub segments: Option<u64>,
    /// The number of positives: the keys from 0 on.
    pub positives: usize,
    /// The number of known negatives: the keys after the positives.
    pub negatives: usize,
    /// The number of keys that the filter does not know: the keys after the negatives.
    pub unknown: usize,
    /// What the known negatives cost.
    pub costs: Costs,
    /// The form of the keys.
    pub form: Form,
    /// How the filter is made.
    pub start: Start,
}

impl Case {
    /// The case of a round, by its seed.
    pub fn of(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let family = random.pick(&Family::ALL);
        let positives = if random.one_in(12) {
            random.below(4)
        } else {
            random.magnitude(1.0, MAX_KEYS) as usize
        };
        let negatives = match random.below(4) {
            0 => 0,
            _ => (positives as f64 * random.magnitude(0.05, 2.0)) as usize + random.below(2),
        };
        let start = match random.below(3) {
            0 if family.can(Operation::Insert) => Start::Empty,
            1 => Start::Keys,
            _ => Start::Sets,
        };
        let settings = if random.one_in(3) {
            Vec::new()
        } else {
            settings::draw(family, positives, random)
        };
        let habf = matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache);
        let seesaw = matches!(family, Family::Seesaw | Family::SeesawAdaptive);
        let mut case = Case {
            family,
            size: draw_size(positives, random),
            capacity: None,
            hashing: match random.below(4) {
                0 => Hashing::default(),
                1 => {
                    let key = u128::from(random.bits()) << 64 | u128::from(random.bits());
                    Hashing::SipHash { key }
                }
                _ => Hashing::Xxh3 {
                    seed: random.bits(),
                },
            },
            settings,
            paper: habf && random.one_in(6),
            segments: (seesaw && random.one_in(4)).then(|| random.count(20) as u64),
            positives,
            negatives,
            unknown: random.magnitude(50.0, 200.0 + positives as f64) as usize,
            costs: Costs::draw(random),
            form: Form::draw(random),
            start,
        };
        case.capacity = case.draw_capacity(random);
        if let (Size::Rate(rate), Some(functions)) = (case.size, case.setting("k")) {
            // Few functions reach a low rate only with very many bits.
            let lowest = 0.3f64.powf(functions.as_f64().unwrap_or(1.0));
            case.size = Size::Rate(rate.max(lowest));
        }
        case
    }

    /// A capacity below, at or above the number of positives, or none where the family needs none.
    fn draw_capacity(&self, random: &mut Random) -> Option<u64> {
        let optional = match self.start {
            Start::Sets | Start::Keys => true,
            // A fixed size and a number of functions determine these filters.
            Start::Empty => {
                let fixed = matches!(self.size, Size::Bits(_)) && self.setting("k").is_some();
                let others = [Family::Balanced, Family::PersonalizedRejecting];
                fixed && !others.contains(&self.family)
            }
        };
        if optional && random.one_in(2) {
            return None;
        }
        let keys = self.positives as f64;
        let below = match self.family {
            // It has no room for more keys than it was planned for.
            Family::Cuckoo => keys,
            _ => random.between(0.3, 1.0) * keys,
        };
        let capacity = random.pick(&[keys, keys, 2.0 * keys, below]);
        Some(capacity as u64)
    }

    /// The value of a setting, if it is set.
    pub fn setting(&self, name: &str) -> Option<&Value> {
        let set = self.settings.iter().find(|(set, _)| *set == name);
        set.map(|(_, value)| value)
    }

    /// The spec of the filter. It says nothing about segments.
    pub fn spec(&self) -> bloomwise::Result<Spec> {
        let mut spec = Spec::new(self.family).size(self.size).hashing(self.hashing);
        if let Some(capacity) = self.capacity {
            spec = spec.capacity(capacity);
        }
        if self.paper {
            spec = spec.preset("paper")?;
        }
        let mut settings = self.settings.iter();
        settings.try_fold(spec, |spec, (name, value)| spec.set(name, value.clone()))
    }

    /// The number of keys that the filter is planned for.
    pub fn planned(&self) -> u64 {
        let without = match self.start {
            Start::Empty => 0,
            Start::Sets | Start::Keys => self.positives as u64,
        };
        self.capacity.unwrap_or(without)
    }

    /// The most bits that the filter may take; `None` if a rate was asked for instead of a size, or if it grows.
    pub fn budget(&self) -> Option<u64> {
        let least = match self.family {
            // It takes what its keys need.
            Family::Growing => return None,
            Family::Blocked | Family::HabfCache | Family::Balanced | Family::Cuckoo => 512,
            Family::Seesaw => 320,
            Family::SeesawAdaptive => 384,
            _ => 64,
        };
        let bits = match self.size {
            Size::Bits(bits) => bits,
            Size::BitsPerKey(bits) => (bits * self.planned() as f64) as u64,
            _ => return None,
        };
        Some(bits.max(least))
    }

    /// The number of all keys.
    pub fn keys(&self) -> usize {
        self.positives + self.negatives + self.unknown
    }
}

/// A size for a filter of this many keys, from tiny to ample.
fn draw_size(keys: usize, random: &mut Random) -> Size {
    match random.below(10) {
        0..5 => Size::BitsPerKey(random.magnitude(0.5, 64.0)),
        5 => Size::Bits(1 + random.below(3000) as u64),
        6 | 7 => Size::Bits(random.magnitude(64.0, 64.0 * (keys as f64 + 2.0)) as u64),
        _ => Size::Rate(random.magnitude(1e-6, 0.5)),
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paper = if self.paper { ", preset paper" } else { "" };
        write!(f, "{}{paper}, size {:?}", self.family.name(), self.size)?;
        for (name, value) in &self.settings {
            write!(f, ", {name} {value}")?;
        }
        if let Some(segments) = self.segments {
            write!(f, ", segments {segments}")?;
        }
        if let Some(capacity) = self.capacity {
            write!(f, ", capacity {capacity}")?;
        }
        write!(
            f,
            ", {}; {:?} keys: {} positives, {} negatives with costs {:?}, {} unknown; start {:?}",
            self.hashing,
            self.form,
            self.positives,
            self.negatives,
            self.costs,
            self.unknown,
            self.start
        )
    }
}
