//! The start of a life: makes the filter of a case and checks what was promised about it.
//!
//! One filter in four is made a second time, in another way and from the same keys in another order. The bytes must be the same. The forecast of one in four is
//! compared with what was asked for.

use super::case::{Case, Start};
use super::draw::Draw;
use super::fault::Fault;
use super::given::Given;
use super::keys::Keys;
use super::life::Life;
use super::naive::Model;
use super::tally::Tally;
use super::typed;
use super::world::World;
use anyhow::{Context, Result, ensure};
use bloomwise::info::Report;
use bloomwise::sharded::Sharded;
use bloomwise::{
    AnyFilter, Error, Family, Filter, KeySets, Operation, Persist, Size, Spec, Workload,
};

/// The most bits of a filter: 32 MiB.
const MAX_BITS: u64 = 1 << 28;

/// Rounding in a predicted rate.
const ROUNDING: f64 = 1.0 + 1e-9;

/// The most bits of a filter that a naive model follows. It has an entry for each cell.
const NAIVE_BITS: u64 = 1 << 12;

/// Everything that the start of a life needs.
pub struct Beginning<'a> {
    /// What the life is about.
    pub case: &'a Case,
    /// The keys of the case.
    pub keys: &'a Keys,
    /// Where choices come from that are no part of a step.
    pub draw: Draw<'static>,
    /// The fault to inject, if any.
    pub fault: Option<Fault>,
    /// What is counted.
    pub tally: &'a mut Tally,
    /// What is counted while threads share the filter.
    pub shared: &'a mut Tally,
    /// What the life may use.
    pub world: World<'a>,
}

impl<'a> Beginning<'a> {
    /// Makes the filter. `None` if the library refuses, because no filter can have these settings in this size, or if it would be too large.
    pub fn start(mut self) -> Result<Option<Life<'a>>> {
        let (case, keys) = (self.case, self.keys);
        let mut given = Given::draw(case, &mut self.draw);
        if self.fault == Some(Fault::AcceptsNegative) {
            given.add_positive(case.positives);
        }
        let sets = given.sets_from_keys(case, keys)?;
        let made = match self.make(&given, &sets) {
            Err(Error::Parameter { .. }) if can_be_refused(case) => None,
            // Keys that do not fit. A later insertion would say the same.
            Err(Error::Full { .. }) if case.family == Family::Cuckoo => None,
            made => made.context("a possible filter cannot be made")?,
        };
        let Some((filter, report)) = made else {
            self.tally.refused += 1;
            return Ok(None);
        };
        ensure!(!case.is_impossible(), "no filter can have this size");
        let inserted = filter.len();
        self.tally.filters += 1;
        self.tally.inserted += inserted;
        self.tally.guarded += report.guarded;
        if self.draw.one_in(4) {
            self.make_again(&filter, given)?;
        }
        if self.draw.one_in(4) && case.segments.is_none() && case.shards.is_none() {
            self.check_forecast(&sets)?;
        }
        let mut held = vec![0; keys.len()];
        if case.start != Start::Empty {
            held[..case.positives].fill(1);
        }
        if self.fault == Some(Fault::ForgetsKey) {
            held[keys.len() - 1] = 1;
        }
        let negatives = case.positives..case.positives + case.negatives;
        let mut denied = vec![false; keys.len()];
        let exact = !case.family.can(Operation::Insert) && report.wrong == Some(0);
        denied[negatives.clone()].fill(exact);
        self.tally.exact += u64::from(exact);
        let mut life = Life {
            case,
            keys,
            naive: naive(case, &filter),
            filter,
            held,
            total: inserted,
            removed: false,
            denied,
            base: None,
            draw: self.draw,
            tally: self.tally,
            shared: self.shared,
            world: self.world,
        };
        life.check_budget()?;
        if let Some(wrong) = report.wrong {
            let answers = life.query(negatives)?;
            let accepted = answers.iter().filter(|&&accepted| accepted).count() as u64;
            ensure!(
                accepted == wrong,
                "the filter accepts {accepted} known negatives; its report says {wrong}"
            );
        }
        Ok(Some(life))
    }

    /// Makes the filter of a case in the way that the case says. `None` if it would be too large.
    fn make(
        &self,
        given: &Given,
        sets: &KeySets,
    ) -> bloomwise::Result<Option<(AnyFilter, Report)>> {
        let mut case = self.case.clone();
        match self.fault {
            Some(Fault::OvershootsBudget) => case.size = Size::Bits(twice(&case)),
            Some(Fault::Panics) => panic!("an injected panic"),
            _ => {}
        }
        let spec = case.spec()?;
        // Every other size is small by itself.
        if let Size::Rate(_) = case.size
            && spec.forecast(&self.workload(sets))?.bits > MAX_BITS
        {
            return Ok(None);
        }
        let none = KeySets::empty(case.hashing);
        let built = if case.start == Start::Empty {
            &none
        } else {
            sets
        };
        let only = |filter| Some((filter, Report::default()));
        if let Some(shards) = case.shards {
            return spec.build_sharded(built, shards).map(Some);
        }
        if case.segments.is_some() {
            let built = (case.start != Start::Empty).then_some(sets);
            let made = typed::make(&case, built).expect("seesaw filters have a builder");
            return made.map(only);
        }
        match case.start {
            Start::Empty => spec.create().map(only),
            // Only a report says whether a filter of a fixed set is exact.
            Start::Keys if case.family.can(Operation::Insert) => {
                let (positives, negatives) =
                    (given.positives(self.keys), given.negatives(self.keys));
                spec.build_from(positives, negatives).map(only)
            }
            Start::Keys | Start::Sets => spec.build_and_report(sets).map(Some),
        }
    }

    /// What the filter is planned for.
    fn workload(&self, sets: &KeySets) -> Workload {
        match self.case.start {
            Start::Empty => Workload::new(self.case.planned(), 0),
            Start::Sets | Start::Keys => Workload::of(sets),
        }
    }

    /// Makes the filter again, in another way and from keys in another order. The bytes must be the same.
    fn make_again(&mut self, filter: &AnyFilter, mut given: Given) -> Result<()> {
        let (case, keys) = (self.case, self.keys);
        if self.fault == Some(Fault::OvershootsBudget) {
            return Ok(());
        }
        given.shuffle(&mut self.draw);
        let sets = match case.start {
            Start::Empty => KeySets::empty(case.hashing),
            Start::Sets | Start::Keys => given.sets_from_digests(case, keys)?,
        };
        let built = (case.start != Start::Empty).then_some(&sets);
        let (way, again) = match case.shards {
            Some(shards) => ("shards", self.make_shards(&case.spec()?, &sets, shards)?),
            _ if built.is_none() || case.segments.is_some() || self.draw.one_in(2) => {
                match (typed::make(case, built), built) {
                    (Some(again), _) => ("its own builder", again?),
                    (None, Some(sets)) => ("key sets", case.spec()?.build(sets)?),
                    (None, None) => ("its spec", case.spec()?.create()?),
                }
            }
            _ if self.draw.one_in(2) => ("key sets", case.spec()?.build(&sets)?),
            _ => {
                let (positives, negatives) = (given.positives(keys), given.negatives(keys));
                ("keys", case.spec()?.build_from(positives, negatives)?)
            }
        };
        self.tally.filters += 1;
        self.tally.inserted += again.len();
        ensure!(
            again == *filter && again.to_bytes() == filter.to_bytes(),
            "the same filter made from {way}, in another order of the keys, has other bytes"
        );
        Ok(())
    }

    /// The filter of shards that were made apart, where the size is known without all keys.
    fn make_shards(&mut self, spec: &Spec, sets: &KeySets, shards: u64) -> Result<AnyFilter> {
        if let Size::Bits(_) = self.case.size {
            return Ok(spec.build_sharded(sets, shards)?.0);
        }
        let cut = self.draw.below(shards as usize) as u64;
        let ranges = [cut..shards, 0..cut].into_iter();
        let parts = ranges.filter(|range| !range.is_empty()).map(|range| {
            let (part, _) = spec.build_shards(sets, shards, range)?;
            Ok(Sharded::from_bytes(&part.to_bytes())?)
        });
        Ok(Sharded::join(parts.collect::<Result<_>>()?)?)
    }

    /// The forecast keeps the size or the rate that was asked for.
    fn check_forecast(&self, sets: &KeySets) -> Result<()> {
        let case = self.case;
        let forecast = case.spec()?.forecast(&self.workload(sets));
        let forecast = forecast.context("a filter that can be made has no forecast")?;
        if let Some(budget) = case.budget() {
            let bits = forecast.bits;
            ensure!(
                bits <= budget,
                "the forecast has {bits} bits, the budget {budget}"
            );
        }
        if let Size::Rate(rate) = case.size {
            let unseen = forecast.unseen;
            ensure!(
                unseen <= rate * ROUNDING,
                "the forecast has a rate of {unseen}, asked for was {rate}"
            );
        }
        Ok(())
    }
}

/// The naive model of a small filter that knows nothing yet, or whose model needs nothing but its cells.
fn naive(case: &Case, filter: &AnyFilter) -> Option<Model> {
    let fixed = matches!(filter, AnyFilter::Habf(_) | AnyFilter::Guarded(_));
    let small = filter.size_in_bits() <= NAIVE_BITS && case.shards.is_none();
    if small && (fixed || case.start == Start::Empty) {
        return Model::of(filter);
    }
    None
}

/// Whether the library may say that no filter can have these settings in this size. Without settings every size is possible, with two exceptions: balanced
/// and cuckoo filters need room for each key, and the least sizes of all shards may not fit.
fn can_be_refused(case: &Case) -> bool {
    let needs_room = matches!(case.family, Family::Balanced | Family::Cuckoo);
    let settings = !case.settings.is_empty() || case.paper;
    settings || needs_room || case.shards.is_some() || case.is_impossible()
}

/// More than twice the bits that a case may take.
fn twice(case: &Case) -> u64 {
    2 * case.budget().unwrap_or_default() + 1024
}
