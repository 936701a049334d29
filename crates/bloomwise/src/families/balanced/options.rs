//! The options of a caller, the settings that name them, and the search points that they allow.

use super::filter::Balanced;
use super::scheme::Scheme;
use super::search_point::SearchPoint;
use super::tables::MAX_CHOICES;
use crate::error::{Error, Result};
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{BLOCK, FUNCTIONS, Setting, Values};

/// Reads per insertion that the search tries if the caller does not set them. Up to 32 bits per key, more reads lower the
/// rate by at most 4 %, and 1.4 reads or more raise it.
const TRIED_READS: [f64; 9] = [1.2, 1.16, 1.13, 1.1, 1.07, 1.05, 1.03, 1.02, 1.01];

/// The largest number of choices that the search tries if the caller does not set it.
const DEFAULT_MAX_CHOICES: u32 = 4;

/// The options of [`crate::Balanced`]. The search chooses what is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Where the candidate blocks of a key are.
    pub(super) scheme: Option<Scheme>,
    /// Bits of a block.
    pub(super) block_bits: u32,
    /// The number of hash functions.
    pub(super) functions: Option<u32>,
    /// The mean number of blocks that an insertion may read.
    pub(super) reads: Option<f64>,
    /// The number of candidate blocks of a key.
    pub(super) choices: Option<u32>,
    /// The largest share of keys that may be in the list.
    pub(super) overflow: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            scheme: None,
            block_bits: 512,
            functions: None,
            reads: None,
            choices: None,
            overflow: None,
        }
    }
}

impl Options {
    /// Checks that some filter can have these options, whatever its size.
    pub(super) fn check(&self) -> Result<()> {
        BLOCK.check_as("the size of a block (block)", "a number", self.block_bits)?;
        let several = !matches!(self.scheme, None | Some(Scheme::Single));
        if let Some(choices) = self.choices {
            let (low, high) = match self.scheme {
                Some(Scheme::Single) => (1, 1),
                _ => (if several { 2 } else { 1 }, MAX_CHOICES),
            };
            if !(low..=high).contains(&choices) {
                let expected = if low == high {
                    "1, because scheme single has one choice".to_string()
                } else {
                    format!("a number from {low} to {high}")
                };
                let name = "the number of choices (choices)";
                return Err(Error::parameter(name, choices, expected));
            }
        }
        if let Some(reads) = self.reads {
            self.check_reads(reads)?;
        }
        let overflow = self.overflow.unwrap_or(0.0);
        OVERFLOW.check_as("the overflow share (overflow)", "a share", overflow)
    }

    /// Checks the reads per insertion, which must be possible with the scheme and the choices.
    fn check_reads(&self, reads: f64) -> Result<()> {
        let name = "the number of blocks read per insertion (reads)";
        let (fine, expected) = match self.scheme {
            None => return READS.check_as(name, "a number", reads),
            Some(Scheme::Single) => (
                reads == 1.0,
                "1, because scheme single has one choice".to_string(),
            ),
            Some(_) => {
                let most = f64::from(self.choices.unwrap_or(MAX_CHOICES));
                let expected = format!("a number more than 1 and less than the choices, {most}");
                (reads > 1.0 && reads < most, expected)
            }
        };
        match fine {
            true => Ok(()),
            false => Err(Error::parameter(name, reads, expected)),
        }
    }

    /// The points to search. If `scheme` is set, `reads` and `choices` are used as given; otherwise they are upper limits.
    pub(super) fn search_points(&self) -> Vec<SearchPoint> {
        let mut search_points = Vec::new();
        if matches!(self.scheme, None | Some(Scheme::Single)) {
            // From one key in sixteen down to a share below one key in any filter.
            search_points.extend((4..40).map(|halvings| SearchPoint {
                scheme: Scheme::Single,
                choices: 1,
                reads: 1.0,
                single_overflow: 0.5f64.powi(halvings),
            }));
        }
        // SEQUENTIAL reads as much as MHT and needs a longer list, so the search tries it only if the caller sets it.
        let scheme = self.scheme.unwrap_or(Scheme::Mht);
        if scheme == Scheme::Single {
            return search_points;
        }
        // There must be more choices than reads.
        let needed = self.reads.map_or(0, |reads| reads as u32 + 2);
        let default = DEFAULT_MAX_CHOICES.max(needed).min(MAX_CHOICES);
        let most = self.choices.unwrap_or(default);
        let least = if self.scheme.is_some() {
            self.choices
        } else {
            None
        };
        for choices in least.unwrap_or(2)..=most {
            // A point of SEQUENTIAL takes about ten times as long to compute.
            let every = if scheme == Scheme::Mht { 1 } else { 4 };
            let tried = TRIED_READS
                .into_iter()
                .step_by(every)
                .filter(|tried| match self.reads {
                    Some(limit) => self.scheme.is_none() && *tried < limit,
                    None => true,
                });
            let fitting = tried
                .chain(self.reads)
                .filter(|reads| *reads > 1.0 && *reads < f64::from(choices));
            search_points.extend(fitting.map(|reads| SearchPoint {
                scheme,
                choices,
                reads,
                single_overflow: 0.0,
            }));
        }
        search_points
    }
}

/// Only size and capacity are required; the plan chooses the rest. If the scheme is set, the plan uses `reads` and `choices`
/// exactly as given. Otherwise they are upper limits, and the plan has the lowest rate within them. `overflow` is always an
/// upper limit.
impl Builder<Balanced> {
    /// Where the candidate blocks of a key are; by default the scheme with the lowest rate.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.options.scheme = Some(scheme);
        self
    }

    /// The bits of a block: 512, a whole cache line, or 256; by default 512.
    pub fn block_bits(mut self, bits: u32) -> Self {
        self.options.block_bits = bits;
        self
    }

    /// The number of hash functions, 1 to 32; by default the number with the lowest rate.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The mean number of blocks that insertions may read, 1 to 8, up to the capacity; `a` in the paper.
    pub fn reads(mut self, reads: f64) -> Self {
        self.options.reads = Some(reads);
        self
    }

    /// The number of candidate blocks of a key, 1 to 8; `d` in the paper. No operation reads more blocks than that.
    ///
    /// A small filter may have fewer choices: at most one per block, and only one if the list does not fit in addition to a single
    /// line.
    pub fn choices(mut self, choices: u32) -> Self {
        self.options.choices = Some(choices);
        self
    }

    /// The largest share of keys that may be in the list, 0 to 0.5; `gamma` in the paper. The size includes the list.
    pub fn overflow(mut self, share: f64) -> Self {
        self.options.overflow = Some(share);
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<Balanced>] = &[
    Knob::whole(FUNCTIONS, Builder::<Balanced>::functions),
    Knob::whole(BLOCK, Builder::<Balanced>::block_bits),
    Knob::word(SCHEME, |builder, name| match Scheme::from_name(name) {
        Some(scheme) => builder.scheme(scheme),
        None => builder,
    }),
    Knob::real(READS, Builder::<Balanced>::reads),
    Knob::whole(CHOICES, Builder::<Balanced>::choices),
    Knob::real(OVERFLOW, Builder::<Balanced>::overflow),
];

const SCHEME: Setting = Setting {
    name: "scheme",
    about: "where the candidate blocks of a key are",
    values: Values::Word(&["single", "sequential", "mht"]),
    default: "the one with the lowest rate",
};

const READS: Setting = Setting {
    name: "reads",
    about: "mean number of blocks that an insertion reads (a limit; exact if a scheme is set)",
    values: Values::Real(1.0, MAX_CHOICES as f64),
    default: "the best up to 1.2",
};

const CHOICES: Setting = Setting {
    name: "choices",
    about: "number of blocks that a key can choose from (a limit; exact if a scheme is set)",
    values: Values::Whole(1, MAX_CHOICES),
    default: "the best up to 4",
};

const OVERFLOW: Setting = Setting {
    name: "overflow",
    about: "largest share of keys in the overflow list, 128 bits each",
    values: Values::Real(0.0, 0.5),
    default: "the best",
};
