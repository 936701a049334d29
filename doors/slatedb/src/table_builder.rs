//! Builds the filter of one table, at a flush or in a compaction.
//!
//! Each row leaves a digest of 16 bytes. At the end, the learned misses between the first and the last key of the table join
//! them as known negatives: at most as many as the table has keys, the costliest first, so that the time of a build stays in proportion
//! to its table. A reported key that the table has after all is a key: the sets drop it from the negatives.

use crate::policy::Policy;
use crate::table_filter::TableFilter;
use bloomwise::keys::KeySetsBuilder;
use bloomwise::{KeySets, Result};
use bytes::Bytes;
use slatedb::{Filter, FilterBuilder, PrefixTarget, RowEntry};
use std::mem;
use std::sync::Arc;

pub(crate) struct TableBuilder {
    policy: Policy,
    /// Keys, and prefixes if the policy extracts them.
    sets: KeySetsBuilder,
    /// Rows of the table; a key has a row for each of its versions.
    rows: usize,
    /// The first key. Rows come sorted.
    first: Option<Bytes>,
    /// The last key so far.
    last: Vec<u8>,
    /// The prefix that was added last; keys that share one follow one another.
    prefix: Option<Bytes>,
}

impl TableBuilder {
    pub fn new(policy: Policy) -> Self {
        TableBuilder {
            sets: KeySets::builder(policy.spec.chosen_hashing()),
            policy,
            rows: 0,
            first: None,
            last: Vec::new(),
            prefix: None,
        }
    }

    fn add_prefix(&mut self, key: &Bytes) {
        let Some(extractor) = &self.policy.extractor else {
            return;
        };
        let Some(len) = extractor.prefix_len(&PrefixTarget::Point(key.clone())) else {
            return;
        };
        let prefix = key.slice(..len.min(key.len()));
        if self.prefix.as_ref() != Some(&prefix) {
            self.sets.positive(prefix.as_ref());
            self.prefix = Some(prefix);
        }
    }

    fn build_filter(&mut self) -> Result<TableFilter> {
        let empty = KeySets::builder(self.sets.hashing());
        let mut sets = mem::replace(&mut self.sets, empty);
        if let (Some(misses), Some(first)) = (&self.policy.misses, &self.first) {
            let list = misses.list();
            let negatives = list.costliest(first, &self.last, self.rows);
            self.policy.counters.negatives.add(negatives.len() as u64);
            sets.negatives(negatives);
        }
        let sets = sets.build()?;
        let mut spec = self.policy.spec.clone();
        if sets.positives().is_empty() {
            // An empty table gets no keys later, so plan its filter for 0 keys.
            spec = spec.capacity(0);
        }
        let filter = spec.build(&sets)?;
        self.policy.counters.built.add(1);
        Ok(TableFilter::new(filter, self.policy.extractor.clone()))
    }
}

impl FilterBuilder for TableBuilder {
    fn add_entry(&mut self, entry: &RowEntry) {
        let key = &entry.key;
        self.rows += 1;
        self.sets.positive(key.as_ref());
        self.add_prefix(key);
        self.first.get_or_insert_with(|| key.clone());
        self.last.clear();
        self.last.extend_from_slice(key);
    }

    fn build(&mut self) -> Arc<dyn Filter> {
        Arc::new(self.build_filter().unwrap_or_else(|_| {
            self.policy.counters.failed.add(1);
            TableFilter::maybe()
        }))
    }
}
