//! A learner as bytes.
//!
//! [`crate::guide::file_format`] has every field. A learner is read into memory of the reader's size, counter by counter as if it were merged,
//! so no number in the bytes decides how much memory is taken.

use super::counters::Counters;
use super::distinct::Distinct;
use super::learner::{Learner, Sums};
use crate::error::{Error, Result};
use crate::hash::Hashing;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes.
const MAGIC: &[u8; 8] = b"BLOOMLRN";

/// The version of the layout.
const VERSION: u64 = 1;

/// The length of a counter without a name.
const NO_NAME: u32 = u32::MAX;

impl Learner {
    /// The learner as bytes, to be merged later or elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let seed = self.hashing.seed();
        let sums = self.sums_now();
        let mut bytes = MAGIC.to_vec();
        for word in [
            VERSION | u64::from(self.hashing.id()) << 16,
            seed as u64,
            (seed >> 64) as u64,
            sums.events,
            sums.total.to_bits(),
            sums.offset.to_bits(),
            sums.bar.to_bits(),
            self.clock.unwrap_or(f64::NAN).to_bits(),
            self.entries().count() as u64,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(self.distinct.registers());
        for (tag, cost, name) in self.entries() {
            bytes.extend_from_slice(&tag.to_le_bytes());
            bytes.extend_from_slice(&cost.to_le_bytes());
            let length = name.map_or(NO_NAME, |name| name.len() as u32);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(name.unwrap_or_default());
        }
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The learner that these bytes hold, with `memory` bytes of memory. If that is less than it had, the least costly keys are dropped.
    ///
    /// # Errors
    ///
    /// The bytes are not what [`Learner::to_bytes`] gives, or there is not that much memory.
    pub fn from_bytes(bytes: &[u8], memory: usize) -> Result<Self> {
        let Some((content, checksum)) = bytes.split_last_chunk() else {
            return Err(damaged("it is too short"));
        };
        if !content.starts_with(MAGIC) {
            return Err(damaged("it does not start with \"BLOOMLRN\""));
        }
        if xxh3_64(content) != u64::from_le_bytes(*checksum) {
            return Err(damaged("the checksum does not match"));
        }
        let mut source = Source(&content[MAGIC.len()..]);
        let version = source.word()?;
        if version & 0xFFFF != VERSION || version >> 24 != 0 {
            return Err(damaged("this program does not know its version"));
        }
        let seed = u128::from(source.word()?) | u128::from(source.word()?) << 64;
        let mut learner = Learner::new(
            Hashing::from_parts((version >> 16) as u8, seed)
                .map_err(|_| damaged("this program does not know its hash"))?,
            memory,
        )?;
        learner.sums = Sums {
            events: source.word()?,
            total: source.cost()?,
            offset: source.cost()?,
            bar: 0.0,
        };
        // The bar rises as far as the counters need it.
        let bar = source.cost()?;
        learner.clock = match f64::from_bits(source.word()?) {
            time if time.is_infinite() => return Err(damaged("the time is out of range")),
            time => Some(time).filter(|time| !time.is_nan()),
        };
        let counters = source.word()?;
        let registers = source.take(Distinct::REGISTERS)?;
        learner.distinct = Distinct::from_registers(registers)
            .ok_or_else(|| damaged("a register is out of range"))?;
        for _ in 0..counters {
            let (tag, cost) = (source.word()?, source.cost()?);
            let name = match u32::from_le_bytes(source.chunk()?) {
                NO_NAME => None,
                length if length as usize <= Learner::MAX_KEY => {
                    Some(source.take(length as usize)?)
                }
                _ => return Err(damaged("a key is too long")),
            };
            if tag != Counters::tag(tag) || cost <= 0.0 {
                return Err(damaged("a counter is empty"));
            }
            if name.is_none() && cost > bar {
                return Err(damaged("a costly key has no name"));
            }
            learner.add_saved(tag, name, cost);
        }
        match source.0.is_empty() {
            true => Ok(learner),
            false => Err(damaged("bytes are left over")),
        }
    }
}

/// Hands out bytes from the front.
struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let split = self.0.split_at_checked(count);
        let (taken, rest) = split.ok_or_else(|| damaged("it is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut chunk = [0; N];
        chunk.copy_from_slice(self.take(N)?);
        Ok(chunk)
    }

    fn word(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.chunk()?))
    }

    /// A sum of costs. Sums have some room above the largest cost.
    fn cost(&mut self) -> Result<f64> {
        let cost = f64::from_bits(self.word()?);
        match (0.0..=1e200).contains(&cost) {
            true => Ok(cost),
            false => Err(damaged("a cost is out of range")),
        }
    }
}

fn damaged(what: &'static str) -> Error {
    Error::Learner { what }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learner() -> Learner {
        let mut learner = Learner::new(Hashing::Xxh3 { seed: 5 }, 1 << 20).expect("memory");
        for key in ["ant", "bee", "ant", ""] {
            learner.record(key);
        }
        learner
    }

    #[test]
    fn learner_survives_the_way_through_bytes() {
        let bytes = learner().to_bytes();
        let read = Learner::from_bytes(&bytes, 1 << 20).expect("as written");
        assert_eq!(read.top(5), learner().top(5));
        assert_eq!(
            (read.events(), read.total(), read.distinct()),
            (4, 4.0, learner().distinct())
        );
        assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn damaged_bytes_are_errors() {
        let bytes = learner().to_bytes();
        for length in 0..bytes.len() {
            assert!(Learner::from_bytes(&bytes[..length], 1 << 20).is_err());
        }
        // Every byte matters, also if the checksum is right.
        let content = bytes.len() - 8;
        for at in 0..content {
            let mut changed = bytes.clone();
            changed[at] ^= 0x80;
            assert!(Learner::from_bytes(&changed, 1 << 20).is_err());
            let checksum = xxh3_64(&changed[..content]);
            changed[content..].copy_from_slice(&checksum.to_le_bytes());
            // It may be another learner, but it must not panic, and it must be readable again.
            if let Ok(read) = Learner::from_bytes(&changed, 1 << 20) {
                assert!(Learner::from_bytes(&read.to_bytes(), 1 << 20).is_ok());
            }
        }
        let mut longer = bytes[..content].to_vec();
        longer.push(0);
        longer.extend(xxh3_64(&longer).to_le_bytes());
        assert!(Learner::from_bytes(&longer, 1 << 20).is_err());
    }

    #[test]
    fn number_of_counters_is_not_trusted() {
        let mut bytes = learner().to_bytes();
        let content = bytes.len() - 8;
        bytes[72..80].copy_from_slice(&u64::MAX.to_le_bytes());
        let checksum = xxh3_64(&bytes[..content]);
        bytes[content..].copy_from_slice(&checksum.to_le_bytes());
        let error = Learner::from_bytes(&bytes, 1 << 20).expect_err("too many counters");
        assert!(error.to_string().contains("too short"), "{error}");
    }
}
