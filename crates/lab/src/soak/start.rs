//! The start of a round: makes the filter of a case and checks what was promised about it.
//!
//! One filter in four is made a second time, in another way and from the same keys in another order. The bytes must be the
//! same. The forecast of one in four is compared with what was asked for.

use super::case::{Case, Start};
use super::fault::Fault;
use super::given::Given;
use super::keys::Keys;
use super::life::Life;
use super::random::Random;
use super::tally::{Tallies, Tally};
use super::typed;
use anyhow::{Context, Result, ensure};
use bloomwise::{AnyFilter, Error, Family, Filter, KeySets, Persist, Report, Size, Workload};
use std::path::Path;

/// The most bits of a filter: 32 MiB.
const MAX_BITS: u64 = 1 << 28;

/// Rounding in a predicted rate.
const ROUNDING: f64 = 1.0 + 1e-9;

/// Everything that the start of a round needs.
pub struct Beginning<'a> {
    /// What the round is about.
    pub case: &'a Case,
    /// The keys of the case.
    pub keys: &'a Keys,
    /// Where random numbers come from.
    pub random: Random,
    /// The fault to inject, if any.
    pub fault: Option<Fault>,
    /// What is counted.
    pub tallies: &'a mut Tallies,
    /// A folder for files.
    pub folder: &'a Path,
}

impl<'a> Beginning<'a> {
    /// Makes the filter. `None` if the library refuses, because no filter can have these settings in this size, or if it
    /// would be too large.
    pub fn start(mut self) -> Result<Option<Life<'a>>> {
        let (case, keys) = (self.case, self.keys);
        let mut given = Given::draw(case, &mut self.random);
        if self.fault == Some(Fault::AcceptsNegative) {
            given.add_positive(case.positives);
        }
        let sets = given.sets_from_keys(case, keys)?;
        let made = match self.make(&given, &sets) {
            Err(Error::Parameter { .. }) if can_be_refused(case) => None,
            made => made.context("a possible filter cannot be made")?,
        };
        let Some((filter, report)) = made else {
            self.tally().refused += 1;
            return Ok(None);
        };
        let inserted = filter.len();
        let tally = self.tally();
        tally.filters += 1;
        tally.inserted += inserted;
        tally.guarded += report.guarded;
        if self.random.one_in(4) {
            self.make_again(&filter, given)?;
        }
        if self.random.one_in(4) && case.segments.is_none() {
            self.check_forecast(&sets)?;
        }
        let mut held = vec![0; keys.len()];
        if case.start != Start::Empty {
            held[..case.positives].fill(1);
        }
        if self.fault == Some(Fault::ForgetsKey) {
            held[keys.len() - 1] = 1;
        }
        let mut life = Life {
            case,
            keys,
            filter,
            held,
            total: inserted,
            exact: case.family == Family::Guarded && report.wrong == Some(0),
            random: self.random,
            tallies: self.tallies,
            folder: self.folder,
        };
        life.tally().exact += u64::from(life.exact);
        life.check_budget()?;
        if let Some(left) = left {
            life.check_report(left)?;
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
        let built = (case.start != Start::Empty).then_some(sets);
        let only = |filter| Some((filter, Report::default()));
        if case.segments.is_some() {
            return typed::make(&case, built).map(only);
        }
        match case.start {
            Start::Empty => spec.create().map(only),
            // Only a report says whether a guarded filter is exact.
            Start::Keys if case.family != Family::Guarded => {
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
        given.shuffle(&mut self.random);
        let sets = given.sets_from_digests(case, keys)?;
        let (way, again) = match case.start {
            Start::Empty => ("its own builder", typed::make(case, None)?),
            _ if case.segments.is_some() || self.random.one_in(2) => {
                ("its own builder", typed::make(case, Some(&sets))?)
            }
            _ if self.random.one_in(2) => ("key sets", case.spec()?.build(&sets)?),
            _ => {
                let (positives, negatives) = (given.positives(keys), given.negatives(keys));
                ("keys", case.spec()?.build_from(positives, negatives)?)
            }
        };
        let tally = self.tally();
        tally.filters += 1;
        tally.inserted += again.len();
        ensure!(
            again == *filter && again.to_bytes() == filter.to_bytes(),
            "the same filter made from {way}, in another order of the keys, has other bytes"
        );
        Ok(())
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

    /// The numbers of the case's kind.
    fn tally(&mut self) -> &mut Tally {
        self.tallies.of(self.case.family)
    }
}

impl Life<'_> {
    /// The filter accepts as many known negatives as its report says are `left`.
    fn check_report(&mut self, left: u64) -> Result<()> {
        let case = self.case;
        let answers = self.query(case.positives..case.positives + case.negatives)?;
        let accepted = answers.iter().filter(|&&accepted| accepted).count() as u64;
        ensure!(
            accepted == left,
            "the filter accepts {accepted} known negatives; its report says {left}"
        );
        Ok(())
    }
}

/// Whether the library may say that no filter can have these settings in this size. Without settings every size is
/// possible, except that a balanced filter needs a bit for each key.
fn can_be_refused(case: &Case) -> bool {
    // A cuckoo filter has a slot for each key.
    let needs_room = matches!(case.family, Family::Balanced | Family::Cuckoo);
    !case.settings.is_empty() || case.paper || needs_room
}

/// More than twice the bits that a case may take.
fn twice(case: &Case) -> u64 {
    2 * case.budget().unwrap_or_default() + 1024
}
