//! Compares kinds of filters: the same keys, the same size, the same queries.
//!
//! Each kind is built at each budget from the positives and the known negatives, and then measured as `eval` does ([`Row`]). If a
//! kind cannot be built at a budget, its row holds the reason instead of numbers.
//!
//! Three things make the rows comparable. Each kind gets the same bits per key, and everything that it needs to answer is
//! included. No kind sees the unseen keys. Each budget also has its information limit: the lowest rate on unseen keys that
//! any filter of this size can have if it is right on all known negatives ([`bloomwise::guarded::theory`]).
//!
//! The digests are sorted once, before the first build. Times are medians of several passes. In each pass, all filters of a budget are built
//! from the sorted digests and queried, one after the other.

use super::steps::Steps;
use super::{CostShare, Later, Needed, Negatives, Options, PASSES, Row, Samples};
use crate::Result;
use crate::host::Host;
use bloomwise::guarded::theory::limit_rate;
use bloomwise::{Family, Hashing, KeySets, Size};

/// The result of a comparison.
pub struct Comparison {
    /// One row per budget and kind, budget by budget.
    pub rows: Vec<Row>,
    /// The information limit at each budget.
    pub limits: Vec<Limit>,
    /// The number of distinct positives.
    pub keys: u64,
    /// The number of distinct known negatives that filters are measured on.
    pub known: u64,
    /// The cost of all of them.
    pub known_cost: f64,
    /// The number and the cost of the known negatives that builds get.
    pub listed: (u64, f64),
    /// How that cost is spread over the keys.
    pub cost_shares: Vec<CostShare>,
    /// The size that each kind needs for a rate.
    pub needed: Vec<Needed>,
    /// The number of unseen keys.
    pub unseen: u64,
    /// What came after the known negatives were learned, if they were learned from a log.
    pub later: Option<Later>,
}

/// The information limit at one budget.
pub struct Limit {
    /// The budget in bits per key.
    pub bits_per_key: f64,
    /// The lowest rate on unseen keys that a filter can have if it is right on all known negatives; `None` if no filter of
    /// this size can be right on all of them.
    pub rate: Option<f64>,
}

impl Comparison {
    /// Builds and measures all filters. Those of one budget take turns.
    ///
    /// # Errors
    ///
    /// Memory runs out, a cost is invalid, or `host` ends the work. A filter that cannot be built is not an error; its row holds the reason.
    pub fn run(options: &Options, samples: &Samples, host: &dyn Host) -> Result<Self> {
        let sets = key_sets(samples, options.hashing)?;
        let (keys, listed) = (sets.positives().len() as u64, sets.negatives().len() as u64);
        let count = options.budgets.len() * options.kinds.len() * PASSES;
        let mut steps = Steps::new(count, host);
        let mut rows = Vec::new();
        for &budget in &options.budgets {
            let spec = |&kind: &Family| (kind, options.spec(kind, Size::BitsPerKey(budget)));
            let specs = options.kinds.iter().map(spec).collect();
            rows.extend(Row::of_budget(budget, specs, &sets, samples, &mut steps)?);
        }
        let costs: Vec<f64> = sets.negatives().iter().map(|known| known.cost).collect();
        let limit = |&bits_per_key: &f64| Limit {
            bits_per_key,
            rate: limit_rate(bits_per_key, listed as f64 / keys.max(1) as f64),
        };
        let total = |side: Option<&Negatives>| side.map_or(0.0, |side| side.total_cost().total());
        Ok(Comparison {
            rows,
            limits: options.budgets.iter().map(limit).collect(),
            keys,
            known: samples.known.as_ref().map_or(0, |n| n.keys.len() as u64),
            known_cost: total(samples.known.as_ref()),
            listed: (listed, total(samples.for_builds())),
            needed: Needed::of(options, keys, &costs),
            cost_shares: CostShare::of(costs),
            unseen: samples.unseen.as_ref().map_or(0, |n| n.keys.len() as u64),
            later: None,
        })
    }

    /// The limits at the budgets at which at least one filter was built.
    pub fn limits_of_built(&self) -> Vec<&Limit> {
        let built = |limit: &&Limit| {
            let mut rows = self.at(limit.bits_per_key);
            rows.any(|row| row.result.is_ok())
        };
        self.limits.iter().filter(built).collect()
    }

    /// The budget that the summary and the charts of times describe: the middle one of those at which at least one filter was
    /// built; `None` if nothing was built.
    pub fn middle_budget(&self) -> Option<f64> {
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

    /// The spread of the passes of all measurements: the median spread and the largest one.
    pub fn noise(&self) -> Option<(f64, f64)> {
        let mut spreads: Vec<f64> = (self.rows.iter())
            .filter_map(|row| row.result.as_ref().ok())
            .flat_map(|row| {
                let evaluation = &row.evaluation;
                [
                    row.build,
                    evaluation.members.pace,
                    evaluation.non_member_pace(),
                ]
            })
            .flatten()
            .map(|pace| pace.spread())
            .collect();
        spreads.sort_by(f64::total_cmp);
        Some((*spreads.get(spreads.len() / 2)?, *spreads.last()?))
    }

    /// The first row with false negatives, and the number of false negatives in all rows. There should be none.
    pub fn denied(&self) -> Option<(&Row, u64)> {
        let denied = |row: &Row| match &row.result {
            Ok(measured) => measured.evaluation.members.denied,
            Err(_) => 0,
        };
        let first = self.rows.iter().find(|row| denied(row) > 0)?;
        Some((first, self.rows.iter().map(denied).sum()))
    }
}

/// The key sets that filters are built from.
fn key_sets(samples: &Samples, hashing: Hashing) -> Result<KeySets> {
    let mut sets = KeySets::builder(hashing);
    sets.positives(samples.positives.iter());
    if let Some(known) = samples.for_builds() {
        sets.negatives(known.keys.iter().zip(known.costs.iter().copied()));
    }
    Ok(sets.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quiet;
    use crate::keys::KeyList;
    use bloomwise::Spec;

    /// Samples whose positives are `numbers`.
    fn samples(numbers: std::ops::Range<u32>) -> Samples {
        let mut positives = KeyList::default();
        for number in numbers {
            positives.push(&number.to_le_bytes()).expect("memory");
        }
        Samples {
            positives,
            ..Samples::default()
        }
    }

    #[test]
    fn false_negatives_of_all_rows_are_counted() {
        let (some, all) = (samples(0..900), samples(0..1000));
        let row = |queried: &Samples, kind| {
            let sets = key_sets(&some, Hashing::default()).expect("valid keys");
            let spec = Spec::new(kind).size(Size::BitsPerKey(30.0));
            let specs = vec![(kind, Ok(spec))];
            let mut steps = Steps::new(PASSES, &Quiet);
            let rows = Row::of_budget(30.0, specs, &sets, queried, &mut steps);
            rows.expect("not cancelled").remove(0)
        };
        let compared = |rows| Comparison {
            rows,
            limits: Vec::new(),
            keys: 0,
            known: 0,
            known_cost: 0.0,
            listed: (0, 0.0),
            cost_shares: Vec::new(),
            needed: Vec::new(),
            unseen: 0,
            later: None,
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
