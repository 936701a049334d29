//! Construction: insert the positives, then add exceptions for the known negatives that are wrong.

use super::eviction::{Eviction, as_cost, reserve_room, score, tie};
use super::filter::Cuckoo;
use super::options::{Options, SETTINGS};
use super::plan::Plan;
use super::table::{Entry, Table, most_entries};
use crate::cells::storage::Storage;
use crate::cells::words::padded_words_mut;
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::contract::{Filter, Lookup};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::knob::Knob;
use crate::filter::known::report_on;
use crate::filter::profile::Profile;
use crate::keys::hash::Hashing;
use crate::keys::sets::{Costed, KeySets};
use crate::machine::parallel;

impl Builder<Cuckoo> {
    /// The plan for a workload. Its number of keys is the capacity.
    fn plan<'a>(&'a self, workload: &'a Workload) -> Plan<'a> {
        Plan {
            size: self.size,
            workload,
            options: &self.options,
        }
    }

    /// An empty filter for a workload. Its number of keys is the capacity.
    fn empty(&self, workload: &Workload, hashing: Hashing) -> Result<Cuckoo> {
        let shape = self.plan(workload).shape()?;
        let words = Storage::new(8 * shape.words())?;
        let profile = Profile::new(hashing, workload.keys, self.size);
        Ok(Cuckoo::over(shape, words, profile, Eviction::default()))
    }
}

impl Buildable for Cuckoo {
    type Options = Options;

    const SETTINGS: &'static [Knob<Self>] = SETTINGS;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        builder.plan(workload).forecast()
    }

    /// The report counts the false positives among the known negatives.
    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        let workload = Workload::of(sets).grown_to(builder.capacity_for(sets)?);
        let mut filter = builder.empty(&workload, sets.hashing())?;
        filter.add(sets.positives())?;
        filter.make_exceptions(sets.negatives());
        let report = report_on(&filter, sets.negatives());
        Ok((filter, report))
    }
}

impl Growable for Cuckoo {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        builder.empty(&Workload::new(capacity, 0), hashing)
    }

    fn needs_no_capacity(_builder: &Builder<Self>) -> bool {
        false
    }
}

impl Cuckoo {
    /// Adds exceptions for the negatives with the highest scores: the costliest mistakes, then the costliest others.
    fn make_exceptions(&mut self, negatives: &[Costed]) {
        let rate = self.rate();
        let scored = |negative: &Costed| {
            let (cost, wrong) = (as_cost(negative.cost), self.query(negative.digest));
            Some((score(cost, wrong, rate), wrong, negative.digest, cost))
        };
        let mut all = parallel::filter_map(negatives, scored);
        let room = most_entries(self.shape.entries).saturating_sub(self.eviction.entries) as usize;
        // Mistakes first, even those that cost nothing.
        let order = |one: &(f64, bool, _, _), other: &(f64, bool, _, _)| {
            other.0.total_cmp(&one.0).then(other.1.cmp(&one.1))
        };
        if all.len() > room {
            all.select_nth_unstable_by(room, |one, other| {
                order(one, other).then(tie(one.2).cmp(&tie(other.2)))
            });
        }
        let given_up = all.iter().skip(room).filter(|negative| negative.1).count();
        all.truncate(room);
        // Mistakes may fill the table. Keys in reserve may use only a part of it.
        let wrong = all.iter().filter(|negative| negative.1).count();
        let reserve =
            reserve_room(most_entries(self.shape.entries)).saturating_sub(self.eviction.entries);
        if all.len() > wrong {
            all.sort_unstable_by(|one, other| {
                other
                    .1
                    .cmp(&one.1)
                    .then(order(one, other))
                    .then(tie(one.2).cmp(&tie(other.2)))
            });
            all.truncate(wrong.max(reserve as usize));
        }
        let table = Table::new(padded_words_mut(&mut self.words), &self.shape);
        let mut lost = 0;
        for (_, wrong, digest, cost) in all {
            let kept = table.set(digest, Entry::Exception(cost));
            self.eviction.entries += u64::from(kept);
            lost += u64::from(wrong && !kept);
        }
        self.eviction.given_up = given_up as u64 + lost;
    }
}
