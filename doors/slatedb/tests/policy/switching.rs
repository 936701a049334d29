//! Stores that change their policy.

use crate::store::{Store, policy, put_all};
use bloomwise::Family;
use slatedb::{BloomFilterPolicy, Db, FilterPolicy};
use std::sync::Arc;

fn default_policies() -> Vec<Arc<dyn FilterPolicy>> {
    vec![Arc::new(BloomFilterPolicy::new(10))]
}

/// Looks up 3,000 keys that are there and 3,000 that are not; how many reads were spared and wasted.
async fn look_up(store: &Store, db: &Db) -> (u64, u64) {
    let before = (store.spared(), store.wasted());
    for n in 0..3000 {
        assert!(db.get(format!("key{n:05}")).await.unwrap().is_some());
        assert!(
            db.get(format!("key{n:05}-not-there"))
                .await
                .unwrap()
                .is_none()
        );
    }
    (store.spared() - before.0, store.wasted() - before.1)
}

/// Keys of three tables with overlapping ranges.
fn keys(table: usize) -> impl Iterator<Item = String> {
    (0..1000).map(move |n| format!("key{:05}", n * 3 + table))
}

#[tokio::test]
async fn filters_of_the_default_policy_are_used_when_ours_is_switched_on() {
    let store = Store::new();
    let db = store.open(default_policies()).await;
    for table in 0..3 {
        put_all(&db, keys(table)).await;
    }
    let (spared, _) = look_up(&store, &db).await;
    db.close().await.unwrap();

    let (policy, _) = policy(Family::Guarded, 10.0);
    let db = store.open(policy.policies()).await;
    // The same filters: only the ends of ranges are known less exactly in a store that was opened again.
    let again = look_up(&store, &db).await.0;
    assert!(again.abs_diff(spared) <= 5, "{again} {spared}");
    assert_eq!(policy.counts().built, 0);
    store.compact(&db).await;
    assert!(policy.counts().built > 0);
    let (spared, wasted) = look_up(&store, &db).await;
    assert!(spared > 2980 && wasted < 20, "{spared} {wasted}");
    assert_eq!(policy.counts().damaged, 0);
    db.close().await.unwrap();
}

#[tokio::test]
async fn default_policy_reads_tables_that_ours_has_built() {
    let store = Store::new();
    let (policy, _) = policy(Family::Guarded, 10.0);
    let db = store.open(policy.policies()).await;
    for table in 0..3 {
        put_all(&db, keys(table)).await;
    }
    db.close().await.unwrap();

    let db = store.open(default_policies()).await;
    assert_eq!(
        look_up(&store, &db).await.0,
        0,
        "these tables have no filter for it"
    );
    store.compact(&db).await;
    assert!(look_up(&store, &db).await.0 > 2900, "now they have");
    db.close().await.unwrap();
}

#[tokio::test]
async fn kinds_and_sizes_may_change_from_table_to_table() {
    let store = Store::new();
    let kinds = [
        (Family::Blocked, 8.0),
        (Family::Guarded, 10.0),
        (Family::Bloom, 12.0),
    ];
    for (table, (family, bits)) in kinds.into_iter().enumerate() {
        let (policy, _) = policy(family, bits);
        let db = store.open(policy.policies()).await;
        put_all(&db, keys(table)).await;
        db.close().await.unwrap();
    }
    let (policy, _) = policy(Family::HabfCache, 10.0);
    let db = store.open(policy.policies()).await;
    // One table in the mean for a key that is there, three for one that is not.
    let (spared, wasted) = look_up(&store, &db).await;
    assert!(
        spared + wasted <= 12_000 && spared > 11_700,
        "{spared} {wasted}"
    );
    assert_eq!(policy.counts().damaged, 0);
    db.close().await.unwrap();
}

#[tokio::test]
async fn store_without_our_policy_still_answers() {
    let store = Store::new();
    let (policy, _) = policy(Family::Guarded, 10.0);
    let db = store.open(policy.policies()).await;
    put_all(&db, (0..3).flat_map(keys)).await;
    db.close().await.unwrap();
    let db = store.open(Vec::new()).await;
    assert_eq!(look_up(&store, &db).await, (0, 0));
    db.close().await.unwrap();
}
