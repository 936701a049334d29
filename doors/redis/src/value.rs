//! The value of a key: a filter, or one that is still arriving, or both.

use crate::census::Share;
use crate::incoming::{Incoming, Refused};
use crate::limits::Budget;
use bloomwise::{AnyFilter, Filter};
use valkey_module::ValkeyError;

/// The value of a key. It has a filter, or a part of one, or a filter and a part of the one that will replace it.
#[derive(Debug, Default)]
pub struct Value {
    /// The filter that answers.
    filter: Option<AnyFilter>,
    /// The filter that is arriving.
    incoming: Option<Incoming>,
    /// What the key adds to the totals.
    share: Share,
}

impl Value {
    /// A value of these parts.
    pub fn new(filter: Option<AnyFilter>, incoming: Option<Incoming>) -> Self {
        let mut value = Value {
            filter,
            incoming,
            share: Share::default(),
        };
        value.recount();
        value
    }

    /// The filter.
    ///
    /// # Errors
    ///
    /// It has not arrived yet.
    pub fn filter(&self) -> Result<&AnyFilter, ValkeyError> {
        self.filter.as_ref().ok_or_else(|| self.not_yet())
    }

    /// The filter, if it has arrived.
    pub fn arrived(&self) -> Option<&AnyFilter> {
        self.filter.as_ref()
    }

    /// The part of the filter that is arriving.
    pub fn incoming(&self) -> Option<&Incoming> {
        self.incoming.as_ref()
    }

    /// Changes the filter.
    ///
    /// # Errors
    ///
    /// It has not arrived yet, or the change has failed.
    pub fn change<T>(
        &mut self,
        change: impl FnOnce(&mut AnyFilter) -> Result<T, ValkeyError>,
    ) -> Result<T, ValkeyError> {
        let Some(filter) = &mut self.filter else {
            return Err(self.not_yet());
        };
        let result = change(filter);
        self.recount();
        result
    }

    /// Takes a whole filter in place of what there is.
    pub fn replace(&mut self, filter: AnyFilter) {
        self.filter = Some(filter);
        self.incoming = None;
        self.recount();
    }

    /// Takes a chunk of a file, from byte `offset` on, of `total` bytes if that is known. Byte 0 starts a new file.
    ///
    /// # Errors
    ///
    /// The chunk is not the next one, or the limits or the filter refuse it. If the file is complete and damaged, it is forgotten; the key keeps
    /// the filter that it had before.
    pub fn receive(
        &mut self,
        offset: u64,
        total: Option<u64>,
        chunk: &[u8],
        budget: &mut Budget,
    ) -> Result<(), Refused> {
        let received = self.receive_chunk(offset, total, chunk, budget);
        self.recount();
        received
    }

    /// [`Value::receive`] without the totals.
    fn receive_chunk(
        &mut self,
        offset: u64,
        total: Option<u64>,
        chunk: &[u8],
        budget: &mut Budget,
    ) -> Result<(), Refused> {
        let incoming = match (offset, &mut self.incoming) {
            (0, incoming) => incoming.insert(Incoming::start(chunk, total, budget)?),
            (_, Some(incoming)) => {
                incoming.push(offset, total, chunk)?;
                incoming
            }
            (_, None) => return Err(Refused::NotStarted),
        };
        if incoming.is_complete() {
            // It is taken before it is finished: a damaged one is forgotten.
            let complete = self.incoming.take().map(Incoming::finish);
            self.filter = complete.transpose()?.or(self.filter.take());
        }
        Ok(())
    }

    /// Forgets the filter that is arriving, and returns whether there was one.
    pub fn abort(&mut self) -> bool {
        let had = self.incoming.take().is_some();
        self.recount();
        had
    }

    /// Whether there is nothing, not even a part.
    pub fn is_empty(&self) -> bool {
        self.filter.is_none() && self.incoming.is_none()
    }

    /// The bytes of memory that the value takes.
    pub fn memory(&self) -> u64 {
        let filter = self.filter.as_ref().map_or(0, memory_of);
        let incoming = self.incoming.as_ref().map_or(0, Incoming::total);
        size_of::<Value>() as u64 + filter + incoming
    }

    /// The error for a filter that has not arrived.
    fn not_yet(&self) -> ValkeyError {
        let (received, total) = match &self.incoming {
            Some(incoming) => (incoming.received(), incoming.total()),
            None => (0, 0),
        };
        let text = format!(
            "ERR the filter is being loaded: {received} of {total} bytes were received; send the rest"
        );
        ValkeyError::String(text)
    }

    /// Tells the totals what has changed.
    fn recount(&mut self) {
        let kind = self.filter.as_ref().map(Filter::family);
        self.share.set(kind, self.memory());
    }
}

/// A copy of both: the filter, and the part of the one that is arriving. Either can then be completed.
impl Clone for Value {
    fn clone(&self) -> Self {
        Value::new(self.filter.clone(), self.incoming.clone())
    }
}

/// The bytes of memory that a filter takes, beside its own struct.
pub fn memory_of(filter: &AnyFilter) -> u64 {
    filter.bytes_beside_cells() + filter.size_in_bits() / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Persist, Size, Spec};

    fn filter(keys: u64) -> AnyFilter {
        let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(10.0));
        spec.build_from_keys(0..keys).expect("sound")
    }

    #[test]
    fn old_filter_answers_until_the_new_one_is_whole() {
        let mut value = Value::new(Some(filter(10)), None);
        let bytes = filter(20_000).to_bytes();
        let mut budget = Budget::unlimited();
        value
            .receive(0, None, &bytes[..5000], &mut budget)
            .expect("a part");
        assert_eq!(value.filter().expect("the old one").len(), 10);
        assert!(
            value
                .receive(5001, None, &bytes[5001..], &mut budget)
                .is_err()
        );
        value
            .receive(5000, None, &bytes[5000..], &mut budget)
            .expect("the rest");
        assert_eq!(value.filter().expect("the new one").len(), 20_000);
        assert!(value.incoming().is_none());
    }

    #[test]
    fn part_of_a_filter_does_not_answer() {
        let bytes = filter(20_000).to_bytes();
        let mut value = Value::default();
        let mut budget = Budget::unlimited();
        assert!(
            value
                .receive(5000, None, &bytes[5000..], &mut budget)
                .is_err()
        );
        assert!(value.is_empty());
        value
            .receive(0, None, &bytes[..5000], &mut budget)
            .expect("a part");
        let error = value.filter().expect_err("not yet").to_string();
        assert!(error.contains("5000 of 25"), "{error}");
        assert!(value.change(|_| Ok(())).is_err() && !value.is_empty());
        assert!(
            value.memory() > bytes.len() as u64,
            "memory was taken for all of it"
        );
        assert!(value.abort() && value.is_empty() && !value.abort());
    }

    #[test]
    fn damaged_file_is_forgotten() {
        let mut bytes = filter(20_000).to_bytes();
        bytes[9000] ^= 4;
        let mut value = Value::new(Some(filter(10)), None);
        let mut budget = Budget::unlimited();
        value
            .receive(0, None, &bytes[..5000], &mut budget)
            .expect("a part");
        assert!(
            value
                .receive(5000, None, &bytes[5000..], &mut budget)
                .is_err()
        );
        assert_eq!(value.filter().expect("the old one").len(), 10);
        assert!(value.incoming().is_none());
    }
}
