//! A store on local object storage, with counters and without a cache for blocks of data.

use crate::on_request::{OnRequest, merge_all};
use anyhow::Result;
use slatedb::config::{
    CompactionWorkerOptions, CompactorOptions, FlushOptions, FlushType, Settings,
};
use slatedb::db_cache::foyer::{FoyerCache, FoyerCacheOptions};
use slatedb::db_cache::{DbCache, SplitCache};
use slatedb::object_store::{ObjectStore, local::LocalFileSystem};
use slatedb::{CompactorBuilder, Db, FilterPolicy, WriteBatch};
use slatedb_common::metrics::{DefaultMetricsRecorder, MetricValue};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PATH: &str = "store";

/// How often the store and its compactor look for news while tables are written.
const POLL: Duration = Duration::from_millis(20);

/// A store in a temporary folder.
pub struct Stage {
    pub db: Db,
    policies: Vec<Arc<dyn FilterPolicy>>,
    /// Bytes of the cache for blocks of data.
    block_cache: u64,
    objects: Arc<dyn ObjectStore>,
    recorder: Arc<DefaultMetricsRecorder>,
    _folder: TempDir,
}

/// What reads have cost so far.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Tables that were read although they have not got the key.
    pub wasted: u64,
    /// Requests to object storage.
    pub requests: u64,
    /// Blocks of data that were not in the cache.
    pub blocks: u64,
}

impl Stage {
    /// An empty store.
    pub async fn new(policies: Vec<Arc<dyn FilterPolicy>>, block_cache: u64) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let objects: Arc<dyn ObjectStore> =
            Arc::new(LocalFileSystem::new_with_prefix(folder.path())?);
        let recorder = Arc::new(DefaultMetricsRecorder::new());
        let settings = Settings {
            // Tables are written by `write`, with these keys and no others.
            l0_sst_size_bytes: 1 << 30,
            max_unflushed_bytes: 2 << 30,
            manifest_poll_interval: POLL,
            l0_max_ssts: 64,
            l0_max_ssts_per_key: 64,
            ..quiet()
        };
        let compactor = CompactorOptions {
            poll_interval: POLL,
            commit_compacted_interval: POLL,
            worker: Some(CompactionWorkerOptions {
                compactions_poll_interval: POLL,
                ..CompactionWorkerOptions::default()
            }),
            ..CompactorOptions::default()
        };
        let compactor = CompactorBuilder::new(PATH, Arc::clone(&objects))
            .with_options(compactor)
            .with_scheduler_supplier(Arc::new(OnRequest));
        let db = Db::builder(PATH, Arc::clone(&objects))
            .with_settings(settings)
            .with_filter_policies(policies.clone())
            .with_db_cache(caches(block_cache), 0)
            .with_metrics_recorder(recorder.clone())
            .with_compactor_builder(compactor)
            .build()
            .await?;
        Ok(Stage {
            db,
            policies,
            block_cache,
            objects,
            recorder,
            _folder: folder,
        })
    }

    /// Closes the store and opens it again, with empty caches and without background work, so that all requests are those of reads.
    pub async fn reopen_for_reads(&mut self) -> Result<()> {
        self.db.close().await?;
        self.db = Db::builder(PATH, Arc::clone(&self.objects))
            .with_settings(quiet())
            .with_filter_policies(self.policies.clone())
            .with_db_cache(caches(self.block_cache), 0)
            .with_metrics_recorder(self.recorder.clone())
            .build()
            .await?;
        Ok(())
    }

    /// Writes these keys, 100 bytes each, as one table. Returns how long the flush took.
    pub async fn write(&self, keys: impl Iterator<Item = String>) -> Result<f64> {
        let mut keys = keys.peekable();
        while keys.peek().is_some() {
            let mut batch = WriteBatch::new();
            for key in keys.by_ref().take(10_000) {
                let value = format!("{key:0>100}");
                batch.put(key, value);
            }
            self.db.write(batch).await?;
        }
        let start = Instant::now();
        let flush_type = FlushType::MemTable;
        self.db
            .flush_with_options(FlushOptions { flush_type })
            .await?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Merges all tables into one sorted run. Returns how long that took.
    pub async fn compact(&self) -> f64 {
        let start = Instant::now();
        merge_all(&self.db, PATH, &self.objects).await;
        start.elapsed().as_secs_f64()
    }

    /// Bytes of filters, and number of tables.
    pub fn filters(&self) -> (u64, usize) {
        let manifest = self.db.manifest();
        let mut tables: Vec<_> = manifest.l0().iter().collect();
        for run in manifest.compacted() {
            tables.extend(run.sst_views());
        }
        let bytes = tables.iter().map(|view| view.sst.info.filter_len).sum();
        (bytes, tables.len())
    }

    /// What reads have cost so far.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        for metric in self.recorder.snapshot().all() {
            let MetricValue::Counter(count) = metric.value else {
                continue;
            };
            let has = |value: &str| metric.labels.iter().any(|(_, label)| label == value);
            match metric.name.as_str() {
                slatedb::db_stats::SST_FILTER_FALSE_POSITIVE_COUNT if has("point") => {
                    cost.wasted += count;
                }
                slatedb::instrumented_object_store_stats::REQUEST_COUNT
                    if has("db") && has("get") =>
                {
                    cost.requests += count;
                }
                slatedb::db_cache_stats::ACCESS_COUNT if has("data_block") && has("miss") => {
                    cost.blocks += count;
                }
                _ => {}
            }
        }
        cost
    }
}

/// Settings of a store that does nothing by itself.
fn quiet() -> Settings {
    Settings {
        wal_enabled: false,
        flush_interval: None,
        manifest_poll_interval: Duration::from_secs(3600),
        compactor_options: None,
        garbage_collector_options: None,
        ..Settings::default()
    }
}

/// Caches that hold all filters and indexes, and blocks of data up to this many bytes.
fn caches(blocks: u64) -> Arc<SplitCache> {
    let cache = |max_capacity: u64| -> Arc<dyn DbCache> {
        let options = FoyerCacheOptions {
            max_capacity,
            ..FoyerCacheOptions::default()
        };
        Arc::new(FoyerCache::new_with_opts(options))
    };
    let caches = SplitCache::new()
        .with_block_cache((blocks > 0).then(|| cache(blocks)))
        .with_meta_cache(Some(cache(1 << 30)));
    Arc::new(caches.build())
}
