//! From wishes and keys to a filter.
//!
//! The budget gives the parameters ([`super::tuning`]), the parameters give the shape, and the keys of each segment are
//! handed to the optimiser, segments side by side on the threads of rayon's current pool. Segments do not know of each
//! other, so the bytes do not depend on the number of threads.

use super::Habf;
use super::segment::Segment;
use super::shape::{CACHE, FAST, FULL, Kind, Shape};
use super::tables::Tables;
use super::tally::Tally;
use super::tpjo::{self, Effort, Empties};
use super::tuning::{Fixed, Parameters, Task, most_functions};
use crate::codec::Head;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::Report;
use crate::forecast::{Forecast, Workload};
use crate::hash::{Digest, Hashing};
use crate::key::{Costed, KeySets};
use crate::sizing::{Layout, MAX_FUNCTIONS, Size};
use rayon::prelude::*;

/// The bits of a segment that can be asked for.
pub(crate) const SEGMENT_BITS: std::ops::RangeInclusive<u32> = 1 << 12..=1 << 30;

/// The bits of a chain cell that can be asked for.
pub(crate) const CELL_BITS: std::ops::RangeInclusive<u32> = 3..=6;

/// Chains that the cells of a segment have room for at least: with room for five, 18 bits per key leave a fifth of the collisions
/// unrepaired, with twelve none.
const CHAINS: u64 = 12;

/// The most passes that can be asked for.
pub(crate) const MAX_PASSES: u32 = 100;

/// The wishes for a [`Habf`]. What is not wished for follows the budget and the negatives.
#[derive(Clone, Debug)]
pub struct HabfBuilder {
    size: Size,
    family: Family,
    hashing: Hashing,
    capacity: Option<u64>,
    fixed: Fixed,
    /// Bits of a segment, about.
    segment_bits: u32,
    effort: Effort,
    /// Whether the second round is strict, and the optimiser aware of it.
    strict: bool,
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

    /// What the filter will do, without making it.
    ///
    /// # Errors
    ///
    /// As for [`HabfBuilder::build`], but for the memory.
    pub fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        let workload = self.planned(workload);
        let shape = self.shape(&workload)?;
        let parameters = Parameters {
            functions: shape.functions,
            cell_bits: shape.cell_bits,
            ratio: 1.0 - (shape.segments * shape.bits) as f64 / shape.size_in_bits() as f64,
        };
        let prediction = self
            .task(shape.size_in_bits(), &workload)
            .predict(parameters);
        // A key whose functions were changed is looked up a second time, behind its chain.
        let lookups = 1.0 + prediction.changed.min(1.0);
        let lines = match shape.kind {
            Kind::Full | Kind::Fast => lookups * f64::from(shape.functions),
            Kind::Cache => lookups,
        };
        Ok(Forecast {
            bits: shape.size_in_bits(),
            parameters: shape.told(),
            unseen: prediction.unseen,
            known: prediction.known,
            lines,
        })
    }

    /// What the size is planned for.
    fn planned(&self, workload: &Workload) -> Workload {
        workload.grown_to(self.capacity.unwrap_or(workload.keys))
    }

    fn task<'a>(&self, bits: u64, workload: &'a Workload) -> Task<'a> {
        Task {
            kind: Kind::of(self.family),
            bits_per_key: bits as f64 / workload.keys.max(1) as f64,
            workload,
            strict: self.strict,
        }
    }

    /// The shape for a budget and for such keys.
    fn shape(&self, workload: &Workload) -> Result<Shape> {
        let kind = Kind::of(self.family);
        let none = workload.negatives == 0;
        self.check(kind, none)?;
        let task = |bits: u64| self.task(bits, workload);
        let plain = Fixed {
            ratio: Some(0.0),
            ..self.fixed
        };
        let fixed = if none { plain } else { self.fixed };
        let choose = |bits: u64| task(bits).choose(fixed);
        let rate = |bits: u64, _, _| choose(bits).map_or(1.0, |p| task(bits).predict(p).unseen);
        let layout = Layout {
            cell_bits: 1,
            step: kind.bit_step(),
            rate,
        };
        // The layout chooses a size; the functions are chosen with the rest.
        let bits = layout.fit(self.size, workload.keys, Some(1))?.cells;
        let impossible = || Error::parameter("k", "too large", "fewer functions or wider cells");
        let chosen = choose(bits).ok_or_else(impossible)?;
        let shape = self.shape_of(kind, bits, chosen);
        if shape.cells == 0 && chosen.ratio > 0.0 {
            // The smallest number of cells is more than the share for them: without them, other functions are better.
            let chosen = task(bits).choose(plain).ok_or_else(impossible)?;
            return Ok(self.shape_of(kind, bits, chosen));
        }
        Ok(shape)
    }

    /// The shape that these parameters give to so many bits.
    fn shape_of(&self, kind: Kind, total: u64, parameters: Parameters) -> Shape {
        let Parameters {
            functions,
            cell_bits,
            ratio,
        } = parameters;
        let segments = (total / u64::from(self.segment_bits)).max(1);
        let segment = total / segments / kind.bit_step() * kind.bit_step();
        let step = u64::from(cell_bits) * kind.cell_step();
        let most = (segment - kind.bit_step()) / step;
        // Where a few cells are wanted there are so many at least that some chains fit beside each other, unless that is a
        // large part.
        let room = (CHAINS * u64::from(functions)).div_ceil(kind.cell_step());
        let least = match ratio > 0.0 && 8 * step * room <= segment {
            true => room,
            false => u64::from(ratio > 0.0 && 8 * step <= segment),
        };
        let steps = (segment as f64 * ratio / step as f64).round() as u64;
        let cells = steps.max(least).min(most) * kind.cell_step();
        Shape {
            kind,
            functions,
            // No cells have no width; files say 4.
            cell_bits: if cells > 0 { cell_bits } else { 4 },
            segments,
            bits: segment - cells * u64::from(cell_bits),
            cells,
            strict: self.strict,
        }
    }

    /// An error if what is fixed cannot be.
    fn check(&self, kind: Kind, no_negatives: bool) -> Result<()> {
        let Fixed {
            functions,
            cell_bits,
            ratio,
        } = self.fixed;
        if let Some(share) = ratio.filter(|share| !(0.0..=0.9).contains(share)) {
            let expected = "a share from 0 to 0.9";
            return Err(Error::parameter("the ratio", share, expected));
        }
        if !SEGMENT_BITS.contains(&self.segment_bits) {
            let (least, most) = (SEGMENT_BITS.start(), SEGMENT_BITS.end());
            let expected = format!("a number from {least} to {most}");
            return Err(Error::parameter(
                "segment-bits",
                self.segment_bits,
                expected,
            ));
        }
        if let Some(bits) = cell_bits {
            if !CELL_BITS.contains(&bits) {
                return Err(Error::parameter("cell-bits", bits, "a number from 3 to 6"));
            }
            if kind == Kind::Cache && bits != 4 {
                let expected = "4, of which a cache line holds a round number";
                return Err(Error::parameter("cell-bits", bits, expected));
            }
        }
        let widest = match kind {
            Kind::Cache => 4,
            Kind::Full | Kind::Fast => *CELL_BITS.end(),
        };
        let most = match no_negatives || ratio == Some(0.0) {
            true => MAX_FUNCTIONS,
            false => most_functions(cell_bits.unwrap_or(widest)),
        };
        if let Some(k) = functions.filter(|k| !(1..=most).contains(k)) {
            let expected = format!("a number from 1 to {most}, as many as cells can name");
            return Err(Error::parameter("the number of functions (k)", k, expected));
        }
        Ok(())
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
