//! A store with our filters answers as a sorted map does.

use crate::store::{KINDS, Store, flush, policy, put_all, value_of};
use bloomwise::Family;
use bloomwise_slatedb::Reporting;
use proptest::prelude::*;
use slatedb::{Db, DbReadOps};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a program does to a store.
#[derive(Clone, Debug)]
enum Step {
    Put(u8, u16),
    Delete(u8),
    Get(u8),
    Flush,
    Compact,
    Reopen,
    /// Ends without closing, as a crash does, once the log is written.
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (any::<u8>(), any::<u16>()).prop_map(|(key, value)| Step::Put(key, value)),
        2 => any::<u8>().prop_map(Step::Delete),
        8 => any::<u8>().prop_map(Step::Get),
        3 => Just(Step::Flush),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
        1 => Just(Step::Crash),
    ]
}

fn name(key: u8) -> String {
    format!("{:03}", key)
}

async fn all_agree(db: &(impl DbReadOps + Sync), model: &BTreeMap<u8, u16>) {
    for key in 0..=255 {
        let value = db.get(name(key)).await.unwrap();
        let expected = model.get(&key).map(u16::to_string);
        assert_eq!(
            value.as_deref(),
            expected.as_deref().map(str::as_bytes),
            "{key}"
        );
    }
    let mut scan = db.scan(name(100)..name(200)).await.unwrap();
    let mut scanned = Vec::new();
    while let Some(row) = scan.next().await.unwrap() {
        scanned.push((row.key.to_vec(), row.value.to_vec()));
    }
    let expected = model.range(100..200);
    let expected: Vec<_> = expected
        .map(|(key, value)| (name(*key).into_bytes(), value.to_string().into_bytes()))
        .collect();
    assert_eq!(scanned, expected);
}

async fn run(family: Family, steps: Vec<Step>) {
    let store = Store::new();
    let (policy, misses) = policy(family, 6.0);
    let mut db = store.open(policy.policies()).await;
    let mut model = BTreeMap::new();
    for step in steps {
        match step {
            Step::Put(key, value) => {
                db.put(name(key), value.to_string()).await.unwrap();
                model.insert(key, value);
            }
            Step::Delete(key) => {
                db.delete(name(key)).await.unwrap();
                model.remove(&key);
            }
            Step::Get(key) => {
                let reads = Reporting::new(&db, misses.clone());
                let value = reads.get(name(key)).await.unwrap();
                let expected = model.get(&key).map(u16::to_string);
                assert_eq!(value.as_deref(), expected.as_deref().map(str::as_bytes));
            }
            Step::Flush => flush(&db).await,
            Step::Compact => store.compact(&db).await,
            Step::Reopen => {
                db.close().await.unwrap();
                db = store.open(policy.policies()).await;
            }
            Step::Crash => {
                db.flush().await.unwrap();
                // The next one fences this one off, which is never closed.
                db = store.open(policy.policies()).await;
            }
        }
    }
    all_agree(&db, &model).await;
    store.compact(&db).await;
    all_agree(&db, &model).await;
    assert_eq!((policy.counts().damaged, policy.counts().failed), (0, 0));
    db.close().await.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn store_answers_as_a_map_does(
        kind in 0..KINDS.len(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(run(KINDS[kind], steps));
    }
}

/// Looks up present and missing keys until the writer is done, at least once.
async fn read_until(db: Arc<Db>, misses: bloomwise_slatedb::Misses, done: Arc<AtomicBool>) {
    let reads = Reporting::new(db, misses);
    loop {
        for n in (0..3000).step_by(7) {
            let key = format!("key{n:05}");
            let value = reads.get(&key).await.unwrap();
            assert_eq!(value.as_deref(), Some(value_of(&key).as_bytes()));
            let missing = format!("key{n:05}-not-there");
            assert!(reads.get(&missing).await.unwrap().is_none());
        }
        if done.load(Ordering::Relaxed) {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reads_are_right_while_tables_are_flushed_and_compacted() {
    for family in KINDS {
        let store = Store::new();
        let (policy, misses) = policy(family, 8.0);
        let db = Arc::new(store.open(policy.policies()).await);
        put_all(&db, (0..3000).map(|n| format!("key{n:05}"))).await;
        let done = Arc::new(AtomicBool::new(false));
        let readers: Vec<_> = (0..3)
            .map(|_| tokio::spawn(read_until(db.clone(), misses.clone(), done.clone())))
            .collect();
        for table in 1..6 {
            put_all(
                &db,
                (0..2000).map(|n| format!("key{:05}", n + 1500 * table)),
            )
            .await;
            if table % 2 == 0 {
                store.compact(&db).await;
            }
        }
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.await.unwrap();
        }
        db.close().await.unwrap();
    }
}
