//! From wishes and keys to a filter.
//!
//! The budget gives the parameters ([`super::tuning`]), the parameters give the shape ([`super::plan`]), and the keys of each segment are
//! handed to the optimiser, segments side by side on the threads of rayon's current pool. Segments do not know of each
//! other, so the bytes do not depend on the number of threads.

use super::Habf;
use super::segment::Segment;
use super::shape::{CACHE, FAST, FULL, Kind, Shape};
use super::tables::Tables;
use super::tally::Tally;
use super::tpjo::{self, Effort, Empties};
use super::tuning::Fixed;
use crate::codec::Head;
use crate::error::Result;
use crate::family::Family;
use crate::filter::Report;
use crate::forecast::Workload;
use crate::hash::{Digest, Hashing};
use crate::key::{Costed, KeySets};
use crate::sizing::Size;
use rayon::prelude::*;

/// The bits of a segment that can be asked for.
pub(crate) const SEGMENT_BITS: std::ops::RangeInclusive<u32> = 1 << 12..=1 << 30;

/// The bits of a chain cell that can be asked for.
pub(crate) const CELL_BITS: std::ops::RangeInclusive<u32> = 3..=6;

/// The most passes that can be asked for.
pub(crate) const MAX_PASSES: u32 = 100;

/// The wishes for a [`Habf`]. What is not wished for follows the budget and the negatives.
#[derive(Clone, Debug)]
pub struct HabfBuilder {
    pub(super) size: Size,
    pub(super) family: Family,
    hashing: Hashing,
    pub(super) capacity: Option<u64>,
    pub(super) fixed: Fixed,
    /// Bits of a segment, about.
    pub(super) segment_bits: u32,
    effort: Effort,
    /// Whether the second round is strict, and the optimiser aware of it.
    pub(super) strict: bool,
}

impl HabfBuilder {
    pub(super) fn new(size: Size) -> Self {
        HabfBuilder {
            size,
            family: Family::Habf,
            hashing: Hashing::default(),
            capacity: None,
            fixed: Fixed::default(),
            segment_bits: 1 << 18,
            effort: Effort {
                empties: Empties::Watch,
                passes: 4,
                pairs: true,
            },
            strict: true,
        }
    }

    /// f-HABF: double hashing, and changes that do not look at whom they harm. Built in two thirds of the time.
    pub fn fast(mut self) -> Self {
        self.family = Family::HabfFast;
        self.effort.empties = Empties::Blind;
        self.effort.passes = 1;
        self
    }

    /// c-HABF: all bits of a key on one cache line, its chain on another.
    pub fn cache(mut self) -> Self {
        self.family = Family::HabfCache;
        self
    }

    /// The paper's own setting: three functions, cells of 4 bits in a fifth of the space, a second round that believes
    /// any chain, and an optimiser that does not look at it.
    pub fn paper(mut self) -> Self {
        self.fixed = Fixed {
            functions: Some(3),
            cell_bits: Some(4),
            ratio: Some(0.2),
        };
        self.strict = false;
        self.effort.pairs = false;
        self
    }

    /// How keys are hashed, instead of XXH3 with seed 0.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// For how many keys the size is planned, instead of the number of positives: for keys that are inserted later.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// The number of functions of a key.
    pub fn functions(mut self, functions: u32) -> Self {
        self.fixed.functions = Some(functions);
        self
    }

    /// The bits of a chain cell, 3 to 6; `c` bits give a pool of `2^(c-1) - 1` functions.
    pub fn cell_bits(mut self, bits: u32) -> Self {
        self.fixed.cell_bits = Some(bits);
        self
    }

    /// The share of the space that chain cells take; 0 makes it a plain filter.
    pub fn ratio(mut self, share: f64) -> Self {
        self.fixed.ratio = Some(share);
        self
    }

    /// The bits of a segment, about: 262,144 unless something else is asked for.
    pub fn segment_bits(mut self, bits: u32) -> Self {
        self.segment_bits = bits;
        self
    }

    /// The most passes of the optimiser.
    pub fn passes(mut self, passes: u32) -> Self {
        self.effort.passes = passes;
        self
    }

    /// What the optimiser may do with bits that are 0, by name: `watch`, `blind` or `never`.
    pub(crate) fn empties(mut self, name: &str) -> Self {
        self.effort.empties = match name {
            "never" => Empties::Never,
            "blind" => Empties::Blind,
            _ => Empties::Watch,
        };
        self
    }

    /// The filter of these keys.
    ///
    /// # Errors
    ///
    /// A size or a setting that no filter can have; memory that is not there.
    pub fn build(&self, sets: &KeySets) -> Result<Habf> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of these keys, and what became of the known negatives.
    ///
    /// # Errors
    ///
    /// As for [`HabfBuilder::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(Habf, Report)> {
        let workload = Workload::of(sets);
        let costs = &workload.costs;
        let shape = self.shape(&self.planned(&workload))?;
        let mut tables = Tables::new(&shape)?;
        let mut head = Head::new(self.family, self.hashing);
        if sets.positives().is_empty() && sets.negatives().is_empty() {
            // Nothing to build, and for sets that stream in the memory may be for the filter alone.
            let filter = Habf {
                shape,
                tables,
                head,
            };
            return Ok((filter, Report::default()));
        }
        let built = match shape.kind {
            Kind::Full => self.segments::<FULL>(sets, &shape, costs.unit),
            Kind::Fast => self.segments::<FAST>(sets, &shape, costs.unit),
            Kind::Cache => self.segments::<CACHE>(sets, &shape, costs.unit),
        };
        let mut tally = Tally::default();
        for (number, (part, of_part)) in built?.into_iter().enumerate() {
            tables.copy_segment(&shape, number, &part);
            tally = tally.add(of_part);
        }
        head.add_keys(sets.positives().len());
        let cells_used = tables.cells.count(|cell| cell != 0);
        let report = match sets.negatives().len() {
            0 => Report::default(),
            negatives => tally.report(negatives as u64, costs.total, cells_used),
        };
        let filter = Habf {
            shape,
            tables,
            head,
        };
        Ok((filter, report))
    }

    /// All segments, each built on its own.
    fn segments<const KIND: u8>(
        &self,
        sets: &KeySets,
        shape: &Shape,
        unit: f64,
    ) -> Result<Vec<(Tables, Tally)>> {
        let build = |number| {
            let (positives, negatives) = keys_of(sets, shape, number);
            let segment = Segment::<KIND>::new(shape, positives, negatives, unit)?;
            Ok(tpjo::optimise(segment, self.effort))
        };
        let numbers = (0..shape.segments as usize).into_par_iter();
        numbers.map(build).collect()
    }
}

/// The keys of a segment. Sorted keys are sorted by segment.
fn keys_of<'a>(sets: &'a KeySets, shape: &Shape, segment: usize) -> (&'a [Digest], &'a [Costed]) {
    let before = |digest: Digest, segment: usize| shape.segment(digest) < segment;
    let positives = sets.positives();
    let negatives = sets.negatives();
    let first = |segment| positives.partition_point(|&digest| before(digest, segment));
    let first_negative = |segment| negatives.partition_point(|n| before(n.digest, segment));
    (
        &positives[first(segment)..first(segment + 1)],
        &negatives[first_negative(segment)..first_negative(segment + 1)],
    )
}
