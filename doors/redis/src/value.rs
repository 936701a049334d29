//! The value of a key: a filter, or one that is still arriving, or both.

use crate::census::Share;
use crate::ffi::strike;
use crate::incoming::{Incoming, Refused};
use crate::limits::Budget;
use bloomwise::{AnyFilter, Filter};
use valkey_module::ValkeyError;

/// The value of a key. It has a filter, or a part of one, or a filter and a part of the one that will replace it.
///
/// A value whose change has panicked is *broken*: it may be half changed, and deny items of its set. It answers with errors until it is replaced.
#[derive(Debug, Default)]
pub struct Value {
    /// The filter that answers.
    filter: Option<AnyFilter>,
    /// The filter that is arriving.
    incoming: Option<Incoming>,
    /// Whether a change has started and not ended.
    broken: bool,
    /// What the key adds to the totals.
    share: Share,
}

/// The value is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the module failed while it changed this key; delete the key, or replace it with BW.LOAD")]
pub struct Broken;

impl Value {
    /// A value of these parts.
    pub fn new(filter: Option<AnyFilter>, incoming: Option<Incoming>) -> Self {
        let mut value = Value {
            filter,
            incoming,
            broken: false,
            share: Share::default(),
        };
        value.recount();
        value
    }

    /// The filter.
    ///
    /// # Errors
    ///
    /// It has not arrived yet, or the value is broken.
    pub fn filter(&self) -> Result<&AnyFilter, ValkeyError> {
        self.check()?;
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

    /// An error if the value is broken.
    ///
    /// # Errors
    ///
    /// It is.
    pub fn check(&self) -> Result<(), Broken> {
        match self.broken {
            true => Err(Broken),
            false => Ok(()),
        }
    }

    /// Changes the filter.
    ///
    /// # Errors
    ///
    /// It has not arrived yet, the value is broken, or the change has failed.
    pub fn change<T>(
        &mut self,
        change: impl FnOnce(&mut AnyFilter) -> Result<T, ValkeyError>,
    ) -> Result<T, ValkeyError> {
        self.check()?;
        self.attempt(|value| match &mut value.filter {
            Some(filter) => change(filter),
            None => Err(value.not_yet()),
        })
    }

    /// Takes a whole filter in place of what there is.
    pub fn replace(&mut self, filter: AnyFilter) {
        self.filter = Some(filter);
        self.incoming = None;
        self.broken = false;
        self.recount();
    }

    /// Takes a chunk of a file, from byte `offset` on, of `total` bytes if that is known. Byte 0 starts a new file.
    ///
    /// # Errors
    ///
    /// The chunk is not the next one, the limits or the filter refuse it, or the value is broken. If the file is complete and damaged, it is
    /// forgotten; the key keeps the filter that it had before.
    pub fn receive(
        &mut self,
        offset: u64,
        total: Option<u64>,
        chunk: &[u8],
        budget: &mut Budget,
    ) -> Result<(), Refused> {
        self.check()?;
        self.attempt(|value| value.receive_chunk(offset, total, chunk, budget))
    }

    /// [`Value::receive`] without the totals, for a value that is not broken.
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

    /// Changes the value and tells the totals. The value is broken in between, and stays so after a panic.
    fn attempt<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        self.broken = true;
        strike("change");
        let result = change(self);
        self.broken = false;
        self.recount();
        result
    }

    /// Tells the totals what has changed.
    fn recount(&mut self) {
        let kind = self.filter.as_ref().map(Filter::family);
        self.share.set(kind, self.memory());
    }
}

/// A copy of both parts of a value that is not broken. Either can then be completed.
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
    use std::panic::{AssertUnwindSafe, catch_unwind};

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

    #[test]
    fn panic_breaks_the_value_until_it_is_replaced() {
        let mut value = Value::new(Some(filter(10)), None);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            value.change(|_| -> Result<(), ValkeyError> { panic!("half changed") })
        }));
        assert!(panicked.is_err() && value.check() == Err(Broken));
        let error = value.filter().expect_err("broken").to_string();
        assert_eq!(error, format!("ERR {Broken}"));
        assert!(value.change(|_| Ok(())).is_err());
        let bytes = filter(20_000).to_bytes();
        let received = value.receive(0, None, &bytes[..5000], &mut Budget::unlimited());
        assert!(matches!(received, Err(Refused::Broken(Broken))));
        value.replace(filter(20));
        assert_eq!(value.filter().expect("the new one").len(), 20);
    }
}
