//! The settings of all families: their names, what they are for, and the values they accept.

use crate::error::{Error, Result};
use crate::families::balanced::MAX_CHOICES;
use crate::families::cuckoo;
use crate::families::growing::MAX_EXPANSION;
use crate::families::habf;
use crate::families::seesaw;
use crate::filter::family::Family;
use crate::filter::info::Value;
use crate::filter::sizing::MAX_FUNCTIONS;

/// A setting of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The name of the setting.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The values it accepts.
    choice: Choice,
}

/// The values of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// One of these numbers.
    OneOf(&'static [u32]),
    /// A number from the first to the second.
    Real(f64, f64),
    /// One of these words.
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
    about: "number of consecutive set slots at which a key is rejected (default: k - 1)",
    choice: Choice::Whole(1, MAX_FUNCTIONS),
};

const LIST: Setting = Setting {
    name: "list",
    about: "most keys in the rejection list, 128 bits each (default: one in 200 of the capacity)",
    choice: Choice::Whole(0, u32::MAX),
};

const CELL: Setting = Setting {
    name: "cell-bits",
    about: "bits of a chain cell, 3 to 6; habf-cache: 4 (default: at least 4, enough for k + 1 functions)",
    choice: Choice::Whole(*habf::CELL_BITS.start(), *habf::CELL_BITS.end()),
};

const RATIO: Setting = Setting {
    name: "ratio",
    about: "share of the space for chain cells, 0 to 0.9 (default: chosen from size and negatives)",
    choice: Choice::Real(0.0, 0.9),
};

const SEGMENT: Setting = Setting {
    name: "segment-bits",
    about: "approximate bits of a segment, 4096 to 2^30; segments are built in parallel (default: 262144)",
    choice: Choice::Whole(*habf::SEGMENT_BITS.start(), *habf::SEGMENT_BITS.end()),
};

const PASSES: Setting = Setting {
    name: "passes",
    about: "most passes of the optimiser, 0 to 100 (default: 4; habf-fast: 1)",
    choice: Choice::Whole(0, habf::MAX_PASSES),
};

const EMPTY: Setting = Setting {
    name: "empty",
    about: "whether an adjustment may set a bit that is 0: watch (if it harms little), blind (always) or never (default: watch; habf-fast: blind)",
    choice: Choice::Word(&["watch", "blind", "never"]),
};

const SCHEME: Setting = Setting {
    name: "scheme",
    about: "where the choices of a key lie: single, sequential or mht (default: the one with the lowest rate)",
    choice: Choice::Word(&["single", "sequential", "mht"]),
};

const READS: Setting = Setting {
    name: "reads",
    about: "mean number of blocks that an insertion reads, 1 to 8: at most, or exactly if a scheme is set (default: the best up to 1.2)",
    choice: Choice::Real(1.0, MAX_CHOICES as f64),
};

const CHOICES: Setting = Setting {
    name: "choices",
    about: "number of blocks a key can choose from, 1 to 8: at most, or exactly if a scheme is set (default: the best up to 4)",
    choice: Choice::Whole(1, MAX_CHOICES),
};

const OVERFLOW: Setting = Setting {
    name: "overflow",
    about: "largest share of keys in the overflow list, 128 bits each, 0 to 0.5 (default: the best)",
    choice: Choice::Real(0.0, 0.5),
};

const GUARD: Setting = Setting {
    name: "guard",
    about: "number of known negatives to guard per key of the capacity, the costliest first, 0 to 100 (default: the best; seesaw-adaptive without negatives: 0.05)",
    choice: Choice::Real(0.0, seesaw::MAX_GUARD),
};

const ALPHA: Setting = Setting {
    name: "alpha",
    about: "share of the space for the modulator, 0 to 0.5 (default: the best, often 0)",
    choice: Choice::Real(0.0, seesaw::MAX_ALPHA),
};

const COUNT: Setting = Setting {
    name: "count-bits",
    about: "bits of a count in the modulator, 1 to 8 (default: the fewest that rarely saturate)",
    choice: Choice::Whole(*seesaw::COUNT_BITS.start(), *seesaw::COUNT_BITS.end()),
};

const INDEX: Setting = Setting {
    name: "index-bits",
    about: "base-2 logarithm of the number of backup functions, 1 to 4 (default: the best)",
    choice: Choice::Whole(*seesaw::INDEX_BITS.start(), *seesaw::INDEX_BITS.end()),
};

const FINGERPRINT: Setting = Setting {
    name: "fingerprint",
    about: "bits of a fingerprint, 7 to 32 (default: the best for size and negatives)",
    choice: Choice::Whole(
        *cuckoo::FINGERPRINT_BITS.start(),
        *cuckoo::FINGERPRINT_BITS.end(),
    ),
};

const EXCEPTIONS: Setting = Setting {
    name: "exceptions",
    about: "share of the space for exact exceptions, 0 to 0.9 (default: what the known negatives need; 1/32 without any)",
    choice: Choice::Real(0.0, cuckoo::MAX_EXCEPTIONS),
};

const UNSEEN_SHARE: Setting = Setting {
    name: "unseen-share",
    about: "share of the cost that comes from unseen keys, 0 to 1 (default: 0.1)",
    choice: Choice::Real(0.0, 1.0),
};

const TRADE: Setting = Setting {
    name: UNSEEN_SHARE.name,
    about: "allows errors on known negatives where that lowers the cost: the share of the cost that comes from unseen keys, 0 to 1 (default: exact whenever the size allows it)",
    choice: UNSEEN_SHARE.choice,
};

const FIRST_K: Setting = Setting {
    name: K.name,
    about: "number of hash functions of the first layer, 1 to 32 (default: the best for the size)",
    choice: K.choice,
};

const EXPANSION: Setting = Setting {
    name: "expansion",
    about: "how many times the capacity of a layer the next one has, 1 to 32768 (default: 2)",
    choice: Choice::Whole(1, MAX_EXPANSION),
};

impl Setting {
    /// The settings of a family.
    pub fn of(family: Family) -> &'static [Setting] {
        match family {
            Family::Blocked => &[K, BLOCK],
            Family::Balanced => &[K, BLOCK, SCHEME, READS, CHOICES, OVERFLOW],
            Family::PersonalizedRejecting => &[K, THRESHOLD, LIST],
            Family::Guarded => &[TRADE],
            Family::Growing => &[FIRST_K, EXPANSION],
            Family::Cuckoo => &[FINGERPRINT, EXCEPTIONS],
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

    /// A value of this setting, in the form that the setting has: a whole number is also a real one.
    pub(super) fn accept(&self, value: Value) -> Result<Value> {
        let expected = match (self.choice, &value) {
            (Choice::Whole(low, high), &Value::Whole(n))
                if (u64::from(low)..=u64::from(high)).contains(&n) =>
            {
                return Ok(value);
            }
            (Choice::OneOf(valid), Value::Whole(n))
                if valid.iter().any(|&v| u64::from(v) == *n) =>
            {
                return Ok(value);
            }
            (Choice::Real(low, high), &Value::Real(x)) if (low..=high).contains(&x) => {
                return Ok(value);
            }
            (Choice::Real(low, high), &Value::Whole(n)) if (low..=high).contains(&(n as f64)) => {
                return Ok(Value::Real(n as f64));
            }
            (Choice::Word(valid), Value::Word(word)) if valid.contains(&&**word) => {
                return Ok(value);
            }
            (Choice::Whole(low, high), _) => format!("a whole number from {low} to {high}"),
            (Choice::OneOf(valid), _) => {
                let valid: Vec<_> = valid.iter().map(u32::to_string).collect();
                valid.join(" or ")
            }
            (Choice::Real(low, high), _) => format!("a number from {low} to {high}"),
            (Choice::Word(valid), _) => valid.join(" or "),
        };
        let got = match &value {
            Value::Word(word) => format!("{word:?}"),
            // With its decimals, or 5.0 would look like a whole number.
            Value::Real(number) if *number >= 0.0 => format!("{number:?}"),
            number => number.to_string(),
        };
        Err(Error::parameter(self.name, got, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_accept_their_values_and_no_others() {
        let accepts = |setting: Setting, value: Value| setting.accept(value).is_ok();
        assert!(accepts(K, Value::Whole(32)) && !accepts(K, Value::Whole(33)));
        assert!(!accepts(K, Value::Real(5.0)) && !accepts(K, Value::from("5")));
        assert!(accepts(BLOCK, Value::Whole(256)) && !accepts(BLOCK, Value::Whole(128)));
        assert_eq!(RATIO.accept(Value::Whole(0)).ok(), Some(Value::Real(0.0)));
        assert!(!accepts(RATIO, Value::Real(f64::NAN)) && !accepts(RATIO, Value::Real(-0.1)));
        assert!(accepts(SCHEME, Value::from("mht")) && !accepts(SCHEME, Value::Whole(1)));
        let text = SCHEME
            .accept(Value::from("mt"))
            .expect_err("no scheme")
            .to_string();
        assert_eq!(
            text,
            "scheme is \"mt\", expected single or sequential or mht"
        );
    }
}
