//! The construction of a filter.
//!
//! The budget determines the parameters ([`super::model`]), and the parameters determine the shape ([`super::plan`]).
//! Then the optimiser builds each segment from its keys, in parallel if the feature `rayon` is on. Segments are
//! independent of each other, so the bytes do not depend on the number of threads.

use super::filter::Habf;
use super::options::{Options, SETTINGS};
use super::repair_stats::RepairStats;
use super::segment::Segment;
use super::shape::{CACHE, FAST, FULL, Kind, Shape};
use super::tables::Tables;
use super::tpjo::{self, Effort};
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::knob::{Knob, Preset};
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::sets::{Costed, KeySets};
use crate::machine::parallel;

impl Buildable for Habf {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    const PRESETS: &'static [Preset<Self>] = &[("paper", Builder::<Self>::paper)];

    fn of_kind(builder: Builder<Self>, kind: Family) -> Builder<Self> {
        match kind {
            Family::HabfFast => builder.fast(),
            Family::HabfCache => builder.cache(),
            _ => builder,
        }
    }

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        builder.predict(workload)
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        let capacity = builder.capacity_for(sets)?;
        if sets.positives().is_empty() && sets.negatives().is_empty() {
            // There is nothing to optimise.
            let filter = Self::create(builder, capacity, sets.hashing())?;
            return Ok((filter, Report::default()));
        }
        let workload = Workload::of(sets).grown_to(capacity);
        let costs = &workload.costs;
        let shape = builder.shape(&workload)?;
        let effort = builder.options.effort();
        let mut tables = Tables::new(&shape)?;
        let mut stats = RepairStats::default();
        let build = match shape.kind {
            Kind::Full => build_segments::<FULL>,
            Kind::Fast => build_segments::<FAST>,
            Kind::Cache => build_segments::<CACHE>,
        };
        let built = build(sets, &shape, costs.unit, effort);
        for (number, (segment, of_segment)) in built?.into_iter().enumerate() {
            tables.copy_segment(&shape, number, &segment);
            stats = stats.merge(of_segment);
        }
        let cells_used = tables.cells.count(|cell| cell != 0);
        let report = match sets.negatives().len() {
            0 => Report::default(),
            negatives => stats.report(negatives as u64, costs, cells_used),
        };
        let mut profile = Profile::new(sets.hashing(), capacity, builder.size);
        profile.add_keys(sets.positives().len());
        Ok((Habf::over(shape, tables, profile), report))
    }
}

impl Growable for Habf {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let shape = builder.shape(&Workload::new(capacity, 0))?;
        let profile = Profile::new(hashing, capacity, builder.size);
        Ok(Habf::over(shape, Tables::new(&shape)?, profile))
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        matches!(builder.size, Size::Bits(_)) && builder.options.fixed().functions.is_some()
    }
}

/// Builds all segments independently of each other. `unit` is the factor that scales costs.
fn build_segments<const KIND: usize>(
    sets: &KeySets,
    shape: &Shape,
    unit: f64,
    effort: Effort,
) -> Result<Vec<(Tables, RepairStats)>> {
    let build = |number| {
        let (positives, negatives) = keys_of(sets, shape, number);
        let segment = Segment::<KIND>::new(shape, positives, negatives, unit)?;
        Ok(tpjo::optimise(segment, effort))
    };
    let built = parallel::map_numbers(shape.segments as usize, build);
    built.into_iter().collect()
}

/// The positives and negatives of a segment. They are contiguous, because sorted keys are also sorted by segment.
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
