//! Crashes: what was written before is read after.

use crate::store::{KINDS, Store, flush, policy, put_all};

#[tokio::test]
async fn store_that_was_never_closed_has_everything_that_was_flushed() {
    for family in KINDS {
        let store = Store::new();
        let (policy, misses) = policy(family, 8.0);
        let crashed = store.open(policy.policies()).await;
        put_all(&crashed, (0..2000).map(|n| format!("table{n}"))).await;
        misses.missed("table7-not-there");
        // In the log, and in no table.
        for n in 0..50 {
            crashed.put(format!("log{n}"), "value").await.unwrap();
        }
        crashed.flush().await.unwrap();

        let db = store.open(policy.policies()).await;
        for n in 0..2000 {
            assert!(db.get(format!("table{n}")).await.unwrap().is_some());
        }
        for n in 0..50 {
            assert!(db.get(format!("log{n}")).await.unwrap().is_some());
        }
        flush(&db).await;
        store.compact(&db).await;
        for n in 0..50 {
            assert!(db.get(format!("log{n}")).await.unwrap().is_some());
        }
        assert_eq!(policy.counts().damaged, 0);
        db.close().await.unwrap();
    }
}

#[tokio::test]
async fn crash_in_the_middle_of_a_compaction_loses_nothing() {
    let store = Store::new();
    let (policy, _) = policy(bloomwise::Family::Guarded, 8.0);
    // Stops somewhere: before, while or after the output is written.
    for (round, delay) in [0, 5, 10, 20, 40, 80].into_iter().enumerate() {
        let db = store.open(policy.policies()).await;
        for table in 0..2 {
            let keys = (0..3000).map(|n| format!("key{:05}-{round}", n * 2 + table));
            put_all(&db, keys).await;
        }
        let wait = tokio::time::sleep(std::time::Duration::from_millis(delay));
        tokio::select! {
            () = store.compact(&db) => {}
            () = wait => {}
        }
        // Not closed: the next store fences it off.
        let db = store.open(policy.policies()).await;
        for n in (0..6000).step_by(11) {
            for round in 0..=round {
                let key = format!("key{n:05}-{round}");
                assert!(db.get(&key).await.unwrap().is_some(), "{key}");
            }
        }
    }
}
