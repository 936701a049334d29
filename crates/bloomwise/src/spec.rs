//! A filter wished for in words: the family by its name, its settings as text, its size.
//!
//! This is what front ends fill in. Everything is checked where it is said: an unknown family or setting is an error
//! that lists the known ones, a value that cannot be is an error that says which can. [`Spec::build`] makes the filter
//! of a set that is known as a whole; [`Spec::create`] makes an empty one to insert into, for sets that are too large
//! to hold or that change.

use crate::any::AnyFilter;
use crate::balanced::{MAX_CHOICES, Scheme};
use crate::builder::Builder;
use crate::error::{Error, Result};
use crate::family::{Family, Operation};
use crate::filter::{Report, Value};
use crate::guarded::GuardedBuilder;
use crate::habf::HabfBuilder;
use crate::hash::Hashing;
use crate::key::KeySets;
use crate::personalized::PersonalizedRejecting;
use crate::sizing::{MAX_FUNCTIONS, Size};
use crate::{Balanced, Blocked, Bloom, Counting, Guarded, Habf, habf};

/// A setting that a family understands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it takes.
    choice: Choice,
}

/// The values of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    /// Every whole number from the first to the second.
    Whole(u32, u32),
    /// These numbers.
    OneOf(&'static [u32]),
    /// Every number from the first to the second.
    Real(f64, f64),
    /// These words.
    Word(&'static [&'static str]),
}

const K: Setting = Setting {
    name: "k",
    about: "number of hash functions, 1 to 32 (default: the best for the size)",
    choice: Choice::Whole(1, MAX_FUNCTIONS),
};

const BLOCK: Setting = Setting {
    name: "block",
    about: "bits of a block, 256 or 512 (default: 512)",
    choice: Choice::OneOf(&[256, 512]),
};

const THRESHOLD: Setting = Setting {
    name: "threshold",
    about: "set slots in a row at which a key is rejected (default: one less than k)",
    choice: Choice::Whole(1, MAX_FUNCTIONS),
};

const LIST: Setting = Setting {
    name: "list",
    about: "most keys that are rejected, 128 bits each (default: one in 200 of the capacity)",
    choice: Choice::Whole(0, u32::MAX),
};

const CELL: Setting = Setting {
    name: "cell-bits",
    about: "bits of a chain cell, 3 to 6; habf-cache: 4 (default: as few as name k functions and one more, at least 4)",
    choice: Choice::Whole(*habf::CELL_BITS.start(), *habf::CELL_BITS.end()),
};

const RATIO: Setting = Setting {
    name: "ratio",
    about: "share of the space for chain cells, 0 to 0.9 (default: follows size and negatives)",
    choice: Choice::Real(0.0, 0.9),
};

const SEGMENT: Setting = Setting {
    name: "segment-bits",
    about: "bits of a segment, about, 4096 to 2^30; segments are built in parallel (default: 262144)",
    choice: Choice::Whole(*habf::SEGMENT_BITS.start(), *habf::SEGMENT_BITS.end()),
};

const PASSES: Setting = Setting {
    name: "passes",
    about: "most passes of the optimiser, 0 to 100 (default: 4; habf-fast: 1)",
    choice: Choice::Whole(0, habf::MAX_PASSES),
};

const EMPTY: Setting = Setting {
    name: "empty",
    about: "bits that are 0 may be set after a look at who is harmed, without one, or not: watch, blind or never (default: watch; habf-fast: blind)",
    choice: Choice::Word(&["watch", "blind", "never"]),
};

const SCHEME: Setting = Setting {
    name: "scheme",
    about: "where the choices of a key lie: single, sequential or mht (default: the lowest rate)",
    choice: Choice::Word(&["single", "sequential", "mht"]),
};

const READS: Setting = Setting {
    name: "reads",
    about: "blocks an insertion reads on average, 1 to 8 (default: the best up to 1.2; with a scheme, exactly)",
    choice: Choice::Real(1.0, MAX_CHOICES as f64),
};

const CHOICES: Setting = Setting {
    name: "choices",
    about: "blocks a key can choose from, 1 to 8 (default: the best up to 4; with a scheme, exactly)",
    choice: Choice::Whole(1, MAX_CHOICES),
};

const OVERFLOW: Setting = Setting {
    name: "overflow",
    about: "largest share of keys in the list, 128 bits each, 0 to 0.5 (default: the best)",
    choice: Choice::Real(0.0, 0.5),
};

const ARITY: Setting = Setting {
    name: "arity",
    about: "slots of a key, 3 or 4: 3 reads less memory, 4 takes less space (default: 4)",
    choice: Choice::OneOf(&[3, 4]),
};

const UNSEEN_SHARE: Setting = Setting {
    name: "unseen-share",
    about: "share of the cost that comes from unseen keys, 0 to 1; matters if not all negatives can be guarded (default: 0.1)",
    choice: Choice::Real(0.0, 1.0),
};

impl Setting {
    /// The settings that a family understands.
    pub fn of(family: Family) -> &'static [Setting] {
        match family {
            Family::Blocked => &[K, BLOCK],
            Family::Balanced => &[K, BLOCK, SCHEME, READS, CHOICES, OVERFLOW],
            Family::PersonalizedRejecting => &[K, THRESHOLD, LIST],
            Family::Guarded => &[UNSEEN_SHARE, ARITY],
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                &[K, CELL, RATIO, SEGMENT, PASSES, EMPTY]
            }
            Family::Bloom
            | Family::Counting
            | Family::Personalized
            | Family::PersonalizedCounting => &[K],
        }
    }

    /// The value that a text stands for.
    fn parse(&self, text: &str) -> Result<Value> {
        let number = || text.parse::<u32>().ok();
        match self.choice {
            Choice::Whole(low, high) => number()
                .filter(|n| (low..=high).contains(n))
                .map(|n| Value::Whole(u64::from(n)))
                .ok_or_else(|| format!("a whole number from {low} to {high}")),
            Choice::OneOf(valid) => number()
                .filter(|n| valid.contains(n))
                .map(|n| Value::Whole(u64::from(n)))
                .ok_or_else(|| {
                    let valid: Vec<_> = valid.iter().map(u32::to_string).collect();
                    valid.join(" or ")
                }),
            Choice::Real(low, high) => (text.parse().ok())
                .filter(|x| (low..=high).contains(x))
                .map(Value::Real)
                .ok_or_else(|| format!("a number from {low} to {high}")),
            Choice::Word(valid) => (valid.iter())
                .find(|word| **word == text)
                .map(|word| Value::Word(word))
                .ok_or_else(|| valid.join(" or ")),
        }
        .map_err(|expected| Error::parameter(self.name, format!("\"{text}\""), expected))
    }
}

/// A family, a size and settings, from which filters are made.
///
/// ```
/// use bloomwise::{Filter, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new("blocked")?.size(Size::BitsPerKey(12.0)).set("k", "6")?;
/// let filter = spec.build_from_keys(["ant", "bee", "cow"])?;
/// assert!(filter.contains(b"bee"));
///
/// let error = Spec::new("bloom")?.set("blocks", "9").unwrap_err();
/// assert_eq!(error.to_string(), "bloom has no setting \"blocks\"; it has: k");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    family: Family,
    size: Size,
    capacity: Option<u64>,
    hashing: Hashing,
    /// Values that were set, by the name of the setting.
    values: Vec<(&'static str, Value)>,
    /// Whether the preset `paper` was taken.
    paper: bool,
}

impl Spec {
    /// The family of this name, at 10 bits per key.
    ///
    /// # Errors
    ///
    /// There is no such family.
    pub fn new(family: &str) -> Result<Self> {
        Ok(Spec {
            family: family.parse()?,
            size: Size::BitsPerKey(10.0),
            capacity: None,
            hashing: Hashing::default(),
            values: Vec::new(),
            paper: false,
        })
    }

    /// How large the filter shall be.
    pub fn size(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// For how many keys it shall be planned; without this, for those it is built from.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// How keys are hashed.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// Sets one of the family's settings, see [`Setting::of`].
    ///
    /// # Errors
    ///
    /// The family has no such setting, or the setting no such value.
    pub fn set(mut self, name: &str, value: &str) -> Result<Self> {
        let known = Setting::of(self.family);
        let Some(setting) = known.iter().find(|setting| setting.name == name) else {
            let valid: Vec<_> = known.iter().map(|setting| setting.name).collect();
            return Err(Error::UnknownName {
                family: self.family.name(),
                what: "setting",
                got: name.to_string(),
                valid: valid.join(", "),
            });
        };
        let value = setting.parse(value)?;
        self.values.retain(|(set, _)| *set != setting.name);
        self.values.push((setting.name, value));
        Ok(self)
    }

    /// Takes over a named preset; settings that are set stay as they are. `habf`, `habf-fast` and `habf-cache` have
    /// `paper`, the setting of the paper.
    ///
    /// # Errors
    ///
    /// The family has no such preset.
    pub fn preset(mut self, name: &str) -> Result<Self> {
        let valid = match self.family {
            Family::Habf | Family::HabfFast | Family::HabfCache => "paper",
            _ => "none",
        };
        if name != valid || name == "none" {
            return Err(Error::UnknownName {
                family: self.family.name(),
                what: "preset",
                got: name.to_string(),
                valid: valid.to_string(),
            });
        }
        self.paper = true;
        Ok(self)
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// How keys are to be hashed for [`Spec::build`].
    pub fn chosen_hashing(&self) -> Hashing {
        self.hashing
    }

    /// An empty filter to insert into.
    ///
    /// # Errors
    ///
    /// The family has a fixed set; the size needs a capacity and none was given; no filter can have this size; there is no
    /// memory for it.
    pub fn create(&self) -> Result<AnyFilter> {
        self.family.check(Operation::Insert)?;
        let capacity = match (self.capacity, self.size) {
            (Some(capacity), _) => capacity,
            // Blocks that are filled evenly need to know to what level.
            (None, Size::Bits(_))
                if self.value("k").is_some() && self.family != Family::Balanced =>
            {
                0
            }
            (None, _) => {
                let expected = "the number of keys the filter shall hold";
                return Err(Error::parameter("the capacity", "not given", expected));
            }
        };
        self.plan(capacity)
    }

    /// The filter of a set.
    ///
    /// # Errors
    ///
    /// No filter can have this size; there is no memory for it.
    pub fn build(&self, sets: &KeySets) -> Result<AnyFilter> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of a set, and what there is to tell about its making.
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(AnyFilter, Report)> {
        if let Some(builder) = self.habf() {
            let (filter, report) = builder.build_and_report(sets)?;
            return Ok((AnyFilter::Habf(filter), report));
        }
        if self.family == Family::Guarded {
            let (filter, report) = self.guarded().build_and_report(sets)?;
            return Ok((AnyFilter::Guarded(filter), report));
        }
        let keys = sets.positives().len() as u64;
        let mut filter = self.plan(self.capacity.unwrap_or(keys))?;
        filter.insert_digests(sets.positives())?;
        let report = Report {
            guarded: 0,
            facts: filter.facts(),
        };
        Ok((filter, report))
    }

    /// The filter of these keys; without known negatives.
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`].
    pub fn build_from_keys<K: AsRef<[u8]>>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<AnyFilter> {
        let digests = keys
            .into_iter()
            .map(|key| self.hashing.digest(key.as_ref()));
        self.build(&KeySets::new(digests.collect(), Vec::new())?)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let set = self.values.iter().find(|(set, _)| *set == name);
        set.map(|(_, value)| value)
    }

    /// The real number a setting was set to.
    fn real(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(&Value::Real(number)) => Some(number),
            _ => None,
        }
    }

    /// The word a setting was set to.
    fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Some(&Value::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The whole number a setting was set to.
    fn whole(&self, name: &str) -> Option<u32> {
        match self.value(name) {
            Some(&Value::Whole(number)) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// The empty filter for so many keys.
    fn plan(&self, capacity: u64) -> Result<AnyFilter> {
        let size = self.size;
        match self.family {
            Family::Bloom => {
                let builder = self.wishes(Bloom::builder(capacity, size));
                builder.build().map(AnyFilter::Bloom)
            }
            Family::Blocked => {
                let mut builder = self.wishes(Blocked::builder(capacity, size));
                if let Some(bits) = self.whole("block") {
                    builder = builder.block_bits(bits);
                }
                builder.build().map(AnyFilter::Blocked)
            }
            Family::Counting => {
                let builder = self.wishes(Counting::builder(capacity, size));
                builder.build().map(AnyFilter::Counting)
            }
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                let builder = self.habf().unwrap_or_else(|| Habf::builder(size));
                let empty = builder.capacity(capacity).build(&KeySets::default());
                empty.map(AnyFilter::Habf)
            }
            Family::Balanced => {
                let mut builder = Balanced::builder(capacity, size).hashing(self.hashing);
                if let Some(functions) = self.whole("k") {
                    builder = builder.functions(functions);
                }
                if let Some(bits) = self.whole("block") {
                    builder = builder.block_bits(bits);
                }
                if let Some(scheme) = self.word("scheme").and_then(Scheme::named) {
                    builder = builder.scheme(scheme);
                }
                if let Some(reads) = self.real("reads") {
                    builder = builder.reads(reads);
                }
                if let Some(choices) = self.whole("choices") {
                    builder = builder.choices(choices);
                }
                if let Some(share) = self.real("overflow") {
                    builder = builder.overflow(share);
                }
                builder.build().map(AnyFilter::Balanced)
            }
            Family::Guarded => self.build(&KeySets::default()),
            Family::Personalized => {
                let builder = self.wishes(Bloom::builder(capacity, size)).personalized();
                builder.build().map(AnyFilter::Bloom)
            }
            Family::PersonalizedCounting => {
                let builder = self
                    .wishes(Counting::builder(capacity, size))
                    .personalized();
                builder.build().map(AnyFilter::Counting)
            }
            Family::PersonalizedRejecting => {
                let mut builder = self.wishes(PersonalizedRejecting::builder(capacity, size));
                if let Some(slots) = self.whole("threshold") {
                    builder = builder.threshold(slots);
                }
                if let Some(keys) = self.whole("list") {
                    builder = builder.list(keys);
                }
                builder.build().map(AnyFilter::PersonalizedRejecting)
            }
        }
    }

    /// The wishes for a filter that is built with its negatives, if this is one.
    fn habf(&self) -> Option<HabfBuilder> {
        let mut builder = match self.family {
            Family::Habf => Habf::builder(self.size),
            Family::HabfFast => Habf::builder(self.size).fast(),
            Family::HabfCache => Habf::builder(self.size).cache(),
            _ => return None,
        };
        if self.paper {
            builder = builder.paper();
        }
        builder = builder.hashing(self.hashing);
        if let Some(keys) = self.capacity {
            builder = builder.capacity(keys);
        }
        if let Some(functions) = self.whole("k") {
            builder = builder.functions(functions);
        }
        if let Some(bits) = self.whole("cell-bits") {
            builder = builder.cell_bits(bits);
        }
        if let Some(share) = self.real("ratio") {
            builder = builder.ratio(share);
        }
        if let Some(bits) = self.whole("segment-bits") {
            builder = builder.segment_bits(bits);
        }
        if let Some(passes) = self.whole("passes") {
            builder = builder.passes(passes);
        }
        if let Some(rule) = self.word("empty") {
            builder = builder.empties(rule);
        }
        Some(builder)
    }

    /// The wishes for a guarded filter.
    fn guarded(&self) -> GuardedBuilder {
        let mut builder = Guarded::builder(self.size).hashing(self.hashing);
        if let Some(keys) = self.capacity {
            builder = builder.capacity(keys);
        }
        if let Some(slots) = self.whole("arity") {
            builder = builder.arity(slots);
        }
        if let Some(share) = self.real("unseen-share") {
            builder = builder.unseen_share(share);
        }
        builder
    }

    /// The wishes that all families share.
    fn wishes<F>(&self, builder: Builder<F>) -> Builder<F> {
        let builder = builder.hashing(self.hashing);
        match self.whole("k") {
            Some(functions) => builder.functions(functions),
            None => builder,
        }
    }
}
