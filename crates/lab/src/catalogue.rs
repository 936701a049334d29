//! All experiments by name.
//!
//! Most make their keys from a counter. Those of the papers that have URL-like keys can be run on files instead, and say so here.

use crate::experiment::{
    balanced, guarded, habf, ibf, known, limit, personalized, races, real, scale, seesaw, slots,
    sscf,
};
use crate::options::Options;
use crate::output::Outcome;
use anyhow::Result;

/// Does an experiment.
pub type Run = fn(&Options) -> Result<Outcome>;

/// An experiment of the lab.
pub struct Experiment {
    /// What to type.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// Whether files that `--data` names take the place of its URL-like keys.
    pub files: bool,
    /// What does it.
    pub run: Run,
}

/// One that makes all its keys.
const fn made(name: &'static str, about: &'static str, run: Run) -> Experiment {
    Experiment {
        name,
        about,
        files: false,
        run,
    }
}

/// One that takes files.
const fn filed(name: &'static str, about: &'static str, run: Run) -> Experiment {
    Experiment {
        files: true,
        ..made(name, about, run)
    }
}

/// All of them, in the order of the document.
pub const EXPERIMENTS: [Experiment; 33] = [
    made(
        "habf-fig8",
        "HABF: the bound of equation 19 and the rate that it bounds",
        habf::figure_8,
    ),
    filed(
        "habf-fig9",
        "HABF: ratio, functions and size of a cell",
        habf::figure_9,
    ),
    filed(
        "habf-fig10",
        "HABF: rate over space, equal costs",
        habf::figure_10,
    ),
    filed(
        "habf-fig11",
        "HABF: rate over space, Zipf costs",
        habf::figure_11,
    ),
    made(
        "habf-fig12",
        "HABF: time to build and to ask",
        habf::figure_12,
    ),
    filed(
        "habf-fig13",
        "HABF: rate over the skew of the costs",
        habf::figure_13,
    ),
    made(
        "habf-fig14",
        "HABF: a Bloom filter with other hash functions",
        habf::figure_14,
    ),
    made("habf-fig15", "HABF: memory of building", habf::figure_15),
    filed(
        "sscf-fig10",
        "SSCF: parameters of a seesaw filter",
        sscf::figure_10,
    ),
    filed(
        "sscf-fig11",
        "SSCF: rate over the skew of the costs",
        sscf::figure_11,
    ),
    filed(
        "sscf-fig12",
        "SSCF: rate over the number of guarded negatives",
        sscf::figure_12,
    ),
    filed(
        "sscf-fig13",
        "SSCF: rate over space and skew, URL-like keys",
        sscf::figure_13,
    ),
    made(
        "sscf-fig14",
        "SSCF: rate over space and skew, YCSB keys",
        sscf::figure_14,
    ),
    made(
        "sscf-fig15",
        "SSCF: rate over space and skew, flow keys",
        sscf::figure_15,
    ),
    made(
        "sscf-fig16",
        "SSCF: time to insert, to ask and to remove",
        sscf::figure_16,
    ),
    made(
        "sscf-fig17",
        "SSCF: an adaptive filter while keys come and go",
        sscf::figure_17,
    ),
    made(
        "balanced-fig2",
        "Balanced: the loads that bound the cost",
        balanced::figure_2,
    ),
    made(
        "balanced-fig3",
        "Balanced: the least overflow",
        balanced::figure_3,
    ),
    made(
        "balanced-fig4",
        "Balanced: rates by the model, and measured",
        balanced::figure_4,
    ),
    made(
        "ibf-fig6",
        "Item-personalized: rate over functions, 1 to 6 slots per key",
        ibf::figure_6,
    ),
    made(
        "ibf-fig7",
        "Item-personalized: rate over functions, 7 to 10 slots per key",
        ibf::figure_7,
    ),
    made(
        "ibf-winners",
        "Item-personalized: who has fewer false positives, and how often",
        ibf::winners,
    ),
    made("peers", "speed against other crates", races::peers),
    made(
        "batches",
        "what batches gain over single queries",
        races::batches,
    ),
    made(
        "balanced",
        "balanced filters: rates and reads against the model, times",
        balanced::run,
    ),
    made(
        "personalized",
        "personalized filters: variants, times",
        personalized::run,
    ),
    made(
        "known",
        "filters with known negatives: rates, building, asking",
        known::run,
    ),
    made(
        "guarded",
        "guarded filters: rates beside the limit, speed",
        guarded::run,
    ),
    made(
        "seesaw",
        "seesaw filters: rates, times, threads, keys that come and go",
        seesaw::run,
    ),
    made(
        "guarded-slots",
        "guarded filters: how full an array can be",
        slots::run,
    ),
    made(
        "limit",
        "distance of filters to the information limit",
        limit::run,
    ),
    made(
        "scale",
        "1 M to 100 M keys: time, memory, queries",
        scale::run,
    ),
    filed(
        "data",
        "all kinds on real keys with their own costs (--data)",
        real::run,
    ),
];

/// The experiment of this name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
