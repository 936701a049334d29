//! What a life is about: a family, its size and settings, its keys, and how its filter is made.
//!
//! Everything is drawn. At [`Scale::Any`], sets have 0 to 100,000 keys, each order of magnitude equally often; budgets reach from a single bit to 64 bits per
//! key, and rates from one half to one in a million. At [`Scale::Tiny`], a few dozen keys share a few cache lines, so that everything collides: counters
//! stick, lists are full, layers follow each other. Now and then a size is asked for that no filter can have.

use super::costs::Costs;
use super::draw::Draw;
use super::keys::Form;
use super::settings;
use bloomwise::info::Value;
use bloomwise::{Family, Hashing, Operation, Size, Spec};
use std::fmt;

/// The most keys that a filter is made of.
const MAX_KEYS: f64 = 100_000.0;

/// The most positives, and the most known negatives, of a tiny filter.
const TINY: usize = 40;

/// How large the filters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A few cache lines.
    Tiny,
    /// Anything up to 100,000 keys.
    Any,
}

/// How the filter of a life is made.
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
    /// The number of shards, if the filter is made of shards.
    pub shards: Option<u64>,
    /// The number of positives: the keys 0, 1, 2 and so on.
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
    /// Determines the order of the keys and what else is drawn outside of the steps.
    pub seed: u64,
}

impl Case {
    /// A case, at random.
    pub fn draw(scale: Scale, draw: &mut Draw<'_>) -> Self {
        let family = draw.pick(&Family::ALL);
        let positives = match scale {
            Scale::Tiny => draw.below(TINY + 1),
            Scale::Any if draw.one_in(12) => draw.below(4),
            Scale::Any => draw.magnitude(1.0, MAX_KEYS) as usize,
        };
        let negatives = match scale {
            Scale::Tiny => draw.below(TINY + 1),
            Scale::Any if draw.one_in(4) => 0,
            Scale::Any => (positives as f64 * draw.magnitude(0.05, 2.0)) as usize + draw.below(2),
        };
        let start = match draw.below(3) {
            0 if family.can(Operation::Insert) => Start::Empty,
            1 => Start::Keys,
            _ => Start::Sets,
        };
        let shards = draw
            .one_in(3)
            .then(|| 1 + draw.below(if scale == Scale::Tiny { 4 } else { 12 }) as u64);
        let seesaw = matches!(family, Family::Seesaw | Family::SeesawAdaptive);
        let habf = matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache);
        let mut case = Case {
            family,
            size: draw_size(family, scale, positives, draw),
            capacity: None,
            hashing: draw_hashing(draw),
            settings: draw_settings(family, scale, positives, draw),
            paper: habf && draw.one_in(6),
            segments: (seesaw && shards.is_none() && draw.one_in(4)).then(|| draw.count(20) as u64),
            shards,
            positives,
            negatives,
            unknown: match scale {
                Scale::Tiny => 20 + draw.below(100),
                Scale::Any => draw.magnitude(50.0, 200.0 + positives as f64) as usize,
            },
            costs: Costs::draw(draw),
            form: Form::draw(draw),
            start,
            seed: draw.bits(),
        };
        case.capacity = case.draw_capacity(scale, draw);
        if let (Size::Rate(rate), Some(functions)) = (case.size, case.setting("k")) {
            // Few functions reach a low rate only with very many bits.
            let lowest = 0.3f64.powf(functions.as_f64().unwrap_or(1.0));
            case.size = Size::Rate(rate.max(lowest));
        }
        case
    }

    /// A capacity below, at or above the number of positives, or none where the family needs none.
    fn draw_capacity(&self, scale: Scale, draw: &mut Draw<'_>) -> Option<u64> {
        let keys = match scale {
            // A filter that grows has several layers soon.
            Scale::Tiny if self.family == Family::Growing => 5.0,
            Scale::Tiny => 30.0,
            Scale::Any => self.positives as f64,
        };
        if self.start != Start::Empty && self.positives > 0 && draw.one_in(2) {
            return None;
        }
        let below = match self.family {
            // It has no room for more keys than it was planned for.
            Family::Cuckoo => keys,
            _ => draw.between(0.3, 1.0) * keys,
        };
        let capacity = draw.pick(&[keys, keys, 2.0 * keys, below]);
        Some((capacity as u64).max(1))
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

    /// Whether no filter can have the size.
    pub fn is_impossible(&self) -> bool {
        match self.size {
            Size::Bits(bits) => !(1..=1 << 62).contains(&bits),
            Size::BitsPerKey(bits) => !(bits > 0.0 && bits.is_finite()),
            Size::Rate(rate) => !(rate > 0.0 && rate < 1.0),
            _ => false,
        }
    }

    /// The most bits that the filter may take, all shards together; `None` if a rate was asked for instead of a size, or if it grows.
    pub fn budget(&self) -> Option<u64> {
        if self.family == Family::Growing {
            // It takes what its keys need.
            return None;
        }
        let least = self.family.least_bits();
        let bits = match self.size {
            Size::Bits(bits) => bits,
            Size::BitsPerKey(bits) => (bits * self.planned() as f64) as u64,
            _ => return None,
        };
        match self.shards {
            // A fixed set without keys has the smallest filters.
            Some(shards) if self.planned() == 0 => Some(bits.max(least * shards)),
            // More shards than fit are an error.
            Some(shards) if shards > 1 => Some(bits),
            _ => Some(bits.max(least)),
        }
    }

    /// The number of all keys.
    pub fn keys(&self) -> usize {
        self.positives + self.negatives + self.unknown
    }
}

/// A hashing, at random.
fn draw_hashing(draw: &mut Draw<'_>) -> Hashing {
    match draw.below(4) {
        0 => Hashing::default(),
        1 => {
            let key = u128::from(draw.bits()) << 64 | u128::from(draw.bits());
            Hashing::SipHash { key }
        }
        _ => Hashing::Xxh3 { seed: draw.bits() },
    }
}

/// Settings, at random. Hardly any tiny filter leaves a search to the library.
fn draw_settings(
    family: Family,
    scale: Scale,
    keys: usize,
    draw: &mut Draw<'_>,
) -> Vec<(&'static str, Value)> {
    let mut settings = match scale {
        Scale::Tiny if draw.below(64) > 0 => settings::fixed(family),
        _ => Vec::new(),
    };
    if !draw.one_in(3) {
        for (name, value) in settings::some(family, keys, draw) {
            settings.retain(|(set, _)| *set != name);
            settings.push((name, value));
        }
    }
    settings
}

/// A size for a filter of this many keys, from tiny to ample.
fn draw_size(family: Family, scale: Scale, keys: usize, draw: &mut Draw<'_>) -> Size {
    if draw.below(100) == 99 {
        return draw.pick(&[
            Size::Bits(0),
            Size::Bits(u64::MAX),
            Size::BitsPerKey(0.0),
            Size::BitsPerKey(-1.0),
            Size::BitsPerKey(f64::NAN),
            Size::BitsPerKey(f64::INFINITY),
            Size::Rate(0.0),
            Size::Rate(1.0),
            Size::Rate(f64::NAN),
        ]);
    }
    match (scale, draw.below(10)) {
        (_, 0..3) => Size::BitsPerKey(draw.magnitude(0.5, 64.0)),
        // Room for the capacity with a short fingerprint, and for a few exceptions.
        (Scale::Tiny, 3..9) if family == Family::Cuckoo => {
            Size::Bits(700 + draw.below(2000) as u64)
        }
        (Scale::Tiny, 3..9) => Size::Bits(1 + draw.below(3000) as u64),
        (Scale::Any, 3..5) => Size::BitsPerKey(draw.magnitude(0.5, 64.0)),
        (Scale::Any, 5) => Size::Bits(1 + draw.below(3000) as u64),
        (Scale::Any, 6..8) => Size::Bits(draw.magnitude(64.0, 64.0 * (keys as f64 + 2.0)) as u64),
        _ => Size::Rate(draw.magnitude(1e-6, 0.5)),
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paper = if self.paper { ", preset paper" } else { "" };
        write!(f, "{}{paper}, size {:?}", self.family.name(), self.size)?;
        for (name, value) in &self.settings {
            write!(f, ", {name} {value}")?;
        }
        for (name, number) in [
            ("segments", self.segments),
            ("capacity", self.capacity),
            ("shards", self.shards),
        ] {
            if let Some(number) = number {
                write!(f, ", {name} {number}")?;
            }
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
