//! A store that is asked for keys that are never there learns which, and after a compaction they cost no reads.
//!
//! `cargo run --manifest-path doors/slatedb/Cargo.toml --example hot_misses`

use bloomwise::{Family, Size, Spec};
use bloomwise_slatedb::{Misses, Policy, Reporting};
use slatedb::config::{CompactorOptions, FlushOptions, FlushType, Settings};
use slatedb::db_stats::SST_FILTER_FALSE_POSITIVE_COUNT;
use slatedb::{Db, DbReadOps, WriteBatch, object_store::memory::InMemory};
use slatedb_common::metrics::DefaultMetricsRecorder;
use std::{error::Error, sync::Arc, time::Duration};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // 32 MiB for what is learned; a miss loses half of its weight in a day.
    let misses = Misses::new(32 << 20, Duration::from_secs(86_400))?;
    // Six bits per key, so that there is something to see. Ten are usual.
    let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(6.0));
    let policy = Policy::new(spec)?.learning_from(&misses);

    let compactor = CompactorOptions {
        poll_interval: Duration::from_millis(50),
        ..CompactorOptions::default()
    };
    let settings = Settings {
        compactor_options: Some(compactor),
        ..Settings::default()
    };
    let recorder = Arc::new(DefaultMetricsRecorder::new());
    let db = Db::builder("store", Arc::new(InMemory::new()))
        .with_filter_policies(policy.policies())
        .with_metrics_recorder(recorder.clone())
        .with_settings(settings)
        .build()
        .await?;
    let reads = Reporting::new(&db, misses);

    for round in 0..8 {
        let mut batch = WriteBatch::new();
        for n in 0..20_000 {
            batch.put(format!("user{n:06}-{round}"), "a value");
        }
        db.write(batch).await?;
        let flush_type = FlushType::MemTable;
        db.flush_with_options(FlushOptions { flush_type }).await?;
        // The first table was built before anything was known. The fourth starts a compaction, which replaces it.
        for n in 0..5000 {
            assert!(reads.get(format!("user{n:06}-gone")).await?.is_none());
        }
        let counters = recorder.snapshot();
        let wasted = &counters.by_name(SST_FILTER_FALSE_POSITIVE_COUNT)[0].value;
        println!("round {round}: {wasted} tables were read in vain so far");
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    println!("{:?}", policy.counts());
    db.close().await?;
    Ok(())
}
