//! A filter and the exact multiset of its keys, step by step.
//!
//! After every change the filter must accept all members. In a large set, the keys that changed and a random part of the others are queried. At the end of a
//! life all keys are.

use super::case::Case;
use super::draw::Draw;
use super::keys::Keys;
use super::naive::Model;
use super::step::Step;
use super::tally::Tally;
use super::world::World;
use anyhow::{Result, ensure};
use bloomwise::{AnyFilter, Family, Filter};
use std::ops::Range;

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
    /// Whether a key was ever removed.
    pub removed: bool,
    /// Whether the filter has promised to deny each key.
    pub denied: Vec<bool>,
    /// The keys of the base, if the filter is patched, and those that the base has promised to deny.
    pub base: Option<(Vec<u32>, Vec<bool>)>,
    /// A slow model of the family, if there is one for this filter.
    pub naive: Option<Model>,
    /// Where choices come from that are no part of a step.
    pub draw: Draw<'static>,
    /// What is counted.
    pub tally: &'a mut Tally,
    /// What is counted while threads share the filter.
    pub shared: &'a mut Tally,
    /// What the life may use.
    pub world: World<'a>,
}

impl Life<'_> {
    /// Takes a step, if it is legal, and checks what must hold after it.
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
            Step::Patch {
                removed,
                added,
                negatives,
            } => self.patch(removed, added, negatives)?,
            Step::Unpatch => self.unpatch()?,
            Step::Update {
                guard,
                remove,
                insert,
            } => self.update(guard, remove, insert)?,
            Step::Share {
                threads,
                steps,
                insert,
                seed,
            } => self.share(threads, steps, insert, seed)?,
        }
        self.check_budget()?;
        let len = self.filter.len();
        ensure!(
            len == self.total,
            "the filter counts {len} keys, it holds {}",
            self.total
        );
        let part = self.part();
        self.check(part)?;
        self.check_naive()
    }

    /// All keys, or a random part of them if there are many.
    pub fn part(&mut self) -> Range<usize> {
        let count = self.keys.len().min(CHECKED);
        let start = self.draw.below(self.keys.len() - count + 1);
        start..start + count
    }

    /// The filter accepts all members among these keys, and no key that it has promised to deny.
    pub fn check(&mut self, range: Range<usize>) -> Result<()> {
        let answers = self.query(range.clone())?;
        self.check_answers(range, &answers)
    }

    /// The answers accept all members, and no key that the filter has promised to deny.
    pub fn check_answers(&self, range: Range<usize>, answers: &[bool]) -> Result<()> {
        for (number, &accepted) in range.zip(answers) {
            let times = self.held[number];
            ensure!(
                accepted || times == 0,
                "false negative: the filter denies key {number}, which is in the set {times} times"
            );
            ensure!(
                !(accepted && self.denied[number]),
                "the filter is exact but accepts key {number}"
            );
        }
        Ok(())
    }

    /// The filter takes no more bits than were asked for, however many keys it holds. A patch comes on top.
    pub fn check_budget(&self) -> Result<()> {
        let bits = self.filter.base().size_in_bits();
        let budget = self.case.budget().unwrap_or(u64::MAX);
        ensure!(
            bits <= budget,
            "the filter has {bits} bits, more than its budget of {budget}"
        );
        Ok(())
    }

    /// The filter answers what the naive model answers.
    fn check_naive(&mut self) -> Result<()> {
        let Some(naive) = &self.naive else {
            return Ok(());
        };
        let all = self.keys.digests(0..self.keys.len());
        let answers = self.filter.contains_digests(&all)?;
        self.tally.queried += answers.len() as u64;
        for (number, (&digest, accepted)) in all.as_slice().iter().zip(answers).enumerate() {
            ensure!(
                naive.contains(digest) == accepted,
                "the answer for key {number} is {accepted}, that of the naive model is not"
            );
        }
        Ok(())
    }

    /// The answers for these keys.
    pub fn query(&mut self, range: Range<usize>) -> Result<Vec<bool>> {
        self.tally.queried += range.len() as u64;
        Ok(self.filter.contains_digests(&self.keys.digests(range))?)
    }

    /// Counts keys as members once more. The filter has them already.
    pub fn hold(&mut self, numbers: impl ExactSizeIterator<Item = usize>) -> Result<()> {
        let total = self.total + numbers.len() as u64;
        self.total = match self.case.family {
            // It counts keys that are new.
            Family::Growing => self.filter.len(),
            _ => total,
        };
        ensure!(self.total <= total, "{} keys, at most {total}", self.total);
        for number in numbers {
            self.held[number] += 1;
            self.denied[number] = false;
            if let Some(naive) = &mut self.naive {
                let fits = naive.insert(self.keys.digest(number));
                ensure!(
                    fits,
                    "there is room for key {number}, by the naive model there is none"
                );
            }
        }
        Ok(())
    }

    /// Takes a key out of the set, once. The filter does not have it any more.
    pub fn release(&mut self, number: usize) {
        self.held[number] -= 1;
        self.total -= 1;
        self.removed = true;
        if let Some(naive) = &mut self.naive {
            naive.remove(self.keys.digest(number));
        }
    }
}
