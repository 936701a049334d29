//! What a filter tells about itself: loads, overflow, reads, and the rate it has now.

use super::filter::Balanced;
use super::scheme::Scheme;
use super::tables::Table;
use super::theory::lookup::Rule;
use crate::codec::Body;
use crate::family::Family;
use crate::filter::{Filter, Info, Value};
use crate::hash::Digest;

/// What the blocks of a table, or of all tables, have in common.
#[derive(Clone, Copy, Default)]
struct Census {
    /// The mean load.
    load: f64,
    /// The largest load.
    largest: u64,
    /// The mean share of set bits.
    fill: f64,
    /// How often a block answers a stranger with "yes".
    yes: f64,
    /// How often a block answers neither "yes" nor "no", but sends a stranger on.
    on: f64,
}

impl Balanced {
    /// Everything there is to know.
    pub(super) fn describe(&self) -> Info {
        let all = Table {
            start: 0,
            size: self.blocks(),
        };
        let whole = self.census(all);
        // What strangers meet, from the last choice to the first.
        let (mut rate, mut reads) = (0.0, 0.0);
        for &table in self.tables.iter().rev() {
            let own = if table == all {
                whole
            } else {
                self.census(table)
            };
            (rate, reads) = (own.yes + own.on * rate, 1.0 + own.on * reads);
        }
        let keys = self.head().keys;
        let share = |part: u64| match keys {
            0 => 0.0,
            keys => part as f64 / keys as f64,
        };
        let gauge = self.gauge;
        let mut parameters = vec![
            ("bits", Value::Whole(self.blocks() << self.width)),
            ("k", Value::Whole(u64::from(self.functions))),
            ("block", Value::Whole(1 << self.width)),
            ("scheme", Value::Word(self.scheme.name())),
            ("choices", Value::Whole(self.tables.len() as u64)),
            ("level", Value::Whole(u64::from(gauge.level()))),
            ("coin", Value::Real(1.0 - gauge.unlucky())),
            ("groups", Value::Whole(u64::from(gauge.groups()))),
            ("capacity", Value::Whole(self.capacity)),
            (
                "beyond_capacity",
                Value::Whole(keys.saturating_sub(self.capacity)),
            ),
        ];
        if self.scheme == Scheme::Sequential {
            let left = self.reads.budget.saturating_sub(self.reads.total);
            parameters.push(("reads_left", Value::Whole(left)));
        }
        parameters.extend([
            ("mean_load", Value::Real(whole.load)),
            ("largest_load", Value::Whole(whole.largest)),
            ("list_room", Value::Whole(self.list)),
            ("listed", Value::Whole(self.overflowed())),
            ("overflow_share", Value::Real(share(self.overflowed()))),
            ("insert_reads", Value::Real(self.reads_per_insertion())),
            ("worst_insert_reads", Value::Whole(self.reads.worst)),
            ("negative_reads", Value::Real(reads)),
        ]);
        Info {
            family: Family::Balanced,
            keys,
            parameters,
            fill: whole.fill,
            predicted_fpr: rate,
        }
    }

    /// How many blocks a lookup reads, by its own rule or by another: what the rules save can be measured with this.
    pub fn blocks_read(&self, digest: Digest, rule: Rule) -> usize {
        let level = u64::from(self.gauge.level());
        for choice in 0..self.tables.len() {
            let candidate = self.tables.candidate(digest, choice);
            let state = self.state(candidate.block);
            let (load, draw) = (self.gauge.load(state), candidate.draw);
            let goes_on = match rule {
                Rule::Level => load >= level,
                Rule::Coin => load > level || load == level && draw >= self.gauge.coin(),
                Rule::Noted => self.gauge.may_have_turned_away(state, candidate),
            };
            if !goes_on || self.has_all(candidate, digest) {
                return choice + 1;
            }
        }
        self.tables.len()
    }

    /// What was chosen and what came of it, for the report of a build.
    pub(crate) fn facts(&self) -> Vec<(&'static str, Value)> {
        let told = [
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
        parameters.filter(|(name, _)| told.contains(name)).collect()
    }

    /// Counts the blocks of a table.
    fn census(&self, table: Table) -> Census {
        let gauge = self.gauge;
        let (cells, exponent) = (f64::from(self.cells()), self.functions as i32);
        let mut sum = Census::default();
        for block in table.start..table.start + table.size {
            let state = self.state(block);
            let share = f64::from(self.ones(block)) / cells;
            let yes = share.powi(exponent);
            // A key is sent on if its group is noted and, at a block that is at its level, if it loses the coin.
            let noted = f64::from(gauge.notes(state).count_ones()) / f64::from(gauge.groups());
            let loses = match gauge.load(state) > u64::from(gauge.level()) {
                true => 1.0,
                false => gauge.unlucky(),
            };
            let on = noted * loses;
            sum.load += gauge.load(state) as f64;
            sum.largest = sum.largest.max(gauge.load(state));
            sum.fill += share;
            sum.yes += yes;
            sum.on += on * (1.0 - yes);
        }
        let blocks = table.size as f64;
        Census {
            load: sum.load / blocks,
            largest: sum.largest,
            fill: sum.fill / blocks,
            yes: sum.yes / blocks,
            on: sum.on / blocks,
        }
    }
}
