//! Patches: today's keys are accepted; removed keys and known negatives are denied, whatever the base said. The base stays as it is.

use super::life::Life;
use anyhow::{Context, Result, ensure};
use bloomwise::patched::Patch;
use bloomwise::{AnyFilter, Filter, KeySets, Persist};
use std::ops::Range;

impl Life<'_> {
    /// Patches the base: its keys without `removed`, and with `added`. Those of `negatives` that are not in the set are denied.
    pub fn patch(
        &mut self,
        removed: Range<usize>,
        added: Range<usize>,
        negatives: Range<usize>,
    ) -> Result<()> {
        let (base, denied) = match self.base.take() {
            Some(base) => base,
            None => (self.held.clone(), self.denied.clone()),
        };
        let old: Vec<usize> = members(&base).collect();
        let mut held: Vec<u32> = base.iter().map(|&times| times.min(1)).collect();
        held[removed].fill(0);
        held[added].fill(1);
        let new: Vec<usize> = members(&held).collect();
        let known: Vec<usize> = negatives.filter(|&number| held[number] == 0).collect();
        let patch = Patch::build(
            &self.filter,
            &self.sets(&old, &[])?,
            &self.sets(&new, &known)?,
        );
        let patch = patch.context("no patch can be made")?;
        let patch = Patch::from_bytes(&patch.to_bytes()).context("the patch cannot be read")?;
        let before = self.filter.base().to_bytes();
        self.filter = patch.apply(self.filter.clone()).context("its own base")?;
        ensure!(
            self.filter.base().to_bytes() == before,
            "a patch changed its base"
        );
        self.tally.patches += 1;
        self.total = new.len() as u64;
        self.denied = vec![false; held.len()];
        let gone = old.into_iter().filter(|&number| held[number] == 0);
        for number in known.into_iter().chain(gone) {
            self.denied[number] = true;
        }
        self.held = held;
        self.base = Some((base, denied));
        self.naive = None;
        self.check(0..self.keys.len())
    }

    /// Continues with the base of a patched filter.
    pub fn unpatch(&mut self) -> Result<()> {
        let Some((held, denied)) = self.base.take() else {
            return Ok(());
        };
        (self.held, self.denied) = (held, denied);
        self.filter = self.filter.base().clone();
        self.total = match &self.filter {
            // They count keys that were new.
            filter if counts_new_keys(filter) => filter.len(),
            _ => self.held.iter().map(|&times| u64::from(times)).sum(),
        };
        self.check(0..self.keys.len())
    }

    /// Sets of these keys, with costs of 1.
    fn sets(&self, positives: &[usize], negatives: &[usize]) -> Result<KeySets> {
        let mut sets = KeySets::builder(self.case.hashing);
        sets.positive_digests(self.keys.digests_of(positives))?
            .negative_digests(
                &self.keys.digests_of(negatives),
                &vec![1.0; negatives.len()],
            )?;
        Ok(sets.build()?)
    }
}

/// Whether a filter counts only keys that it denied before.
pub fn counts_new_keys(filter: &AnyFilter) -> bool {
    filter.family() == bloomwise::Family::Growing
}

/// The members of a multiset.
fn members(held: &[u32]) -> impl Iterator<Item = usize> + '_ {
    (0..held.len()).filter(|&number| held[number] > 0)
}
