//! The filters of an accuracy experiment, by name: kinds of bloomwise with settings, and baselines.

use crate::baseline::{Cascade, Member, Stacked, Weighted, Xor};
use crate::workload::vulnerable;
use anyhow::Result;
use bloomwise::cells::{BitArray, PackedArray};
use bloomwise::{AnyFilter, Bloom, Counting, Digest, KeySets, Report, Size, Spec};

/// Builds a filter of sets in so many bits.
type Build = fn(&KeySets, u64) -> Result<Box<dyn Member>>;

/// Negatives that a growing stacked filter knows, for each positive.
const STACKED: f64 = 0.05;

/// Of the negatives, the costliest that the paper's HABF deals with alike: it repairs them first, while there is room for all;
/// and its second round, which it does not look at, hits them whatever they cost. This library's own looks at it.
const ALIKE: f64 = 0.01;

/// A filter that is yet to be built.
#[derive(Clone, Debug)]
pub struct Subject {
    /// In tables and legends.
    pub name: String,
    make: Make,
    /// Whether costs change nothing about it, so that it need not be built again for others.
    pub blind: bool,
    /// Of a baseline, if all that costs change is which negatives it guards: how many, for each positive.
    guards: Option<f64>,
}

#[derive(Clone, Debug)]
enum Make {
    /// A kind of bloomwise.
    Kind {
        kind: &'static str,
        paper: bool,
        settings: Vec<(&'static str, String)>,
    },
    /// Something else.
    Baseline(Build),
}

impl Subject {
    /// A kind of bloomwise as it comes.
    pub fn kind(kind: &'static str) -> Self {
        Subject {
            name: kind.to_string(),
            make: Make::Kind {
                kind,
                paper: false,
                settings: Vec::new(),
            },
            blind: matches!(kind, "bloom" | "blocked" | "balanced" | "counting"),
            guards: None,
        }
    }

    /// A kind in the setting of its paper.
    pub fn paper(kind: &'static str) -> Self {
        let mut subject = Self::kind(kind).named(format!("{kind}, paper"));
        if let Make::Kind { paper, .. } = &mut subject.make {
            *paper = true;
        }
        subject
    }

    /// The same with a setting.
    pub fn set(mut self, name: &'static str, value: impl ToString) -> Self {
        if let Make::Kind { settings, .. } = &mut self.make {
            settings.push((name, value.to_string()));
        }
        self
    }

    /// The same under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    fn baseline(name: &str, blind: bool, build: Build) -> Self {
        Subject {
            name: name.to_string(),
            make: Make::Baseline(build),
            blind,
            guards: None,
        }
    }

    /// The same, of which is known that it guards so many of the costliest negatives for each positive, and knows no more of
    /// costs.
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

    /// Its counting version, with 0.005 % of the negatives in its map, as in the SSCF paper.
    pub fn weighted_counting() -> Self {
        Self::baseline("weighted counting", false, |sets, bits| {
            Ok(Box::new(Weighted::<PackedArray>::with_share(
                sets, bits, 5e-5,
            )?))
        })
    }

    /// The Stacked filter of a fixed set. Costs do not matter to it: all negatives fit.
    pub fn stacked() -> Self {
        Self::baseline("stacked", true, |sets, bits| {
            Ok(Box::new(Stacked::<Bloom>::build(sets, bits)?))
        })
    }

    /// The Stacked filter that grows, with the costliest negatives, 5 % as many as there are positives, all layers with the
    /// same rate.
    pub fn stacked_counting() -> Self {
        Self::baseline("stacked counting", false, |sets, bits| {
            stack(sets, |keys, known| Stacked::growing(keys, known, bits))
        })
        .guarding(STACKED)
    }

    /// The same with the layers of the authors of the SSCF paper.
    pub fn stacked_counting_paper() -> Self {
        Self::baseline("stacked counting, paper", false, |sets, bits| {
            stack(sets, |keys, known| Stacked::as_published(keys, known, bits))
        })
        .guarding(STACKED)
    }

    /// The cascade.
    pub fn cascade() -> Self {
        Self::baseline("cascade", true, |sets, bits| {
            Ok(Box::new(Cascade::build(sets, bits)?))
        })
    }

    /// What to build a kind of bloomwise with, in so many bits.
    pub fn spec(&self, bits: u64) -> Result<Option<Spec>> {
        let Make::Kind {
            kind,
            paper,
            settings,
        } = &self.make
        else {
            return Ok(None);
        };
        let mut spec = Spec::new(kind)?.size(Size::Bits(bits));
        if *paper {
            spec = spec.preset("paper")?;
        }
        for (name, value) in settings {
            spec = spec.set(name, value)?;
        }
        Ok(Some(spec))
    }

    /// The filter of these sets in so many bits.
    pub fn build(&self, sets: &KeySets, bits: u64) -> Result<Box<dyn Member>> {
        match (&self.make, self.spec(bits)?) {
            (_, Some(spec)) => Ok(Box::new(spec.build(sets)?)),
            (Make::Baseline(build), None) => build(sets, bits),
            (Make::Kind { kind, .. }, None) => anyhow::bail!("{kind} cannot be built"),
        }
    }

    /// The same, and how many of the costliest negatives it deals with in one way, and the others in another, if that is all
    /// that it makes of costs.
    pub fn build_and_tell(
        &self,
        sets: &KeySets,
        bits: u64,
    ) -> Result<(Box<dyn Member>, Option<usize>)> {
        let guarded = |share: f64, of: usize| Some((share * of as f64).round() as usize);
        let Make::Kind { kind, paper, .. } = self.make else {
            let alike = match self.blind {
                true => Some(0),
                false => self
                    .guards
                    .and_then(|share| guarded(share, sets.positives().len())),
            };
            return Ok((self.build(sets, bits)?, alike));
        };
        let (filter, report) = self.build_and_report(sets, bits)?;
        let alike = match kind {
            _ if self.blind => Some(0),
            "seesaw" | "seesaw-adaptive" => Some(report.guarded as usize),
            "habf" | "habf-fast" if paper => guarded(ALIKE, sets.negatives().len()),
            _ => None,
        };
        let alike = alike.map(|count| count.min(sets.negatives().len()));
        Ok((Box::new(filter), alike))
    }

    /// The same of a kind of bloomwise, with what its making tells.
    pub fn build_and_report(&self, sets: &KeySets, bits: u64) -> Result<(AnyFilter, Report)> {
        match self.spec(bits)? {
            Some(spec) => Ok(spec.build_and_report(sets)?),
            None => anyhow::bail!("{} has no report", self.name),
        }
    }
}

/// A stacked filter of counting filters with all positives.
fn stack(
    sets: &KeySets,
    empty: impl FnOnce(u64, &[Digest]) -> Result<Stacked<Counting>>,
) -> Result<Box<dyn Member>> {
    let keys = sets.positives();
    let mut filter = empty(keys.len() as u64, &vulnerable(sets, STACKED))?;
    keys.iter().for_each(|&digest| filter.insert(digest));
    Ok(Box::new(filter))
}
