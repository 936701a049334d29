//! The wishes for a seesaw filter, and how it is made: the costliest negatives are marked, then the positives come.
//!
//! Everything but the size can be left to the plan. Nothing is checked before [`SeesawBuilder::plan`] or
//! [`SeesawBuilder::build`], which check everything.

use super::filter::Seesaw;
use super::footprint::Cells;
use super::plan::{Plan, Task, Wishes};
use super::shape::Shape;
use crate::codec::Head;
use crate::cost::CostCurve;
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Report, Value};
use crate::forecast::{UNSEEN_SHARE, Workload};
use crate::hash::Hashing;
use crate::key::{Costed, KeySets};
use crate::sizing::Size;

/// The wishes for a [`Seesaw`] filter.
#[derive(Clone, Debug)]
pub struct SeesawBuilder {
    size: Size,
    capacity: u64,
    hashing: Hashing,
    wishes: Wishes,
}

impl SeesawBuilder {
    /// A filter for `capacity` keys at a time. It takes more; the rates then rise.
    pub(super) fn new(capacity: u64, size: Size) -> Self {
        SeesawBuilder {
            size,
            capacity,
            hashing: Hashing::default(),
            wishes: Wishes {
                functions: None,
                alpha: None,
                count_bits: None,
                index_bits: None,
                guard: None,
                unseen_share: UNSEEN_SHARE,
                segments: None,
                adaptive: false,
            },
        }
    }

    /// Lets keys be guarded at any time, for one bit more per counter.
    pub fn adaptive(mut self) -> Self {
        self.wishes.adaptive = true;
        self
    }

    /// The number of hash functions, instead of the best one.
    pub fn functions(mut self, functions: u32) -> Self {
        self.wishes.functions = Some(functions);
        self
    }

    /// The share of the space for the modulator, 0 to 0.5; the paper has 0.1, and 0 is a filter without one. An adaptive filter
    /// without one errs more often on keys that are guarded after others came, until about half of those have been replaced.
    pub fn alpha(mut self, share: f64) -> Self {
        self.wishes.alpha = Some(share);
        self
    }

    /// Bits of the count in a modulator cell, 1 to 8; the paper has 3.
    pub fn count_bits(mut self, bits: u32) -> Self {
        self.wishes.count_bits = Some(bits);
        self
    }

    /// The logarithm of the number of functions in reserve, 1 to 4; the paper has 1.
    pub fn index_bits(mut self, bits: u32) -> Self {
        self.wishes.index_bits = Some(bits);
        self
    }

    /// How many of the known negatives are guarded, the costliest, for each key of the capacity: 0.05 is one for twenty keys.
    /// Of an adaptive filter without known negatives, how many are expected to be.
    pub fn guard(mut self, share: f64) -> Self {
        self.wishes.guard = Some(share);
        self
    }

    /// Which share of the cost of false positives comes from keys that are not known, 0 to 1; 0.1 unless something else is
    /// said.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.wishes.unseen_share = share;
        self
    }

    /// The number of segments, instead of one for each 32 KiB. Threads that share the filter get in each other's way if they
    /// are few; rates rise if they hold few keys.
    pub fn segments(mut self, segments: u64) -> Self {
        self.wishes.segments = Some(segments);
        self
    }

    /// How keys are hashed, instead of XXH3 with seed 0.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// What the filter will be, and its predicted rates, without making it. The capacity is that of the builder.
    ///
    /// ```
    /// use bloomwise::{Seesaw, Size, Workload};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let costs: Vec<f64> = (1..=300_000).map(|rank| 1.0 / f64::from(rank)).collect();
    /// let workload = Workload::with_costs(300_000, &costs)?;
    /// let plan = Seesaw::builder(300_000, Size::BitsPerKey(28.0)).guard(0.05).plan(&workload)?;
    /// assert_eq!((plan.functions, plan.guarded), (4, 15_000));
    /// assert!(plan.weighted_fpr < 0.02 && plan.unseen_fpr < 0.08);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A size or wishes that no filter can have.
    pub fn plan(&self, workload: &Workload) -> Result<Plan> {
        let (plan, _) = self.plan_for(workload)?;
        Ok(plan)
    }

    fn plan_for(&self, workload: &Workload) -> Result<(Plan, Shape)> {
        let task = Task {
            size: self.size,
            capacity: self.capacity,
            workload,
            wishes: &self.wishes,
        };
        task.plan()
    }

    /// The filter that guards the costliest of these negatives and holds these positives.
    ///
    /// # Errors
    ///
    /// As for [`SeesawBuilder::plan`], and memory that is not there.
    pub fn build(&self, sets: &KeySets) -> Result<Seesaw> {
        self.make(sets).map(|(filter, _)| filter)
    }

    /// The same, and what became of the known negatives.
    ///
    /// # Errors
    ///
    /// As for [`SeesawBuilder::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(Seesaw, Report)> {
        let (filter, chosen) = self.make(sets)?;
        let wrong = |negative: &&Costed| filter.contains_digest(negative.digest);
        let guarded = chosen.iter().filter(|negative| !wrong(negative)).count();
        let left = sets.negatives().iter().filter(wrong).count();
        // Each is scaled before it is added, so that no sum overflows.
        let costs = CostCurve::new(sets.negatives());
        let lost = sets.negatives().iter().filter(wrong);
        let lost: f64 = lost.map(|negative| negative.cost * costs.unit).sum();
        let weighted = if costs.total > 0.0 {
            (lost + 0.0) / costs.total
        } else {
            0.0
        };
        let facts = vec![
            ("chosen", Value::Whole(chosen.len() as u64)),
            ("left", Value::Whole(left as u64)),
            ("weighted_fpr", Value::Real(weighted)),
        ];
        let guarded = guarded as u64;
        Ok((filter, Report { guarded, facts }))
    }

    /// The filter, and the negatives that it guards.
    fn make(&self, sets: &KeySets) -> Result<(Seesaw, Vec<Costed>)> {
        let negatives = sets.negatives();
        let (plan, shape) = self.plan_for(&Workload::of(sets))?;
        let chosen = costliest(negatives, plan.guarded);
        let family = match shape.adaptive {
            true => Family::SeesawAdaptive,
            false => Family::Seesaw,
        };
        let mut filter = Seesaw {
            cells: Cells::new(shape)?,
            head: Head::new(family, self.hashing),
        };
        for negative in &chosen {
            filter.cells.guard(negative.digest);
        }
        filter.insert_digests(sets.positives());
        Ok((filter, chosen))
    }
}

/// So many of the costliest negatives; of equal ones, those with the smaller digests.
fn costliest(negatives: &[Costed], count: u64) -> Vec<Costed> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut all = negatives.to_vec();
    if count < all.len() {
        all.select_nth_unstable_by(count, |a, b| {
            b.cost.total_cmp(&a.cost).then(a.digest.cmp(&b.digest))
        });
        all.truncate(count);
    }
    all
}
