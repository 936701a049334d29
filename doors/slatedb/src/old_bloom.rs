//! SlateDB's own Bloom filters: read where a table has one, and not built any more.
//!
//! A store asks every policy that it knows for a filter of each new table, so a policy that only reads must give it something. It
//! gives three bytes that SlateDB's policy reads as a filter without hash functions, which says "maybe" to every query. So a store
//! that goes back to SlateDB's policy opens the tables that were built in the meantime, and reads them without a filter.

use crate::counters::Counters;
use crate::table_filter::TableFilter;
use bytes::BufMut;
use slatedb::{BloomFilterPolicy, Filter, FilterBuilder, FilterPolicy, FilterQuery, RowEntry};
use std::sync::Arc;

/// No hash functions, as a big-endian number of two bytes, and eight bits that nobody looks up.
const NO_FUNCTIONS: [u8; 3] = [0, 0, 0xFF];

/// Reads the filters of a policy of SlateDB and builds none.
pub(crate) struct OldBloom {
    policy: BloomFilterPolicy,
    counters: Arc<Counters>,
}

impl OldBloom {
    pub fn new(policy: BloomFilterPolicy, counters: Arc<Counters>) -> Self {
        OldBloom { policy, counters }
    }
}

impl FilterPolicy for OldBloom {
    fn name(&self) -> &str {
        self.policy.name()
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(NoFunctions)
    }

    fn decode(&self, data: &[u8]) -> Arc<dyn Filter> {
        // SlateDB's policy would panic.
        if data.len() < 2 {
            self.counters.damaged.add(1);
            return Arc::new(TableFilter::maybe());
        }
        self.policy.decode(data)
    }

    fn estimate_size(&self, _num_keys: usize) -> usize {
        NO_FUNCTIONS.len()
    }

    fn supports_prefix_queries(&self) -> bool {
        self.policy.supports_prefix_queries()
    }
}

/// A filter without hash functions, and its builder.
#[derive(Clone, Copy)]
struct NoFunctions;

impl FilterBuilder for NoFunctions {
    fn add_entry(&mut self, _entry: &RowEntry) {}

    fn build(&mut self) -> Arc<dyn Filter> {
        Arc::new(*self)
    }
}

impl Filter for NoFunctions {
    fn might_match(&self, _query: &FilterQuery) -> bool {
        true
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        writer.put_slice(&NO_FUNCTIONS);
    }

    fn size(&self) -> usize {
        NO_FUNCTIONS.len()
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        Arc::new(*self)
    }
}
