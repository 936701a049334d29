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

impl Experiment {
    /// The experiment can read its keys from files.
    const fn with_data(mut self) -> Self {
        self.accepts_data = true;
        self
    }
}

/// An experiment that generates all its keys.
const fn experiment(name: &'static str, about: &'static str, run: Run) -> Experiment {
    Experiment {
        name,
        about,
        accepts_data: false,
        run,
    }
}

/// All experiments: those of `docs/reproduction.md`, then those of `docs/measurements.md`.
pub const EXPERIMENTS: [Experiment; 44] = [
    experiment(
        "habf-fig8",
        "HABF: the bound of equation 19, and the measured rate",
        habf::figure_8,
    ),
    experiment(
        "habf-fig9",
        "HABF: cell ratio, number of functions, cell size",
        habf::figure_9,
    )
    .with_data(),
    experiment(
        "habf-fig10",
        "HABF: rate over space, equal costs",
        habf::figure_10,
    )
    .with_data(),
    experiment(
        "habf-fig11",
        "HABF: rate over space, Zipf costs",
        habf::figure_11,
    )
    .with_data(),
    experiment(
        "habf-rules",
        "HABF: the authors' program, the paper's text and this library's filters",
        habf::rules,
    )
    .with_data(),
    experiment("habf-fig12", "HABF: build and query times", habf::figure_12),
    experiment(
        "habf-fig13",
        "HABF: rate over the skew of the costs",
        habf::figure_13,
    )
    .with_data(),
    experiment(
        "habf-fig14",
        "HABF: a Bloom filter with different hash functions",
        habf::figure_14,
    ),
    experiment(
        "habf-fig15",
        "HABF: memory used by the build",
        habf::figure_15,
    ),
    experiment(
        "learned",
        "learned filters against bloom, habf and guarded (--data)",
        learned::run,
    )
    .with_data(),
    experiment(
        "sscf-fig10",
        "SSCF: parameters of a seesaw filter",
        sscf::figure_10,
    )
    .with_data(),
    experiment(
        "sscf-fig11",
        "SSCF: rate over the skew of the costs",
        sscf::figure_11,
    )
    .with_data(),
    experiment(
        "sscf-fig12",
        "SSCF: rate over the number of guarded negatives",
        sscf::figure_12,
    )
    .with_data(),
    experiment(
        "sscf-fig13",
        "SSCF: rate over space and skew, URL-like keys",
        sscf::figure_13,
    )
    .with_data(),
    experiment(
        "sscf-fig14",
        "SSCF: rate over space and skew, YCSB keys",
        sscf::figure_14,
    ),
    experiment(
        "sscf-fig15",
        "SSCF: rate over space and skew, flow keys",
        sscf::figure_15,
    ),
    experiment(
        "sscf-fig16",
        "SSCF: insert, query and remove times",
        sscf::figure_16,
    ),
    experiment(
        "sscf-fig17",
        "SSCF: an adaptive filter under insertions and removals",
        sscf::figure_17,
    ),
    experiment(
        "sscf-deletion",
        "SSCF: deletion and late guards to the letter, and ours",
        sscf::deletion,
    ),
    experiment(
        "balanced-fig2",
        "Balanced: the loads that bound the cost",
        balanced::figure_2,
    ),
    experiment(
        "balanced-fig3",
        "Balanced: the least overflow",
        balanced::figure_3,
    ),
    experiment(
        "balanced-fig4",
        "Balanced: modelled and measured rates",
        balanced::figure_4,
    ),
    experiment(
        "ibf-fig6",
        "Item-personalized: rate over functions, 1 to 6 slots per key",
        ibf::figure_6,
    ),
    experiment(
        "ibf-fig7",
        "Item-personalized: rate over functions, 7 to 10 slots per key",
        ibf::figure_7,
    ),
    experiment(
        "ibf-winners",
        "Item-personalized: wins and losses against a Bloom filter",
        ibf::winners,
    ),
    experiment(
        "ibf-walks",
        "Item-personalized: the paper's own walk, ours, and a Bloom filter",
        ibf::walks,
    ),
    experiment("peers", "speed against other crates", races::peers),
    experiment(
        "batches",
        "batch queries against single queries",
        races::batches,
    ),
    experiment(
        "threads",
        "insertions of two threads into one filter",
        threads::run,
    ),
    experiment(
        "cuckoo",
        "cuckoo filters with exceptions: rates, churn, speed, threads",
        cuckoo::run,
    ),
    experiment(
        "growing",
        "growing filters at 1, 10 and 100 times their first capacity",
        growing::run,
    ),
    experiment(
        "shards",
        "filters made of shards, and mapped files",
        shards::run,
    ),
    experiment(
        "patches",
        "patches: size and rate by what changed, when a fresh filter is the better download",
        patches::run,
    ),
    experiment(
        "learn",
        "the costliest keys of a stream: accuracy, memory and speed",
        learn::run,
    )
    .with_data(),
    experiment(
        "balanced",
        "balanced filters: rates and block reads against the model, times",
        balanced::run,
    ),
    experiment(
        "personalized",
        "personalized filters: variants and times",
        personalized::run,
    ),
    experiment(
        "known",
        "filters with known negatives: rates, build and query times",
        known::run,
    ),
    experiment(
        "guarded",
        "guarded filters: rates against the limit, speed",
        guarded::run,
    ),
    experiment(
        "exact",
        "filters that are exact on known negatives: bytes, unseen rate, speed",
        exact::run,
    ),
    experiment(
        "seesaw",
        "seesaw filters: rates, times, threads, insertions and removals",
        seesaw::run,
    ),
    experiment(
        "guarded-thresholds",
        "guarded filters: rows per key and thresholds of a layer",
        thresholds::run,
    ),
    experiment("limit", "distance from the information limit", limit::run),
    experiment(
        "scale",
        "1 M to 100 M keys: build time, memory, query time",
        scale::run,
    ),
    experiment(
        "data",
        "all kinds on real keys with real costs (--data)",
        real::run,
    )
    .with_data(),
];

/// Finds the experiment called `name`.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
