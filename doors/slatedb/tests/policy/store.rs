//! A store in memory whose flushes and compactions happen when a test says so.

use crate::on_request::{OnRequest, merge_all};
use bloomwise::{Family, Size, Spec};
use bloomwise_slatedb::{Misses, Policy};
use slatedb::config::{
    CompactionWorkerOptions, CompactorOptions, FlushOptions, FlushType, Settings,
};
use slatedb::object_store::{ObjectStore, memory::InMemory};
use slatedb::{CompactorBuilder, Db, FilterPolicy};
use slatedb_common::metrics::{DefaultMetricsRecorder, MetricValue};
use std::sync::Arc;
use std::time::Duration;

/// The path of every store in its object storage.
pub const PATH: &str = "store";

/// The kinds that make sense for tables.
pub const KINDS: [Family; 4] = [
    Family::Bloom,
    Family::Blocked,
    Family::HabfCache,
    Family::Guarded,
];

/// Object storage, and what the stores in it have counted.
pub struct Store {
    pub objects: Arc<dyn ObjectStore>,
    pub recorder: Arc<DefaultMetricsRecorder>,
}

impl Store {
    pub fn new() -> Self {
        Store {
            objects: Arc::new(InMemory::new()),
            recorder: Arc::new(DefaultMetricsRecorder::new()),
        }
    }

    /// Opens the store. Every table gets a filter, however small. Nothing is compacted until [`Store::compact`].
    pub async fn open(&self, policies: Vec<Arc<dyn FilterPolicy>>) -> Db {
        let settings = Settings {
            min_filter_keys: 0,
            flush_interval: Some(Duration::from_millis(5)),
            manifest_poll_interval: Duration::from_millis(5),
            compactor_options: None,
            garbage_collector_options: None,
            l0_max_ssts: 64,
            l0_max_ssts_per_key: 64,
            ..Settings::default()
        };
        let compactor = CompactorOptions {
            poll_interval: Duration::from_millis(5),
            commit_compacted_interval: Duration::from_millis(5),
            worker: Some(CompactionWorkerOptions {
                compactions_poll_interval: Duration::from_millis(5),
                min_filter_keys: 0,
                ..CompactionWorkerOptions::default()
            }),
            ..CompactorOptions::default()
        };
        Db::builder(PATH, Arc::clone(&self.objects))
            .with_settings(settings)
            .with_filter_policies(policies)
            .with_metrics_recorder(self.recorder.clone())
            .with_compactor_builder(
                CompactorBuilder::new(PATH, Arc::clone(&self.objects))
                    .with_options(compactor)
                    .with_scheduler_supplier(Arc::new(OnRequest)),
            )
            .build()
            .await
            .unwrap()
    }

    /// Merges all tables into one sorted run, if there are new ones.
    pub async fn compact(&self, db: &Db) {
        merge_all(db, PATH, &self.objects).await;
    }

    /// The sum of a counter over all of its labels that include this one.
    pub fn counter(&self, name: &str, label: &str) -> u64 {
        let metrics = self.recorder.snapshot();
        let counted = metrics.by_name(name).into_iter().filter(|metric| {
            let mut values = metric.labels.iter().map(|(_, value)| value);
            label.is_empty() || values.any(|value| value == label)
        });
        counted
            .map(|metric| match metric.value {
                MetricValue::Counter(count) => count,
                _ => 0,
            })
            .sum()
    }

    /// How often a table was read in vain for a key.
    pub fn wasted(&self) -> u64 {
        let name = slatedb::db_stats::SST_FILTER_FALSE_POSITIVE_COUNT;
        self.counter(name, slatedb::db_stats::FILTER_KIND_POINT)
    }

    /// How often a filter has spared a read for a key.
    pub fn spared(&self) -> u64 {
        let name = slatedb::db_stats::SST_FILTER_NEGATIVE_COUNT;
        self.counter(name, slatedb::db_stats::FILTER_KIND_POINT)
    }
}

/// A policy of this kind and size, and the misses it learns from.
pub fn policy(family: Family, bits_per_key: f64) -> (Policy, Misses) {
    let misses = Misses::new(4 << 20, Duration::from_secs(3600)).unwrap();
    let spec = Spec::new(family).size(Size::BitsPerKey(bits_per_key));
    let policy = Policy::new(spec).unwrap().learning_from(&misses);
    (policy, misses)
}

/// Writes these keys and flushes them into tables of their own.
pub async fn put_all(db: &Db, keys: impl IntoIterator<Item = String>) {
    let mut batch = slatedb::WriteBatch::new();
    for key in keys {
        batch.put(&key, value_of(&key));
    }
    db.write(batch).await.unwrap();
    flush(db).await;
}

/// Writes what is in memory into a table.
pub async fn flush(db: &Db) {
    let options = FlushOptions {
        flush_type: FlushType::MemTable,
    };
    db.flush_with_options(options).await.unwrap();
}

/// The value that [`put_all`] writes for a key.
pub fn value_of(key: &str) -> String {
    format!("value of {key}")
}
