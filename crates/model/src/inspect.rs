//! What a filter reports about itself matches what was asked for.

use super::life::Life;
use anyhow::{Result, ensure};
use bloomwise::{AnyFilter, Family, Filter, Size};

/// Settings that a filter lists among its parameters as they were set.
const SHOWN: [&str; 4] = ["k", "block", "threshold", "list"];

/// The largest count of a counting filter: its counters stick there.
const MAX_COUNT: u64 = 15;

impl Life<'_> {
    /// Compares the information about the filter with what was asked for and with the exact set.
    pub fn inspect(&mut self) -> Result<()> {
        let (case, info) = (self.case, self.filter.info());
        let family = (self.filter.family(), info.family);
        ensure!(
            family == (case.family, case.family),
            "the family is {family:?}"
        );
        let hashing = self.filter.hashing();
        ensure!(
            hashing == case.hashing,
            "the hashing is {hashing}, not {}",
            case.hashing
        );
        let keys = info.keys;
        ensure!(
            keys == self.total,
            "the information says {keys} keys, not {}",
            self.total
        );
        self.check_capacity(info.capacity)?;
        let rate = match case.size {
            Size::Rate(rate) if self.base.is_none() => Some(rate),
            _ => None,
        };
        let target = info.target_rate;
        ensure!(
            target == rate,
            "the target rate is {target:?}, asked for was {rate:?}"
        );
        for name in SHOWN {
            let (asked, shown) = (case.setting(name), info.parameter(name));
            // Shards show what they have in common.
            let hidden = shown.is_none() && case.shards.is_some();
            ensure!(
                asked.is_none() || asked == shown || hidden,
                "{name} is {shown:?}, asked for was {asked:?}"
            );
        }
        for (name, share) in [
            ("fill", info.fill),
            ("predicted rate", info.predicted_fpr),
            ("rate", self.filter.rate()),
        ] {
            ensure!((0.0..=1.0).contains(&share), "the {name} is {share}");
        }
        self.check_rate()?;
        self.count_members()
    }

    /// The capacity is the one that was asked for. A patched filter has none, shards round theirs up, and one that grows gets more.
    fn check_capacity(&self, capacity: Option<u64>) -> Result<()> {
        let planned = self.case.planned();
        let possible = match self.case.shards {
            _ if self.base.is_some() => None,
            _ if self.case.family == Family::Growing => Some(planned.max(self.total)..=u64::MAX),
            // Each has room for the keys that it gets.
            Some(shards) => Some(planned..=planned + shards + self.case.positives as u64),
            None => Some(planned..=planned).filter(|_| planned > 0),
        };
        let fits = match (&possible, capacity) {
            (Some(possible), Some(capacity)) => possible.contains(&capacity),
            // A shard without keys has none.
            (Some(_), None) => self.case.shards.is_some() && self.case.capacity.is_none(),
            (None, capacity) => capacity.is_none(),
        };
        ensure!(
            fits && capacity == self.filter.capacity(),
            "the capacity is {capacity:?}, possible is {possible:?}"
        );
        Ok(())
    }

    /// Keys that the filter never met are accepted at about the rate that it predicts, or less. There is much room for chance. Counters that stick keep the keys
    /// that were removed, so a filter that removes has no such bound.
    fn check_rate(&mut self) -> Result<()> {
        if self.removed {
            return Ok(());
        }
        let unknown = self.case.positives + self.case.negatives..self.keys.len();
        let answers = self.query(unknown.clone())?;
        let foreign = |&(number, _): &(usize, bool)| self.held[number] == 0 && !self.denied[number];
        let asked: Vec<(usize, bool)> = unknown.zip(answers).filter(foreign).collect();
        let accepted = asked.iter().filter(|(_, accepted)| *accepted).count() as f64;
        let expected = 2.0 * self.filter.rate() * asked.len() as f64;
        let most = expected + 8.0 * expected.sqrt() + 12.0;
        ensure!(
            accepted <= most,
            "the filter accepts {accepted} of {} keys that it never met; by its rate of {} it may accept {most}",
            asked.len(),
            self.filter.rate()
        );
        Ok(())
    }

    /// A counting filter counts each member at least as often as it is in the set.
    fn count_members(&mut self) -> Result<()> {
        let part = self.part();
        let AnyFilter::Counting(filter) = &self.filter else {
            return Ok(());
        };
        for number in part.clone() {
            let (count, times) = (filter.count(self.keys.key(number)), self.held[number]);
            ensure!(
                count >= u64::from(times).min(MAX_COUNT),
                "key {number} is in the set {times} times, the filter counts {count}"
            );
        }
        self.tally.queried += part.len() as u64;
        Ok(())
    }
}
