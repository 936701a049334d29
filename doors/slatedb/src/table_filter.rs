//! The filter of one table: a filter of the library, or nothing that could deny a key.
//!
//! SlateDB hands the bytes of a filter over as a slice, once, when it loads them. They are copied to a place of their own, at the start of
//! a cache line; that copy is what lies in the block cache, and every query is answered from it.

use bloomwise::{AnyFilter, Filter as _, Persist, Result};
use bytes::BufMut;
use slatedb::{Filter, FilterQuery, FilterTarget, PrefixExtractor, PrefixTarget};
use std::sync::Arc;

/// A filter as SlateDB uses it.
#[derive(Clone)]
pub(crate) struct TableFilter {
    /// None answers "maybe" to every query.
    filter: Option<Arc<AnyFilter>>,
    /// What the prefixes are that the filter holds besides whole keys.
    extractor: Option<Arc<dyn PrefixExtractor>>,
}

impl TableFilter {
    pub fn new(filter: AnyFilter, extractor: Option<Arc<dyn PrefixExtractor>>) -> Self {
        TableFilter {
            filter: Some(Arc::new(filter)),
            extractor,
        }
    }

    /// No filter: every key may be in the table. Its encoding is empty.
    pub fn maybe() -> Self {
        TableFilter {
            filter: None,
            extractor: None,
        }
    }

    /// The filter of these bytes.
    pub fn decode(data: &[u8], extractor: Option<Arc<dyn PrefixExtractor>>) -> Result<Self> {
        if data.is_empty() {
            return Ok(Self::maybe());
        }
        Ok(Self::new(AnyFilter::from_bytes(data)?, extractor))
    }

    /// Whether the table may have a key with this prefix, which may be longer than those that the filter holds.
    fn might_have_prefix(&self, filter: &AnyFilter, target: &FilterTarget) -> bool {
        let (Some(extractor), Some(target)) = (&self.extractor, target.as_prefix_target()) else {
            return true;
        };
        let held = extractor.prefix_len(&target);
        let (PrefixTarget::Point(bytes) | PrefixTarget::Prefix(bytes)) = &target;
        match held.and_then(|len| bytes.get(..len)) {
            Some(prefix) => filter.contains(prefix),
            None => true,
        }
    }
}

impl Filter for TableFilter {
    fn might_match(&self, query: &FilterQuery) -> bool {
        let Some(filter) = &self.filter else {
            return true;
        };
        match &query.target {
            FilterTarget::Point(key) => filter.contains(key.as_ref()),
            target => self.might_have_prefix(filter, target),
        }
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        if let Some(filter) = &self.filter {
            writer.put_slice(&filter.to_short_bytes());
        }
    }

    fn size(&self) -> usize {
        let bits = self
            .filter
            .as_ref()
            .map_or(0, |filter| filter.size_in_bits());
        (bits / 8) as usize
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        // The cells are as long as they were allocated, and shared.
        Arc::new(self.clone())
    }
}
