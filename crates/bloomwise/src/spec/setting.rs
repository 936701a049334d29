//! The settings of all families: their names, what they are for, and the values they take.

use crate::balanced::MAX_CHOICES;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::Value;
use crate::habf;
use crate::seesaw;
use crate::sizing::MAX_FUNCTIONS;

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

const GUARD: Setting = Setting {
    name: "guard",
    about: "known negatives that are guarded, the costliest, for each key of the capacity, 0 to 100 (default: the best; of seesaw-adaptive without negatives, 0.05 are expected)",
    choice: Choice::Real(0.0, seesaw::MAX_GUARD),
};

const ALPHA: Setting = Setting {
    name: "alpha",
    about: "share of the space for the modulator, 0 to 0.5 (default: the best, often 0)",
    choice: Choice::Real(0.0, seesaw::MAX_ALPHA),
};

const COUNT: Setting = Setting {
    name: "count-bits",
    about: "bits of a count in the modulator, 1 to 8 (default: as few as hardly ever stick)",
    choice: Choice::Whole(*seesaw::COUNT_BITS.start(), *seesaw::COUNT_BITS.end()),
};

const INDEX: Setting = Setting {
    name: "index-bits",
    about: "logarithm of the number of functions in reserve, 1 to 4 (default: the best)",
    choice: Choice::Whole(*seesaw::INDEX_BITS.start(), *seesaw::INDEX_BITS.end()),
};

const ARITY: Setting = Setting {
    name: "arity",
    about: "slots of a key, 3 or 4: 3 reads less memory, 4 takes less space (default: 4)",
    choice: Choice::OneOf(&[3, 4]),
};

const UNSEEN_SHARE: Setting = Setting {
    name: "unseen-share",
    about: "share of the cost that comes from unseen keys, 0 to 1; guarded: matters if not all negatives can be guarded (default: 0.1)",
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
            Family::Seesaw | Family::SeesawAdaptive => {
                &[K, GUARD, ALPHA, COUNT, INDEX, UNSEEN_SHARE]
            }
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
    pub(super) fn parse(&self, text: &str) -> Result<Value> {
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
