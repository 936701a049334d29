//! All experiments, by name.
//!
//! Most experiments generate their keys from a counter. Those on URL-like keys can read files instead (`--data`); the
//! list marks them.

use crate::experiment::{
    balanced, cuckoo, exact, growing, guarded, habf, ibf, known, learn, learned, limit, patches,
    personalized, races, real, scale, seesaw, shards, sscf, threads, thresholds,
};
use crate::options::Options;
use crate::output::{Outcome, sources};
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
    /// The sources that its results rest on: names of groups, and files and folders below `src`.
    sources: &'static str,
}

/// Groups of sources: what measurements of rates rest on, of times, of times of filters in turns, and the papers' figures on rates. The list
/// of contenders in `subject.rs` is in none of them, so that a new contender of one figure leaves the results of all others alone.
const GROUPS: [(&str, &str); 5] = [
    (
        "rates",
        "workload/mod.rs workload/generate.rs workload/set.rs workload/zipf.rs workload/costliest.rs measure/answers.rs measure/cost_classes.rs measure/rates.rs measure/sweep.rs",
    ),
    (
        "times",
        "workload/mod.rs workload/generate.rs measure/timing.rs",
    ),
    (
        "races",
        "workload/mod.rs workload/generate.rs measure/timing.rs race/ contender.rs",
    ),
    (
        "habf",
        "experiment/figure/ experiment/habf/rates.rs experiment/habf/mod.rs baseline/habf/ baseline/stacked.rs baseline/weighted.rs baseline/xor.rs",
    ),
    (
        "sscf",
        "experiment/figure/ experiment/sscf/rates.rs experiment/sscf/parameters.rs baseline/seesaw.rs experiment/sscf/mod.rs baseline/stacked.rs baseline/weighted.rs",
    ),
];

impl Experiment {
    /// The paths of the sources that its results rest on.
    pub fn sources(&self) -> Vec<&'static str> {
        let expand = |word: &'static str| {
            let group = GROUPS.into_iter().find(|(name, _)| *name == word);
            group.map_or(word, |(_, paths)| paths).split_whitespace()
        };
        self.sources.split_whitespace().flat_map(expand).collect()
    }

    /// The digest of these sources.
    pub fn digest(&self) -> String {
        sources::digest(&self.sources())
    }

    /// The experiment can read its keys from files.
    const fn with_data(mut self) -> Self {
        self.accepts_data = true;
        self
    }
}

/// An experiment that generates all its keys.
const fn experiment(
    name: &'static str,
    about: &'static str,
    run: Run,
    sources: &'static str,
) -> Experiment {
    Experiment {
        name,
        about,
        accepts_data: false,
        run,
        sources,
    }
}

/// All experiments: those of `docs/reproduction.md`, then those of `docs/measurements.md`.
pub const EXPERIMENTS: [Experiment; 44] = [
    experiment("habf-fig8", "HABF: the bound of equation 19, and the measured rate", habf::figure_8, "rates theory/habf.rs experiment/habf/bound.rs experiment/habf/mod.rs baseline/habf/"),
    experiment("habf-fig9", "HABF: cell ratio, number of functions, cell size", habf::figure_9, "rates habf").with_data(),
    experiment("habf-fig10", "HABF: rate over space, equal costs", habf::figure_10, "rates habf").with_data(),
    experiment("habf-fig11", "HABF: rate over space, Zipf costs", habf::figure_11, "rates habf").with_data(),
    experiment("habf-rules", "HABF: the authors' program, the paper's text and this library's filters", habf::rules, "rates experiment/habf/rules.rs experiment/habf/mod.rs baseline/habf/").with_data(),
    experiment("habf-fig12", "HABF: build and query times", habf::figure_12, "times experiment/habf/keys.rs experiment/habf/times.rs experiment/habf/learned.rs experiment/habf/mod.rs baseline/habf/ baseline/seeded.rs baseline/weighted.rs baseline/xor.rs"),
    experiment("habf-fig13", "HABF: rate over the skew of the costs", habf::figure_13, "rates habf").with_data(),
    experiment("habf-fig14", "HABF: a Bloom filter with different hash functions", habf::figure_14, "rates experiment/habf/hashes.rs baseline/seeded.rs"),
    experiment("habf-fig15", "HABF: memory used by the build", habf::figure_15, "experiment/habf/keys.rs experiment/habf/memory.rs experiment/habf/learned.rs experiment/habf/mod.rs baseline/habf/ baseline/seeded.rs baseline/weighted.rs baseline/xor.rs memory.rs"),
    experiment("learned", "learned filters against bloom, habf and guarded (--data)", learned::run, "experiment/learned.rs baseline/learned/ workload/files.rs").with_data(),
    experiment("sscf-fig10", "SSCF: parameters of a seesaw filter", sscf::figure_10, "rates sscf").with_data(),
    experiment("sscf-fig11", "SSCF: rate over the skew of the costs", sscf::figure_11, "rates sscf").with_data(),
    experiment("sscf-fig12", "SSCF: rate over the number of guarded negatives", sscf::figure_12, "rates sscf").with_data(),
    experiment("sscf-fig13", "SSCF: rate over space and skew, URL-like keys", sscf::figure_13, "rates sscf").with_data(),
    experiment("sscf-fig14", "SSCF: rate over space and skew, YCSB keys", sscf::figure_14, "rates sscf"),
    experiment("sscf-fig15", "SSCF: rate over space and skew, flow keys", sscf::figure_15, "rates sscf"),
    experiment("sscf-fig16", "SSCF: insert, query and remove times", sscf::figure_16, "times experiment/sscf/latency.rs experiment/sscf/dynamic.rs experiment/sscf/mod.rs baseline/stacked.rs baseline/weighted.rs"),
    experiment("sscf-fig17", "SSCF: an adaptive filter under insertions and removals", sscf::figure_17, "rates experiment/sscf/churn.rs experiment/sscf/mod.rs experiment/changing.rs experiment/churn.rs baseline/seesaw.rs"),
    experiment("sscf-deletion", "SSCF: deletion and late guards to the letter, and ours", sscf::deletion, "rates experiment/sscf/deletion.rs experiment/sscf/mod.rs experiment/changing.rs experiment/churn.rs baseline/seesaw.rs"),
    experiment("balanced-fig2", "Balanced: the loads that bound the cost", balanced::figure_2, "experiment/balanced/figures.rs"),
    experiment("balanced-fig3", "Balanced: the least overflow", balanced::figure_3, "experiment/balanced/figures.rs"),
    experiment("balanced-fig4", "Balanced: modelled and measured rates", balanced::figure_4, "theory/balanced.rs experiment/balanced/figure_4.rs experiment/balanced/model.rs experiment/balanced/textbook.rs experiment/balanced/count.rs"),
    experiment("ibf-fig6", "Item-personalized: rate over functions, 1 to 6 slots per key", ibf::figure_6, "experiment/ibf/figures.rs experiment/ibf/mod.rs"),
    experiment("ibf-fig7", "Item-personalized: rate over functions, 7 to 10 slots per key", ibf::figure_7, "experiment/ibf/figures.rs experiment/ibf/mod.rs"),
    experiment("ibf-winners", "Item-personalized: wins and losses against a Bloom filter", ibf::winners, "experiment/ibf/winners.rs experiment/ibf/mod.rs"),
    experiment("ibf-walks", "Item-personalized: the paper's own walk, ours, and a Bloom filter", ibf::walks, "experiment/ibf/walks.rs experiment/ibf/mod.rs baseline/walk.rs"),
    experiment("peers", "speed against other crates", races::peers, "races experiment/races.rs baseline/crates.rs"),
    experiment("batches", "batch queries against single queries", races::batches, "races experiment/races.rs"),
    experiment("threads", "insertions of two threads into one filter", threads::run, "times experiment/threads.rs contender.rs"),
    experiment("cuckoo", "cuckoo filters with exceptions: rates, churn, speed, threads", cuckoo::run, "rates times experiment/cuckoo/ experiment/changing.rs experiment/churn.rs experiment/throughput.rs baseline/crates.rs baseline/stacked.rs baseline/weighted.rs"),
    experiment("growing", "growing filters at 1, 10 and 100 times their first capacity", growing::run, "times experiment/growing.rs"),
    experiment("shards", "filters made of shards, and mapped files", shards::run, "times experiment/shards.rs"),
    experiment("patches", "patches: size and rate by what changed, when a fresh filter is the better download", patches::run, "times experiment/patches.rs"),
    experiment("learn", "the costliest keys of a stream: accuracy, memory and speed", learn::run, "times experiment/learn.rs memory.rs workload/files.rs").with_data(),
    experiment("balanced", "balanced filters: rates and block reads against the model, times", balanced::run, "races experiment/balanced/rates.rs experiment/balanced/times.rs experiment/balanced/count.rs experiment/balanced/mod.rs"),
    experiment("personalized", "personalized filters: variants and times", personalized::run, "races experiment/personalized.rs"),
    experiment("known", "filters with known negatives: rates, build and query times", known::run, "rates races experiment/known/ experiment/costed.rs"),
    experiment("guarded", "guarded filters: rates against the limit, speed", guarded::run, "rates races experiment/guarded/ experiment/costed.rs baseline/crates.rs"),
    experiment("exact", "filters that are exact on known negatives: bytes, unseen rate, speed", exact::run, "times experiment/exact.rs baseline/clubcard.rs baseline/cascade.rs baseline/stacked.rs"),
    experiment("seesaw", "seesaw filters: rates, times, threads, insertions and removals", seesaw::run, "rates times experiment/seesaw/ experiment/changing.rs experiment/churn.rs experiment/throughput.rs"),
    experiment("guarded-thresholds", "guarded filters: rows per key and thresholds of a layer", thresholds::run, "experiment/thresholds.rs"),
    experiment("limit", "distance from the information limit", limit::run, "rates experiment/limit.rs baseline/cascade.rs baseline/stacked.rs baseline/xor.rs"),
    experiment("scale", "1 M to 100 M keys: build time, memory, query time", scale::run, "times experiment/scale.rs memory.rs"),
    experiment("data", "all kinds on real keys with real costs (--data)", real::run, "rates workload/files.rs experiment/real.rs baseline/cascade.rs baseline/stacked.rs baseline/weighted.rs baseline/xor.rs").with_data(),
];

/// Finds the experiment called `name`.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
