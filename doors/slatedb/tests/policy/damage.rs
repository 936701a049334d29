//! Damaged filters: an error for their table or a read without a filter, and never a wrong answer.

use crate::store::{KINDS, PATH, Store, policy, put_all};
use bytes::{BufMut, Bytes};
use slatedb::object_store::path::Path;
use slatedb::object_store::{ObjectStoreExt, PutPayload};
use slatedb::{Filter, FilterBuilder, FilterPolicy, FilterQuery, RowEntry, ValueDeletable};
use slatedb_common::metrics::DefaultMetricsRecorder;
use std::sync::Arc;

/// The bytes of the filter of 300 keys.
fn encoded(policy: &dyn FilterPolicy) -> Vec<u8> {
    let mut builder = policy.builder();
    for n in 0..300 {
        builder.add_entry(&row(n));
    }
    let mut bytes = Vec::new();
    builder.build().encode(&mut bytes);
    bytes
}

fn row(n: u32) -> RowEntry {
    RowEntry {
        key: Bytes::from(format!("key{n:05}")),
        value: ValueDeletable::Tombstone,
        seq: 1,
        create_ts: None,
        expire_ts: None,
    }
}

fn accepts_all(filter: &dyn Filter) -> bool {
    let accepts = |n| filter.might_match(&FilterQuery::point(row(n).key));
    (0..300).all(accepts)
}

#[test]
fn truncated_or_flipped_bytes_accept_every_key_and_are_counted() {
    for family in KINDS {
        let (policy, _) = policy(family, 10.0);
        let bytes = encoded(&policy);
        assert!(accepts_all(&*policy.decode(&bytes)));
        assert_eq!(policy.counts().damaged, 0);
        let mut damaged = 0;
        for len in 1..bytes.len() {
            assert!(accepts_all(&*policy.decode(&bytes[..len])));
            damaged += 1;
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            let filter = policy.decode(&flipped);
            assert!(accepts_all(&*filter));
            let other = FilterQuery::point(Bytes::from_static(b"anything"));
            assert!(filter.might_match(&other), "nothing is denied");
            damaged += 1;
        }
        assert_eq!(policy.counts().damaged, damaged);
    }
}

#[test]
fn no_bytes_are_no_filter_and_no_damage() {
    let (policy, _) = policy(KINDS[0], 10.0);
    assert!(accepts_all(&*policy.decode(b"")));
    assert_eq!(policy.counts().damaged, 0);
}

#[test]
fn damage_is_counted_in_the_metrics_of_the_store_and_old_filters_do_not_panic() {
    let recorder = DefaultMetricsRecorder::new();
    let (policy, _) = policy(KINDS[3], 10.0);
    let policy = policy.metrics_recorder(&recorder);
    for policy in policy.policies() {
        assert!(accepts_all(&*policy.decode(b"!")));
    }
    assert_eq!(policy.counts().damaged, 2);
    let metrics = recorder.snapshot();
    assert_eq!(
        metrics.by_name("bloomwise.filter.damaged")[0]
            .value
            .to_string(),
        "2"
    );
}

/// Writes bytes that are no filter, under the name of our policy.
struct Garbage;

impl FilterPolicy for Garbage {
    fn name(&self) -> &str {
        bloomwise_slatedb::Policy::NAME
    }

    fn builder(&self) -> Box<dyn FilterBuilder> {
        Box::new(Garbage)
    }

    fn decode(&self, _data: &[u8]) -> Arc<dyn Filter> {
        Arc::new(Garbage)
    }

    fn estimate_size(&self, _num_keys: usize) -> usize {
        100
    }
}

impl FilterBuilder for Garbage {
    fn add_entry(&mut self, _entry: &RowEntry) {}

    fn build(&mut self) -> Arc<dyn Filter> {
        Arc::new(Garbage)
    }
}

impl Filter for Garbage {
    fn might_match(&self, _query: &FilterQuery) -> bool {
        true
    }

    fn encode(&self, writer: &mut dyn BufMut) {
        writer.put_slice(&[0xB2; 100]);
    }

    fn size(&self) -> usize {
        100
    }

    fn clamp_allocated_size(&self) -> Arc<dyn Filter> {
        Arc::new(Garbage)
    }
}

#[tokio::test]
async fn tables_with_garbage_for_a_filter_are_read_without_one() {
    let store = Store::new();
    let db = store.open(vec![Arc::new(Garbage)]).await;
    put_all(&db, (0..500).map(|n| format!("key{n}"))).await;
    db.close().await.unwrap();

    let (policy, _) = policy(KINDS[3], 10.0);
    let db = store.open(policy.policies()).await;
    for n in 0..1000 {
        let found = db.get(format!("key{n}")).await.unwrap();
        assert_eq!(found.is_some(), n < 500);
    }
    assert!(policy.counts().damaged > 0);
    store.compact(&db).await;
    let before = store.spared();
    assert!(db.get("key77-not-there").await.unwrap().is_none());
    assert_eq!(
        store.spared(),
        before + 1,
        "a compaction gives them a filter"
    );
    db.close().await.unwrap();
}

#[tokio::test]
async fn flipped_byte_of_a_filter_block_gives_no_wrong_answer() {
    let store = Store::new();
    let (policy, _) = policy(KINDS[3], 10.0);
    let db = store.open(policy.policies()).await;
    put_all(&db, (0..500).map(|n| format!("key{n}"))).await;
    let manifest = db.manifest();
    let table = &manifest.l0()[0].sst;
    let path = Path::from(format!("{PATH}/compacted/{}.sst", table.id.value()));
    let info = &table.info;
    let block = info.filter_offset as usize..(info.filter_offset + info.filter_len) as usize;
    db.close().await.unwrap();

    let intact = store
        .objects
        .get(&path)
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    for at in block.step_by(61) {
        let mut bytes = intact.to_vec();
        bytes[at] ^= 0x10;
        store
            .objects
            .put(&path, PutPayload::from(bytes))
            .await
            .unwrap();
        let db = store.open(policy.policies()).await;
        for n in (0..1000).step_by(50) {
            // SlateDB verifies a checksum of the block, and says so.
            if let Ok(found) = db.get(format!("key{n}")).await {
                assert_eq!(found.is_some(), n < 500, "key{n}, byte {at}");
            }
        }
        db.close().await.unwrap();
    }
}
