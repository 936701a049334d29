//! Steps that change the set: insertions, removals, guards and unions.

use super::case::Start;
use super::life::Life;
use super::step::Way;
use anyhow::{Result, ensure};
use bloomwise::{AnyFilter, Error, Family, Filter, Persist};
use std::ops::Range;

impl Life<'_> {
    /// Inserts keys, as many as there is room for. A single insertion says whether the filter denied the key before.
    pub fn insert(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        let keys = self.keys;
        let inserted = match way {
            Way::Single => {
                self.tally().queried += range.len() as u64;
                range.clone().try_for_each(|number| {
                    let key = keys.key(number);
                    let denied = !self.filter.contains(key);
                    let new = self.filter.insert(key)?;
                    assert_eq!(new, denied, "whether key {number} is new");
                    Ok(())
                })
            }
            Way::Batch => self
                .filter
                .extend(range.clone().map(|number| keys.key(number))),
            Way::Digests => self.filter.insert_digests(&keys.digests(range.clone())),
        };
        let range = self.fitted(inserted, &self.filter, range)?;
        self.hold(range.clone())?;
        self.tally().inserted += range.len() as u64;
        self.check(range)
    }

    /// The keys of `range` that were inserted: all, or the first ones if there was no room for the next.
    fn fitted(
        &self,
        inserted: bloomwise::Result<()>,
        filter: &AnyFilter,
        range: Range<usize>,
    ) -> Result<Range<usize>> {
        match inserted {
            Err(Error::Full { .. }) => {
                let fitted = filter.len() - self.total;
                Ok(range.start..range.start + fitted as usize)
            }
            inserted => Ok(inserted.map(|()| range)?),
        }
    }

    /// Counts keys as members once more.
    fn hold(&mut self, range: Range<usize>) -> Result<()> {
        let total = self.total + range.len() as u64;
        self.total = match self.case.family {
            // It counts keys that are new.
            Family::Growing => self.filter.len(),
            _ => total,
        };
        ensure!(self.total <= total, "{} keys, at most {total}", self.total);
        self.held[range].iter_mut().for_each(|times| *times += 1);
        Ok(())
    }

    /// Removes each member among these keys once.
    pub fn remove(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        let members: Vec<usize> = range.filter(|&number| self.held[number] > 0).collect();
        match way {
            Way::Single => {
                for &number in &members {
                    let removed = self.filter.remove(self.keys.key(number))?;
                    ensure!(removed, "key {number} is in the set and cannot be removed");
                }
            }
            Way::Batch | Way::Digests => {
                let removed = self
                    .filter
                    .remove_digests(&self.keys.digests_of(&members))?;
                let expected = members.len() as u64;
                ensure!(
                    removed == expected,
                    "{removed} of {expected} members were removed"
                );
            }
        }
        for &number in &members {
            self.held[number] -= 1;
        }
        self.total -= members.len() as u64;
        self.tally().removed += members.len() as u64;
        Ok(())
    }

    /// Tries to remove the keys that the filter denies. It must refuse, and must not change.
    pub fn remove_denied(&mut self, range: Range<usize>) -> Result<()> {
        let answers = self.query(range.clone())?;
        let denied = range.zip(answers).filter(|(_, accepted)| !accepted);
        let denied: Vec<usize> = denied.map(|(number, _)| number).collect();
        let before = self.filter.clone();
        let removed = self.filter.remove_digests(&self.keys.digests_of(&denied))?;
        ensure!(
            removed == 0,
            "{removed} keys were removed that the filter denied"
        );
        ensure!(
            self.filter == before,
            "a refused removal changed the filter"
        );
        Ok(())
    }

    /// Guards keys, members or not. A cuckoo filter would deny a member, so these are left out.
    pub fn guard(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        let any = self.case.family != Family::Cuckoo;
        let numbers: Vec<usize> = range
            .filter(|&number| any || self.held[number] == 0)
            .collect();
        self.tally().guarded += numbers.len() as u64;
        match way {
            Way::Single => {
                let mut numbers = numbers.into_iter();
                Ok(numbers.try_for_each(|number| self.filter.guard(self.keys.key(number)))?)
            }
            Way::Batch | Way::Digests => {
                Ok(self.filter.guard_digests(&self.keys.digests_of(&numbers))?)
            }
        }
    }

    /// Unites the filter with a filter of these keys. The intersection, where there is one, holds what is in both.
    pub fn unite(&mut self, range: Range<usize>) -> Result<()> {
        let digests = self.keys.digests(range.clone());
        let case = self.case;
        let spec = match case.start {
            Start::Empty => case.spec()?,
            // The capacity of a filter that is built is the number of its keys, unless it was given.
            Start::Sets | Start::Keys => case.spec()?.capacity(case.planned()),
        };
        let mut other = spec.create()?;
        other.insert_digests(&digests)?;
        let tally = self.tally();
        tally.filters += 1;
        tally.inserted += digests.len() as u64;
        if let (AnyFilter::Bloom(one), AnyFilter::Bloom(other)) = (&self.filter, &other) {
            let mut both = one.clone();
            both.intersection(other)?;
            let answers = both.contains_digests(&digests)?;
            self.check_answers(range.clone(), &answers)?;
            self.tally().queried += digests.len() as u64;
        }
        self.filter.union(&other)?;
        self.hold(range.clone())?;
        self.check(range)
    }

    /// Inserts keys into two clones, in different ways. The clones must be equal, and the filter must not change. The round
    /// continues with one of the three.
    pub fn clone_and_insert(&mut self, range: Range<usize>) -> Result<()> {
        let before = self.filter.to_bytes();
        let (mut one, mut other) = (self.filter.clone(), self.filter.clone());
        let inserted = one.insert_digests(&self.keys.digests(range.clone()));
        let range = self.fitted(inserted, &one, range)?;
        for number in range.clone() {
            other.insert(self.keys.key(number))?;
        }
        let tally = self.tally();
        tally.filters += 2;
        tally.inserted += 2 * range.len() as u64;
        ensure!(
            one == other,
            "keys inserted at once and one by one give different filters"
        );
        ensure!(
            self.filter.to_bytes() == before,
            "a change of a clone changed the filter"
        );
        if self.random.one_in(2) {
            self.filter = one;
            self.hold(range.clone())?;
        }
        self.check(range)
    }
}
