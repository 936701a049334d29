//! A filter says about itself what was asked for.

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
        let capacity = match case.family {
            Family::Growing => Some(keys.max(case.planned())),
            _ => Some(case.planned()).filter(|&keys| keys > 0),
        };
        let grows = case.family == Family::Growing && info.capacity >= capacity;
        ensure!(
            grows || info.capacity == capacity && self.filter.capacity() == capacity,
            "the capacity is {:?}, asked for was {capacity:?}",
            info.capacity
        );
        let rate = match case.size {
            Size::Rate(rate) => Some(rate),
            _ => None,
        };
        let target = info.target_rate;
        ensure!(
            target == rate,
            "the target rate is {target:?}, asked for was {rate:?}"
        );
        for name in SHOWN {
            let (asked, shown) = (case.setting(name), info.parameter(name));
            ensure!(
                asked.is_none() || asked == shown,
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
        self.count_members()
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
        self.tally().queried += part.len() as u64;
        Ok(())
    }
}
