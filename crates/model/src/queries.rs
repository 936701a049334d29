//! All ways to query must agree.

use super::life::Life;
use anyhow::{Result, ensure};
use bloomwise::Filter;
use std::ops::Range;

impl Life<'_> {
    /// Queries keys one by one, in a batch, hashed, by digests, and into a bitmap.
    pub fn query_in_all_ways(&mut self, range: Range<usize>) -> Result<()> {
        let keys = self.keys;
        let answers = self.query(range.clone())?;
        self.check_answers(range.clone(), &answers)?;
        self.tally.queried += 4 * range.len() as u64;
        let batch = self
            .filter
            .contains_batch(range.clone().map(|number| keys.key(number)));
        ensure!(
            batch == answers,
            "a batch of keys gives other answers than digests"
        );
        let mut bitmap = vec![0xFF; range.len().div_ceil(8)];
        let digests = keys.digests(range.clone());
        self.filter.contains_digests_bitmap(&digests, &mut bitmap)?;
        for (at, (number, accepted)) in range.zip(answers).enumerate() {
            let key = keys.key(number);
            let single = self.filter.contains(key);
            let hashed = self.filter.contains_hashed(self.case.hashing.hash(key))?;
            let bit = bitmap[at / 8] >> (at % 8) & 1 == 1;
            ensure!(
                [single, hashed, bit] == [accepted; 3],
                "key {number}: {accepted} by digest, {single} by itself, {hashed} hashed, {bit} in a bitmap"
            );
        }
        Ok(())
    }
}
