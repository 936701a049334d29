//! Collects keys, then builds one shard after the other.

use super::spill::Spill;
use crate::choose::spec::{Division, Spec, add_up};
use crate::compose::any::AnyFilter;
use crate::compose::sharded::Sharded;
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::filter::info::Report;
use crate::format::scratch::Scratch;
use crate::format::{Check, Persist};
use crate::keys::cost::check_cost;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use crate::keys::sets::{Costed, KeySets};
use crate::machine::memory::Need;
use std::fmt;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// The number of partitions if the number of shards is not given.
const PARTITIONS: u64 = 1024;

/// The bytes that a build takes for each positive and each negative, with their digests but without the cells of the filter.
const POSITIVE: u64 = 64;
const NEGATIVE: u64 = 72;

/// Builds a filter of keys that do not fit into memory. The [module's page](super) has an example.
///
/// ```
/// use bloomwise::large::LargeBuilder;
/// use bloomwise::{Family, Filter, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new(Family::Blocked);
/// let mut build = LargeBuilder::new(spec, LargeBuilder::MIN_MEMORY, None, &std::env::temp_dir())?;
/// for key in 0..1000 {
///     build.positive(key)?;
/// }
/// let built = build.finish(|done, all| println!("{done} of {all}"))?;
/// assert!((0..1000).all(|key| built.filter.contains(key)));
/// # Ok(())
/// # }
/// ```
pub struct LargeBuilder {
    /// What to build.
    spec: Spec,
    /// How keys are hashed.
    hashing: Hashing,
    /// The most memory in bytes.
    memory: u64,
    /// The number of shards, if it was given.
    shards: Option<u64>,
    /// Where temporary files are created.
    folder: PathBuf,
    /// The number of partitions; each shard consists of whole ones.
    partitions: u64,
    /// The digests of the keys so far.
    positives: Spill,
    /// The digests of the negatives so far, with their costs.
    negatives: Spill,
    /// The number of negatives so far.
    given: usize,
}

/// One line: what is built, and how many keys there are so far.
impl fmt::Debug for LargeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LargeBuilder")
            .field("family", &self.spec.family())
            .field("positives", &self.positives.total())
            .field("negatives", &self.negatives.total())
            .field("memory", &self.memory)
            .field("shards", &self.shards)
            .finish_non_exhaustive()
    }
}

/// The result of [`LargeBuilder::finish`].
///
/// ```
/// use bloomwise::large::LargeBuilder;
/// use bloomwise::{Family, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new(Family::Guarded);
/// let mut build = LargeBuilder::new(spec, LargeBuilder::MIN_MEMORY, None, &std::env::temp_dir())?;
/// for key in ["ant", "bee", "ant"] {
///     build.positive(key)?;
/// }
/// build.negative("bee", 1.0)?;
/// let built = build.finish(|_, _| {})?;
/// assert_eq!((built.keys, built.duplicates), (2, 1));
/// assert_eq!((built.negatives, built.overlap), (0, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct LargeBuilt {
    /// The filter. If it has several shards, it answers from a temporary file, so save it to keep it.
    pub filter: AnyFilter,
    /// The report of the build.
    pub report: Report,
    /// The number of distinct keys.
    pub keys: u64,
    /// The number of repeated keys; each repetition counts.
    pub duplicates: u64,
    /// The number of distinct negatives that are not keys of the set.
    pub negatives: u64,
    /// The number of distinct negatives that were dropped because they are keys of the set.
    pub overlap: u64,
}

impl LargeBuilder {
    /// The smallest memory limit, in bytes.
    pub const MIN_MEMORY: u64 = 64 << 20;

    /// Starts a build that takes at most `memory` bytes, with temporary files in `folder`. If `shards` is `None`, the build uses the fewest
    /// shards that fit into memory.
    ///
    /// # Errors
    ///
    /// `memory` is below [`LargeBuilder::MIN_MEMORY`]; the number of shards is 0 or above 65,536; a setting of the spec is wrong; a temporary file
    /// cannot be created.
    pub fn new(spec: Spec, memory: u64, shards: Option<u64>, folder: &Path) -> Result<Self> {
        if memory < Self::MIN_MEMORY {
            let got = format!("{memory} bytes");
            let expected = format!("at least {} MiB", Self::MIN_MEMORY >> 20);
            return Err(Error::parameter("the memory of a build", got, expected));
        }
        spec.check_shards(shards.unwrap_or(1))?;
        let hashing = spec.chosen_hashing();
        let partitions = shards.unwrap_or(PARTITIONS);
        let spill = |record: usize| Spill::new(folder, partitions, record, memory / 8);
        Ok(LargeBuilder {
            hashing,
            memory,
            shards,
            folder: folder.to_path_buf(),
            partitions,
            positives: spill(16)?,
            negatives: spill(24)?,
            spec,
            given: 0,
        })
    }

    /// Adds a key of the set.
    ///
    /// # Errors
    ///
    /// The temporary file cannot be written.
    #[inline]
    pub fn positive(&mut self, key: impl Key) -> Result<()> {
        let digest = self.hashing.digest(key);
        let partition = digest.shard(self.partitions);
        self.positives.push(partition, &digest.to_bytes())
    }

    /// Adds a known negative and what a false positive on it costs.
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number, or the temporary file cannot be written.
    #[inline]
    pub fn negative(&mut self, key: impl Key, cost: f64) -> Result<()> {
        check_cost(self.given, cost)?;
        self.given += 1;
        let digest = self.hashing.digest(key);
        let mut record = [0; 24];
        record[..16].copy_from_slice(&digest.to_bytes());
        record[16..].copy_from_slice(&cost.to_le_bytes());
        self.negatives.push(digest.shard(self.partitions), &record)
    }

    /// Builds the filter. Calls `progress` with the number of finished shards and the number of all shards.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`]; a shard does not fit into memory; a temporary file cannot be read or written.
    pub fn finish(mut self, mut progress: impl FnMut(u64, u64)) -> Result<LargeBuilt> {
        let shards = self.choose_shards()?;
        let mut scratch = Scratch::new(&self.folder)?;
        let (mut ranges, mut reports, mut end) = (Vec::new(), Vec::new(), 0);
        let mut built = Counts::default();
        let single = shards == 1 && self.shards.is_none();
        let division = match single {
            true => None,
            false => {
                let count = || self.count_keys(shards);
                Some(Division::of_whole(&self.spec, shards, count)?)
            }
        };
        for shard in 0..shards {
            progress(shard, shards);
            let sets = self.sets_of(shard, shards)?;
            self.forget(shard, shards);
            built.add(&sets);
            let Some(division) = &division else {
                let (filter, report) = self.spec.build_and_report(&sets)?;
                return Ok(built.finish(filter, report));
            };
            let cost = sets.total_cost();
            let (one, report) = division.build(&sets, shard..shard + 1)?;
            reports.push((report, cost));
            scratch.append_with(|file| one.write_to(BufWriter::with_capacity(1 << 16, file)))?;
            let length = one.encoded_len() as usize;
            ranges.push(end..end + length);
            end += length;
        }
        progress(shards, shards);

        // One mapping for all shards, because systems limit the number of mappings of a process.
        let pages = scratch.map()?;
        let open = |range| Sharded::from_owner(pages.slice(range), Check::Header);
        let parts = ranges.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let filter = Sharded::join(parts)?;
        if let Some(division) = &division {
            division.expect_whole(filter.size_in_bits(), built.keys)?;
        }
        Ok(built.finish(filter, add_up(&reports)))
    }

    /// The number of shards: the fewest that fit into the memory.
    fn choose_shards(&self) -> Result<u64> {
        let mut shards = self.shards.unwrap_or(1);
        loop {
            let needed = (0..shards).map(|shard| self.needed(shard, shards)).max();
            let needed = needed.unwrap_or(0);
            if needed <= self.memory {
                return Ok(shards);
            }
            if self.shards.is_some() || shards == PARTITIONS {
                let got = format!("{} bytes", self.memory);
                let expected = format!("at least {needed} bytes for one of {shards} shards");
                return Err(Error::parameter("the memory of a build", got, expected));
            }
            shards *= 2;
        }
    }

    /// The partitions that belong to a shard.
    fn partitions_of(&self, shard: u64, shards: u64) -> std::ops::Range<u64> {
        let each = self.partitions / shards;
        shard * each..(shard + 1) * each
    }

    /// The bytes of memory that building a shard takes.
    fn needed(&self, shard: u64, shards: u64) -> u64 {
        let partitions = self.partitions_of(shard, shards);
        let count = |spill: &Spill| partitions.clone().map(|one| spill.count(one)).sum::<u64>();
        let (positives, negatives) = (count(&self.positives), count(&self.negatives));
        let cells = self
            .spec
            .cell_bytes(positives, self.positives.total(), shards);
        let spilled = self.positives.memory() + self.negatives.memory();
        POSITIVE * positives + NEGATIVE * negatives + cells + spilled
    }

    /// The number of distinct keys of each shard. Reads all keys.
    fn count_keys(&self, shards: u64) -> Result<Vec<u64>> {
        let count = |shard| Ok(self.sets_of(shard, shards)?.positives().len() as u64);
        (0..shards).map(count).collect()
    }

    /// Drops the keys of a shard.
    fn forget(&mut self, shard: u64, shards: u64) {
        for partition in self.partitions_of(shard, shards) {
            self.positives.forget(partition);
            self.negatives.forget(partition);
        }
    }

    /// Reads the keys of a shard.
    fn sets_of(&self, shard: u64, shards: u64) -> Result<KeySets> {
        let partitions = self.partitions_of(shard, shards);
        let count = |spill: &Spill| partitions.clone().map(|one| spill.count(one)).sum::<u64>();
        let (positives, negatives) = (count(&self.positives), count(&self.negatives));
        let mut sets = KeySets::builder(self.hashing);
        let reserved = sets.try_reserve(positives as usize, negatives as usize);
        reserved.map_err(|_| Need::Keys.refused(16 * positives + 24 * negatives))?;
        for partition in partitions {
            self.positives.read(partition, &mut |records| {
                let (records, _) = records.as_chunks();
                sets.add_positives(records.iter().map(|&record| Digest::from_bytes(record)));
            })?;
            self.negatives.read(partition, &mut |records| {
                let (records, _) = records.as_chunks::<24>();
                sets.add_negatives(records.iter().map(costed));
            })?;
        }
        sets.build()
    }
}

/// The negative in a record.
fn costed(record: &[u8; 24]) -> Costed {
    let (mut digest, mut cost) = ([0; 16], [0; 8]);
    digest.copy_from_slice(&record[..16]);
    cost.copy_from_slice(&record[16..]);
    Costed {
        digest: Digest::from_bytes(digest),
        cost: f64::from_le_bytes(cost),
    }
}

/// The keys of the shards built so far.
#[derive(Default)]
struct Counts {
    /// Distinct keys.
    keys: u64,
    /// Repetitions of keys.
    duplicates: u64,
    /// Distinct negatives that are not keys of the set.
    negatives: u64,
    /// Distinct negatives that were dropped because they are keys of the set.
    overlap: u64,
}

impl Counts {
    fn add(&mut self, sets: &KeySets) {
        self.keys += sets.positives().len() as u64;
        self.duplicates += sets.duplicates();
        self.negatives += sets.negatives().len() as u64;
        self.overlap += sets.overlap();
    }

    fn finish(self, filter: AnyFilter, report: Report) -> LargeBuilt {
        LargeBuilt {
            filter,
            report,
            keys: self.keys,
            duplicates: self.duplicates,
            negatives: self.negatives,
            overlap: self.overlap,
        }
    }
}
