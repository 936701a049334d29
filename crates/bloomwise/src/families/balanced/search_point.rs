//! One point of the search, and the plan of a filter at this point.

use super::block_state::BlockState;
use super::options::Options;
use super::plan::Plan;
use super::scheme::Scheme;
use super::theory::lookup::{LookupCost, Rule, of_non_members};
use super::theory::{Arrivals, Threshold, region};
use crate::filter::sizing::{MAX_FUNCTIONS, words_rate};

/// Bits of an entry of the list: one digest.
pub(super) const LIST_ENTRY_BITS: u64 = 128;

/// Bits of a cache line; filters grow by whole lines.
pub(super) const LINE_BITS: u64 = 512;

/// The largest number of keys per block in a plan: one per bit.
const MAX_LOAD: f64 = 512.0;

/// The largest number of bits that the state may take from a block.
const MAX_STATE_BITS: u32 = 12;

/// A scheme, and the numbers that determine its threshold.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPoint {
    /// Where the candidate blocks of a key are.
    pub(super) scheme: Scheme,
    /// The number of candidate blocks of a key.
    pub(super) choices: u32,
    /// The mean number of blocks that an insertion reads.
    pub(super) reads: f64,
    /// The share of keys in the list of SINGLE. For the other schemes it follows from `reads` and `choices`.
    pub(super) single_overflow: f64,
}

/// How the bits are divided between blocks and list.
struct Split {
    /// The share of keys in the list.
    overflow: f64,
    /// The number of keys that the list has room for.
    list_room: u64,
    /// The number of blocks.
    blocks: u64,
    /// The mean number of keys per block.
    load: f64,
}

impl SearchPoint {
    /// The plan for `bits` bits and `keys` keys at this point; `None` if `options` or the size rule it out.
    pub(super) fn plan(self, options: &Options, bits: u64, keys: f64) -> Option<Plan> {
        let planned = SearchPoint {
            reads: self.cautious_reads(keys),
            ..self
        };
        let split = planned.split(bits, keys, u64::from(options.block_bits));
        let Split {
            overflow,
            list_room,
            blocks,
            load,
        } = split;
        let list_bits = list_room.saturating_mul(LIST_ENTRY_BITS);
        if bits >= 2 * LINE_BITS && list_bits > bits / 2 {
            return None;
        }
        // A small filter may have fewer blocks than choices, or no room for a list in addition to its single line.
        let exceeds = blocks * u64::from(options.block_bits) + list_bits > bits;
        if exceeds || blocks < u64::from(self.choices) {
            let fewer = self.with_fewer_choices(blocks)?;
            return fewer.plan(options, bits, keys);
        }
        // Less than a thousandth of a key in the list counts as none.
        let exceeds = |limit| overflow > limit && overflow * keys > 1e-3;
        if options.overflow.is_some_and(exceeds) {
            return None;
        }
        // Plan a last table of less than one block only if the caller sets the scheme.
        let has_tiny_table =
            options.scheme.is_none() && planned.tables(blocks as f64).iter().any(|&t| t < 1.0);
        if load > MAX_LOAD || has_tiny_table {
            return None;
        }
        let threshold = Threshold::solve(planned.reads, load, overflow);
        let (groups, functions, cost) = planned.cheapest(options, threshold, load)?;
        let draws = f64::from(BlockState::DRAWS);
        Some(Plan {
            scheme: self.scheme,
            block_bits: options.block_bits,
            blocks,
            functions,
            choices: self.choices,
            level: threshold.level as u32,
            // Rounded as in the filter.
            coin: (threshold.coin * draws).round() / draws,
            groups,
            list_room,
            reads_allowed: self.reads,
            reads: planned.reads,
            negative_reads: cost.reads,
            overflow,
            rate: cost.rate,
        })
    }

    /// This point with at least one choice less and at most `blocks` choices; with fewer reads too, if the choices do not
    /// allow them. `None` if there is only one choice.
    fn with_fewer_choices(self, blocks: u64) -> Option<Self> {
        let choices = self.choices.checked_sub(1).filter(|&fewer| fewer > 0)?;
        let choices = u64::from(choices).min(blocks) as u32;
        Some(SearchPoint {
            choices,
            reads: self.reads.min(0.5 * (1.0 + f64::from(choices))),
            ..self
        })
    }

    /// The reads to plan with: five standard deviations below the allowed reads, but at least the mean of those and 1.
    fn cautious_reads(self, keys: f64) -> f64 {
        // An upper bound of the variance of numbers from 1 to `choices` with this mean.
        let variance = (self.reads - 1.0) * (f64::from(self.choices) - self.reads);
        let cautious = self.reads - 5.0 * (variance / keys).sqrt();
        cautious.max(0.5 * (1.0 + self.reads))
    }

    /// Divides the bits between blocks and list.
    fn split(self, bits: u64, keys: f64, block: u64) -> Split {
        let mut load = keys * block as f64 / bits as f64;
        // The list takes bits from the blocks, which raises the load, which makes the list of SEQUENTIAL longer. After three
        // rounds the change is small compared with the standard deviation of the list.
        let rounds = if self.scheme == Scheme::Sequential {
            3
        } else {
            1
        };
        let mut split = self.split_at_load(load, bits, keys, block);
        for _ in 1..rounds {
            load = split.load;
            split = self.split_at_load(load, bits, keys, block);
        }
        split
    }

    /// Divides the bits between blocks and list, for the list that blocks of this `load` need.
    fn split_at_load(self, load: f64, bits: u64, keys: f64, block: u64) -> Split {
        let load = load.clamp(1.0, MAX_LOAD);
        let overflow = self.overflow(load);
        let variance = self.list_variance(load, overflow, keys / load);
        let list_room = (overflow * keys + 5.0 * variance.sqrt()).round() as u64;
        let left = bits.saturating_sub(list_room.saturating_mul(LIST_ENTRY_BITS));
        let blocks = (left / LINE_BITS).max(1) * (LINE_BITS / block);
        Split {
            overflow,
            list_room,
            blocks,
            load: (keys / blocks as f64).max(1.0),
        }
    }

    /// The share of keys in the list, in blocks of this `load`.
    fn overflow(self, load: f64) -> f64 {
        match self.scheme {
            Scheme::Single => self.single_overflow,
            Scheme::Sequential => region::sequential_overflow(self.reads, self.choices, load),
            Scheme::Mht => region::mht_overflow(self.reads, self.choices),
        }
    }

    /// The variance of the number of keys in the list.
    fn list_variance(self, load: f64, overflow: f64, blocks: f64) -> f64 {
        let threshold = Threshold::solve(self.reads, load, overflow);
        let mean = self.reads * load;
        match self.scheme {
            Scheme::Sequential => {
                region::sequential_variance(threshold, mean, blocks, self.choices, overflow)
            }
            _ => region::overflow_variance(threshold, mean, &self.tables(blocks)),
        }
    }

    /// The number of blocks of each table, not rounded.
    fn tables(self, blocks: f64) -> Vec<f64> {
        match self.scheme {
            Scheme::Mht => {
                let rejected_share = region::rejected_share(self.reads, self.choices);
                let shares = region::mht_shares(rejected_share, self.choices);
                shares.iter().map(|share| share * blocks).collect()
            }
            _ => vec![blocks],
        }
    }

    /// The numbers of groups and functions with the lowest rate, and the cost of lookups with them. The state gets more
    /// bits for records, one by one, as long as that lowers the rate.
    fn cheapest(
        self,
        options: &Options,
        threshold: Threshold,
        load: f64,
    ) -> Option<(u32, u32, LookupCost)> {
        let level = u32::try_from(threshold.level).ok();
        let level = level.filter(|&level| level <= BlockState::MAX_LEVEL)?;
        let arrivals = Arrivals::new(self.reads * load);
        let guess = f64::from(options.block_bits) / load * std::f64::consts::LN_2;
        let guess = (guess.round() as u32).clamp(1, MAX_FUNCTIONS);
        let mut best: Option<(u32, u32, LookupCost)> = None;
        for bits in BlockState::new(level, 0, 1).bits()..=MAX_STATE_BITS {
            let groups = BlockState::groups_in(level, bits);
            let cells = f64::from(options.block_bits - bits);
            let loads = threshold.loads(&arrivals, groups);
            let lookup = |functions| {
                let words = f64::from(options.block_bits / 64);
                let rate = |keys| words_rate(words, cells, keys as f64, functions);
                of_non_members(&loads, threshold, self.choices, Rule::Recorded, rate)
            };
            let (functions, cost) = match options.functions {
                Some(functions) => (functions, lookup(functions)),
                None => downhill(best.map_or(guess, |(_, functions, _)| functions), lookup),
            };
            if best.is_some_and(|(_, _, best)| best.rate <= cost.rate) {
                break;
            }
            best = Some((groups, functions, cost));
        }
        best
    }
}

/// The number of functions with the lowest rate, by steps of one from `start`. The rate has a single minimum.
fn downhill(start: u32, lookup: impl Fn(u32) -> LookupCost) -> (u32, LookupCost) {
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
