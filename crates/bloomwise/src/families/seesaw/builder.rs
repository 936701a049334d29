//! Construction: guard the costliest negatives, then insert the positives.
//!
//! Only size and capacity are required, and no capacity if bits and the number of functions are given; the plan chooses the rest.

use super::filter::Seesaw;
use super::options::{Options, SETTINGS};
use super::plan::Plan;
use super::search::PlanSearch;
use super::shape::Shape;
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::contract::Lookup;
use crate::filter::contract::sealed::Checked;
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Report, Value};
use crate::filter::insert::Insert;
use crate::filter::knob::Knob;
use crate::filter::known::report_on;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::keys::costliest::costliest;
use crate::keys::hash::Hashing;
use crate::keys::sets::{Costed, KeySets};
use crate::machine::parallel;

impl Builder<Seesaw> {
    /// The shape of the filter and its predicted rates, without building it. It is planned for the capacity, or else for the number
    /// of keys in `workload`.
    ///
    /// ```
    /// use bloomwise::{Seesaw, Size, Workload};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let costs: Vec<f64> = (1..=300_000).map(|rank| 1.0 / f64::from(rank)).collect();
    /// let workload = Workload::with_costs(300_000, &costs)?;
    /// let plan = Seesaw::builder(Size::BitsPerKey(28.0)).guard(0.05).plan(&workload)?;
    /// assert_eq!((plan.functions, plan.guarded), (4, 15_000));
    /// assert!(plan.weighted_fpr < 0.02 && plan.unseen_fpr < 0.08);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// No filter can have this size or these options.
    pub fn plan(&self, workload: &Workload) -> Result<Plan> {
        let keys = self.capacity.unwrap_or(workload.keys);
        let (plan, _) = self.plan_for(&workload.grown_to(keys))?;
        Ok(plan)
    }

    /// The plan for a workload that has the capacity as its number of keys, and its shape.
    fn plan_for(&self, workload: &Workload) -> Result<(Plan, Shape)> {
        let search = PlanSearch {
            size: self.size,
            workload,
            options: &self.options,
        };
        search.plan()
    }

    /// An empty filter that is planned for this workload, which has the capacity as its number of keys, and its plan.
    fn empty(&self, workload: &Workload, hashing: Hashing) -> Result<(Seesaw, Plan)> {
        let (plan, shape) = self.plan_for(workload)?;
        let filter = Seesaw {
            shape,
            words: Storage::new(8 * shape.words())?,
            profile: Profile::new(hashing, workload.keys, self.size),
        };
        Ok((filter, plan))
    }
}

impl Buildable for Seesaw {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn of_kind(builder: Builder<Self>, kind: Family) -> Builder<Self> {
        match kind {
            Family::SeesawAdaptive => builder.adaptive(),
            _ => builder,
        }
    }

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let (plan, _) = builder.plan_for(workload)?;
        Ok(plan.forecast())
    }

    /// The report counts the false positives among the known negatives.
    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        let workload = Workload::of(sets).grown_to(builder.capacity_for(sets)?);
        let (mut filter, plan) = builder.empty(&workload, sets.hashing())?;
        let chosen = costliest(sets.negatives(), plan.guarded);
        let cells = filter.cells_mut();
        let guarded = chosen.iter().map(|negative| negative.digest);
        guarded.for_each(|digest| cells.guard(digest));
        filter.add_digests(sets.positives(), Checked(()));
        let report = report(&filter, sets.negatives(), &chosen);
        Ok((filter, report))
    }
}

impl Growable for Seesaw {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let (filter, _) = builder.empty(&Workload::new(capacity, 0), hashing)?;
        Ok(filter)
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        matches!(builder.size, Size::Bits(_)) && builder.options.functions.is_some()
    }
}

/// How many of the chosen negatives the filter denies, and which of all negatives are still false positives.
fn report(filter: &Seesaw, negatives: &[Costed], chosen: &[Costed]) -> Report {
    let wrong = |negative: &Costed| filter.query(negative.digest).then_some(());
    let guarded = chosen.len() - parallel::filter_map(chosen, wrong).len();
    Report {
        guarded: guarded as u64,
        facts: vec![("chosen", Value::Whole(chosen.len() as u64))],
        ..report_on(filter, negatives)
    }
}
