//! The builder: from options and keys to a filter.
//!
//! The size and the negatives give a plan ([`super::plan`]), and an attempt follows it ([`super::solved`]). Chance decides how many negatives survive, so
//! now and then an attempt needs a few words more than planned. Then the guard gets more room, and the fingerprint less. If even that fails, the
//! guard leaves out its cheapest survivors.
//!
//! Keys with distinct digests can be solved with almost every salt. Only an attacker who knows the seed can choose keys for
//! which the build fails, after [`MAX_TRIES`] salts.

use super::Guarded;
use super::filter::Known;
use super::options::{Options, SETTINGS};
use super::plan::{Plan, Requirements};
use super::shape::MAX_COLUMNS;
use super::solved::Solved;
use crate::error::{Error, Result};
use crate::filter::builder::{Buildable, Builder};
use crate::filter::contract::Filter;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Report, Value};
use crate::filter::knob::Knob;
use crate::filter::limit::limit_rate;
use crate::filter::profile::Profile;
use crate::filter::sizing::{Layout, Size};
use crate::keys::cost_sum::CostSum;
use crate::keys::sets::KeySets;

/// The salts to try in total.
pub(super) const MAX_TRIES: u64 = 64;

/// The lowest rate that can be asked for, which the most columns have.
const RATE_OF_MOST_COLUMNS: f64 = 1.0 / (1u64 << MAX_COLUMNS) as f64;

impl Builder<Guarded> {
    /// Checks the options, and makes a plan. The size in bits is for a filter of `capacity` keys.
    fn plan(&self, workload: &Workload, capacity: u64) -> Result<Plan> {
        self.options.check()?;
        if let Size::Rate(rate) = self.size
            && (0.0..RATE_OF_MOST_COLUMNS).contains(&rate)
        {
            let expected =
                format!("at least {RATE_OF_MOST_COLUMNS:.1e}, the rate of the most columns");
            return Err(Error::parameter("the false positive rate", rate, expected));
        }
        let planned = workload.grown_to(capacity);
        let layout = Layout {
            cell_bits: 1,
            step: 64,
            rate: |bits, _, _| self.requirements(&planned).plan(bits / 64).unseen,
        };
        let words = layout.fit(self.size, capacity, Some(1))?.cells / 64;
        // More words than these would stay empty.
        let requirements = self.requirements(workload);
        let most = (requirements.most_bits() / 64.0).ceil() as u64;
        Ok(requirements.plan(words.min(most)))
    }

    /// What a plan for this workload is made for.
    fn requirements<'a>(&self, workload: &'a Workload) -> Requirements<'a> {
        Requirements {
            workload,
            unseen_share: self.options.unseen_share,
        }
    }
}

impl Guarded {
    /// The smallest size at which the filter is guaranteed to be right on all known negatives.
    pub(crate) fn exact_bits(workload: &Workload) -> u64 {
        match workload.negatives {
            0 => 64,
            _ => Requirements::of(workload).promised_bits() as u64,
        }
    }
}

impl Buildable for Guarded {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let plan = builder.plan(workload, workload.keys)?;
        Ok(Forecast {
            bits: plan.words * 64,
            parameters: plan.parameters(),
            unseen: plan.unseen,
            known: plan.known,
            wrong: Some(plan.wrong),
            lines: plan.lines(),
        })
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        let workload = Workload::of(sets);
        // A fixed set may be empty.
        let capacity = builder.capacity.unwrap_or(workload.keys);
        let mut plan = builder.plan(&workload, capacity)?;
        let requirements = builder.requirements(&workload);
        let mut profile = Profile::new(sets.hashing(), capacity, builder.size);
        profile.add_keys(sets.positives().len());
        // Only a failure asks for another salt and more room for the guard.
        let (mut tries, mut failures) = (0, 0);
        while tries < MAX_TRIES {
            tries += 1;
            let Some(solved) = Solved::new(sets, &plan.retried(failures), failures)? else {
                failures += 1;
                continue;
            };
            let (filter, report) = finish(solved, tries, &requirements, profile);
            if let Size::Rate(rate) = builder.size
                && workload.keys <= capacity
                && filter.rate() > rate
            {
                // The rows of later layers are a forecast, so the rate is one too.
                plan = requirements.plan(plan.words + 1 + plan.words / 300);
                continue;
            }
            return Ok((filter, report));
        }
        let expected = "keys with distinct digests; hash with another seed";
        Err(Error::parameter("the set", "impossible to solve", expected))
    }
}

/// The filter of solved layers, and the report on its known negatives.
fn finish(
    solved: Solved,
    tries: u64,
    requirements: &Requirements<'_>,
    profile: Profile,
) -> (Guarded, Report) {
    let Workload {
        keys,
        negatives,
        costs,
        ..
    } = requirements.workload;
    let wrong = solved.wrong().map(|survivor| survivor.cost);
    let (wrong, cost) = wrong.fold((0, CostSum::default()), |(wrong, sum), cost| {
        (wrong + 1, sum + cost.into())
    });
    let mut report = Report {
        guarded: negatives - wrong,
        wrong: Some(wrong),
        weighted_fpr: Some(costs.share(cost)),
        exact_bits_per_key: None,
        facts: vec![
            ("survivors", Value::Whole(solved.survivors.len() as u64)),
            ("tries", Value::Whole(tries)),
        ],
    };
    let known = Known {
        negatives: *negatives,
        wrong,
    };
    let filter = Guarded::new(solved.layers, solved.bytes, known, profile);
    let keys = (*keys).max(1) as f64;
    let bits_per_key = filter.size_in_bits() as f64 / keys;
    if wrong == 0 {
        // The limit holds only for filters without an error on known negatives.
        let negatives_per_key = requirements.workload.negatives_per_key();
        if let Some(limit) = limit_rate(bits_per_key, negatives_per_key) {
            report.facts.extend([
                ("information_limit", Value::Real(limit)),
                ("times_limit", Value::Real(filter.rate() / limit)),
            ]);
        }
    } else if requirements.unseen_share.is_none() {
        // One bit more, since a quotient may be rounded down.
        report.exact_bits_per_key = Some((requirements.promised_bits() + 1.0) / keys);
    }
    (filter, report)
}
