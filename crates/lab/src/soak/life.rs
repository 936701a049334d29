//! A filter and the exact multiset of its keys, step by step.
//!
//! After every change the filter must accept all members. In a large set, the keys that changed and a random part of the
//! others are queried. At the end of a round all keys are.

use super::case::Case;
use super::keys::Keys;
use super::random::Random;
use super::step::Step;
use super::tally::{Tallies, Tally};
use anyhow::{Result, ensure};
use bloomwise::{AnyFilter, Filter};
use std::ops::Range;
use std::path::Path;

/// The most keys that are queried after a change.
const CHECKED: usize = 4096;

/// A filter, and what is known about it.
pub struct Life<'a> {
    /// What was asked for.
    pub case: &'a Case,
    /// All keys.
    pub keys: &'a Keys,
    /// The filter.
    pub filter: AnyFilter,
    /// How often each key is in the set.
    pub held: Vec<u32>,
    /// The number of keys in the set, each as often as it is in.
    pub total: u64,
    /// Whether the filter must deny all known negatives.
    pub exact: bool,
    /// Where random numbers come from.
    pub random: Random,
    /// What is counted.
    pub tallies: &'a mut Tallies,
    /// A folder for files.
    pub folder: &'a Path,
}

impl Life<'_> {
    /// Takes a step and checks what must hold after it.
    pub fn take(&mut self, step: &Step) -> Result<()> {
        match step.clone() {
            Step::Insert(range, way) => self.insert(range, way)?,
            Step::Remove(range, way) => self.remove(range, way)?,
            Step::RemoveDenied(range) => self.remove_denied(range)?,
            Step::Guard(range, way) => self.guard(range, way)?,
            Step::Union(range) => self.unite(range)?,
            Step::Clone(range) => self.clone_and_insert(range)?,
            Step::Query(range) => self.query_in_all_ways(range)?,
            Step::Inspect => self.inspect()?,
            Step::Reload(form, load) => self.reload(form, load)?,
            Step::Share {
                threads,
                steps,
                seed,
            } => self.share(threads, steps, seed)?,
        }
        self.check_budget()?;
        let len = self.filter.len();
        ensure!(
            len == self.total,
            "the filter counts {len} keys, it holds {}",
            self.total
        );
        let part = self.part();
        self.check(part)
    }

    /// All keys, or a random part of them if there are many.
    pub fn part(&mut self) -> Range<usize> {
        let count = self.keys.len().min(CHECKED);
        let start = self.random.below(self.keys.len() - count + 1);
        start..start + count
    }

    /// The filter accepts all members among these keys, and no known negative if it is exact.
    pub fn check(&mut self, range: Range<usize>) -> Result<()> {
        let answers = self.query(range.clone())?;
        self.check_answers(range, &answers)
    }

    /// The answers accept all members, and no known negative if the filter is exact.
    pub fn check_answers(&self, range: Range<usize>, answers: &[bool]) -> Result<()> {
        let case = self.case;
        let negatives = case.positives..case.positives + case.negatives;
        for (number, &accepted) in range.zip(answers) {
            let times = self.held[number];
            ensure!(
                accepted || times == 0,
                "false negative: the filter denies key {number}, which is in the set {times} times"
            );
            ensure!(
                !(accepted && self.exact && negatives.contains(&number)),
                "the filter is exact but accepts key {number}, a known negative"
            );
        }
        Ok(())
    }

    /// The filter takes no more bits than were asked for, however many keys it holds.
    pub fn check_budget(&self) -> Result<()> {
        let bits = self.filter.size_in_bits();
        let budget = self.case.budget().unwrap_or(u64::MAX);
        ensure!(
            bits <= budget,
            "the filter has {bits} bits, more than its budget of {budget}"
        );
        Ok(())
    }

    /// The answers for these keys.
    pub fn query(&mut self, range: Range<usize>) -> Result<Vec<bool>> {
        self.tally().queried += range.len() as u64;
        Ok(self.filter.contains_digests(&self.keys.digests(range))?)
    }

    /// The numbers of the filter's kind.
    pub fn tally(&mut self) -> &mut Tally {
        self.tallies.of(self.case.family)
    }
}
