//! From a budget to parameters: how many negatives are guarded, how the bits are spent.
//!
//! The model of [`super::theory`] gives the rates of any setting, so the search simply tries: numbers of guarded keys on a
//! geometric scale, shares of the space for the modulator from none to a third, 2 to 8 functions in reserve, and numbers of
//! functions. An adaptive filter always has a modulator: keys are guarded there while others are in the set that came before and
//! never moved, and without a modulator a new mark under an empty counter opens the second round to a key for nothing (see
//! `ada`). What counts is the predicted rate by cost,
//!
//! ```text
//! u * unseen + (1 - u) * (covered * guarded + (1 - covered) * unseen)
//! ```
//!
//! where `u` is the share of the cost that comes from keys nobody has seen, `covered` the share of the known cost that the
//! guarded keys have, and `unseen` and `guarded` are the rates on either. The paper's equation 6 is this with `u = 0`. With
//! skewed costs that would make a filter that errs on a third of all strangers for the sake of a few keys.

use super::shape::{COUNT_BITS, INDEX_BITS, Shape};
use super::theory::{Load, State, paper};
use crate::error::{Error, Result};
use crate::filter::Value;
use crate::forecast::{Forecast, Workload};
use crate::sizing::{Layout, MAX_FUNCTIONS, Size};
use std::ops::RangeInclusive;

/// Words of a segment, where nothing else is asked for: 32 KiB.
const SEGMENT: u64 = 4096;

/// The most modulator cells that may stick, where the bits of their counts are not given.
const STUCK: f64 = 1e-4;

/// The shares of the space for the modulator that are tried.
const ALPHAS: [f64; 10] = [0.0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3];

/// Where the shares start that are tried for an adaptive filter: with 5 %, few cells are in use by chance.
const FOR_ADAPTIVE: usize = 4;

/// The share of the positives that is expected to be guarded where no negatives are known yet.
const EXPECTED: f64 = 0.05;

/// What is asked for; `None` is left to the search.
#[derive(Clone, Debug)]
pub(super) struct Wishes {
    pub functions: Option<u32>,
    pub alpha: Option<f64>,
    pub count_bits: Option<u32>,
    pub index_bits: Option<u32>,
    /// Guarded keys for each key of the capacity.
    pub guard: Option<f64>,
    pub unseen_share: f64,
    pub segments: Option<u64>,
    pub adaptive: bool,
}

/// What a filter will be, and the rates that are predicted once it holds its capacity and all its guarded keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// All bits.
    pub bits: u64,
    /// Counters of a key.
    pub functions: u32,
    /// Counters in all.
    pub counters: u64,
    /// Modulator cells in all; 0 if there is no modulator.
    pub cells: u64,
    /// The share of the space that the modulator has.
    pub alpha: f64,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// The logarithm of the number of functions in reserve.
    pub index_bits: u32,
    /// Segments, which are what threads can work on at a time.
    pub segments: u64,
    /// Known negatives that are guarded, the costliest.
    pub guarded: u64,
    /// The share of the known cost that they have.
    pub covered: f64,
    /// The predicted rate on them.
    pub guarded_fpr: f64,
    /// The predicted rate on all other keys outside of the set.
    pub unseen_fpr: f64,
    /// The predicted rate by cost on known negatives, guarded or not.
    pub weighted_fpr: f64,
}

impl Plan {
    /// The plan in the words that all families share.
    pub fn forecast(&self) -> Forecast {
        let whole = |number: u32| Value::Whole(u64::from(number));
        Forecast {
            bits: self.bits,
            parameters: vec![
                ("counters", Value::Whole(self.counters)),
                ("k", whole(self.functions)),
                ("segments", Value::Whole(self.segments)),
                ("modulator_cells", Value::Whole(self.cells)),
                ("guarded", Value::Whole(self.guarded)),
            ],
            unseen: self.unseen_fpr,
            known: self.weighted_fpr,
            lines: f64::from(self.functions) + if self.cells > 0 { 1.0 } else { 0.0 },
        }
    }
}

/// What a plan is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub size: Size,
    pub capacity: u64,
    pub workload: &'a Workload,
    pub wishes: &'a Wishes,
}

/// A setting that is tried.
#[derive(Clone, Copy)]
struct Setting {
    shape: Shape,
    guarded: f64,
    state: State,
    rate: f64,
}

impl Task<'_> {
    /// The best parameters.
    pub fn plan(&self) -> Result<(Plan, Shape)> {
        self.wishes.check()?;
        let keys = self.capacity.max(1) as f64;
        let fit = |size, functions| {
            let layout = Layout {
                cell_bits: 64,
                step: Shape::group_words(self.wishes.adaptive),
                // The search looks for the number of functions by itself.
                rate: |words, _, _| {
                    let found = self.search(words, 1.0);
                    found.map_or(1.0, |setting| setting.state.unseen_rate())
                },
            };
            layout.fit(size, self.capacity, functions)
        };
        // Given or not, the number of functions is checked there, and one is as good as any to find the words.
        let words = fit(self.size, Some(self.wishes.functions.unwrap_or(1)))?.cells;
        let unseen_share = match self.size {
            Size::Rate(_) => 1.0,
            _ => self.wishes.unseen_share,
        };
        let found = self.search(words, unseen_share);
        // Cannot be: one group of counters is always tried with the least modulator, which rounds to none, or was asked for.
        let found =
            found.ok_or_else(|| Error::parameter("alpha", "too large", "room for counters"))?;
        let (shape, state) = (found.shape, found.state);
        let guarded = (found.guarded * keys).round() as u64;
        let guarded = guarded.min(self.workload.negatives);
        let covered = self.covered(guarded as f64);
        let unseen_fpr = state.unseen_rate();
        let guarded_fpr = state.guarded_rate();
        let all = shape.counter_words() + shape.all_modulator_words();
        let plan = Plan {
            bits: 64 * all,
            functions: shape.functions,
            counters: shape.counters(),
            cells: shape.cells(),
            alpha: shape.all_modulator_words() as f64 / all as f64,
            count_bits: shape.count_bits,
            index_bits: shape.index_bits,
            segments: shape.segments,
            guarded,
            covered,
            guarded_fpr,
            unseen_fpr,
            weighted_fpr: paper::rate_by_cost(covered, guarded_fpr, unseen_fpr),
        };
        Ok((plan, shape))
    }

    /// The share of the known cost that so many of the costliest negatives have.
    fn covered(&self, guarded: f64) -> f64 {
        if self.workload.negatives == 0 {
            // Nothing is known: what will be guarded is what counts, if something will be.
            return f64::from(u8::from(self.wishes.adaptive));
        }
        let left = 1.0 - guarded / self.workload.negatives as f64;
        1.0 - self.workload.costs.of_cheapest(left.clamp(0.0, 1.0))
    }

    /// The numbers of guarded keys that are tried, for each key of the capacity.
    fn guards(&self) -> Vec<f64> {
        let all = match self.workload.negatives {
            // An adaptive filter gets its guarded keys later.
            0 if self.wishes.adaptive => self.wishes.guard.unwrap_or(EXPECTED),
            negatives => negatives as f64 / self.capacity.max(1) as f64,
        };
        match self.wishes.guard {
            Some(guard) => vec![guard.min(all)],
            None if self.workload.negatives == 0 => vec![all],
            None => {
                let halves = (0..12).map(|n| 0.5f64.powi(n)).filter(|&guard| guard < all);
                halves.chain([all.min(1.0)]).collect()
            }
        }
    }

    /// The setting with the lowest rate in so many words, if there is one with room for counters.
    fn search(&self, words: u64, unseen_share: f64) -> Option<Setting> {
        let wishes = self.wishes;
        let alphas: &[f64] = match &wishes.alpha {
            Some(alpha) => &[*alpha],
            None if wishes.adaptive => &ALPHAS[FOR_ADAPTIVE..],
            None => &ALPHAS,
        };
        let reserves = wishes.index_bits.map_or(1..=3, |bits| bits..=bits);
        let mut best: Option<Setting> = None;
        for guarded in self.guards() {
            // Where nothing is marked, nothing is modulated.
            let (alphas, reserves) = match guarded {
                0.0 => (&alphas[..1], *reserves.start()..=*reserves.start()),
                _ => (alphas, reserves.clone()),
            };
            for &alpha in alphas {
                for index_bits in reserves.clone() {
                    for functions in self.functions(words) {
                        let with = (functions, alpha, index_bits);
                        let Some(setting) = self.setting(words, guarded, with, unseen_share) else {
                            continue;
                        };
                        if best.is_none_or(|best| setting.rate < best.rate) {
                            best = Some(setting);
                        }
                    }
                }
            }
        }
        best
    }

    /// The numbers of functions that are tried: more than there are counters for a key never pays.
    fn functions(&self, words: u64) -> RangeInclusive<u32> {
        if let Some(functions) = self.wishes.functions {
            return functions..=functions;
        }
        let counters = words as f64 * 13.0 / self.capacity.max(1) as f64;
        1..=(counters.ceil() as u32).clamp(1, MAX_FUNCTIONS)
    }

    fn setting(
        &self,
        words: u64,
        guarded: f64,
        (functions, alpha, index_bits): (u32, f64, u32),
        unseen_share: f64,
    ) -> Option<Setting> {
        let wishes = self.wishes;
        let group = Shape::group_words(wishes.adaptive);
        let most = (words / group).max(1);
        let segments = wishes.segments.unwrap_or(words / SEGMENT).clamp(1, most);
        let in_segment = words / segments;
        let modulator_words = match (alpha * in_segment as f64).round() as u64 {
            // Asked for is asked for, where there is room for it.
            0 if alpha > 0.0 && wishes.alpha.is_some() => 1,
            words => words,
        };
        let groups = in_segment.saturating_sub(modulator_words) / group;
        let (groups, modulator_words) = match (groups, modulator_words) {
            (0, _) if wishes.alpha.is_some() => (in_segment / group, 0),
            (0, _) => return None,
            (groups, 0) => (groups, 0),
            // What is too little for a group goes to the modulator.
            (groups, _) => (groups, in_segment - groups * group),
        };
        let keys = self.capacity.max(1) as f64;
        let mut found = None;
        for count_bits in wishes.count_bits.map_or(2..=6, |bits| bits..=bits) {
            let shape = Shape {
                functions,
                segments,
                groups,
                modulator_words,
                count_bits,
                index_bits,
                adaptive: wishes.adaptive,
            };
            let load = Load {
                guarded,
                counters: shape.counters() as f64 / keys,
                cells: shape.cells() as f64 / keys,
                functions,
                index_bits,
            };
            found = Some((shape, load));
            if modulator_words == 0 || paper::stuck(load.scale(), count_bits) < STUCK {
                break;
            }
        }
        let (shape, load) = found?;
        let state = load.state();
        let unseen = state.unseen_rate();
        let covered = self.covered(guarded * keys);
        let known = paper::rate_by_cost(covered, state.guarded_rate(), unseen);
        Some(Setting {
            shape,
            guarded,
            state,
            rate: unseen_share * unseen + (1.0 - unseen_share) * known,
        })
    }
}

impl Wishes {
    fn check(&self) -> Result<()> {
        let range = |name, got: Option<u32>, valid: RangeInclusive<u32>| match got {
            Some(got) if !valid.contains(&got) => {
                let expected = format!("a number from {} to {}", valid.start(), valid.end());
                Err(Error::parameter(name, got, expected))
            }
            _ => Ok(()),
        };
        range("count-bits", self.count_bits, COUNT_BITS)?;
        range("index-bits", self.index_bits, INDEX_BITS)?;
        let share = |name, got: f64, most: f64| match (0.0..=most).contains(&got) {
            true => Ok(()),
            false => Err(Error::parameter(
                name,
                got,
                format!("a number from 0 to {most}"),
            )),
        };
        share("alpha", self.alpha.unwrap_or(0.0), super::MAX_ALPHA)?;
        share("guard", self.guard.unwrap_or(0.0), super::MAX_GUARD)?;
        share("unseen-share", self.unseen_share, 1.0)?;
        match self.segments {
            Some(0) => Err(Error::parameter("the number of segments", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}
