//! Steps that change the set: insertions, removals, guards and unions.

use super::case::Start;
use super::life::Life;
use super::step::Way;
use anyhow::{Result, ensure};
use bloomwise::info::Value;
use bloomwise::{AnyFilter, Error, Family, Filter, Operation, Persist};
use std::ops::Range;

impl Life<'_> {
    /// Whether the filter has an operation. A patched filter has none.
    fn can(&self, operation: Operation) -> bool {
        self.filter.check_operation(operation).is_ok()
    }

    /// Inserts keys, as many as there is room for. A single insertion says whether the filter denied the key before.
    pub fn insert(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        if !self.can(Operation::Insert) {
            return Ok(());
        }
        let keys = self.keys;
        let inserted = match way {
            Way::Single => {
                self.tally.queried += range.len() as u64;
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
        let fitted = self.fitted(inserted, &self.filter, range.clone())?;
        self.hold(fitted.clone())?;
        self.tally.inserted += fitted.len() as u64;
        if let Some(next) = range.clone().nth(fitted.len()) {
            self.refuse(next)?;
        }
        self.check(fitted)
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

    /// A filter without room for a key refuses it again, and does not change. The naive model has no room either.
    fn refuse(&mut self, number: usize) -> Result<()> {
        let before = self.filter.clone();
        let again = self.filter.insert(self.keys.key(number));
        ensure!(again.is_err(), "there is room for key {number} after all");
        ensure!(
            self.filter == before,
            "a key without room changed the filter"
        );
        if let Some(naive) = &self.naive {
            let fits = naive.clone().insert(self.keys.digest(number));
            ensure!(
                !fits,
                "there is no room for key {number}, by the naive model there is"
            );
        }
        Ok(())
    }

    /// Removes each member among these keys once.
    pub fn remove(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        if !self.can(Operation::Remove) {
            return Ok(());
        }
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
        self.tally.removed += members.len() as u64;
        members.into_iter().for_each(|number| self.release(number));
        Ok(())
    }

    /// Tries to remove the keys that the filter denies. It must refuse, and must not change.
    pub fn remove_denied(&mut self, range: Range<usize>) -> Result<()> {
        if !self.can(Operation::Remove) {
            return Ok(());
        }
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

    /// Guards keys, members or not. A cuckoo filter would deny a member, so these are left out. It denies the others at once, unless it says that it gave
    /// some up.
    pub fn guard(&mut self, range: Range<usize>, way: Way) -> Result<()> {
        if !self.can(Operation::Guard) {
            return Ok(());
        }
        let cuckoo = self.case.family == Family::Cuckoo;
        let legal = |&number: &usize| !cuckoo || self.held[number] == 0;
        let numbers: Vec<usize> = range.filter(legal).collect();
        self.tally.guarded += numbers.len() as u64;
        let before = given_up(&self.filter);
        match way {
            Way::Single => {
                let mut numbers = numbers.iter();
                numbers.try_for_each(|&number| self.filter.guard(self.keys.key(number), 1.0))?;
            }
            Way::Batch | Way::Digests => {
                self.filter
                    .guard_digests(&self.keys.digests_of(&numbers), &vec![1.0; numbers.len()])?;
            }
        }
        self.note_guards(&numbers);
        if before.is_some() && given_up(&self.filter) == before {
            let answers = self
                .filter
                .contains_digests(&self.keys.digests_of(&numbers))?;
            let accepted = answers.into_iter().position(|accepted| accepted);
            let accepted = accepted.map(|at| numbers[at]);
            ensure!(
                accepted.is_none(),
                "key {accepted:?} is guarded and accepted"
            );
        }
        Ok(())
    }

    /// Tells the naive model of keys that were guarded.
    pub fn note_guards(&mut self, numbers: &[usize]) {
        if let Some(naive) = &mut self.naive {
            let digests = numbers.iter().map(|&number| self.keys.digest(number));
            digests.for_each(|digest| naive.guard(digest));
        }
    }

    /// Unites the filter with a filter of these keys. The intersection, where there is one, holds what is in both.
    pub fn unite(&mut self, range: Range<usize>) -> Result<()> {
        if !self.can(Operation::Union) {
            return Ok(());
        }
        let digests = self.keys.digests(range.clone());
        let case = self.case;
        let spec = match case.start {
            Start::Empty => case.spec()?,
            // The capacity of a filter that is built is the number of its keys, unless it was given.
            Start::Sets | Start::Keys => case.spec()?.capacity(case.planned()),
        };
        let mut other = spec.create()?;
        other.insert_digests(&digests)?;
        self.tally.filters += 1;
        self.tally.inserted += digests.len() as u64;
        if let (AnyFilter::Bloom(one), AnyFilter::Bloom(other)) = (&self.filter, &other) {
            let mut both = one.clone();
            both.intersect_with(other)?;
            let answers = both.contains_digests(&digests)?;
            self.check_answers(range.clone(), &answers)?;
            self.tally.queried += digests.len() as u64;
        }
        self.filter.union_with(&other)?;
        self.hold(range.clone())?;
        self.check(range)
    }

    /// Inserts keys into two clones, in different ways. The clones must be equal, and the filter must not change. The life
    /// continues with one of the three.
    pub fn clone_and_insert(&mut self, range: Range<usize>) -> Result<()> {
        if !self.can(Operation::Insert) {
            return Ok(());
        }
        let before = self.filter.to_bytes();
        let (mut one, mut other) = (self.filter.clone(), self.filter.clone());
        let inserted = one.insert_digests(&self.keys.digests(range.clone()));
        let range = self.fitted(inserted, &one, range)?;
        for number in range.clone() {
            other.insert(self.keys.key(number))?;
        }
        self.tally.filters += 2;
        self.tally.inserted += 2 * range.len() as u64;
        ensure!(
            one == other,
            "keys inserted at once and one by one give different filters"
        );
        ensure!(
            self.filter.to_bytes() == before,
            "a change of a clone changed the filter"
        );
        if self.draw.one_in(2) {
            self.filter = one;
            self.hold(range.clone())?;
        }
        self.check(range)
    }
}

/// How many exceptions a filter says that it gave up; `None` if it has none.
fn given_up(filter: &AnyFilter) -> Option<u64> {
    let info = filter.info();
    info.parameter("given_up").and_then(Value::as_u64)
}
