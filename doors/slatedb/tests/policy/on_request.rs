//! Compactions that happen when the caller says so.

use slatedb::compactor::{CompactionScheduler, CompactionSchedulerSupplier, CompactorStateView};
use slatedb::compactor::{CompactionSpec, CompactionStatus, SourceId};
use slatedb::config::CompactorOptions;
use slatedb::object_store::ObjectStore;
use slatedb::{Db, admin::Admin};
use std::sync::Arc;
use std::time::Duration;

/// Proposes no compaction; [`merge_all`] submits its own.
pub struct OnRequest;

impl CompactionSchedulerSupplier for OnRequest {
    fn compaction_scheduler(
        &self,
        _options: &CompactorOptions,
    ) -> Box<dyn CompactionScheduler + Send + Sync> {
        Box::new(OnRequest)
    }
}

impl CompactionScheduler for OnRequest {
    fn propose(&self, _state: &CompactorStateView) -> Vec<CompactionSpec> {
        Vec::new()
    }
}

/// Merges all tables of the store at `path` into one sorted run, if there are new ones, and waits until the store sees it.
pub async fn merge_all(db: &Db, path: &str, objects: &Arc<dyn ObjectStore>) {
    let manifest = db.manifest();
    let tables = manifest.l0().iter().map(|view| SourceId::SstView(view.id));
    let runs = manifest.compacted().iter();
    let sources: Vec<_> = tables
        .chain(runs.clone().map(|run| SourceId::SortedRun(run.id)))
        .collect();
    let Some(newest) = manifest.l0().front().map(|view| view.id) else {
        return;
    };
    let target = runs.map(|run| run.id).min().unwrap_or(0);
    let admin = Admin::builder(path, Arc::clone(objects)).build();
    let spec = CompactionSpec::new(sources, target);
    let submitted = admin.submit_compaction(spec).await.unwrap();
    let done = async {
        while db.manifest().l0().iter().any(|view| view.id == newest) {
            let found = admin.read_compaction(submitted.id(), None).await.unwrap();
            let failed = found.is_some_and(|found| found.status() == CompactionStatus::Failed);
            assert!(!failed, "the compaction failed");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(600), done).await;
    waited.expect("a compaction of a few tables ends within ten minutes");
}
