//! What the caller has asked for, and the points of the search that this leaves.

use super::scheme::Scheme;
use super::setup::Setup;
use super::tables::MAX_CHOICES;
use crate::error::{Error, Result};

/// Reads for a key that are tried where they are not given. With more the rate falls by 4 % at most, up to 32 bits per
/// key, and from 1.4 on it rises.
const READS: [f64; 9] = [1.2, 1.16, 1.13, 1.1, 1.07, 1.05, 1.03, 1.02, 1.01];

/// The most choices that are tried where they are not given.
const USUAL_CHOICES: u32 = 4;

/// What the caller has asked for; what is not given is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wishes {
    /// How the blocks are shared among the choices of a key.
    pub(super) scheme: Option<Scheme>,
    /// Bits of a block; always given.
    pub(super) block_bits: u32,
    /// Positions of a key in its block.
    pub(super) functions: Option<u32>,
    /// Blocks read for an insertion, on average.
    pub(super) reads: Option<f64>,
    /// Blocks that a key can choose from.
    pub(super) choices: Option<u32>,
    /// The largest share of keys in the list.
    pub(super) overflow: Option<f64>,
}

impl Wishes {
    /// An error if no filter can be like this, whatever its size.
    pub(super) fn check(&self) -> Result<()> {
        if !matches!(self.block_bits, 256 | 512) {
            let name = "the bits of a block (block)";
            return Err(Error::parameter(name, self.block_bits, "256 or 512"));
        }
        let several = !matches!(self.scheme, None | Some(Scheme::Single));
        if let Some(choices) = self.choices {
            let (low, high) = match self.scheme {
                Some(Scheme::Single) => (1, 1),
                _ => (if several { 2 } else { 1 }, MAX_CHOICES),
            };
            if !(low..=high).contains(&choices) {
                let expected = match low == high {
                    true => "1, since scheme single has one choice".to_string(),
                    false => format!("a number from {low} to {high}"),
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
                    "1, since scheme single has one choice".to_string(),
                ),
                Some(_) => (
                    reads > 1.0 && reads < most,
                    format!("more than 1 and less than the choices, {most}"),
                ),
            };
            if !fine {
                let name = "the blocks read for an insertion (reads)";
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

    /// The points to try. With a scheme that is named, numbers are taken as they are given; without, they are limits.
    pub(super) fn setups(&self) -> Vec<Setup> {
        let mut setups = Vec::new();
        if matches!(self.scheme, None | Some(Scheme::Single)) {
            // From one key in sixteen down to none in any filter.
            setups.extend((4..40).map(|halvings| Setup {
                scheme: Scheme::Single,
                choices: 1,
                reads: 1.0,
                single_overflow: 0.5f64.powi(halvings),
            }));
        }
        // SEQUENTIAL reads as much as MHT and needs a longer list, so that it is there for those who name it.
        let scheme = self.scheme.unwrap_or(Scheme::Mht);
        if scheme == Scheme::Single {
            return setups;
        }
        // Reads need more choices than they are.
        let needed = self.reads.map_or(0, |reads| reads as u32 + 2);
        let usual = USUAL_CHOICES.max(needed).min(MAX_CHOICES);
        let most = self.choices.unwrap_or(usual);
        let least = if self.scheme.is_some() {
            self.choices
        } else {
            None
        };
        for choices in least.unwrap_or(2)..=most {
            // Each point of SEQUENTIAL takes some ten times as long to work out.
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
            setups.extend(fitting.map(|reads| Setup {
                scheme,
                choices,
                reads,
                single_overflow: 0.0,
            }));
        }
        setups
    }
}
