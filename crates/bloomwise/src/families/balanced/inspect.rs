//! The info of a filter: loads, overflow, reads and its current rate.

use super::filter::Balanced;
use super::lookup::has_all;
use super::scheme::Scheme;
use super::tables::Table;
use super::theory::lookup::{BlockRead, LookupCost, Rule};
use super::theory::{Arrivals, Loads, Threshold};
use crate::filter::Filter;
use crate::filter::info::{Info, Parameter, Report};
use crate::filter::sizing::words_rate;
use crate::kernel::Portable;
use crate::kernel::block_bits::{HALF_LINES, WHOLE_LINES};
use crate::keys::key::Key;

/// Statistics of the blocks of a table, or of all blocks.
#[derive(Clone, Copy)]
struct TableStats {
    /// The mean load.
    mean_load: f64,
    /// The largest load.
    largest_load: u64,
    /// The mean share of set bits.
    fill: f64,
    /// The mean result of looking up a non-member at a block.
    read: BlockRead,
}

impl Balanced {
    /// The parameters, the statistics and the predicted rate of the filter.
    pub(super) fn describe(&self) -> Info {
        let all = Table {
            start: 0,
            size: self.blocks(),
        };
        let whole = self.stats(all);
        // From the last choice to the first.
        let mut cost = LookupCost::default();
        for &table in self.tables.iter().rev() {
            let own = if table == all {
                whole
            } else {
                self.stats(table)
            };
            cost = own.read.then(cost);
        }
        let keys = self.profile.keys;
        let capacity = self.profile.capacity.unwrap_or(0);
        let share = |part: u64| match keys {
            0 => 0.0,
            keys => part as f64 / keys as f64,
        };
        let block_state = self.block_state;
        let mut parameters = vec![
            Parameter::total("bits", self.blocks() << self.block_bits.width()),
            Parameter::setting("k", u64::from(self.block_bits.functions())),
            Parameter::setting("block", 1 << self.block_bits.width()),
            Parameter::setting("scheme", self.scheme.name()),
            Parameter::setting("choices", self.tables.len() as u64),
            Parameter::measure("level", u64::from(block_state.level())),
            Parameter::measure("coin", 1.0 - block_state.losing_chance()),
            Parameter::measure("groups", u64::from(block_state.groups())),
            Parameter::measure("beyond_capacity", keys.saturating_sub(capacity)),
        ];
        if self.scheme == Scheme::Sequential {
            let left = self.reads.budget.saturating_sub(self.reads.total);
            parameters.push(Parameter::measure("reads_left", left));
        }
        parameters.extend([
            Parameter::measure("mean_load", whole.mean_load),
            Parameter::measure("largest_load", whole.largest_load),
            Parameter::measure("list_room", self.list_room),
            Parameter::measure("listed", self.overflowed()),
            Parameter::measure("overflow_share", share(self.overflowed())),
            Parameter::measure("insert_reads", self.reads_per_insertion()),
            Parameter::measure("worst_insert_reads", self.reads.worst),
            Parameter::measure("negative_reads", cost.reads),
        ]);
        let family = self.family();
        Info::new(
            family,
            &self.profile,
            parameters,
            whole.fill,
            cost.rate.min(1.0),
        )
    }

    /// The false positive rate that the model of [`super::theory`] predicts for the keys so far.
    ///
    /// The model needs the mean number of keys that have arrived at a block. All keys arrive at MHT's first table. Each
    /// later table receives the keys that the previous one rejected. The choices of SEQUENTIAL share their blocks, and
    /// every read is an arrival. Keys that found no room in blocks or list were forced into
    /// blocks of the first table.
    pub(super) fn predicted_rate(&self) -> f64 {
        let threshold = Threshold {
            level: self.block_state.level() as usize,
            coin: 1.0 - self.block_state.losing_chance(),
        };
        let keys = self.profile.keys as f64;
        let mut left = keys;
        let loads_of = |table: &Table| {
            let blocks = table.size as f64;
            let (arriving, waiting) = match self.scheme {
                Scheme::Sequential => (self.reads.total as f64, keys),
                Scheme::Single | Scheme::Mht => (left, left),
            };
            let arrivals = Arrivals::new(arriving / blocks);
            let loads = threshold.loads(&arrivals, self.block_state.groups());
            left = (waiting - loads.mean() * blocks).max(0.0);
            (*table, loads)
        };
        let tables: Vec<(Table, Loads)> = self.tables.iter().map(loads_of).collect();
        let first = tables[0].0;
        let forced = left - self.overflowed() as f64;
        let (with_forced, without) = (
            self.block_rates(forced / first.size as f64),
            self.block_rates(0.0),
        );
        let reads = tables.iter().rev().map(|(table, loads)| {
            let rates = if *table == first {
                &with_forced
            } else {
                &without
            };
            BlockRead::new(loads, threshold, Rule::Recorded, |load| rates[load])
        });
        let cost = reads.fold(LookupCost::default(), |rest, read| read.then(rest));
        cost.rate.min(1.0)
    }

    /// The rate of a block for each load. On average, `forced` more keys than it has accepted are in the block.
    fn block_rates(&self, forced: f64) -> Vec<f64> {
        // With eight keys per bit, all bits are 1.
        let forced = Arrivals::new(forced.min(8.0 * f64::from(self.cells())));
        let loads = self.block_state.level() as usize + 2;
        let (words, cells) = (
            f64::from(1u32 << (self.block_bits.width() - 6)),
            f64::from(self.cells()),
        );
        let rate = |keys| words_rate(words, cells, keys as f64, self.block_bits.functions());
        let rates: Vec<f64> = (0..loads + forced.end()).map(rate).collect();
        let mean = |load: usize| {
            let rates = rates[load..].iter().enumerate();
            rates.map(|(more, rate)| forced.exactly(more) * rate).sum()
        };
        (0..loads).map(mean).collect()
    }

    /// The number of blocks that a lookup of this key would read under `rule`. Lookups use [`Rule::Recorded`]; the other
    /// rules are for comparison.
    pub fn blocks_read(&self, key: impl Key, rule: Rule) -> usize {
        let digest = self.profile.hashing.digest(key);
        let level = u64::from(self.block_state.level());
        for choice in 0..self.tables.len() {
            let candidate = self.tables.candidate(digest, choice);
            let state = self.state(candidate.block);
            let (load, draw) = (self.block_state.load(state), candidate.coin_draw);
            let continues = match rule {
                Rule::Level => load >= level,
                Rule::Coin => load > level || load == level && draw >= self.block_state.coin(),
                Rule::Recorded => self.block_state.may_have_rejected(state, candidate),
            };
            let has_all = match self.block_bits.width() {
                8 => has_all::<Portable, HALF_LINES>(self, candidate, digest),
                _ => has_all::<Portable, WHOLE_LINES>(self, candidate, digest),
            };
            if !continues || has_all {
                return choice + 1;
            }
        }
        self.tables.len()
    }

    /// The report of a build: some of the parameters and statistics.
    pub(crate) fn report(&self) -> Report {
        let reported = [
            "scheme",
            "block",
            "k",
            "choices",
            "level",
            "coin",
            "groups",
            "mean_load",
            "largest_load",
            "list_room",
            "listed",
            "overflow_share",
            "insert_reads",
            "worst_insert_reads",
            "negative_reads",
        ];
        let parameters = self.info().parameters.into_iter();
        Report {
            facts: parameters
                .filter(|parameter| reported.contains(&parameter.name))
                .map(|parameter| (parameter.name, parameter.value))
                .collect(),
            ..Report::default()
        }
    }

    /// Computes the statistics of the blocks of a table.
    fn stats(&self, table: Table) -> TableStats {
        let block_state = self.block_state;
        let (cells, exponent) = (f64::from(self.cells()), self.block_bits.functions() as i32);
        let (mut loads, mut largest_load, mut fill) = (0.0, 0, 0.0);
        let (mut yeses, mut continues) = (0.0, 0.0);
        for block in table.start..table.start + table.size {
            let state = self.state(block);
            let share = f64::from(self.ones(block)) / cells;
            let yes = share.powi(exponent);
            // A lookup continues if the block has recorded the key's group and, at a block that is at its level, if the
            // key loses the coin toss.
            let recorded = f64::from(block_state.recorded(state).count_ones());
            let recorded_share = recorded / f64::from(block_state.groups());
            let load = block_state.load(state);
            let loses = if load > u64::from(block_state.level()) {
                1.0
            } else {
                block_state.losing_chance()
            };
            loads += load as f64;
            largest_load = largest_load.max(load);
            fill += share;
            yeses += yes;
            continues += recorded_share * loses * (1.0 - yes);
        }
        let blocks = table.size as f64;
        TableStats {
            mean_load: loads / blocks,
            largest_load,
            fill: fill / blocks,
            read: BlockRead {
                yes: yeses / blocks,
                continues: continues / blocks,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::insert::Insert;
    use crate::filter::sizing::Size;

    #[test]
    fn rate_without_a_scan_is_that_of_the_cells_below_at_and_beyond_capacity() {
        for scheme in Scheme::ALL {
            for block_bits in [256, 512] {
                let builder = Balanced::builder(Size::BitsPerKey(16.0)).capacity(50_000);
                let builder = builder.scheme(scheme).block_bits(block_bits);
                let mut filter = builder.create().expect("sound");
                assert_eq!(filter.rate(), 0.0);
                for end in [10_000, 30_000, 50_000, 75_000, 150_000] {
                    filter.extend(filter.len()..end);
                    let (rate, cells) = (filter.rate(), filter.info().predicted_fpr);
                    // While the rate is low, a few blocks determine it.
                    let slack = if end < 25_000 { 0.3 } else { 0.12 };
                    assert!(
                        (rate / cells - 1.0).abs() < slack,
                        "{scheme:?}, {block_bits}, {end} keys: {rate} {cells}"
                    );
                }
            }
        }
    }
}
