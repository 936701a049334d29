//! All experiments, by name.
//!
//! Most experiments generate their keys from a counter. Those on URL-like keys can read files instead (`--data`); the
//! list marks them.

use crate::experiment::{
    balanced, cuckoo, exact, growing, guarded, habf, ibf, known, learn, learned, limit, patches,
    personalized, races, real, scale, seesaw, shards, sscf, threads, thresholds,
};
use crate::options::Options;
use crate::output::Outcome;
use anyhow::Result;

/// Runs an experiment.
pub type Run = fn(&Options) -> Result<Outcome>;

/// An experiment of the lab.
pub struct Experiment {
    /// The name on the command line.
    pub name: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    /// Whether `--data` replaces its URL-like keys by files.
    pub accepts_data: bool,
    /// The function that runs it.
    pub run: Run,
}

/// An experiment that generates all its keys.
const fn generated(name: &'static str, about: &'static str, run: Run) -> Experiment {
    Experiment {
        name,
        about,
        accepts_data: false,
        run,
    }
}

/// An experiment that can read its keys from files.
const fn with_data(name: &'static str, about: &'static str, run: Run) -> Experiment {
    Experiment {
        accepts_data: true,
        ..generated(name, about, run)
    }
}

/// All experiments: those of `docs/reproduction.md`, then those of `docs/measurements.md`.
pub const EXPERIMENTS: [Experiment; 44] = [
    generated(
        "habf-fig8",
        "HABF: the bound of equation 19, and the measured rate",
        habf::figure_8,
    ),
    with_data(
        "habf-fig9",
        "HABF: cell ratio, number of functions, cell size",
        habf::figure_9,
    ),
    with_data(
        "habf-fig10",
        "HABF: rate over space, equal costs",
        habf::figure_10,
    ),
    with_data(
        "habf-fig11",
        "HABF: rate over space, Zipf costs",
        habf::figure_11,
    ),
    with_data(
        "habf-rules",
        "HABF: the authors' program, the paper's text and this library's filters",
        habf::rules,
    ),
    generated("habf-fig12", "HABF: build and query times", habf::figure_12),
    with_data(
        "habf-fig13",
        "HABF: rate over the skew of the costs",
        habf::figure_13,
    ),
    with_data(
        "learned",
        "learned filters against bloom, habf and guarded (--data)",
        learned::run,
    ),
    generated(
        "habf-fig14",
        "HABF: a Bloom filter with different hash functions",
        habf::figure_14,
    ),
    generated(
        "habf-fig15",
        "HABF: memory used by the build",
        habf::figure_15,
    ),
    with_data(
        "sscf-fig10",
        "SSCF: parameters of a seesaw filter",
        sscf::figure_10,
    ),
    with_data(
        "sscf-fig11",
        "SSCF: rate over the skew of the costs",
        sscf::figure_11,
    ),
    with_data(
        "sscf-fig12",
        "SSCF: rate over the number of guarded negatives",
        sscf::figure_12,
    ),
    with_data(
        "sscf-fig13",
        "SSCF: rate over space and skew, URL-like keys",
        sscf::figure_13,
    ),
    generated(
        "sscf-fig14",
        "SSCF: rate over space and skew, YCSB keys",
        sscf::figure_14,
    ),
    generated(
        "sscf-fig15",
        "SSCF: rate over space and skew, flow keys",
        sscf::figure_15,
    ),
    generated(
        "sscf-fig16",
        "SSCF: insert, query and remove times",
        sscf::figure_16,
    ),
    generated(
        "sscf-fig17",
        "SSCF: an adaptive filter under insertions and removals",
        sscf::figure_17,
    ),
    generated(
        "sscf-deletion",
        "SSCF: deletion and late guards to the letter, and ours",
        sscf::deletion,
    ),
    generated(
        "balanced-fig2",
        "Balanced: the loads that bound the cost",
        balanced::figure_2,
    ),
    generated(
        "balanced-fig3",
        "Balanced: the least overflow",
        balanced::figure_3,
    ),
    generated(
        "balanced-fig4",
        "Balanced: modelled and measured rates",
        balanced::figure_4,
    ),
    generated(
        "ibf-fig6",
        "Item-personalized: rate over functions, 1 to 6 slots per key",
        ibf::figure_6,
    ),
    generated(
        "ibf-fig7",
        "Item-personalized: rate over functions, 7 to 10 slots per key",
        ibf::figure_7,
    ),
    generated(
        "ibf-winners",
        "Item-personalized: wins and losses against a Bloom filter",
        ibf::winners,
    ),
    generated(
        "ibf-walks",
        "Item-personalized: the paper's own walk, ours, and a Bloom filter",
        ibf::walks,
    ),
    generated("peers", "speed against other crates", races::peers),
    generated(
        "batches",
        "batch queries against single queries",
        races::batches,
    ),
    generated(
        "threads",
        "insertions of two threads into one filter",
        threads::run,
    ),
    generated(
        "cuckoo",
        "cuckoo filters with exceptions: rates, churn, speed, threads",
        cuckoo::run,
    ),
    generated(
        "growing",
        "growing filters at 1, 10 and 100 times their first capacity",
        growing::run,
    ),
    generated(
        "shards",
        "filters made of shards, and mapped files",
        shards::run,
    ),
    generated(
        "patches",
        "patches: size and rate by what changed, when a fresh filter is the better download",
        patches::run,
    ),
    with_data(
        "learn",
        "the costliest keys of a stream: accuracy, memory and speed",
        learn::run,
    ),
    generated(
        "balanced",
        "balanced filters: rates and block reads against the model, times",
        balanced::run,
    ),
    generated(
        "personalized",
        "personalized filters: variants and times",
        personalized::run,
    ),
    generated(
        "known",
        "filters with known negatives: rates, build and query times",
        known::run,
    ),
    generated(
        "guarded",
        "guarded filters: rates against the limit, speed",
        guarded::run,
    ),
    generated(
        "exact",
        "filters that are exact on known negatives: bytes, unseen rate, speed",
        exact::run,
    ),
    generated(
        "seesaw",
        "seesaw filters: rates, times, threads, insertions and removals",
        seesaw::run,
    ),
    generated(
        "guarded-thresholds",
        "guarded filters: rows per key and thresholds of a layer",
        thresholds::run,
    ),
    generated("limit", "distance from the information limit", limit::run),
    generated(
        "scale",
        "1 M to 100 M keys: build time, memory, query time",
        scale::run,
    ),
    with_data(
        "data",
        "all kinds on real keys with real costs (--data)",
        real::run,
    ),
];

/// Finds the experiment called `name`.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
