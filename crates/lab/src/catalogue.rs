//! All experiments by name.

use crate::experiment::{
    balanced, guarded, habf, ibf, known, limit, personalized, races, real, scale, seesaw, slots,
    sscf,
};
use crate::options::Options;
use crate::output::Outcome;

use anyhow::Result;

/// Does an experiment.
pub type Run = fn(&Options) -> Result<Outcome>;

/// What to type, what it shows in a line, and what does it.
pub const EXPERIMENTS: [(&str, &str, Run); 33] = [
    (
        "habf-fig8",
        "HABF: the bound of equation 19 and the rate that it bounds",
        habf::figure_8,
    ),
    (
        "habf-fig9",
        "HABF: ratio, functions and size of a cell",
        habf::figure_9,
    ),
    (
        "habf-fig10",
        "HABF: rate over space, equal costs",
        habf::figure_10,
    ),
    (
        "habf-fig11",
        "HABF: rate over space, Zipf costs",
        habf::figure_11,
    ),
    (
        "habf-fig12",
        "HABF: time to build and to ask",
        habf::figure_12,
    ),
    (
        "habf-fig13",
        "HABF: rate over the skew of the costs",
        habf::figure_13,
    ),
    (
        "habf-fig14",
        "HABF: a Bloom filter with other hash functions",
        habf::figure_14,
    ),
    ("habf-fig15", "HABF: memory of building", habf::figure_15),
    (
        "sscf-fig10",
        "SSCF: parameters of a seesaw filter",
        sscf::figure_10,
    ),
    (
        "sscf-fig11",
        "SSCF: rate over the skew of the costs",
        sscf::figure_11,
    ),
    (
        "sscf-fig12",
        "SSCF: rate over the number of guarded negatives",
        sscf::figure_12,
    ),
    (
        "sscf-fig13",
        "SSCF: rate over space and skew, URL-like keys",
        sscf::figure_13,
    ),
    (
        "sscf-fig14",
        "SSCF: rate over space and skew, YCSB keys",
        sscf::figure_14,
    ),
    (
        "sscf-fig15",
        "SSCF: rate over space and skew, flow keys",
        sscf::figure_15,
    ),
    (
        "sscf-fig16",
        "SSCF: time to insert, to ask and to remove",
        sscf::figure_16,
    ),
    (
        "sscf-fig17",
        "SSCF: an adaptive filter while keys come and go",
        sscf::figure_17,
    ),
    (
        "balanced-fig2",
        "Balanced: the loads that bound the cost",
        balanced::figure_2,
    ),
    (
        "balanced-fig3",
        "Balanced: the least overflow",
        balanced::figure_3,
    ),
    (
        "balanced-fig4",
        "Balanced: rates by the model, and measured",
        balanced::figure_4,
    ),
    (
        "ibf-fig6",
        "Item-personalized: rate over functions, 1 to 6 slots per key",
        ibf::figure_6,
    ),
    (
        "ibf-fig7",
        "Item-personalized: rate over functions, 7 to 10 slots per key",
        ibf::figure_7,
    ),
    (
        "ibf-winners",
        "Item-personalized: who has fewer false positives, and how often",
        ibf::winners,
    ),
    ("peers", "speed against other crates", races::peers),
    (
        "batches",
        "what batches gain over single queries",
        races::batches,
    ),
    (
        "balanced",
        "balanced filters: rates and reads against the model, times",
        balanced::run,
    ),
    (
        "personalized",
        "personalized filters: variants, times",
        personalized::run,
    ),
    (
        "known",
        "filters with known negatives: rates, building, asking",
        known::run,
    ),
    (
        "guarded",
        "guarded filters: rates beside the limit, speed",
        guarded::run,
    ),
    (
        "seesaw",
        "seesaw filters: rates, times, threads, keys that come and go",
        seesaw::run,
    ),
    (
        "guarded-slots",
        "guarded filters: how full an array can be",
        slots::run,
    ),
    (
        "limit",
        "distance of filters to the information limit",
        limit::run,
    ),
    (
        "scale",
        "1 M to 100 M keys: time, memory, queries",
        scale::run,
    ),
    (
        "data",
        "all kinds on real keys with their own costs (--data)",
        real::run,
    ),
];

/// The experiment of this name.
pub fn find(name: &str) -> Option<Run> {
    let found = EXPERIMENTS.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, _, run)| *run)
}
