//! One point of the search, worked out to a plan.

use super::gauge::Gauge;
use super::plan::Plan;
use super::scheme::Scheme;
use super::theory::lookup::{Lookup, Rule, block_rate, of_strangers};
use super::theory::{Arrivals, Threshold, region};
use super::wishes::Wishes;
use crate::sizing::MAX_FUNCTIONS;

/// Bits of a key in the list.
pub(super) const ENTRY: u64 = 128;

/// Bits of a cache line, by which filters grow.
pub(super) const LINE: u64 = 512;

/// The most keys for a block that are planned for: one for each bit.
const MAX_LOAD: f64 = 512.0;

/// The most bits that load and notes may take from a block.
const MAX_STATE_BITS: u32 = 12;

/// A scheme and its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    /// How the blocks are shared among the choices of a key.
    pub(super) scheme: Scheme,
    /// Blocks that a key can choose from.
    pub(super) choices: u32,
    /// Blocks read for an insertion, on average.
    pub(super) reads: f64,
    /// The share of keys in the list of SINGLE; of the other schemes it follows from reads and choices.
    pub(super) single_overflow: f64,
}

/// How the bits are shared between blocks and list.
struct Share {
    /// The share of keys in the list.
    overflow: f64,
    /// Keys that the list has room for.
    list: u64,
    /// The number of blocks.
    blocks: u64,
    /// Keys for each block.
    load: f64,
}

impl Setup {
    /// The plan for so many bits and keys, if they have room for the list.
    pub(super) fn work_out(self, wishes: &Wishes, bits: u64, keys: f64) -> Option<Plan> {
        let planned = Setup {
            reads: self.cautious_reads(keys),
            ..self
        };
        let share = planned.share(bits, keys, u64::from(wishes.block_bits));
        let Share {
            overflow,
            list,
            blocks,
            load,
        } = share;
        let listed = list.saturating_mul(ENTRY);
        if bits >= 2 * LINE && listed > bits / 2 {
            return None;
        }
        // A few blocks leave no room for as many choices, or a single line none for a list.
        let exceeds = blocks * u64::from(wishes.block_bits) + listed > bits;
        if exceeds || blocks < u64::from(self.choices) {
            let fewer = self.with_fewer_choices(blocks)?;
            return fewer.work_out(wishes, bits, keys);
        }
        // Less than a thousandth of a key is none.
        let exceeds = |limit| overflow > limit && overflow * keys > 1e-3;
        if wishes.overflow.is_some_and(exceeds) {
            return None;
        }
        // A last table of less than a block is for those who name the scheme.
        let splits =
            wishes.scheme.is_none() && planned.tables(blocks as f64).iter().any(|&t| t < 1.0);
        if load > MAX_LOAD || splits {
            return None;
        }
        let threshold = Threshold::solve(planned.reads, load, overflow);
        let (groups, functions, cost) = planned.cheapest(wishes, threshold, load)?;
        let certain = f64::from(Gauge::CERTAIN);
        Some(Plan {
            scheme: self.scheme,
            block_bits: wishes.block_bits,
            blocks,
            functions,
            choices: self.choices,
            level: threshold.level as u32,
            // As the filter will have it.
            coin: (threshold.coin * certain).round() / certain,
            groups,
            list,
            reads_allowed: self.reads,
            reads: planned.reads,
            negative_reads: cost.reads,
            overflow,
            rate: cost.rate,
        })
    }

    /// The same with fewer choices, no more than so many blocks; and with fewer reads, if they were for more choices.
    fn with_fewer_choices(self, blocks: u64) -> Option<Self> {
        let choices = self.choices.checked_sub(1).filter(|&fewer| fewer > 0)?;
        let choices = u64::from(choices).min(blocks) as u32;
        Some(Setup {
            choices,
            reads: self.reads.min(0.5 * (1.0 + f64::from(choices))),
            ..self
        })
    }

    /// Reads that are five deviations below those that are allowed, but not below the middle between those and one.
    fn cautious_reads(self, keys: f64) -> f64 {
        // Numbers from 1 to `choices` with this mean have at most this variance.
        let variance = (self.reads - 1.0) * (f64::from(self.choices) - self.reads);
        let cautious = self.reads - 5.0 * (variance / keys).sqrt();
        cautious.max(0.5 * (1.0 + self.reads))
    }

    /// Shares the bits between blocks and list.
    fn share(self, bits: u64, keys: f64, block: u64) -> Share {
        let mut load = keys * block as f64 / bits as f64;
        // The list takes room from the blocks, which raises the load, and with it the list of SEQUENTIAL: some times around,
        // and the difference is lost in what chance adds.
        let rounds = if self.scheme == Scheme::Sequential {
            3
        } else {
            1
        };
        let mut share = self.share_at(load, bits, keys, block);
        for _ in 1..rounds {
            load = share.load;
            share = self.share_at(load, bits, keys, block);
        }
        share
    }

    /// The same for a list as long as it is at this load.
    fn share_at(self, load: f64, bits: u64, keys: f64, block: u64) -> Share {
        let load = load.clamp(1.0, MAX_LOAD);
        let overflow = self.overflow(load);
        let variance = self.list_variance(load, overflow, keys / load);
        let list = (overflow * keys + 5.0 * variance.sqrt()).round() as u64;
        let left = bits.saturating_sub(list.saturating_mul(ENTRY));
        let blocks = (left / LINE).max(1) * (LINE / block);
        Share {
            overflow,
            list,
            blocks,
            load: (keys / blocks as f64).max(1.0),
        }
    }

    /// The share of keys in the list.
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

    /// The blocks of each table, not rounded.
    fn tables(self, blocks: f64) -> Vec<f64> {
        match self.scheme {
            Scheme::Mht => {
                let turned_away = region::turned_away(self.reads, self.choices);
                let shares = region::mht_shares(turned_away, self.choices);
                shares.iter().map(|share| share * blocks).collect()
            }
            _ => vec![blocks],
        }
    }

    /// The numbers of groups and of functions with the lowest rate, and what lookups then cost. Bits for notes are taken
    /// from those of keys one by one, as long as that lowers the rate.
    fn cheapest(
        self,
        wishes: &Wishes,
        threshold: Threshold,
        load: f64,
    ) -> Option<(u32, u32, Lookup)> {
        let level = u32::try_from(threshold.level).ok();
        let level = level.filter(|&level| level <= Gauge::MAX_LEVEL)?;
        let arrivals = Arrivals::new(self.reads * load);
        let guess = f64::from(wishes.block_bits) / load * std::f64::consts::LN_2;
        let guess = (guess.round() as u32).clamp(1, MAX_FUNCTIONS);
        let mut best: Option<(u32, u32, Lookup)> = None;
        for bits in Gauge::new(level, 0, 1).bits()..=MAX_STATE_BITS {
            let groups = Gauge::groups_in(level, bits);
            let cells = f64::from(wishes.block_bits - bits);
            let loads = threshold.loads(&arrivals, groups);
            let lookup = |functions| {
                let rate = |keys| block_rate(cells, keys, functions);
                of_strangers(&loads, threshold, self.choices, Rule::Noted, rate)
            };
            let (functions, cost) = match wishes.functions {
                Some(wished) => (wished, lookup(wished)),
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
