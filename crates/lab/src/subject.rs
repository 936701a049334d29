//! The filters of an accuracy experiment, by name: bloomwise kinds with settings, and baselines.

use crate::baseline::habf::{PaperHabf, Parameters};
use crate::baseline::{Cascade, DigestFilter, Stacked, TooSmall, Weighted, Xor};
use crate::workload::costliest_share;
use anyhow::{Result, bail};
use bloomwise::unstable::{BitArray, PackedArray};
use bloomwise::{
    AnyFilter, Bloom, Counting, Digest, Error, Family, KeySets, Report, Size, Spec, Value,
};

/// Builds a filter of the given sets in the given number of bits.
type Build = fn(&KeySets, u64) -> Result<Box<dyn DigestFilter>>;

/// Negatives that a growing stacked filter guards, per positive.
const STACKED_GUARDS: f64 = 0.05;

/// The share of the negatives that form the top cost class of the paper's HABF. It repairs the costliest negatives
/// first, while there is room for all of them, and its optimiser ignores the second round, which hits them whatever
/// they cost. The optimiser of this library takes the second round into account, so this does not hold for it.
const HABF_TOP_CLASS: f64 = 0.01;

/// A filter to build.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name in tables and legends.
    pub name: String,
    make: Make,
    /// Whether the filter ignores costs, so that one build serves all costs.
    pub ignores_costs: bool,
    /// For a baseline that uses costs only to choose which negatives it guards: how many it guards per positive.
    guards: Option<f64>,
}

#[derive(Clone, Debug)]
enum Make {
    /// A bloomwise kind.
    Kind {
        family: Family,
        paper: bool,
        settings: Vec<(&'static str, Value)>,
    },
    /// A baseline.
    Baseline(Build),
    /// HABF or f-HABF as its authors have it.
    PaperHabf(Parameters),
}

impl Subject {
    /// The bloomwise kind `family` with default settings.
    pub fn kind(family: Family) -> Self {
        use Family::{Balanced, Blocked, Bloom, Counting};
        Subject {
            name: family.name().to_string(),
            make: Make::Kind {
                family,
                paper: false,
                settings: Vec::new(),
            },
            ignores_costs: matches!(family, Bloom | Blocked | Balanced | Counting),
            guards: None,
        }
    }

    /// The bloomwise kind `family` with the settings of its paper.
    pub fn paper(family: Family) -> Self {
        let mut subject = Self::kind(family).named(format!("{}, paper", family.name()));
        if let Make::Kind { paper, .. } = &mut subject.make {
            *paper = true;
        }
        subject
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

    fn baseline(name: &str, ignores_costs: bool, build: Build) -> Self {
        Subject {
            name: name.to_string(),
            make: Make::Baseline(build),
            ignores_costs,
            guards: None,
        }
    }

    /// Declares that the filter guards the costliest negatives, `share` of them per positive, and uses costs for
    /// nothing else.
    fn guarding(mut self, share: f64) -> Self {
        self.guards = Some(share);
        self
    }

    /// The Xor filter.
    pub fn xor() -> Self {
        Self::baseline("xor", true, |sets, bits| {
            Ok(Box::new(Xor::build(sets, bits)?))
        })
    }

    /// The Weighted Bloom filter.
    pub fn weighted() -> Self {
        Self::baseline("weighted", false, |sets, bits| {
            Ok(Box::new(Weighted::<BitArray>::build(sets, bits)?))
        })
    }

    /// The counting version of the Weighted Bloom filter, with 0.005 % of the negatives in its map, as in the SSCF
    /// paper.
    pub fn weighted_counting() -> Self {
        Self::baseline("weighted counting", false, |sets, bits| {
            Ok(Box::new(Weighted::<PackedArray>::with_share(
                sets, bits, 5e-5,
            )?))
        })
    }

    /// The Stacked filter of a fixed set. It ignores costs, since all negatives fit.
    pub fn stacked() -> Self {
        Self::baseline("stacked", true, |sets, bits| {
            Ok(Box::new(Stacked::<Bloom>::build(sets, bits)?))
        })
    }

    /// The growing Stacked filter. It guards the costliest negatives, 5 % as many as there are positives. All layers
    /// have the same rate.
    pub fn stacked_counting() -> Self {
        Self::baseline("stacked counting", false, |sets, bits| {
            stack(sets, |keys, known| Stacked::growing(keys, known, bits))
        })
        .guarding(STACKED_GUARDS)
    }

    /// The growing Stacked filter with the layer sizes of the SSCF paper's authors.
    pub fn stacked_counting_paper() -> Self {
        Self::baseline("stacked counting, paper", false, |sets, bits| {
            stack(sets, |keys, known| Stacked::as_published(keys, known, bits))
        })
        .guarding(STACKED_GUARDS)
    }

    /// The cascade.
    pub fn cascade() -> Self {
        Self::baseline("cascade", true, |sets, bits| {
            Ok(Box::new(Cascade::build(sets, bits)?))
        })
    }

    /// HABF or f-HABF with the rules of its paper or of its authors' program.
    pub fn paper_habf(name: &str, parameters: Parameters) -> Self {
        Subject {
            name: name.to_string(),
            make: Make::PaperHabf(parameters),
            ignores_costs: false,
            guards: None,
        }
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
        match self.make {
            Make::Kind { .. } => Ok(Box::new(self.spec(bits)?.build(sets)?)),
            Make::Baseline(build) => build(sets, bits),
            Make::PaperHabf(parameters) => Ok(Box::new(PaperHabf::build(sets, bits, parameters)?)),
        }
    }

    /// Builds the filter, and returns the size of its top cost class: how many of the costliest negatives it treats as
    /// one class, with all others as the second. `None` if the filter uses costs in a finer way.
    pub fn build_with_top_class(
        &self,
        sets: &KeySets,
        bits: u64,
    ) -> Result<(Box<dyn DigestFilter>, Option<usize>)> {
        let guarded = |share: f64, of: usize| Some((share * of as f64).round() as usize);
        let Make::Kind { family, paper, .. } = self.make else {
            let top = match self.make {
                Make::PaperHabf(_) => guarded(HABF_TOP_CLASS, sets.negatives().len()),
                _ if self.ignores_costs => Some(0),
                _ => self
                    .guards
                    .and_then(|share| guarded(share, sets.positives().len())),
            };
            return Ok((self.build(sets, bits)?, top));
        };
        let (filter, report) = self.build_and_report(sets, bits)?;
        let top = match family {
            _ if self.ignores_costs => Some(0),
            Family::Seesaw | Family::SeesawAdaptive => Some(report.guarded as usize),
            Family::Habf | Family::HabfFast if paper => {
                guarded(HABF_TOP_CLASS, sets.negatives().len())
            }
            _ => None,
        };
        let top = top.map(|count| count.min(sets.negatives().len()));
        Ok((Box::new(filter), top))
    }

    /// Whether this is the bloomwise kind `kind`.
    fn is(&self, kind: Family) -> bool {
        matches!(self.make, Make::Kind { family, .. } if family == kind)
    }

    /// Builds the filter of a bloomwise kind, and returns its build report.
    pub fn build_and_report(&self, sets: &KeySets, bits: u64) -> Result<(AnyFilter, Report)> {
        match self.spec(bits)?.build_and_report(sets) {
            // A cuckoo filter has a slot for each key.
            Err(Error::Parameter { .. }) if self.is(Family::Cuckoo) => bail!(TooSmall(bits)),
            built => Ok(built?),
        }
    }
}

/// A stacked filter of counting filters that holds all positives.
fn stack(
    sets: &KeySets,
    empty: impl FnOnce(u64, &[Digest]) -> Result<Stacked<Counting>>,
) -> Result<Box<dyn DigestFilter>> {
    let keys = sets.positives();
    let mut filter = empty(keys.len() as u64, &costliest_share(sets, STACKED_GUARDS))?;
    keys.iter().try_for_each(|&digest| filter.insert(digest))?;
    Ok(Box::new(filter))
}
