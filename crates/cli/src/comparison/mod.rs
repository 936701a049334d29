//! Kinds of filters side by side: the same keys, the same space, the same questions.
//!
//! For every budget each kind is built from the positives and the known negatives and then measured as `eval` measures
//! (`row`). What came out is a table (`table`), a few sentences (`words`, `known`), an object for scripts, or a page with charts
//! (`crate::report`). A kind that cannot be built at a budget has its reason there in place of numbers.
//!
//! Three things make the rows comparable. Each kind gets the same bits per key, with everything it needs to answer inside
//! of them. None has seen the unseen keys. And beside the kinds stands the information limit: the lowest rate on
//! unseen keys that any filter can have which is right on all known ones in this space
//! ([`bloomwise::guarded::theory`]).
//!
//! The digests are sorted once, before, for all kinds: the time of a build is what it takes from there, the median of some
//! builds.

mod known;
mod row;
mod table;
mod words;

pub use row::{Measured, Row};
pub use table::{LEGEND, OVER, columns};

use crate::key_list::KeyList;
use crate::progress::Steps;
use crate::samples::{Negatives, Samples};
use anyhow::Result;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::{Costed, Family, Hashing, KeySets};
use serde_json::{Value, json};

/// What is to be compared.
pub struct Plan {
    /// The kinds.
    pub kinds: Vec<Family>,
    /// Bits per key, from few to many.
    pub budgets: Vec<f64>,
    /// How keys are hashed.
    pub hashing: Hashing,
}

/// The kinds that are compared where none are named.
pub fn usual_kinds() -> Vec<Family> {
    let left_out = |kind: &Family| {
        matches!(
            kind,
            Family::Counting
                | Family::Seesaw
                | Family::SeesawAdaptive
                | Family::Personalized
                | Family::PersonalizedCounting
                | Family::PersonalizedRejecting
        )
    };
    (Family::ALL.into_iter())
        .filter(|kind| !left_out(kind))
        .collect()
}

/// What came out.
pub struct Comparison {
    /// One row for each budget and kind, budget by budget.
    pub rows: Vec<Row>,
    /// For each budget, the lowest rate on unseen keys that is possible.
    pub limits: Vec<Limit>,
    /// Distinct keys of the set.
    pub keys: u64,
    /// Distinct known negatives.
    pub known: u64,
    /// What a mistake on every known negative would cost.
    pub known_cost: f64,
    /// Unseen keys that were asked for.
    pub unseen: u64,
}

/// The information limit at one budget.
pub struct Limit {
    /// The budget.
    pub bits_per_key: f64,
    /// The lowest rate on unseen keys of a filter that is right on all known ones; `None` where no filter can be.
    pub rate: Option<f64>,
}

impl Comparison {
    /// Builds and measures everything, one after the other.
    ///
    /// # Errors
    ///
    /// Only what concerns all rows: keys that cannot be held, costs that are none.
    pub fn run(plan: &Plan, samples: &Samples) -> Result<Self> {
        let sets = key_sets(samples, plan.hashing)?;
        let (keys, known) = (sets.positives().len() as u64, sets.negatives().len() as u64);
        let steps = Steps::new(plan.budgets.len() * plan.kinds.len());
        let mut rows = Vec::new();
        for &budget in &plan.budgets {
            for &kind in &plan.kinds {
                steps.begin(format!("{} at {budget} bits per key", kind.name()));
                rows.push(Row::new(kind, budget, plan.hashing, &sets, samples));
                steps.finish_one();
            }
        }
        let limit = |&bits_per_key: &f64| Limit {
            bits_per_key,
            rate: limit_rate(bits_per_key, known as f64 / keys.max(1) as f64),
        };
        Ok(Comparison {
            rows,
            limits: plan.budgets.iter().map(limit).collect(),
            keys,
            known,
            known_cost: (samples.known.as_ref()).map_or(0.0, Negatives::cost),
            unseen: samples.unseen.as_ref().map_or(0, |n| n.keys.len() as u64),
        })
    }

    /// The limits of the budgets at which some filter was built.
    pub fn limits_of_built(&self) -> Vec<&Limit> {
        let built = |limit: &&Limit| {
            let mut rows = self.at(limit.bits_per_key);
            rows.any(|row| row.result.is_ok())
        };
        self.limits.iter().filter(built).collect()
    }

    /// The budget that sentences and charts of times speak of: the one in the middle; `None` if nothing was built.
    pub fn budget(&self) -> Option<f64> {
        let built = self.limits_of_built();
        Some(built.get(built.len() / 2)?.bits_per_key)
    }

    /// The rows of one budget.
    pub fn at(&self, budget: f64) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.budget == budget)
    }

    /// The kinds, each once, in the order of the rows.
    pub fn kinds(&self) -> Vec<Family> {
        let first = self.limits.first().map_or(0.0, |limit| limit.bits_per_key);
        self.at(first).map(|row| row.kind).collect()
    }

    /// How far apart the passes of all measurements were: the median of all spreads, and the largest.
    pub fn noise(&self) -> Option<(f64, f64)> {
        let mut spreads: Vec<f64> = (self.rows.iter())
            .filter_map(|row| row.result.as_ref().ok())
            .flat_map(|row| {
                let evaluation = &row.evaluation;
                [row.build, evaluation.members.pace, evaluation.strangers()]
            })
            .flatten()
            .map(|pace| pace.spread())
            .collect();
        spreads.sort_by(f64::total_cmp);
        Some((*spreads.get(spreads.len() / 2)?, *spreads.last()?))
    }

    /// Positives that some filter denied, with the row of the first. There are none, ever; but this is measured.
    pub fn denied(&self) -> Option<(&Row, u64)> {
        let denied = |row: &Row| match &row.result {
            Ok(measured) => measured.evaluation.members.denied,
            Err(_) => 0,
        };
        let first = self.rows.iter().find(|row| denied(row) > 0)?;
        Some((first, self.rows.iter().map(denied).sum()))
    }

    /// One object for scripts.
    pub fn json(&self) -> Value {
        let limit =
            |limit: &Limit| json!({"bits_per_key": limit.bits_per_key, "unseen_fpr": limit.rate});
        json!({
            "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "limit": self.limits.iter().map(limit).collect::<Vec<_>>(),
        })
    }
}

/// What filters are built from.
fn key_sets(samples: &Samples, hashing: Hashing) -> Result<KeySets> {
    let digests =
        |keys: &KeyList| -> Vec<_> { keys.iter().map(|key| hashing.digest(key)).collect() };
    let positives = digests(&samples.positives);
    let negatives = samples.known.as_ref().map_or(Vec::new(), |known| {
        let costed = digests(&known.keys).into_iter().zip(&known.costs);
        costed
            .map(|(digest, &cost)| Costed { digest, cost })
            .collect()
    });
    Ok(KeySets::new(positives, negatives)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of which one filter knows only some.
    fn samples(numbers: std::ops::Range<u32>) -> Samples {
        let mut positives = KeyList::default();
        for number in numbers {
            positives.push(&number.to_le_bytes()).expect("memory");
        }
        Samples {
            positives,
            known: None,
            unseen: None,
            skipped: 0,
        }
    }

    #[test]
    fn denied_positives_are_found_and_counted_over_all_rows() {
        let (some, all) = (samples(0..900), samples(0..1000));
        let row = |asked: &Samples, kind| {
            let sets = key_sets(&some, Hashing::default()).expect("sound keys");
            Row::new(kind, 30.0, Hashing::default(), &sets, asked)
        };
        let compared = |rows| Comparison {
            rows,
            limits: Vec::new(),
            keys: 0,
            known: 0,
            known_cost: 0.0,
            unseen: 0,
        };
        let fine = compared(vec![row(&some, Family::Bloom), row(&some, Family::Guarded)]);
        assert!(fine.denied().is_none());
        let wrong = compared(vec![
            row(&some, Family::Bloom),
            row(&all, Family::Blocked),
            row(&all, Family::Bloom),
        ]);
        let (first, denied) = wrong.denied().expect("100 in each of two rows");
        assert_eq!((first.kind, denied), (Family::Blocked, 200));
    }
}
