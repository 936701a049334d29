//! Filters that many threads use at the same time.

use bloomwise::keys::Digests;
use bloomwise::unstable::Shareable;
use bloomwise::{
    Blocked, Bloom, Builder, Counting, Filter, Hashing, Insert, Persist, Remove, Shared, Size,
};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const KEYS: u64 = 40_000;
const THREADS: u64 = 4;

/// The keys of a thread.
fn share(thread: u64) -> Range<u64> {
    let share = KEYS / THREADS;
    thread * share..(thread + 1) * share
}

/// Inserts from several threads: one by one, by digests, and many at once. The result is the filter of one thread.
fn check_bytes<F>(empty: F)
where
    F: Insert + Shareable + Clone + Persist + PartialEq + std::fmt::Debug + Send + Sync,
{
    let mut alone = empty.clone();
    alone.extend(0..KEYS);
    let shared = Shared::new(empty);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let shared = &shared;
            scope.spawn(move || match thread % 3 {
                0 => share(thread).for_each(|key| _ = shared.insert(key)),
                1 => shared.extend(share(thread)),
                _ => {
                    let digests = Digests::of(shared.hashing(), share(thread));
                    shared.insert_digests(&digests).expect("one hashing");
                }
            });
        }
    });
    assert_eq!(shared.len(), KEYS);
    assert_eq!(
        (shared.family(), shared.rate()),
        (alone.family(), alone.rate())
    );
    assert_eq!(shared.info(), alone.info());
    let keys = || (0..3 * KEYS).step_by(7);
    assert!(keys().all(|key| shared.contains(key) == alone.contains(key)));
    assert_eq!(shared.contains_batch(keys()), alone.contains_batch(keys()));
    let snapshot = shared.snapshot().expect("enough memory");
    assert!(snapshot.to_bytes() == alone.to_bytes());
    assert_eq!(shared.into_inner().expect("enough memory"), alone);
}

#[test]
fn bytes_are_those_of_one_thread() {
    for size in [
        Size::BitsPerKey(10.0),
        Size::BitsPerKey(3.0),
        Size::Bits(4096),
    ] {
        let bloom: Builder<Bloom> = Bloom::builder(size).capacity(KEYS);
        check_bytes(bloom.create().expect("sound"));
        check_bytes(bloom.personalized().create().expect("sound"));
        for functions in [3, 6, 8, 13] {
            let blocked = Blocked::builder(size).functions(functions).capacity(KEYS);
            check_bytes(blocked.create().expect("sound"));
            check_bytes(blocked.block_bits(256).create().expect("sound"));
        }
        let counting = Counting::builder(size).capacity(KEYS);
        check_bytes(counting.create().expect("sound"));
        check_bytes(counting.personalized().create().expect("sound"));
    }
}

/// One thread inserts and says how far it is; another asks for what was inserted. Nothing that was inserted is missing.
fn check_visible<F: Shareable>(empty: F) {
    let (shared, inserted) = (Shared::new(empty), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for key in 0..KEYS {
                shared.insert(key);
                inserted.store(key + 1, Ordering::Release);
            }
        });
        let mut random = 1u64;
        loop {
            let known = inserted.load(Ordering::Acquire);
            for _ in 0..known.min(20) {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                assert!(shared.contains((random >> 32) % known));
            }
            if known == KEYS {
                break;
            }
        }
    });
}

#[test]
fn inserted_keys_are_seen_by_threads_that_know_of_them() {
    let size = Size::BitsPerKey(8.0);
    check_visible(Bloom::builder(size).capacity(KEYS).create().expect("sound"));
    check_visible(
        Blocked::builder(size)
            .capacity(KEYS)
            .create()
            .expect("sound"),
    );
    check_visible(
        Counting::builder(size)
            .capacity(KEYS)
            .create()
            .expect("sound"),
    );
}

#[test]
fn counters_survive_insertions_and_removals_of_many_threads() {
    // So small that all keys share counters, but none sticks.
    let builder = Counting::builder(Size::Bits(1 << 18)).functions(3);
    let mut alone = builder.create().expect("sound");
    alone.extend((0..KEYS).filter(|key| key % 4 == 0));
    let shared = Shared::new(builder.create().expect("sound"));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let shared = &shared;
            scope.spawn(move || {
                for key in share(thread) {
                    shared.insert(key);
                    assert!(shared.contains(key) && shared.count(key) >= 1);
                    if key % 4 != 0 {
                        assert!(shared.remove(key));
                    }
                }
            });
        }
    });
    let removed = Digests::of(Hashing::default(), 0..10u64);
    assert_eq!(shared.len(), KEYS / 4);
    let inner = shared.snapshot().expect("enough memory");
    if inner.stuck() == 0 {
        assert_eq!(inner, alone);
    }
    assert!((0..KEYS).step_by(4).all(|key| shared.contains(key)));
    let kept = (0..10).filter(|key| key % 4 == 0).count() as u64;
    assert!(shared.remove_digests(&removed).expect("one hashing") >= kept);
}

#[test]
fn removal_of_an_absent_key_changes_nothing() {
    let shared = Shared::new(
        Counting::builder(Size::Bits(4096))
            .functions(4)
            .create()
            .expect("sound"),
    );
    shared.extend(0..50u64);
    let before = shared.snapshot().expect("enough memory");
    let denied: Vec<u64> = (1000..2000).filter(|&key| !shared.contains(key)).collect();
    assert!(denied.len() > 500);
    assert!(denied.iter().all(|key| !shared.remove(key)));
    assert_eq!(shared.snapshot().expect("enough memory"), before);
}

/// Threads remove a key that is not there, again and again. Each removal is refused, so no query and no copy denies a member meanwhile.
#[test]
fn refused_removals_deny_no_member() {
    const ROUNDS: u64 = 100_000;
    for personalized in [false, true] {
        // So many functions that keys use counters more than once.
        let builder = Counting::builder(Size::Bits(2048)).functions(32);
        let builder = match personalized {
            true => builder.personalized(),
            false => builder,
        };
        let mut alone = builder.create().expect("sound");
        alone.extend(0..20u64);
        // The filter accepts it, but a counter is too low for it.
        let refused = |key: &u64| alone.contains(key) && !alone.clone().remove(key);
        let absent = (1000..).find(refused).expect("a key");
        let shared = Shared::new(alone.clone());
        let (members, absent) = (|| 0..20u64, &absent);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert!((0..ROUNDS).all(|_| !shared.remove(absent))));
            }
            for _ in 0..ROUNDS / 20 {
                assert!(members().all(|key| shared.contains(key)));
                assert_eq!(shared.snapshot().expect("enough memory"), alone);
            }
        });
        assert_eq!(shared.into_inner().expect("enough memory"), alone);
    }
}

#[test]
fn digests_of_another_hashing_are_errors() {
    let shared = Shared::new(
        Bloom::builder(Size::Bits(4096))
            .functions(4)
            .create()
            .expect("sound"),
    );
    let other = Digests::of(Hashing::Xxh3 { seed: 1 }, [1u64]);
    assert!(shared.insert_digests(&other).is_err() && shared.contains_digests(&other).is_err());
    assert!(shared.is_empty());
}
