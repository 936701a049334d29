//! The filters of an accuracy experiment, by name: bloomwise kinds with settings, and baselines.
//!
//! To add a contender to a figure, add a [`Subject`] to the list of the figure. A baseline is a name, what it uses costs for, and a function
//! that builds it:
//!
//! ```ignore
//! Subject::baseline("stacked", Costs::Ignored, |sets, bits| Stacked::build(sets, bits))
//! ```

use super::papers::habf::{PaperHabf, Parameters};
use super::{Cascade, Stacked, Weighted, Xor};
use crate::data::costliest_share;
use crate::prelude::*;
use bloomwise::info::{Report, Value};
use bloomwise::{Bloom, Counting, Error};
use std::fmt;
use std::sync::Arc;

/// What a filter uses costs for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Costs {
    /// Nothing: one build serves all costs.
    Ignored,
    /// The ranks of the costs decide which negatives are guarded. The number is the guards per positive. A build serves all skews.
    Ranks(f64),
    /// The costliest negatives, this share of them, are one class for the filter, and all others another. This is how the paper's HABF is
    /// measured: it repairs the costliest negatives first, while there is room for all of them, and its optimiser ignores the second round,
    /// which hits them whatever they cost.
    TopShare(f64),
    /// The costs decide how many negatives are guarded; the build reports how many.
    Reported,
    /// Anything else.
    Values,
}

/// The share of the negatives that form the top class of the paper's HABF.
pub const HABF_TOP_CLASS: f64 = 0.01;

/// Negatives that a growing stacked filter guards, per positive, unless a figure says otherwise.
const STACKED_GUARDS: f64 = 0.05;

/// Builds a filter of the given sets in the given number of bits.
type Build = dyn Fn(&KeySets, u64) -> Result<Box<dyn DigestFilter>> + Send + Sync;

/// Makes an empty stacked filter for a number of keys that knows the given negatives, in the given number of bits.
type Empty = fn(u64, &[Digest], u64) -> Result<Stacked<Counting>>;

/// A filter to build.
#[derive(Clone)]
pub struct Subject {
    /// The name in tables and legends.
    pub name: String,
    /// What the filter uses costs for.
    pub costs: Costs,
    make: Make,
}

#[derive(Clone)]
enum Make {
    /// A bloomwise kind.
    Kind {
        family: Family,
        paper: bool,
        settings: Vec<(&'static str, Value)>,
    },
    /// A baseline.
    Baseline(Arc<Build>),
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.name, self.costs)
    }
}

impl Subject {
    /// The bloomwise kind `family` with default settings.
    pub fn kind(family: Family) -> Self {
        Subject {
            name: family.name().to_string(),
            costs: match family {
                Family::Bloom | Family::Blocked => Costs::Ignored,
                Family::Balanced | Family::Counting => Costs::Ignored,
                Family::Seesaw | Family::SeesawAdaptive => Costs::Reported,
                _ => Costs::Values,
            },
            make: Make::Kind {
                family,
                paper: false,
                settings: Vec::new(),
            },
        }
    }

    /// The bloomwise kind `family` with the settings of its paper.
    pub fn paper(family: Family) -> Self {
        let mut subject =
            Self::kind(family).named(format!("{}, paper's parameters", family.name()));
        if let Make::Kind { paper, .. } = &mut subject.make {
            *paper = true;
        }
        if matches!(family, Family::Habf | Family::HabfFast) {
            subject.costs = Costs::TopShare(HABF_TOP_CLASS);
        }
        subject
    }

    /// A baseline.
    pub fn baseline<F: DigestFilter + 'static>(
        name: &str,
        costs: Costs,
        build: impl Fn(&KeySets, u64) -> Result<F> + Send + Sync + 'static,
    ) -> Self {
        let build = move |sets: &KeySets, bits| -> Result<Box<dyn DigestFilter>> {
            Ok(Box::new(build(sets, bits)?))
        };
        Subject {
            name: name.to_string(),
            costs,
            make: Make::Baseline(Arc::new(build)),
        }
    }

    /// Sets option `name` to `value`.
    pub fn set(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        if let Make::Kind { settings, .. } = &mut self.make {
            settings.push((name, value.into()));
        }
        self
    }

    /// Renames the subject.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Declares what the filter uses costs for.
    pub fn using(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// The Xor filter.
    pub fn xor() -> Self {
        Self::baseline("xor", Costs::Ignored, Xor::build)
    }

    /// The Weighted Bloom filter.
    pub fn weighted() -> Self {
        Self::baseline("weighted", Costs::Values, Weighted::build)
    }

    /// The counting version of the Weighted Bloom filter, with 0.005 % of the negatives in its map, as in the SSCF paper.
    pub fn weighted_counting() -> Self {
        Self::baseline("weighted counting", Costs::Values, |sets, bits| {
            Weighted::with_share(sets, bits, 5e-5)
        })
    }

    /// The Stacked filter of a fixed set. It ignores costs, since all negatives fit.
    pub fn stacked() -> Self {
        Self::baseline("stacked", Costs::Ignored, Stacked::<Bloom>::build)
    }

    /// The growing Stacked filter. All layers have the same rate.
    pub fn stacked_counting() -> Self {
        Self::stacked_counting_with(STACKED_GUARDS)
    }

    /// The growing Stacked filter that guards the costliest negatives, `guards` per positive.
    pub fn stacked_counting_with(guards: f64) -> Self {
        Self::stack("stacked counting", guards, Stacked::growing)
    }

    /// The growing Stacked filter with the layer sizes of the SSCF paper's authors.
    pub fn stacked_counting_paper(guards: f64) -> Self {
        Self::stack("stacked counting, paper", guards, Stacked::as_published)
    }

    /// A stacked filter of counting filters that holds all positives and guards the costliest negatives.
    fn stack(name: &str, guards: f64, empty: Empty) -> Self {
        Self::baseline(name, Costs::Ranks(guards), move |sets, bits| {
            let keys = sets.positives();
            let mut filter = empty(keys.len() as u64, &costliest_share(sets, guards), bits)?;
            keys.iter().try_for_each(|&digest| filter.insert(digest))?;
            Ok(filter)
        })
    }

    /// The cascade.
    pub fn cascade() -> Self {
        Self::baseline("cascade", Costs::Ignored, Cascade::build)
    }

    /// HABF or f-HABF with the rules of its paper or of its authors' program.
    pub fn paper_habf(name: &str, parameters: Parameters) -> Self {
        let costs = Costs::TopShare(HABF_TOP_CLASS);
        Self::baseline(name, costs, move |sets, bits| {
            PaperHabf::build(sets, bits, parameters)
        })
    }

    /// Whether one build serves all costs.
    pub fn ignores_costs(&self) -> bool {
        self.costs == Costs::Ignored
    }

    /// The specification of a bloomwise kind in `bits` bits. A baseline has none, which is an error.
    pub fn spec(&self, bits: u64) -> Result<Spec> {
        let Make::Kind {
            family,
            paper,
            settings,
        } = &self.make
        else {
            bail!("{} is a baseline; use a bloomwise kind", self.name);
        };
        let mut spec = Spec::new(*family).size(Size::Bits(bits));
        if *paper {
            spec = spec.preset("paper")?;
        }
        for (name, value) in settings {
            spec = spec.set(name, value.clone())?;
        }
        Ok(spec)
    }

    /// Builds the filter of `sets` in `bits` bits.
    pub fn build(&self, sets: &KeySets, bits: u64) -> Result<Box<dyn DigestFilter>> {
        match &self.make {
            Make::Kind { .. } => Ok(Box::new(self.build_and_report(sets, bits)?.0)),
            Make::Baseline(build) => build(sets, bits),
        }
    }

    /// The answers of the filter of `sets` at this size for the keys of `set`; `None` if it cannot have the size.
    pub fn answers(&self, set: &Set, sets: &KeySets, bits_per_key: f64) -> Result<Option<Answers>> {
        let built = match self.build(sets, set.bits(bits_per_key)) {
            Err(error) if error.is::<TooSmall>() => return Ok(None),
            built => built.and_then(|filter| Answers::of(filter.as_ref(), set)),
        };
        built.map(Some).with_context(|| self.name.clone())
    }

    /// Builds the filter, and returns the size of its top cost class: how many of the costliest negatives it treats as one class, with
    /// all others as the second. `None` if the filter uses costs in a finer way.
    pub fn build_with_top_class(
        &self,
        sets: &KeySets,
        bits: u64,
    ) -> Result<(Box<dyn DigestFilter>, Option<usize>)> {
        let negatives = sets.negatives().len();
        let of = |share: f64, of: usize| ((share * of as f64).round() as usize).min(negatives);
        let top = match self.costs {
            Costs::Ignored => Some(0),
            Costs::Ranks(guards) => Some(of(guards, sets.positives().len())),
            Costs::TopShare(share) => Some(of(share, negatives)),
            Costs::Values => None,
            Costs::Reported => {
                let (filter, report) = self.build_and_report(sets, bits)?;
                let guarded = (report.guarded as usize).min(negatives);
                return Ok((Box::new(filter), Some(guarded)));
            }
        };
        Ok((self.build(sets, bits)?, top))
    }

    /// Builds the filter of a bloomwise kind, and returns its build report.
    pub fn build_and_report(&self, sets: &KeySets, bits: u64) -> Result<(AnyFilter, Report)> {
        let is_cuckoo = matches!(self.make, Make::Kind { family, .. } if family == Family::Cuckoo);
        match self.spec(bits)?.build_and_report(sets) {
            // A cuckoo filter has a slot for each key.
            Err(Error::Parameter { .. }) if is_cuckoo => bail!(TooSmall(bits)),
            built => Ok(built?),
        }
    }
}
