//! Prefix and range scans.

use crate::store::{Store, policy, put_all};
use bloomwise::Family;
use bytes::Bytes;
use slatedb::{Db, Filter, FilterPolicy, FilterQuery, PrefixExtractor, PrefixTarget};
use std::ops::Bound;
use std::sync::Arc;

/// The first four bytes of a key.
struct Four;

impl PrefixExtractor for Four {
    fn name(&self) -> &str {
        "four"
    }

    fn prefix_len(&self, target: &PrefixTarget) -> Option<usize> {
        let (PrefixTarget::Point(bytes) | PrefixTarget::Prefix(bytes)) = target;
        (bytes.len() >= 4).then_some(4)
    }
}

async fn count(db: &Db, prefix: &str) -> usize {
    let mut scan = db.scan_prefix(prefix, ..).await.unwrap();
    let mut rows = 0;
    while scan.next().await.unwrap().is_some() {
        rows += 1;
    }
    rows
}

#[tokio::test]
async fn prefix_scans_skip_tables_without_the_prefix() {
    let store = Store::new();
    let (policy, _) = policy(Family::Guarded, 12.0);
    let policy = policy.prefix_extractor(Arc::new(Four));
    assert!(policy.supports_prefix_queries());
    assert_eq!(policy.name(), "bloomwise/1:p=four");
    let db = store.open(policy.policies()).await;
    for table in 0..4 {
        let keys = (0..100).flat_map(|n| [format!("a{n:03}/{table}"), format!("z{n:03}/{table}")]);
        put_all(&db, keys).await;
        put_all(&db, [format!("m{table}00/x"), "a".into(), "zzzz".into()]).await;
    }
    let spared = || {
        let name = slatedb::db_stats::SST_FILTER_NEGATIVE_COUNT;
        store.counter(name, slatedb::db_stats::FILTER_KIND_PREFIX)
    };
    assert_eq!(count(&db, "a007").await, 4);
    assert_eq!(count(&db, "m200/x").await, 1, "longer than four bytes");
    let before = spared();
    assert_eq!(count(&db, "m777").await, 0);
    assert!(spared() >= before + 7, "seven of eight tables, at least");
    assert_eq!(count(&db, "m").await, 4, "too short for the filter");
    db.close().await.unwrap();
}

#[tokio::test]
async fn filters_of_whole_keys_cost_prefix_scans_nothing() {
    let store = Store::new();
    let (policy, _) = policy(Family::Guarded, 12.0);
    assert!(!policy.supports_prefix_queries() && !policy.supports_range_queries());
    let db = store.open(policy.policies()).await;
    put_all(&db, (0..100).map(|n| format!("a{n:03}"))).await;
    assert_eq!(count(&db, "a00").await, 10);
    let name = slatedb::db_stats::SST_FILTER_POSITIVE_COUNT;
    assert_eq!(
        store.counter(name, slatedb::db_stats::FILTER_KIND_PREFIX),
        0
    );
    db.close().await.unwrap();
}

#[test]
fn queries_that_a_filter_cannot_answer_are_maybe() {
    for extractor in [None, Some(Arc::new(Four))] {
        let (mut policy, _) = policy(Family::Guarded, 12.0);
        if let Some(extractor) = extractor {
            policy = policy.prefix_extractor(extractor);
        }
        let filter = policy.builder().build();
        let range = FilterQuery::range(
            Bound::Included(Bytes::from_static(b"a")),
            Bound::Excluded(Bytes::from_static(b"b")),
        );
        assert!(filter.might_match(&range));
        let short = FilterQuery::prefix(Bytes::from_static(b"a"));
        assert!(filter.might_match(&short));
        let absent = FilterQuery::point(Bytes::from_static(b"absent"));
        assert!(
            !Filter::might_match(&*filter, &absent),
            "the table is empty"
        );
    }
}
