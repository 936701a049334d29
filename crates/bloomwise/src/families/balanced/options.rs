//! The options of a caller, and the search points that they allow.

use super::scheme::Scheme;
use super::search_point::SearchPoint;
use super::tables::MAX_CHOICES;
use crate::error::{Error, Result};

/// Reads per insertion that the search tries if the caller does not set them. Up to 32 bits per key, more reads lower the
/// rate by at most 4 %, and 1.4 reads or more raise it.
const READS: [f64; 9] = [1.2, 1.16, 1.13, 1.1, 1.07, 1.05, 1.03, 1.02, 1.01];

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
        if !matches!(self.block_bits, 256 | 512) {
            let name = "the size of a block (block)";
            return Err(Error::parameter(name, self.block_bits, "256 or 512"));
        }
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
            let most = f64::from(self.choices.unwrap_or(MAX_CHOICES));
            let (fine, expected) = match self.scheme {
                None => (
                    (1.0..=f64::from(MAX_CHOICES)).contains(&reads),
                    format!("a number from 1 to {MAX_CHOICES}"),
                ),
                Some(Scheme::Single) => (
                    reads == 1.0,
                    "1, because scheme single has one choice".to_string(),
                ),
                Some(_) => (
                    reads > 1.0 && reads < most,
                    format!("a number more than 1 and less than the choices, {most}"),
                ),
            };
            if !fine {
                let name = "the number of blocks read per insertion (reads)";
                return Err(Error::parameter(name, reads, expected));
            }
        }
        match self.overflow {
            Some(share) if !(0.0..=0.5).contains(&share) => {
                let name = "the overflow share (overflow)";
                Err(Error::parameter(name, share, "a share from 0 to 0.5"))
            }
            _ => Ok(()),
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
            let tried = READS
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
