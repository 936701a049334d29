//! The plan of a filter: the search for the lowest rate, given a size and options.
//!
//! Two of reads, choices and overflow determine the third ([`super::theory`]). Together they determine the threshold, and
//! the best number of functions is then the one with the lowest rate. So there is little to search: a few dozen pairs of
//! reads and choices for MHT and SEQUENTIAL, a few dozen overflow shares for SINGLE. The search plans a whole filter for
//! each point, with a list of 128 bits per entry inside the size, and takes the plan with the lowest rate.
//!
//! A filter is finite, so its reads and its list vary. Plans leave a margin: the planned reads are five standard
//! deviations below the allowed reads, and the list has room for five standard deviations more than its mean.

use super::options::Options;
use super::scheme::Scheme;
use super::search_point::{LINE_BITS, LIST_ENTRY_BITS};
use crate::error::{Error, Result};
use crate::filter::forecast::Forecast;
use crate::filter::info::Parameter;
use crate::filter::sizing::{Layout, MAX_BITS, MAX_FUNCTIONS, MIN_RATE, Size};

/// The parameters of a filter, and how it will perform when it holds its capacity.
///
/// ```
/// use bloomwise::{Balanced, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Balanced::builder(Size::BitsPerKey(24.0)).capacity(100_000);
/// let plan = builder.plan(&Workload::new(100_000, 0))?;
/// assert!(plan.bits() <= 2_400_000 && plan.rate < 1e-4);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// Where the candidate blocks of a key are.
    pub scheme: Scheme,
    /// Bits of a block.
    pub block_bits: u32,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of hash functions.
    pub functions: u32,
    /// The number of candidate blocks of a key. No operation reads more blocks than that.
    pub choices: u32,
    /// The load from which a block rejects keys; `h` in the paper.
    pub level: u32,
    /// The probability that a block at load `level` accepts one more key; `p` in the paper.
    pub coin: f64,
    /// The number of groups of keys. A block records for each group whether it has rejected a key of it.
    pub groups: u32,
    /// The number of keys that the list has room for within the size.
    pub list_room: u64,
    /// The upper limit of the mean number of blocks that an insertion reads.
    pub reads_allowed: f64,
    /// The predicted mean number of blocks that an insertion reads; the lookup of a member reads as many.
    pub reads: f64,
    /// The predicted mean number of blocks that the lookup of a non-member reads.
    pub negative_reads: f64,
    /// The predicted share of keys in the list.
    pub overflow: f64,
    /// The predicted false positive rate.
    pub rate: f64,
}

impl Plan {
    /// The bits of the blocks and of a full list.
    pub fn bits(&self) -> u64 {
        self.blocks * u64::from(self.block_bits) + self.list_room * LIST_ENTRY_BITS
    }

    /// The plan as a [`Forecast`], which all families share.
    pub fn forecast(&self) -> Forecast {
        let bits = self.blocks * u64::from(self.block_bits);
        Forecast {
            bits: self.bits(),
            parameters: vec![
                Parameter::total("bits", bits),
                Parameter::setting("k", u64::from(self.functions)),
                Parameter::setting("block", u64::from(self.block_bits)),
                Parameter::setting("scheme", self.scheme.name()),
                Parameter::setting("choices", u64::from(self.choices)),
                Parameter::measure("list_room", self.list_room),
            ],
            unseen: self.rate,
            known: self.rate,
            wrong: None,
            lines: self.reads,
        }
    }
}

/// Finds the plan with the lowest rate.
pub(super) fn plan(size: Size, capacity: u64, options: &Options) -> Result<Plan> {
    options.check()?;
    let bits = match options.bits(size, capacity) {
        Ok(bits) => bits,
        Err(error) => {
            let specific = options.option_error(size, capacity);
            return Err(specific.unwrap_or(error));
        }
    };
    let best = options.best(bits, capacity);
    best.ok_or_else(|| {
        let error = options.list_error(bits, capacity);
        // If the list is too short at any size, a larger size does not help.
        let error = error.or_else(|| match options.best(MAX_BITS, capacity) {
            Some(_) => None,
            None => options.list_error(MAX_BITS, capacity),
        });
        error.unwrap_or_else(|| {
            let got = format!("{bits} bits for {capacity} keys");
            let expected = "at least a bit for each key, and at least twice the bits of the list; ask for a larger size or fewer reads";
            Error::parameter("the size", got, expected)
        })
    })
}

impl Options {
    /// The number of bits of a filter of this `size`.
    fn bits(&self, size: Size, capacity: u64) -> Result<u64> {
        let (step, bits_per_key) = match size {
            // Filters grow by whole lines. No filter at all reaches the rate with fewer than `-log2(rate)` bits per
            // key, so smaller sizes need no plan.
            Size::Rate(rate) => (LINE_BITS, -rate.log2()),
            // The list can use the bits that whole lines leave over.
            _ => (1, 0.0),
        };
        let layout = Layout {
            cell_bits: 1,
            step,
            rate: |bits, keys, _| {
                if (bits as f64) < bits_per_key * keys as f64 {
                    1.0
                } else {
                    self.rate(bits, keys)
                }
            },
        };
        // The plan chooses the number of functions, so the layout must not search for it.
        let fit = layout.fit(size, capacity, Some(self.functions.unwrap_or(1)))?;
        Ok(fit.cells)
    }

    /// The plan with the lowest rate for `bits` bits and `keys` keys, if there is a plan.
    fn best(&self, bits: u64, keys: u64) -> Option<Plan> {
        let plans = self.plans(bits, keys).into_iter();
        plans.min_by(|one, other| one.rate.total_cmp(&other.rate))
    }

    /// The lowest rate for `bits` bits and `keys` keys; 1 if there is no plan.
    fn rate(&self, bits: u64, keys: u64) -> f64 {
        self.best(bits, keys).map_or(1.0, |plan| plan.rate)
    }

    /// All plans for `bits` bits and `keys` keys.
    fn plans(&self, bits: u64, keys: u64) -> Vec<Plan> {
        let (bits, keys) = (bits.max(LINE_BITS), keys.max(1) as f64);
        if keys > bits as f64 {
            return Vec::new();
        }
        let plans = self.search_points().into_iter();
        let plans = plans.filter_map(|search_point| search_point.plan(self, bits, keys));
        plans.collect()
    }

    /// The error that names the option that makes a target rate impossible, and the value it needs; `None` if no option is
    /// the reason.
    fn option_error(&self, size: Size, capacity: u64) -> Option<Error> {
        let functions = self.functions.unwrap_or(1);
        let rate = match size {
            Size::Rate(rate) if (MIN_RATE..1.0).contains(&rate) => rate,
            _ => return None,
        };
        if !(1..=MAX_FUNCTIONS).contains(&functions) {
            return None;
        }
        // If the largest filter cannot reach the rate, no filter can.
        let any_list = Options {
            overflow: None,
            ..*self
        };
        if any_list.rate(MAX_BITS, capacity) <= rate {
            return self.list_error(MAX_BITS, capacity);
        }
        self.functions?;
        let enough = (functions + 1..=MAX_FUNCTIONS).find(|&more| {
            let more = Options {
                functions: Some(more),
                ..any_list
            };
            more.rate(MAX_BITS, capacity) <= rate
        })?;
        let expected = format!("at least {enough} for a false positive rate of {rate}");
        let name = "the number of functions (k)";
        Some(Error::parameter(name, functions, expected))
    }

    /// The error that says that `overflow` is too small for any plan of `bits` bits, and how large it must be; `None` if
    /// `overflow` is not the reason.
    fn list_error(&self, bits: u64, capacity: u64) -> Option<Error> {
        let got = self.overflow?;
        let any_list = Options {
            overflow: None,
            ..*self
        };
        let plans = any_list.plans(bits, capacity).into_iter();
        let least = plans.map(|plan| plan.overflow).min_by(f64::total_cmp)?;
        // Two digits, rounded up, so that the value in the message works.
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
