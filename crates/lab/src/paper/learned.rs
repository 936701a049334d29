//! Does learning pay? The learned filters of the HABF paper against this library's, on real keys.
//!
//! A model is trained on the keys and the known negatives, and its bytes are part of the filter. Unseen negatives show what it has really
//! learnt. With `--data` the keys are those of a folder. Without it they are YCSB keys, which are hashed numbers: there
//! is nothing to learn, and the table shows what a model costs then.

use crate::data::{Keys, read_keys};
use crate::filter::papers::learned::{AdaBf, Lbf, Model, Sandwiched, Scored, ScoredFilter};
use crate::prelude::*;

/// Bits per key.
const SIZES: [f64; 5] = [8.0, 10.0, 12.0, 14.0, 16.0];

/// The sizes of the models: `2^b` weights of a byte each.
const MODELS: [u32; 3] = [12, 14, 16];

/// The model for all sizes, and the size for all models.
const USUAL_MODEL: u32 = 16;
const USUAL_SIZE: f64 = 10.0;

/// The keys of a timed round, half of them members, and the number of rounds.
const TIMED: usize = 200_000;
const ROUNDS: usize = 9;

/// Keys, known negatives and unseen negatives, and what they are.
fn keys(options: &Options) -> Result<(Keys, &'static str)> {
    if let Some(folder) = &options.data {
        return Ok((read_keys(folder)?, "Keys of the folder"));
    }
    // With fewer keys, every model would be larger than the filter.
    let count = options.scaled(200_000, 20_000);
    let some = |from: u64, count: u64| {
        (from..from + count)
            .map(|n| Source::Users.key(n, true))
            .collect()
    };
    let keys = Keys {
        positives: some(0, count),
        negatives: some(count, count),
        costs: vec![1.0; count as usize],
        unseen: some(2 * count, count / 4),
    };
    Ok((keys, "YCSB keys, from which nothing can be learnt"))
}

/// A filter of keys, as a user would query it.
enum Built<'a> {
    Plain(Box<dyn DigestFilter>),
    Learned(&'a Model, Box<dyn ScoredFilter>),
}

impl Built<'_> {
    fn contains(&self, key: &[u8]) -> bool {
        let digest = Hashing::default().digest(key);
        match self {
            Built::Plain(filter) => filter.may_contain(digest),
            Built::Learned(model, filter) => filter.may_contain(Scored {
                digest,
                score: model.score(key),
            }),
        }
    }

    fn bits(&self) -> u64 {
        match self {
            Built::Plain(filter) => filter.bits(),
            Built::Learned(model, filter) => filter.bits() + 8 * model.bytes(),
        }
    }

    /// The share of keys that are accepted.
    fn share(&self, keys: &[Vec<u8>]) -> f64 {
        let accepted = keys.par_iter().filter(|key| self.contains(key));
        accepted.count() as f64 / keys.len().max(1) as f64
    }
}

/// A trained model with the scores of the keys.
struct Trained {
    model: Model,
    seconds: f64,
    positives: Vec<Scored>,
    negatives: Vec<Scored>,
}

impl Trained {
    fn new(keys: &Keys, table_bits: u32) -> Result<Self> {
        let inside: Vec<&[u8]> = keys.positives.iter().map(Vec::as_slice).collect();
        let outside: Vec<&[u8]> = keys.negatives.iter().map(Vec::as_slice).collect();
        let (model, taken) = time(1, || Model::train(&inside, &outside, table_bits));
        let model = model?;
        let scored = |keys: &[&[u8]]| {
            let one = |key: &&[u8]| Scored {
                digest: Hashing::default().digest(*key),
                score: model.score(key),
            };
            keys.par_iter().map(one).collect()
        };
        let (positives, negatives) = (scored(&inside), scored(&outside));
        Ok(Trained {
            model,
            seconds: taken / 1e9,
            positives,
            negatives,
        })
    }

    /// The three learned filters in `bits` bits, the model included. None if the model alone is larger.
    fn filters(&self, bits: u64) -> Result<Vec<(&'static str, Built<'_>)>> {
        let Some(bits) = bits.checked_sub(8 * self.model.bytes()) else {
            return Ok(Vec::new());
        };
        let (inside, outside) = (&self.positives, &self.negatives);
        let learned = |filter| Built::Learned(&self.model, filter);
        let lbf = Lbf::build(inside, outside, bits)?;
        let sandwiched = Sandwiched::build(inside, outside, bits)?;
        let ada = AdaBf::build(inside, outside, bits)?;
        Ok(vec![
            ("LBF", learned(Box::new(lbf))),
            ("sandwiched LBF", learned(Box::new(sandwiched))),
            ("Ada-BF", learned(Box::new(ada))),
        ])
    }
}

/// This library's filters in `bits` bits.
fn plain(sets: &KeySets, bits: u64) -> Result<Vec<(&'static str, Built<'static>)>> {
    let families = [Family::Bloom, Family::Habf, Family::Guarded].into_iter();
    let built = families.map(|family| {
        let filter = Subject::kind(family).build(sets, bits)?;
        Ok((family.name(), Built::Plain(filter)))
    });
    built.collect()
}

/// Asserts that a filter has no false negatives. Returns its size per key and its rates.
fn measure(built: &Built<'_>, keys: &Keys) -> Result<[f64; 3]> {
    let found = built.share(&keys.positives);
    ensure!(found == 1.0, "the filter finds only {found} of its keys");
    let per_key = built.bits() as f64 / keys.positives.len() as f64;
    let [known, unseen] = [&keys.negatives, &keys.unseen].map(|keys| built.share(keys));
    Ok([per_key, known, unseen])
}

/// Nanoseconds per query of members and of unseen keys, one thread, in turns.
fn times(built: &[(&'static str, Built<'_>)], keys: &Keys) -> Result<Table> {
    let title = format!("Time per query, hashing included, {USUAL_SIZE} bits per key");
    let columns =
        "filter | members, ns {1} | unseen, ns {1} | members, to bloom {2} | unseen, to bloom {2}";
    let mut table = Table::new(title, columns);
    let keys = [&keys.positives, &keys.unseen].map(|keys| strided(keys, TIMED));
    let turns = Turns::take(ROUNDS, built.len(), |number| {
        Ok(keys.each_ref().map(|keys| {
            let accepted = keys.iter().filter(|key| built[number].1.contains(key));
            time(keys.len(), || black_box(accepted.count())).1
        }))
    })?;
    for (number, (name, _)) in built.iter().enumerate() {
        table.row((*name, turns.medians(number), turns.median_ratios(number, 0)));
    }
    Ok(table)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let (keys, what) = keys(options)?;
    let mut sets = KeySets::builder(Hashing::default());
    sets.positives(&keys.positives);
    sets.negatives(keys.negatives.iter().map(|key| (key, 1.0)));
    let sets = sets.build()?;
    let count = keys.positives.len();
    let mut outcome = Outcome::new(format!(
        "Learned filters and this library's in equal space, the model included, equal costs. {what}: {count} positives, {} known negatives, {} unseen. The models are trained on the known negatives. Logistic regression over hashed n-grams of 2 to 4 bytes, 8 bits per weight.",
        keys.negatives.len(),
        keys.unseen.len()
    ));
    let models = MODELS
        .into_iter()
        .map(|table_bits| Trained::new(&keys, table_bits));
    let models: Vec<Trained> = models.collect::<Result<_>>()?;
    let usual = MODELS.iter().position(|&bits| bits == USUAL_MODEL);
    let usual = &models[usual.unwrap_or(0)];
    let bits = |per_key: f64| (per_key * count as f64) as u64;

    let columns = "bits per key, requested | filter | actual {2} | known {%} | unseen {%}";
    let title = format!("Rates, a model of 2^{USUAL_MODEL} weights");
    let mut table = Table::new(title, columns);
    for size in SIZES {
        let mut built = plain(&sets, bits(size))?;
        built.extend(usual.filters(bits(size))?);
        for (name, built) in &built {
            table.row((size, *name, measure(built, &keys)?));
        }
        if size == USUAL_SIZE {
            outcome.tables.push(times(&built, &keys)?);
        }
    }
    for (what, column) in [("known negatives", "known"), ("unseen keys", "unseen")] {
        let chart = Chart::rates(format!("Learned filters: {what}"), "bits per key");
        let columns = ["bits per key, requested", "filter", column];
        outcome.charts.push(chart.rows(&table, columns));
    }
    outcome.tables.insert(0, table);

    let title = format!("Models of different sizes, {USUAL_SIZE} bits per key");
    let columns = "weights | bits per key of the model {2} | training, s {1} | filter | known {%} | unseen {%}";
    let mut table = Table::new(title, columns);
    for (table_bits, trained) in MODELS.into_iter().zip(&models) {
        let size = 8.0 * trained.model.bytes() as f64 / count as f64;
        for (name, built) in trained.filters(bits(USUAL_SIZE))? {
            let [_, known, unseen] = measure(&built, &keys)?;
            let weights = 1u64 << table_bits;
            table.row((weights, size, trained.seconds, name, known, unseen));
        }
    }
    outcome.tables.push(table);
    Ok(outcome)
}
