//! A learner as bytes.
//!
//! [`crate::guide::file_format`] documents every field. A learner is written and read as a stream, so neither side holds all bytes. The
//! reader adds one counter at a time, as in a merge, so no number in the bytes determines how much memory is allocated. The checksum is
//! last, so the bytes are read twice: once to check them and once to use them.

use super::counter_table::CounterTable;
use super::learner::Learner;
use super::saved::{MAGIC, Saved, VERSION, damaged};
use crate::error::Result;
use std::io::{self, Cursor, Read, Seek, Write};
use xxhash_rust::xxh3::Xxh3;

/// The length that stands for a counter without a name.
const NO_NAME: u32 = u32::MAX;

impl Learner {
    /// Writes the learner, to be merged later or elsewhere. It makes many small writes, so pass a buffered writer.
    ///
    /// # Errors
    ///
    /// The sink cannot be written.
    pub fn write_to(&self, sink: impl Write) -> io::Result<()> {
        let mut sink = Summed {
            sink,
            sum: Xxh3::new(),
        };
        let seed = self.hashing.seed_or_key();
        let sums = self.sums_now();
        sink.put(MAGIC)?;
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
            sink.put(&word.to_le_bytes())?;
        }
        sink.put(self.distinct.registers())?;
        for (tag, cost, name) in self.entries() {
            sink.put(&tag.to_le_bytes())?;
            sink.put(&cost.to_le_bytes())?;
            let length = name.map_or(NO_NAME, |name| name.len() as u32);
            sink.put(&length.to_le_bytes())?;
            sink.put(name.unwrap_or_default())?;
        }
        let checksum = sink.sum.digest();
        sink.sink.write_all(&checksum.to_le_bytes())
    }

    /// The learner as bytes, to be merged later or elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)
            .expect("a vector accepts every write");
        bytes
    }

    /// Reads a learner from bytes, with `memory` bytes of memory. If that is less than the learner had, the least costly keys are dropped.
    ///
    /// # Errors
    ///
    /// The bytes are not what [`Learner::to_bytes`] gives, or there is not enough memory.
    pub fn from_bytes(bytes: &[u8], memory: usize) -> Result<Self> {
        let saved = Saved::open(Cursor::new(bytes))?;
        let mut learner = Learner::new(saved.hashing, memory)?;
        learner.merge_saved(saved)?;
        Ok(learner)
    }

    /// Verifies a learner that [`Learner::write_to`] wrote. It takes little memory: it reads the source twice, in small pieces.
    ///
    /// # Errors
    ///
    /// The source cannot be read, or does not hold exactly one learner.
    pub fn check(source: impl Read + Seek) -> Result<()> {
        let saved = Saved::open(source)?;
        Learner::new(saved.hashing, Self::MIN_MEMORY)?.merge_saved(saved)
    }

    /// Adds the events of a learner that [`Learner::write_to`] wrote, as [`Learner::merge`] does, and returns its time. It takes little memory: it
    /// reads the source twice, in small pieces.
    ///
    /// # Errors
    ///
    /// The source cannot be read, does not hold a learner, its learner has another hashing, or the events of both cost more than
    /// [`Learner::MAX_TOTAL`]. Then no events are added. A forged source with a valid checksum is also an error, but some of its events may
    /// have been added.
    pub fn merge_from(&mut self, source: impl Read + Seek) -> Result<Option<f64>> {
        let saved = Saved::open(source)?;
        self.hashing.expect(saved.hashing)?;
        self.check_merged(saved.sums.total)?;
        let time = saved.clock;
        self.merge_saved(saved)?;
        Ok(time)
    }

    fn merge_saved<R: Read>(&mut self, mut saved: Saved<R>) -> Result<()> {
        let factor = self.meet(saved.clock)?;
        self.distinct.merge(&saved.distinct);
        self.sums.add(saved.sums.times(factor));
        // Names without a counter take room that other names need.
        self.compact();
        let mut name = Vec::new();
        for _ in 0..saved.counters {
            let (tag, cost) = (saved.source.word()?, saved.source.cost()?);
            let length = u32::from_le_bytes(saved.source.chunk()?);
            if tag != CounterTable::tag(tag) || cost <= 0.0 {
                return Err(damaged("a counter is empty"));
            }
            if length == NO_NAME {
                if cost > saved.sums.bar {
                    return Err(damaged("a costly key has no name"));
                }
                self.add_saved(tag, None, cost * factor);
                continue;
            }
            if length as usize > Self::MAX_KEY {
                return Err(damaged("a key is too long"));
            }
            name.resize(length as usize, 0);
            saved.source.fill(&mut name)?;
            self.add_saved(tag, Some(&name), cost * factor);
        }
        match saved.source.is_empty()? {
            true => Ok(()),
            false => Err(damaged("bytes are left over")),
        }
    }
}

/// A sink that also computes the checksum.
struct Summed<W> {
    /// Where the bytes go.
    sink: W,
    /// The checksum of the bytes so far.
    sum: Xxh3,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.sink.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;
    use xxhash_rust::xxh3::xxh3_64;

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
    fn learner_from_a_stream_is_merged_like_one_in_memory() {
        let mut other = Learner::new(Hashing::Xxh3 { seed: 5 }, 1 << 20).expect("memory");
        other.record("bee");
        other.advance(7.0).expect("a time");
        let (mut merged, mut read) = (learner(), learner());
        merged.merge(&other).expect("one hashing");
        let file = Cursor::new(other.to_bytes());
        assert_eq!(read.merge_from(file).expect("as written"), Some(7.0));
        assert_eq!(read.to_bytes(), merged.to_bytes());
        assert_eq!(read.time(), Some(7.0));

        let mut different = Learner::new(Hashing::default(), 1 << 20).expect("memory");
        assert!(different.merge_from(Cursor::new(other.to_bytes())).is_err());
        assert!(different.merge_from(Cursor::new(b"no learner")).is_err());
        assert_eq!(different.events(), 0);
    }

    /// The bytes with `word` at position `at`, and a correct checksum.
    fn forged(mut bytes: Vec<u8>, at: usize, word: f64) -> Vec<u8> {
        let content = bytes.len() - 8;
        bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
        let checksum = xxh3_64(&bytes[..content]);
        bytes[content..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The position of the total. The offset follows it.
    const TOTAL: usize = 40;
    const OFFSET: usize = 48;

    #[test]
    fn learners_that_could_not_be_read_again_are_not_merged() {
        let mut merged = learner();
        merged.record_cost("cow", Learner::MAX_COST).expect("sound");
        let copy = loop {
            let copy = merged.clone();
            if merged.merge(&copy).is_err() {
                break copy;
            }
            let read = Learner::from_bytes(&merged.to_bytes(), 1 << 20);
            assert_eq!(read.expect("as written").total(), merged.total());
        };
        assert_eq!(merged.to_bytes(), copy.to_bytes(), "nothing was added");
        assert!(merged.total() <= Learner::MAX_TOTAL);

        // The largest total that a file may have.
        let largest = forged(learner().to_bytes(), TOTAL, 1e200);
        let read = Learner::from_bytes(&largest, 1 << 20).expect("in range");
        assert_eq!(read.to_bytes(), largest);
        let mut honest = learner();
        assert!(honest.merge(&read).is_err());
        assert!(honest.merge_from(Cursor::new(largest)).is_err());
        assert_eq!(honest.to_bytes(), learner().to_bytes());
    }

    #[test]
    fn key_never_costs_more_than_all_events() {
        // Each counter is worth more than the forged total, and so are all together.
        let small = forged(learner().to_bytes(), TOTAL, 0.5);
        let mut read = Learner::from_bytes(&small, 1 << 20).expect("in range");
        read.merge_from(Cursor::new(small)).expect("in range");
        assert!(read.keys().all(|learned| learned.cost <= read.total()));
        let lost = forged(learner().to_bytes(), OFFSET, 5.0);
        assert!(Learner::from_bytes(&lost, 1 << 20).is_err());
    }

    #[test]
    fn damaged_bytes_are_errors() {
        let bytes = learner().to_bytes();
        for length in 0..bytes.len() {
            assert!(Learner::from_bytes(&bytes[..length], 1 << 20).is_err());
        }
        // Every byte matters, even if the checksum is right.
        let content = bytes.len() - 8;
        for at in 0..content {
            let mut changed = bytes.clone();
            changed[at] ^= 0x80;
            assert!(Learner::from_bytes(&changed, 1 << 20).is_err());
            let checksum = xxh3_64(&changed[..content]);
            changed[content..].copy_from_slice(&checksum.to_le_bytes());
            // The result may be another learner, but it must not panic and must be readable again.
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
