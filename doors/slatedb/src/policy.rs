//! The policy: which filter a table gets, and how the filter of a table is read again.

use crate::counters::{Counters, Counts};
use crate::misses::Misses;
use crate::old_bloom::OldBloom;
use crate::table_builder::TableBuilder;
use crate::table_filter::TableFilter;
use bloomwise::{Result, Spec, Workload};
use slatedb::{BloomFilterPolicy, Filter, FilterBuilder, FilterPolicy, PrefixExtractor};
use slatedb_common::metrics::MetricsRecorder;
use std::sync::Arc;

/// Bytes that a filter takes besides its cells.
const OVERHEAD: usize = 32;

/// Builds a filter for every table of a SlateDB store, and reads the filters of tables built before.
///
/// A clone shares the counters, so keep one to read [`Policy::counts`].
///
/// ```
/// use bloomwise::{Family, Size, Spec};
/// use bloomwise_slatedb::{Misses, Policy};
/// use std::time::Duration;
///
/// # fn main() -> bloomwise::Result<()> {
/// let misses = Misses::new(32 << 20, Duration::from_secs(86_400))?;
/// let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(10.0));
/// let policy = Policy::new(spec)?.learning_from(&misses);
/// let policies = policy.policies(); // for DbBuilder::with_filter_policies
/// # assert_eq!(policies.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Policy {
    pub(crate) spec: Spec,
    /// Where the known negatives of a table come from.
    pub(crate) misses: Option<Misses>,
    /// Prefixes that filters hold besides whole keys.
    pub(crate) extractor: Option<Arc<dyn PrefixExtractor>>,
    pub(crate) counters: Arc<Counters>,
    /// What tables say about who built their filter.
    name: String,
    /// Bits per key of a large table, for estimates.
    bits_per_key: f64,
}

impl Policy {
    /// The name that tables record, with the version of what their bytes mean: a filter of the library, in any version of its format
    /// and of any kind. A prefix extractor adds `:p=` and its name.
    pub const NAME: &'static str = "bloomwise/1";

    /// A policy whose tables get filters of this kind and size. `guarded` answers every learned miss correctly; `habf-cache` most of
    /// them; `blocked` and `bloom` take no notice of them.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these settings.
    pub fn new(spec: Spec) -> Result<Self> {
        // The first filter is built here, so that a mistake is an error when the store is opened and not when it is flushed.
        spec.build_from([1], [(2, 1.0)])?;
        let keys = 1_000_000;
        let bits = spec.forecast(&Workload::new(keys, 0))?.bits;
        Ok(Policy {
            spec,
            misses: None,
            extractor: None,
            counters: Arc::default(),
            name: Self::NAME.to_string(),
            bits_per_key: bits as f64 / keys as f64,
        })
    }

    /// Builds filters with the misses that were reported so far.
    pub fn learning_from(mut self, misses: &Misses) -> Self {
        self.misses = Some(misses.clone());
        self
    }

    /// Puts the prefixes of keys into the filters, too, so that prefix scans can skip tables, as
    /// [`BloomFilterPolicy::with_prefix_extractor`] does.
    pub fn prefix_extractor(mut self, extractor: Arc<dyn PrefixExtractor>) -> Self {
        self.name = format!("{}:p={}", Self::NAME, extractor.name());
        self.extractor = Some(extractor);
        self
    }

    /// Counts in the recorder of the store, too: `bloomwise.filter.built`, `.negatives`, `.failed` and `.damaged`.
    /// Counting starts anew, so call this before the policy is cloned or used.
    pub fn metrics_recorder(mut self, recorder: &dyn MetricsRecorder) -> Self {
        self.counters = Arc::new(Counters::in_recorder(recorder));
        self
    }

    /// What to give to `with_filter_policies` of the store, and of its compactor and its readers if they run apart: this policy,
    /// and one that reads the filters that SlateDB's default policy has built.
    pub fn policies(&self) -> Vec<Arc<dyn FilterPolicy>> {
        self.policies_after(BloomFilterPolicy::new(10))
    }

    /// What to give to `with_filter_policies` of a store that was written with this policy of SlateDB: one with a prefix
    /// extractor, say. Tables built from now on have a filter of ours, and three bytes that this policy understands.
    pub fn policies_after(&self, old: BloomFilterPolicy) -> Vec<Arc<dyn FilterPolicy>> {
        let old = OldBloom::new(old, Arc::clone(&self.counters));
        vec![Arc::new(self.clone()), Arc::new(old)]
    }

    /// What this policy has done so far.
    pub fn counts(&self) -> Counts {
        self.counters.counts()
    }
}

impl FilterPolicy for Policy {
    fn name(&self) -> &str {
        &self.name
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(TableBuilder::new(self.clone()))
    }

    fn decode(&self, data: &[u8]) -> Arc<dyn Filter> {
        let filter = TableFilter::decode(data, self.extractor.clone());
        Arc::new(filter.unwrap_or_else(|_| {
            self.counters.damaged.add(1);
            TableFilter::maybe()
        }))
    }

    fn estimate_size(&self, num_keys: usize) -> usize {
        (num_keys as f64 * self.bits_per_key / 8.0) as usize + OVERHEAD
    }

    fn supports_prefix_queries(&self) -> bool {
        self.extractor.is_some()
    }
}
