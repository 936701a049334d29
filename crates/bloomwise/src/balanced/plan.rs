//! From a size and some wishes to a filter: the search for the lowest rate.
//!
//! Of reads, choices and overflow, two fix the third ([`super::theory`]); with them the threshold is fixed, and the
//! number of functions is the one with the lowest rate. So there is little to search: some dozens of pairs of reads and
//! choices for MHT and SEQUENTIAL, some shares of overflow for SINGLE. Each is worked out as the filter would be, its
//! list inside the budget at 128 bits an entry, and the one with the lowest rate wins.
//!
//! Plans are for the filter at hand and not for an endless one: the reads are planned five standard deviations below
//! what was asked for, and the list has room for five above the mean.

use super::scheme::Scheme;
use super::setup::{ENTRY, LINE};
use super::wishes::Wishes;
use crate::error::{Error, Result};
use crate::filter::Value;
use crate::forecast::Forecast;
use crate::sizing::{Layout, MAX_BITS, MAX_FUNCTIONS, MIN_RATE, Size};

/// A filter that was worked out: what it is made of, and what it will do once it holds its capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The scheme.
    pub scheme: Scheme,
    /// Bits of a block.
    pub block_bits: u32,
    /// The number of blocks.
    pub blocks: u64,
    /// Positions of a key in its block.
    pub functions: u32,
    /// Blocks that a key can choose from: the most that any operation reads.
    pub choices: u32,
    /// The load from which on blocks turn keys away; `h` in the paper.
    pub level: u32,
    /// How likely a block at that load takes one more key; `p` in the paper.
    pub coin: f64,
    /// Groups of keys of which a block notes whether it has turned one away.
    pub groups: u32,
    /// Keys that the list has room for within the size.
    pub list: u64,
    /// The most blocks that insertions may read, on average.
    pub reads_allowed: f64,
    /// Blocks that an insertion reads on average, and the lookup of a key that is there.
    pub reads: f64,
    /// Blocks that the lookup of a key that is not there reads on average.
    pub negative_reads: f64,
    /// The share of keys in the list.
    pub overflow: f64,
    /// The false positive rate.
    pub rate: f64,
}

impl Plan {
    /// The bits of blocks and list.
    pub fn bits(&self) -> u64 {
        self.blocks * u64::from(self.block_bits) + self.list * ENTRY
    }

    /// The plan in the words that all families share.
    pub fn forecast(&self) -> Forecast {
        let bits = self.blocks * u64::from(self.block_bits);
        Forecast {
            bits: self.bits(),
            parameters: vec![
                ("bits", Value::Whole(bits)),
                ("k", Value::Whole(u64::from(self.functions))),
                ("block", Value::Whole(u64::from(self.block_bits))),
                ("scheme", Value::Word(self.scheme.name())),
                ("choices", Value::Whole(u64::from(self.choices))),
                ("list_room", Value::Whole(self.list)),
            ],
            unseen: self.rate,
            known: self.rate,
            lines: self.reads,
        }
    }
}

/// The plan with the lowest rate.
pub(super) fn plan(size: Size, capacity: u64, wishes: &Wishes) -> Result<Plan> {
    wishes.check()?;
    let bits = match wishes.bits(size, capacity) {
        Ok(bits) => bits,
        Err(error) => return Err(wishes.blocking(size, capacity).unwrap_or(error)),
    };
    let best = wishes.best(bits, capacity);
    best.ok_or_else(|| {
        let blocking = wishes.blocking_list(bits, capacity);
        // A list that is too short at any size is not for the size to mend.
        let blocking = blocking.or_else(|| match wishes.best(MAX_BITS, capacity) {
            Some(_) => None,
            None => wishes.blocking_list(MAX_BITS, capacity),
        });
        blocking.unwrap_or_else(|| {
            let got = format!("{bits} bits for {capacity} keys");
            let expected = "a bit for each key at least, and twice what the list takes: ask for a larger size, or for fewer reads";
            Error::parameter("the size", got, expected)
        })
    })
}

impl Wishes {
    /// The bits of a size.
    fn bits(&self, size: Size, capacity: u64) -> Result<u64> {
        let (step, bits_per_key) = match size {
            // A line more or less is all that blocks can tell. And no filter at all has this rate with fewer bits for a
            // key, so that those need not be worked out.
            Size::Rate(rate) => (LINE, -rate.log2()),
            // The list takes what the lines leave.
            _ => (1, 0.0),
        };
        let layout = Layout {
            cell_bits: 1,
            step,
            rate: |bits, keys, _| match (bits as f64) < bits_per_key * keys as f64 {
                true => 1.0,
                false => self.rate(bits, keys),
            },
        };
        // The best number of functions is part of the plan.
        let fit = layout.fit(size, capacity, Some(self.functions.unwrap_or(1)))?;
        Ok(fit.cells)
    }

    /// The plan with the lowest rate for so many bits and keys, if there is any.
    fn best(&self, bits: u64, keys: u64) -> Option<Plan> {
        let plans = self.plans(bits, keys).into_iter();
        plans.min_by(|one, other| one.rate.total_cmp(&other.rate))
    }

    /// The lowest rate for so many bits and keys.
    fn rate(&self, bits: u64, keys: u64) -> f64 {
        self.best(bits, keys).map_or(1.0, |plan| plan.rate)
    }

    /// All plans for so many bits and keys.
    fn plans(&self, bits: u64, keys: u64) -> Vec<Plan> {
        let (bits, keys) = (bits.max(LINE), keys.max(1) as f64);
        if keys > bits as f64 {
            return Vec::new();
        }
        let plans = self.setups().into_iter();
        let plans = plans.filter_map(|setup| setup.work_out(self, bits, keys));
        plans.collect()
    }

    /// The wish without which there were a filter of this rate, as an error that says what can be wished instead.
    fn blocking(&self, size: Size, capacity: u64) -> Option<Error> {
        let functions = self.functions.unwrap_or(1);
        let rate = match size {
            Size::Rate(rate) if (MIN_RATE..1.0).contains(&rate) => rate,
            _ => return None,
        };
        if !(1..=MAX_FUNCTIONS).contains(&functions) {
            return None;
        }
        // What the largest filter cannot do no filter can.
        let any_list = Wishes {
            overflow: None,
            ..*self
        };
        if any_list.rate(MAX_BITS, capacity) <= rate {
            return self.blocking_list(MAX_BITS, capacity);
        }
        self.functions?;
        let enough = (functions + 1..=MAX_FUNCTIONS).find(|&more| {
            let more = Wishes {
                functions: Some(more),
                ..any_list
            };
            more.rate(MAX_BITS, capacity) <= rate
        })?;
        let expected = format!("at least {enough} for a false positive rate of {rate}");
        let name = "the number of functions (k)";
        Some(Error::parameter(name, functions, expected))
    }

    /// The error of a list that is too short for all plans of so many bits and keys; `None` if it is not the list.
    fn blocking_list(&self, bits: u64, capacity: u64) -> Option<Error> {
        let got = self.overflow?;
        let any_list = Wishes {
            overflow: None,
            ..*self
        };
        let plans = any_list.plans(bits, capacity).into_iter();
        let least = plans.map(|plan| plan.overflow).min_by(f64::total_cmp)?;
        // Two digits, rounded up, so that it can be taken at its word.
        let unit = 10f64.powf(least.log10().floor() - 1.0);
        let least = (least / unit).ceil() * unit;
        let with = match (self.reads, self.choices) {
            (Some(_), Some(_)) => " with these reads and choices",
            (Some(_), None) => " with these reads",
            (None, Some(_)) => " with these choices",
            (None, None) => "",
        };
        let expected = format!("at least {least:.1e}{with}");
        Some(Error::parameter(
            "the overflow share (overflow)",
            got,
            expected,
        ))
    }
}
