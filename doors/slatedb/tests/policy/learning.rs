//! Misses that were reported cost nothing after the next table is built.

use crate::store::{Store, flush, policy, put_all};
use bloomwise::Family;
use bloomwise_slatedb::{Misses, Reporting};
use slatedb::{Db, DbReadOps, IsolationLevel};
use std::time::Duration;

/// Three tables whose ranges overlap.
async fn fill(db: &Db) {
    for table in 0..3 {
        put_all(db, (0..4000).map(|n| format!("key{:05}", n * 3 + table))).await;
    }
}

/// Keys that are missing, within the range of the tables.
fn missing() -> impl Iterator<Item = String> {
    (0..6000).map(|n| format!("key{n:05}-not-there"))
}

/// Looks the missing keys up; how many tables were read in vain.
async fn wasted_on(store: &Store, reads: &(impl DbReadOps + Sync)) -> u64 {
    let before = store.wasted();
    for key in missing() {
        assert!(reads.get(&key).await.unwrap().is_none());
    }
    store.wasted() - before
}

#[tokio::test]
async fn reported_misses_cost_no_reads_after_the_next_compaction() {
    let store = Store::new();
    let (policy, misses) = policy(Family::Guarded, 6.0);
    let db = store.open(policy.policies()).await;
    fill(&db).await;
    let reads = Reporting::new(&db, misses.clone());
    // 18,000 queries, of which 2 % pass a filter of 6 bits per key.
    assert!(wasted_on(&store, &reads).await > 50);
    assert_eq!(policy.counts().negatives, 0, "nothing was known yet");

    store.compact(&db).await;
    // A key between two tables of the run is in the range of neither.
    let known = policy.counts().negatives + misses.skipped();
    assert!((5990..=6000).contains(&known), "{known}");
    assert_eq!(wasted_on(&store, &reads).await, 0);
    db.close().await.unwrap();
}

#[tokio::test]
async fn habf_cache_answers_most_reported_misses_right() {
    let store = Store::new();
    let (policy, misses) = policy(Family::HabfCache, 8.0);
    let db = store.open(policy.policies()).await;
    fill(&db).await;
    let reads = Reporting::new(&db, misses);
    let before = wasted_on(&store, &reads).await;
    store.compact(&db).await;
    let after = wasted_on(&store, &reads).await;
    assert!(10 * after < before, "{after} after {before}");
    db.close().await.unwrap();
}

#[tokio::test]
async fn flushed_tables_know_the_misses_of_their_range_only() {
    let store = Store::new();
    let (policy, misses) = policy(Family::Guarded, 10.0);
    let db = store.open(policy.policies()).await;
    for key in ["a", "ba", "bb", "c"] {
        misses.missed(key);
    }
    put_all(&db, ["b", "bc", "bd"].map(String::from)).await;
    assert_eq!(policy.counts().negatives, 2);
    db.close().await.unwrap();
}

#[tokio::test]
async fn reported_key_that_is_written_later_is_found() {
    let store = Store::new();
    let (policy, misses) = policy(Family::Guarded, 6.0);
    let db = store.open(policy.policies()).await;
    fill(&db).await;
    let reads = Reporting::new(&db, misses);
    wasted_on(&store, &reads).await;
    put_all(&db, missing().step_by(2)).await;
    store.compact(&db).await;
    for (n, key) in missing().enumerate() {
        assert_eq!(db.get(&key).await.unwrap().is_some(), n % 2 == 0, "{key}");
    }
    db.close().await.unwrap();
}

#[tokio::test]
async fn snapshots_readers_and_transactions_report_too() {
    let store = Store::new();
    let (policy, misses) = policy(Family::Guarded, 10.0);
    let db = store.open(policy.policies()).await;
    put_all(&db, ["a", "z"].map(String::from)).await;

    let snapshot = Reporting::new(db.snapshot().unwrap(), misses.clone());
    assert!(snapshot.get("snapshot").await.unwrap().is_none());
    let transaction = db.begin(IsolationLevel::Snapshot).unwrap();
    let transaction = Reporting::new(&transaction, misses.clone());
    assert!(
        transaction
            .get_key_value("transaction")
            .await
            .unwrap()
            .is_none()
    );
    let found = Reporting::new(&db, misses.clone());
    assert!(found.get("a").await.unwrap().is_some());
    assert!(found.get_key_value("z").await.unwrap().is_some());

    store.compact(&db).await;
    assert_eq!(policy.counts().negatives, 2, "what was found is no miss");
    db.close().await.unwrap();
}

#[tokio::test]
async fn what_was_learned_survives_a_restart() {
    let store = Store::new();
    let (first, misses) = policy(Family::Guarded, 6.0);
    let db = store.open(first.policies()).await;
    fill(&db).await;
    wasted_on(&store, &Reporting::new(&db, misses.clone())).await;
    let saved = misses.to_bytes();
    db.close().await.unwrap();

    let (second, misses) = policy(Family::Guarded, 6.0);
    misses.restore(&saved).unwrap();
    let db = store.open(second.policies()).await;
    store.compact(&db).await;
    assert_eq!(wasted_on(&store, &db).await, 0);
    db.close().await.unwrap();
}

#[test]
fn damaged_bytes_of_misses_are_an_error_that_changes_nothing() {
    let misses = Misses::new(4 << 20, Duration::from_secs(60)).unwrap();
    misses.missed("ant");
    let saved = misses.to_bytes();
    assert!(misses.restore(&saved[..saved.len() - 1]).is_err());
    assert!(misses.restore(b"").is_err());
    assert_eq!(misses.to_bytes(), saved);
    assert!(Misses::new(10, Duration::from_secs(60)).is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reports_of_many_threads_are_counted_or_skipped() {
    let misses = Misses::new(4 << 20, Duration::from_secs(3600)).unwrap();
    let report = |thread: u32| {
        let misses = misses.clone();
        tokio::task::spawn_blocking(move || {
            for n in 0..20_000 {
                misses.missed(format!("key{}", (n + thread) % 50));
            }
        })
    };
    for done in (0..4).map(report).collect::<Vec<_>>() {
        done.await.unwrap();
    }
    let store = Store::new();
    let spec = bloomwise::Spec::new(Family::Guarded);
    let policy = bloomwise_slatedb::Policy::new(spec).unwrap();
    let policy = policy.learning_from(&misses);
    let db = store.open(policy.policies()).await;
    put_all(&db, (0..100).map(|n| format!("key{n}-there"))).await;
    // key0 to key9 and key10-there to key49-there lie on both sides of the keys in between.
    assert!(misses.skipped() < 80_000);
    assert!(policy.counts().negatives >= 45, "{:?}", policy.counts());
    flush(&db).await;
    db.close().await.unwrap();
}
