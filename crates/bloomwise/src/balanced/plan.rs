//! From a size and some wishes to a filter: the search for the lowest rate.
//!
//! Of reads, choices and overflow, two fix the third ([`super::theory`]); with them the threshold is fixed, and the
//! number of functions is the one with the lowest rate. So there is little to search: some dozens of pairs of reads and
//! choices for MHT and SEQUENTIAL, some shares of overflow for SINGLE. Each is worked out as the filter would be, its
//! list inside the budget at 128 bits an entry, and the one with the lowest rate wins.
//!
//! Plans are for the filter at hand and not for an endless one: the reads are planned five standard deviations below
//! what was asked for, and the list has room for five above the mean.

use super::gauge::Gauge;
use super::scheme::Scheme;
use super::tables::MAX_CHOICES;
use super::theory::lookup::{Lookup, Rule, block_rate, of_strangers};
use super::theory::{Arrivals, Threshold, region};
use crate::error::{Error, Result};
use crate::sizing::{Layout, MAX_FUNCTIONS, Size};

/// Bits of a key in the list.
const ENTRY: u64 = 128;

/// Bits of a cache line, by which filters grow.
const LINE: u64 = 512;

/// The most keys for a block that are planned for: one for each bit.
const MAX_LOAD: f64 = 512.0;

/// Reads for a key that are tried where they are not given. With more the rate falls by 4 % at most, up to 32 bits per
/// key, and from 1.4 on it rises.
const READS: [f64; 9] = [1.2, 1.16, 1.13, 1.1, 1.07, 1.05, 1.03, 1.02, 1.01];

/// The most choices that are tried where they are not given.
const USUAL_CHOICES: u32 = 4;

/// The most bits that load and notes may take from a block.
const MAX_STATE_BITS: u32 = 12;

/// What the caller has asked for; what is not given is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wishes {
    pub(super) scheme: Option<Scheme>,
    pub(super) block_bits: u32,
    pub(super) functions: Option<u32>,
    /// Blocks read for an insertion, on average.
    pub(super) reads: Option<f64>,
    pub(super) choices: Option<u32>,
    /// The largest share of keys in the list.
    pub(super) overflow: Option<f64>,
}

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
}

/// A point of the search.
#[derive(Clone, Copy, Debug)]
struct Setup {
    scheme: Scheme,
    choices: u32,
    reads: f64,
    /// The share of keys in the list; of the other schemes it follows from reads and choices.
    single_overflow: f64,
}

/// The plan with the lowest rate.
pub(super) fn plan(size: Size, capacity: u64, wishes: &Wishes) -> Result<Plan> {
    wishes.check()?;
    let layout = Layout {
        cell_bits: 1,
        // The list takes what the lines leave.
        step: 1,
        // The best number of functions is part of the plan.
        rate: |bits, keys, _| wishes.best(bits, keys).map_or(1.0, |plan| plan.rate),
    };
    let bits = layout
        .fit(size, capacity, Some(wishes.functions.unwrap_or(1)))?
        .cells;
    wishes.best(bits, capacity).ok_or_else(|| {
        let unlimited = Wishes {
            overflow: None,
            ..*wishes
        };
        match unlimited.best(bits, capacity) {
            Some(plan) => {
                let expected = format!("at least {:.1e} with these reads and choices", plan.overflow);
                let got = wishes.overflow.unwrap_or(0.0);
                Error::parameter("the overflow share (overflow)", got, expected)
            }
            None => {
                let got = format!("{bits} bits for {capacity} keys");
                let expected = "a bit for each key at least, and twice what the list takes: ask for a larger size, or for fewer reads";
                Error::parameter("the size", got, expected)
            }
        }
    })
}

impl Wishes {
    /// An error if no filter can be like this, whatever its size.
    fn check(&self) -> Result<()> {
        if !matches!(self.block_bits, 256 | 512) {
            let name = "the bits of a block (block)";
            return Err(Error::parameter(name, self.block_bits, "256 or 512"));
        }
        let several = !matches!(self.scheme, None | Some(Scheme::Single));
        if let Some(choices) = self.choices {
            let (low, high) = match self.scheme {
                Some(Scheme::Single) => (1, 1),
                _ => (if several { 2 } else { 1 }, MAX_CHOICES),
            };
            if !(low..=high).contains(&choices) {
                let expected = match low == high {
                    true => "1, since scheme single has one choice".to_string(),
                    false => format!("a number from {low} to {high}"),
                };
                let name = "the number of choices (choices)";
                return Err(Error::parameter(name, choices, expected));
            }
        }
        if let Some(reads) = self.reads {
            let most = f64::from(self.choices.unwrap_or(MAX_CHOICES));
            let fine = match several {
                true => reads > 1.0 && reads < most,
                false => (1.0..=f64::from(MAX_CHOICES)).contains(&reads),
            };
            if !fine {
                let expected = match several {
                    true => format!("more than 1 and less than the choices, {most}"),
                    false => format!("a number from 1 to {MAX_CHOICES}"),
                };
                let name = "the blocks read for an insertion (reads)";
                return Err(Error::parameter(name, reads, expected));
            }
        }
        match self.overflow {
            Some(share) if !(0.0..=0.5).contains(&share) => {
                let name = "the overflow share (overflow)";
                Err(Error::parameter(name, share, "a share from 0 to 0.5"))
            }
            _ => Ok(()),
        }
    }

    /// The plan with the lowest rate for so many bits and keys, if there is any.
    fn best(&self, bits: u64, keys: u64) -> Option<Plan> {
        let (bits, keys) = (bits.max(LINE), keys.max(1) as f64);
        if keys > bits as f64 {
            return None;
        }
        let plans = self.setups().into_iter();
        let plans = plans.filter_map(|setup| self.work_out(setup, bits, keys));
        plans.min_by(|one, other| one.rate.total_cmp(&other.rate))
    }

    /// The points to try. With a scheme that is named, numbers are taken as they are given; without, they are limits.
    fn setups(&self) -> Vec<Setup> {
        let mut setups = Vec::new();
        if matches!(self.scheme, None | Some(Scheme::Single)) {
            // From one key in sixteen down to none in any filter.
            setups.extend((4..40).map(|halvings| Setup {
                scheme: Scheme::Single,
                choices: 1,
                reads: 1.0,
                single_overflow: 0.5f64.powi(halvings),
            }));
        }
        // SEQUENTIAL reads as much as MHT and needs a longer list, so that it is there for those who name it.
        let scheme = self.scheme.unwrap_or(Scheme::Mht);
        if scheme == Scheme::Single {
            return setups;
        }
        let most = self.choices.unwrap_or(USUAL_CHOICES);
        let least = if self.scheme.is_some() {
            self.choices
        } else {
            None
        };
        for choices in least.unwrap_or(2)..=most {
            // Each point of SEQUENTIAL takes some hundred times as long to work out.
            let every = if scheme == Scheme::Mht { 1 } else { 4 };
            let tried = READS
                .into_iter()
                .step_by(every)
                .filter(|tried| match self.reads {
                    Some(limit) => self.scheme.is_none() && *tried < limit,
                    None => true,
                });
            let fitting = tried
                .chain(self.reads)
                .filter(|reads| *reads > 1.0 && *reads < f64::from(choices));
            setups.extend(fitting.map(|reads| Setup {
                scheme,
                choices,
                reads,
                single_overflow: 0.0,
            }));
        }
        setups
    }

    /// The plan of one point, if it fits into so many bits.
    fn work_out(&self, setup: Setup, bits: u64, keys: f64) -> Option<Plan> {
        let Setup {
            scheme, choices, ..
        } = setup;
        let block = u64::from(self.block_bits);
        // Numbers from 1 to `choices` with this mean have at most this variance.
        let variance = (setup.reads - 1.0) * (f64::from(choices) - setup.reads);
        let least = 0.5 * (1.0 + setup.reads);
        let reads = (setup.reads - 5.0 * (variance / keys).sqrt()).max(least);
        let overflow_at = |load: f64| match scheme {
            Scheme::Single => setup.single_overflow,
            Scheme::Mht => region::mht_overflow(reads, choices),
            Scheme::Sequential => region::sequential_overflow(reads, choices, load),
        };
        // The list takes room from the blocks, which raises the load, and with it the list of SEQUENTIAL: once more
        // around, and the difference is lost in what chance adds.
        let share_blocks = |load: f64| {
            let overflow = overflow_at(load);
            let threshold = Threshold::solve(reads, load, overflow);
            let blocks = keys / load;
            let mean = reads * load;
            let variance = match scheme {
                Scheme::Single => region::overflow_variance(threshold, mean, &[blocks]),
                Scheme::Sequential => {
                    region::sequential_variance(threshold, mean, blocks, choices, overflow)
                }
                Scheme::Mht => {
                    let shares = region::mht_shares(region::turned_away(reads, choices), choices);
                    let tables: Vec<f64> = shares.iter().map(|share| share * blocks).collect();
                    region::overflow_variance(threshold, mean, &tables)
                }
            };
            let list = (overflow * keys + 5.0 * variance.sqrt()).round() as u64;
            let list_bits = list.saturating_mul(ENTRY);
            let blocks = (bits.saturating_sub(list_bits) / LINE).max(1) * (LINE / block);
            (overflow, list, blocks, (keys / blocks as f64).max(1.0))
        };
        let (mut overflow, mut list, mut blocks, mut load) =
            share_blocks((keys * block as f64 / bits as f64).clamp(1.0, MAX_LOAD));
        if scheme == Scheme::Sequential {
            (overflow, list, blocks, load) = share_blocks(load.min(MAX_LOAD));
        }
        // Less than a thousandth of a key is none.
        let exceeds = |limit| overflow > limit && overflow * keys > 1e-3;
        if self.overflow.is_some_and(exceeds) || list.saturating_mul(ENTRY) > bits / 2 {
            return None;
        }
        let smallest = blocks as f64 * region::turned_away(reads, choices).powi(choices as i32 - 1);
        if load > MAX_LOAD || self.scheme.is_none() && scheme == Scheme::Mht && smallest < 1.0 {
            return None;
        }
        let threshold = Threshold::solve(reads, load, overflow);
        let level = (threshold.level as u32).min(Gauge::MAX_LEVEL);
        let arrivals = Arrivals::new(reads * load);
        // Bits for notes are taken from those of keys, one by one, as long as that lowers the rate.
        let guess = f64::from(self.block_bits) / load * std::f64::consts::LN_2;
        let mut functions = (guess.round() as u32).clamp(1, MAX_FUNCTIONS);
        let mut best: Option<(u32, u32, Lookup)> = None;
        for bits in Gauge::new(level, 0, 1).bits()..=MAX_STATE_BITS {
            let groups = Gauge::groups_in(level, bits);
            let cells = f64::from(self.block_bits - bits);
            let loads = threshold.loads(&arrivals, groups);
            let lookup = |functions| {
                let rate = |keys| block_rate(cells, keys, functions);
                of_strangers(&loads, threshold, choices, Rule::Noted, rate)
            };
            let cost = match self.functions {
                Some(wished) => {
                    functions = wished;
                    lookup(wished)
                }
                None => {
                    let found = downhill(functions, lookup);
                    functions = found.0;
                    found.1
                }
            };
            if best.is_some_and(|(_, _, best)| best.rate <= cost.rate) {
                break;
            }
            best = Some((groups, functions, cost));
        }
        let (groups, functions, cost) = best?;
        let certain = f64::from(Gauge::CERTAIN);
        Some(Plan {
            scheme,
            block_bits: self.block_bits,
            blocks,
            functions,
            choices: u64::from(choices).min(blocks) as u32,
            level,
            // As the filter will have it.
            coin: (threshold.coin * certain).round() / certain,
            groups,
            list,
            reads_allowed: setup.reads,
            reads,
            negative_reads: cost.reads,
            overflow,
            rate: cost.rate,
        })
    }
}

/// The number of functions with the lowest rate, from a start from which every step in its direction leads down.
fn downhill(start: u32, lookup: impl Fn(u32) -> Lookup) -> (u32, Lookup) {
    let mut best = (start, lookup(start));
    for step in [-1, 1] {
        while let Some(next) = best.0.checked_add_signed(step)
            && (1..=MAX_FUNCTIONS).contains(&next)
        {
            let found = lookup(next);
            if found.rate >= best.1.rate {
                break;
            }
            best = (next, found);
        }
    }
    best
}
