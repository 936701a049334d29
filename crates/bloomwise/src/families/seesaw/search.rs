//! The search for the best plan: how many negatives to guard, and how to spend the bits.
//!
//! The model in [`super::theory`] predicts the rates of any candidate, so the search tries candidates: numbers of guarded keys on a
//! geometric scale, shares of the space for the modulator from 0 to 0.3, 2 to 8 backup functions, and numbers of functions. For an
//! adaptive filter the search tries only shares with a modulator: keys may be guarded after others were inserted. Without a modulator, a
//! new mark on an empty counter would open the second round to non-members (see `pending`). The search minimises the predicted cost,
//!
//! ```text
//! u * unseen + (1 - u) * (covered * guarded + (1 - covered) * unseen)
//! ```
//!
//! where `u` is the share of the cost that comes from unseen keys, `covered` is the share of the known cost that the guarded keys
//! have, and `unseen` and `guarded` are the rates on unseen and on guarded keys. The paper's equation 6 is the case `u = 0`. With
//! skewed costs that case gives a filter with a false positive rate of a third on unseen keys, for the sake of a few guarded ones.

use super::options::Options;
use super::plan::Plan;
use super::shape::Shape;
use super::theory::{Setup, State, paper};
use crate::error::{Error, Result};
use crate::filter::forecast::Workload;
use crate::filter::sizing::{Layout, MAX_FUNCTIONS, Size};
use std::ops::RangeInclusive;

/// Words of a segment by default: 32 KiB.
const SEGMENT_WORDS: u64 = 4096;

/// The maximum share of modulator cells that may stick, if the caller does not set the bits of their counts.
const MAX_STUCK: f64 = 1e-4;

/// The shares of the space for the modulator that the search tries.
const ALPHAS: [f64; 10] = [0.0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3];

/// The first entry of [`ALPHAS`] that the search tries for an adaptive filter: with 5 %, few cells are in use by chance.
const ADAPTIVE_ALPHAS: usize = 4;

/// Guarded keys per key of the capacity that an adaptive filter expects if no negatives are known yet.
const EXPECTED_GUARD: f64 = 0.05;

/// The search for the best plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanSearch<'a> {
    /// The size that the caller asks for.
    pub size: Size,
    /// The number of keys that the filter is planned for, and the known negatives and their costs.
    pub workload: &'a Workload,
    /// All other options.
    pub options: &'a Options,
}

/// A shape that the search tries.
#[derive(Clone, Copy)]
struct Candidate {
    /// Where the cells are.
    shape: Shape,
    /// Guarded keys per key of the capacity.
    guarded: f64,
    /// The predicted fill at capacity.
    state: State,
    /// The predicted cost, which the search minimises.
    cost: f64,
}

impl PlanSearch<'_> {
    /// The plan with the lowest predicted cost, and its shape.
    pub fn plan(&self) -> Result<(Plan, Shape)> {
        self.options.check()?;
        let keys = self.workload.keys.max(1) as f64;
        let fit = |size, functions| {
            let layout = Layout {
                cell_bits: 64,
                step: Shape::group_words(self.options.adaptive),
                // The search chooses the number of functions itself.
                rate: |words, _, _| {
                    let best = self.best(words, 1.0);
                    best.map_or(1.0, |candidate| candidate.state.unseen_rate())
                },
            };
            layout.fit(size, self.workload.keys, functions)
        };
        // `fit` checks the number of functions. If it is not set, any number finds the same words.
        let words = fit(self.size, Some(self.options.functions.unwrap_or(1)))?.cells;
        let unseen_share = match self.size {
            Size::Rate(_) => 1.0,
            _ => self.options.unseen_share,
        };
        let best = self.best(words, unseen_share);
        // Cannot fail: the search always tries one group of counters with the smallest modulator. That modulator rounds to none,
        // or the caller asked for it.
        let best = best.ok_or_else(|| {
            let expected = "a share that leaves space for counters";
            Error::parameter("alpha", "too large", expected)
        })?;
        let (shape, state) = (best.shape, best.state);
        let guarded = (best.guarded * keys).round() as u64;
        let guarded = guarded.min(self.workload.negatives);
        let covered = self.covered(guarded as f64);
        let unseen_fpr = state.unseen_rate();
        let guarded_fpr = state.guarded_rate();
        let plan = Plan {
            bits: shape.bits(),
            functions: shape.functions,
            counters: shape.counters(),
            cells: shape.cells(),
            alpha: (64 * shape.all_modulator_words()) as f64 / shape.bits() as f64,
            count_bits: shape.count_bits,
            index_bits: shape.index_bits,
            segments: shape.segments,
            guarded,
            covered,
            guarded_fpr,
            unseen_fpr,
            weighted_fpr: paper::weighted_rate(covered, guarded_fpr, unseen_fpr),
        };
        Ok((plan, shape))
    }

    /// The share of the known cost that the `guarded` costliest negatives have.
    fn covered(&self, guarded: f64) -> f64 {
        if self.workload.negatives == 0 {
            // An adaptive filter without known negatives is planned for the keys that will be guarded.
            return f64::from(u8::from(self.options.adaptive));
        }
        let left = 1.0 - guarded / self.workload.negatives as f64;
        1.0 - self.workload.costs.of_cheapest(left.clamp(0.0, 1.0))
    }

    /// The numbers of guarded keys that the search tries, per key of the capacity.
    fn guards(&self) -> Vec<f64> {
        let all = match self.workload.negatives {
            // The caller of an adaptive filter guards keys later.
            0 if self.options.adaptive => self.options.guard.unwrap_or(EXPECTED_GUARD),
            _ => self.workload.negatives_per_key(),
        };
        match self.options.guard {
            Some(guard) => vec![guard.min(all)],
            None if self.workload.negatives == 0 => vec![all],
            None => {
                let halves = (0..12).map(|n| 0.5f64.powi(n)).filter(|&guard| guard < all);
                halves.chain([all.min(1.0)]).collect()
            }
        }
    }

    /// The candidate with the lowest cost in `words` words. `None` if no candidate has space for counters.
    fn best(&self, words: u64, unseen_share: f64) -> Option<Candidate> {
        let options = self.options;
        let alphas: &[f64] = match &options.alpha {
            Some(alpha) => &[*alpha],
            None if options.adaptive => &ALPHAS[ADAPTIVE_ALPHAS..],
            None => &ALPHAS,
        };
        let index_widths = options.index_bits.map_or(1..=3, |bits| bits..=bits);
        let mut best: Option<Candidate> = None;
        for guarded in self.guards() {
            // Without marks no key needs a backup function, so one modulator size and one index width are enough.
            let (alphas, index_widths) = match guarded {
                0.0 => (&alphas[..1], *index_widths.start()..=*index_widths.start()),
                _ => (alphas, index_widths.clone()),
            };
            for &alpha in alphas {
                for index_bits in index_widths.clone() {
                    for functions in self.functions(words) {
                        let with = (functions, alpha, index_bits);
                        let candidate = self.candidate(words, guarded, with, unseen_share);
                        let Some(candidate) = candidate else {
                            continue;
                        };
                        if best.is_none_or(|best| candidate.cost < best.cost) {
                            best = Some(candidate);
                        }
                    }
                }
            }
        }
        best
    }

    /// The numbers of functions that the search tries. More functions than counters per key never lower the cost.
    fn functions(&self, words: u64) -> RangeInclusive<u32> {
        if let Some(functions) = self.options.functions {
            return functions..=functions;
        }
        // A word has 64 / 5 = 12.8 counters at most.
        let counters = words as f64 * 13.0 / self.workload.keys.max(1) as f64;
        1..=(counters.ceil() as u32).clamp(1, MAX_FUNCTIONS)
    }

    /// The candidate with these parameters in `words` words. `None` if it has no space for counters.
    fn candidate(
        &self,
        words: u64,
        guarded: f64,
        (functions, alpha, index_bits): (u32, f64, u32),
        unseen_share: f64,
    ) -> Option<Candidate> {
        let options = self.options;
        let group = Shape::group_words(options.adaptive);
        let most = (words / group).max(1);
        let segments = options
            .segments
            .unwrap_or(words / SEGMENT_WORDS)
            .clamp(1, most);
        let in_segment = words / segments;
        let modulator_words = match (alpha * in_segment as f64).round() as u64 {
            // A modulator that the caller asked for has at least one word, if there is space.
            0 if alpha > 0.0 && options.alpha.is_some() => 1,
            words => words,
        };
        let groups = in_segment.saturating_sub(modulator_words) / group;
        let (groups, modulator_words) = match (groups, modulator_words) {
            (0, _) if options.alpha.is_some() => (in_segment / group, 0),
            (0, _) => return None,
            (groups, 0) => (groups, 0),
            // Words that do not fill a group go to the modulator.
            (groups, _) => (groups, in_segment - groups * group),
        };
        let keys = self.workload.keys.max(1) as f64;
        let mut found = None;
        for count_bits in options.count_bits.map_or(2..=6, |bits| bits..=bits) {
            let shape = Shape {
                functions,
                segments,
                groups,
                modulator_words,
                count_bits,
                index_bits,
                adaptive: options.adaptive,
            };
            let setup = Setup {
                guarded,
                counters: shape.counters() as f64 / keys,
                cells: shape.cells() as f64 / keys,
                functions,
                index_bits,
            };
            found = Some((shape, setup));
            if modulator_words == 0 || paper::stuck(setup.scale(), count_bits) < MAX_STUCK {
                break;
            }
        }
        let (shape, setup) = found?;
        let state = setup.state();
        let unseen = state.unseen_rate();
        let covered = self.covered(guarded * keys);
        let known = paper::weighted_rate(covered, state.guarded_rate(), unseen);
        Some(Candidate {
            shape,
            guarded,
            state,
            cost: unseen_share * unseen + (1.0 - unseen_share) * known,
        })
    }
}
