//! A store whose reads report the keys that were not there.

use crate::misses::Misses;
use async_trait::async_trait;
use bytes::Bytes;
use slatedb::config::{ReadOptions, ScanOptions};
use slatedb::{ByteRangeBounds, DbIterator, DbReadOps, Error, KeyValue};
use std::ops::Deref;

/// Reads from a store, and reports each key that was looked up and was not there.
///
/// `D` is a reference or pointer to anything that reads: `&Db`, `Arc<Db>`, `Arc<DbSnapshot>`, `&DbReader`, `&DbTransaction`. The methods
/// are those of [`DbReadOps`]; bring it into scope. Scans are passed on and report nothing.
///
/// ```
/// # async fn example(db: slatedb::Db, misses: bloomwise_slatedb::Misses) -> Result<(), slatedb::Error> {
/// use bloomwise_slatedb::Reporting;
/// use slatedb::DbReadOps;
///
/// let reads = Reporting::new(&db, misses);
/// let value = reads.get("user:4718").await?;
/// # let _ = value;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Reporting<D> {
    reads: D,
    misses: Misses,
}

impl<D> Reporting<D> {
    /// Reads through `reads`, and reports to `misses`.
    pub fn new(reads: D, misses: Misses) -> Self {
        Reporting { reads, misses }
    }
}

#[async_trait]
impl<D> DbReadOps for Reporting<D>
where
    D: Deref + Send + Sync,
    D::Target: DbReadOps + Send + Sync,
{
    async fn get_with_options<K: AsRef<[u8]> + Send>(
        &self,
        key: K,
        options: &ReadOptions,
    ) -> Result<Option<Bytes>, Error> {
        let value = self.reads.get_with_options(key.as_ref(), options).await?;
        if value.is_none() {
            self.misses.missed(key);
        }
        Ok(value)
    }

    async fn get_key_value_with_options<K: AsRef<[u8]> + Send>(
        &self,
        key: K,
        options: &ReadOptions,
    ) -> Result<Option<KeyValue>, Error> {
        let row = self
            .reads
            .get_key_value_with_options(key.as_ref(), options)
            .await?;
        if row.is_none() {
            self.misses.missed(key);
        }
        Ok(row)
    }

    async fn scan_with_options<T>(
        &self,
        range: T,
        options: &ScanOptions,
    ) -> Result<DbIterator, Error>
    where
        T: ByteRangeBounds + Send,
    {
        self.reads.scan_with_options(range, options).await
    }

    async fn scan_prefix_with_options<P, T>(
        &self,
        prefix: P,
        subrange: T,
        options: &ScanOptions,
    ) -> Result<DbIterator, Error>
    where
        P: AsRef<[u8]> + Send,
        T: ByteRangeBounds + Send,
    {
        self.reads
            .scan_prefix_with_options(prefix, subrange, options)
            .await
    }
}
