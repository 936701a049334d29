//! All experiments, by name.
//!
//! Most experiments generate their keys from a counter. Those on URL-like keys can read files instead (`--data`); the
//! list marks them.

use crate::options::Options;
use crate::output::Outcome;
use crate::page::{
    balanced as balanced_page, cuckoo, exact, growing, guarded, known, learn, limit, patches,
    personalized, races, real, scale, seesaw, shards, threads, thresholds,
};
use crate::paper::{balanced, habf, ibf, learned, sscf};
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
    /// An experiment that generates all its keys.
    const fn new(name: &'static str, run: Run) -> Self {
        Experiment {
            name,
            about: "",
            accepts_data: false,
            run,
        }
    }

    /// Says what it shows.
    const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Says what it shows. It can read its keys from files.
    const fn about_urls(mut self, about: &'static str) -> Self {
        self.accepts_data = true;
        self.about(about)
    }
}

/// All experiments: those of `docs/reproduction.md`, then those of `docs/measurements.md`.
pub const EXPERIMENTS: [Experiment; 44] = [
    Experiment::new("habf-fig8", habf::figure_8)
        .about("HABF: the bound of equation 19, and the measured rate"),
    Experiment::new("habf-fig9", habf::figure_9)
        .about_urls("HABF: cell ratio, number of functions, cell size"),
    Experiment::new("habf-fig10", habf::figure_10).about_urls("HABF: rate over space, equal costs"),
    Experiment::new("habf-fig11", habf::figure_11).about_urls("HABF: rate over space, Zipf costs"),
    Experiment::new("habf-rules", habf::rules)
        .about_urls("HABF: the authors' program, the paper's text and this library's filters"),
    Experiment::new("habf-fig12", habf::figure_12).about("HABF: build and query times"),
    Experiment::new("habf-fig13", habf::figure_13)
        .about_urls("HABF: rate over the skew of the costs"),
    Experiment::new("habf-fig14", habf::figure_14)
        .about("HABF: a Bloom filter with different hash functions"),
    Experiment::new("habf-fig15", habf::figure_15).about("HABF: memory used by the build"),
    Experiment::new("learned", learned::run)
        .about_urls("learned filters against bloom, habf and guarded (--data)"),
    Experiment::new("sscf-fig10", sscf::figure_10)
        .about_urls("SSCF: parameters of a seesaw filter"),
    Experiment::new("sscf-fig11", sscf::figure_11)
        .about_urls("SSCF: rate over the skew of the costs"),
    Experiment::new("sscf-fig12", sscf::figure_12)
        .about_urls("SSCF: rate over the number of guarded negatives"),
    Experiment::new("sscf-fig13", sscf::figure_13)
        .about_urls("SSCF: rate over space and skew, URL-like keys"),
    Experiment::new("sscf-fig14", sscf::figure_14)
        .about("SSCF: rate over space and skew, YCSB keys"),
    Experiment::new("sscf-fig15", sscf::figure_15)
        .about("SSCF: rate over space and skew, flow keys"),
    Experiment::new("sscf-fig16", sscf::figure_16).about("SSCF: insert, query and remove times"),
    Experiment::new("sscf-fig17", sscf::figure_17)
        .about("SSCF: an adaptive filter under insertions and removals"),
    Experiment::new("sscf-deletion", sscf::deletion)
        .about("SSCF: deletion and late guards to the letter, and ours"),
    Experiment::new("balanced-fig2", balanced::figure_2)
        .about("Balanced: the loads that bound the cost"),
    Experiment::new("balanced-fig3", balanced::figure_3).about("Balanced: the least overflow"),
    Experiment::new("balanced-fig4", balanced::figure_4)
        .about("Balanced: modelled and measured rates"),
    Experiment::new("ibf-fig6", ibf::figure_6)
        .about("Item-personalized: rate over functions, 1 to 6 slots per key"),
    Experiment::new("ibf-fig7", ibf::figure_7)
        .about("Item-personalized: rate over functions, 7 to 10 slots per key"),
    Experiment::new("ibf-winners", ibf::winners)
        .about("Item-personalized: wins and losses against a Bloom filter"),
    Experiment::new("ibf-walks", ibf::walks)
        .about("Item-personalized: the paper's own walk, ours, and a Bloom filter"),
    Experiment::new("peers", races::peers).about("speed against other crates"),
    Experiment::new("batches", races::batches).about("batch queries against single queries"),
    Experiment::new("threads", threads::run).about("insertions of two threads into one filter"),
    Experiment::new("cuckoo", cuckoo::run)
        .about("cuckoo filters with exceptions: rates, churn, speed, threads"),
    Experiment::new("growing", growing::run)
        .about("growing filters at 1, 10 and 100 times their first capacity"),
    Experiment::new("shards", shards::run).about("filters made of shards, and mapped files"),
    Experiment::new("patches", patches::run).about(
        "patches: size and rate by what changed, when a fresh filter is the better download",
    ),
    Experiment::new("learn", learn::run)
        .about_urls("the costliest keys of a stream: accuracy, memory and speed"),
    Experiment::new("balanced", balanced_page::run)
        .about("balanced filters: rates and block reads against the model, times"),
    Experiment::new("personalized", personalized::run)
        .about("personalized filters: variants and times"),
    Experiment::new("known", known::run)
        .about("filters with known negatives: rates, build and query times"),
    Experiment::new("guarded", guarded::run)
        .about("guarded filters: rates against the limit, speed"),
    Experiment::new("exact", exact::run)
        .about("filters that are exact on known negatives: bytes, unseen rate, speed"),
    Experiment::new("seesaw", seesaw::run)
        .about("seesaw filters: rates, times, threads, insertions and removals"),
    Experiment::new("guarded-thresholds", thresholds::run)
        .about("guarded filters: rows per key and thresholds of a layer"),
    Experiment::new("limit", limit::run).about("distance from the information limit"),
    Experiment::new("scale", scale::run).about("1 M to 100 M keys: build time, memory, query time"),
    Experiment::new("data", real::run)
        .about_urls("all kinds on real keys with real costs (--data)"),
];

/// Finds the experiment called `name`.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS
        .iter()
        .find(|experiment| experiment.name == name)
}
