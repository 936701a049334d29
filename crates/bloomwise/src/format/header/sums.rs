//! The table of checksums after the payload.

use super::Header;
use crate::cells::storage::eight;
use crate::error::{Error, Result};
use crate::filter::codec::{Sums, read_exact};
use crate::format::expect_sum;
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

impl Header {
    /// All bytes after the payload: its checksums, and a checksum of those and of the header's checksum.
    pub(in crate::format) fn table_of(&self, sums: &[u64]) -> Vec<u8> {
        let mut table: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let sum = xxh3_64(&[&self.sum.to_le_bytes(), &table[..]].concat());
        table.extend(sum.to_le_bytes());
        table
    }

    /// Returns an error unless the table of checksums, read from `source`, matches the payload.
    pub(in crate::format) fn check_sums(&self, sums: Sums, source: &mut dyn Read) -> Result<()> {
        let sums = sums.finish();
        let expected = self.table_of(&sums);
        let mut table = vec![0; expected.len()];
        let len = table.len() as u64;
        read_exact(source, &mut table, "the table of checksums", len, &mut 0)?;
        let last = table.len() - 8;
        for (chunk, (start, &sum)) in (0..last).step_by(8).zip(&sums).enumerate() {
            let got = eight(&table, start);
            if got != sum {
                return Err(Error::Checksum {
                    part: format!("chunk {chunk} of the payload"),
                    expected: sum,
                    got,
                });
            }
        }
        let summed = [&self.sum.to_le_bytes(), &table[..last]].concat();
        expect_sum("the table of checksums", &summed, eight(&table, last))
    }
}
