//! Many threads on one filter: a thread finds each key that it inserted until it removes it, whatever the other threads do.

use super::equal_negatives;
use bloomwise::keys::Digests;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{Filter, Hashing, Insert, Persist, Remove, Seesaw, Size};
use std::sync::atomic::{AtomicBool, Ordering};

const THREADS: u64 = 4;
const KEYS: u64 = 300;
const ROUNDS: u64 = 60;

/// Some threads insert and remove keys of their own, one guards keys, and one queries keys that stay. The filter is so small that
/// their keys collide.
fn stress(segments: u64, alpha: f64) {
    let builder = Seesaw::builder(Size::BitsPerKey(12.0))
        .capacity(THREADS * KEYS)
        .segments(segments)
        .alpha(alpha)
        .adaptive();
    let filter = builder
        .build(&equal_negatives(1_000_000..1_000_100))
        .expect("sound");
    let shared = SharedSeesaw::new(filter);
    let stay = 500_000..500_200;
    shared.extend(stay.clone());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let shared = &shared;
                scope.spawn(move || {
                    let own = thread * KEYS..(thread + 1) * KEYS;
                    for round in 0..ROUNDS {
                        for key in own.clone() {
                            shared.insert(key);
                            assert!(
                                shared.contains(key),
                                "a false negative right after insertion"
                            );
                        }
                        assert!(own.clone().all(|key| shared.contains(key)));
                        // The keys of the last round stay.
                        for key in own.clone().filter(|_| round + 1 < ROUNDS) {
                            assert!(shared.remove(key), "the key is a member");
                        }
                    }
                })
            })
            .collect();
        let (shared, done, stay) = (&shared, &done, &stay);
        scope.spawn(move || {
            // The same 300 keys, again and again.
            let guarded = (2_000_000..2_000_300).cycle();
            for key in guarded.take_while(|_| !done.load(Ordering::Relaxed)) {
                shared.guard(key).expect("adaptive");
            }
        });
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                assert!(
                    stay.clone().all(|key| shared.contains(key)),
                    "false negative"
                );
                let answers = shared.contains_batch(stay.clone());
                assert!(answers.iter().all(|&yes| yes), "false negative in a batch");
            }
        });
        for worker in workers {
            let result = worker.join();
            done.store(true, Ordering::Relaxed);
            result.expect("no false negatives");
        }
    });
    assert_eq!(shared.len(), THREADS * KEYS + 200);
    assert_eq!(shared.info().keys, shared.len());
    let mut filter = shared.into_inner().expect("memory");
    assert_eq!(filter.len(), THREADS * KEYS + 200);
    // All counts are right: the remaining keys can be removed one by one.
    for key in (0..THREADS * KEYS).chain(stay) {
        assert!(filter.contains(key) && filter.remove(key));
    }
    assert!(filter.is_empty());
}

#[test]
fn threads_in_one_segment_find_their_keys() {
    stress(1, 0.0);
    stress(1, 0.2);
}

#[test]
fn threads_in_many_segments_find_their_keys() {
    stress(16, 0.0);
    stress(16, 0.2);
}

/// A refused removal decrements counters and increments them again. A reader that did not notice would get a false negative.
#[test]
fn readers_do_not_see_refused_removals() {
    let builder = Seesaw::builder(Size::Bits(1280)).capacity(50).functions(6);
    let shared = SharedSeesaw::new(builder.create().expect("sound"));
    shared.extend(0..30);
    let rejected: Vec<u64> = (1000..3000).filter(|key| !shared.contains(key)).collect();
    assert!(rejected.len() > 1000, "{}", rejected.len());
    let rejected = Digests::of(Hashing::default(), rejected);
    let done = AtomicBool::new(false);
    let wrong = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let denied = |_| (0..30).filter(|&key| !shared.contains(key)).count();
            let wrong: usize = (0..ROUNDS * 1000).map(denied).sum();
            done.store(true, Ordering::Relaxed);
            wrong
        });
        while !done.load(Ordering::Relaxed) {
            let removed = shared.remove_digests(&rejected).expect("one hashing");
            assert_eq!(removed, 0, "the filter refuses what it rejects");
        }
        reader.join().expect("no panic")
    });
    assert_eq!(wrong, 0, "false negatives");
}

/// A copy taken while a thread changes the filter is consistent: it holds the keys that stay, and they can be removed.
#[test]
fn snapshot_during_changes_is_consistent() {
    let builder = Seesaw::builder(Size::BitsPerKey(30.0))
        .capacity(1200)
        .segments(8)
        .adaptive();
    let shared = SharedSeesaw::new(builder.create().expect("sound"));
    let stay = Digests::of(Hashing::default(), 0..1000);
    shared.insert_digests(&stay).expect("one hashing");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let keys = (5000..5200).cycle();
            for key in keys.take_while(|_| !done.load(Ordering::Relaxed)) {
                shared.insert(key);
                shared.guard(key + 1000).expect("adaptive");
                assert!(shared.remove(key));
            }
        });
        for _ in 0..200 {
            let mut copy = shared.snapshot().expect("memory");
            let bytes = copy.to_bytes();
            assert_eq!(Seesaw::from_bytes(&bytes).expect("sound"), copy);
            // Each of the 8 segments may hold one key of the other thread.
            assert!((1000..=1008).contains(&copy.len()), "{}", copy.len());
            let gone = copy.remove_digests(&stay).expect("one hashing");
            assert_eq!(gone, 1000);
        }
        done.store(true, Ordering::Relaxed);
    });
    let copy = shared.snapshot().expect("memory");
    assert_eq!(copy, shared.into_inner().expect("memory"));
}

#[test]
fn removals_do_not_lower_the_number_of_keys_below_0() {
    // A key is inserted so often that its counters stick, and removed more often. It stays a false positive, and `len` stays 0.
    let builder = Seesaw::builder(Size::Bits(640)).functions(2);
    let mut alone = builder.create().expect("sound");
    let shared = SharedSeesaw::new(alone.clone());
    for _ in 0..20 {
        alone.insert("ant");
        shared.insert("ant");
    }
    for _ in 0..25 {
        assert!(alone.remove("ant") && shared.remove("ant"));
        assert_eq!(alone.len(), shared.len());
    }
    alone.insert("bee");
    shared.extend(["bee"]);
    assert_eq!((alone.len(), shared.len()), (1, 1));
    assert_eq!(shared.into_inner().expect("memory"), alone);
}

#[test]
fn shared_filter_equals_a_filter_of_one_thread() {
    for adaptive in [false, true] {
        let builder = Seesaw::builder(Size::BitsPerKey(30.0))
            .capacity(2000)
            .segments(3);
        let builder = if adaptive {
            builder.adaptive()
        } else {
            builder
        };
        let mut alone = builder
            .build(&equal_negatives(9_000..9_200))
            .expect("sound");
        let shared = SharedSeesaw::new(alone.clone());
        for key in 0..2000 {
            assert_eq!(alone.insert(key), shared.insert(key));
        }
        for key in 500..2500 {
            assert_eq!(alone.remove(key), shared.remove(key));
        }
        let guarded = Digests::of(Hashing::default(), ["ant", "bee"]);
        for key in ["cow", "dog"] {
            assert_eq!(alone.guard(key).is_ok(), adaptive);
            assert_eq!(shared.guard(key).is_ok(), adaptive);
        }
        assert_eq!(alone.guard_digests(&guarded).is_ok(), adaptive);
        assert_eq!(shared.guard_digests(&guarded).is_ok(), adaptive);
        assert_eq!(shared.family(), alone.family());
        assert_eq!(shared.size_in_bits(), alone.size_in_bits());
        assert_eq!(
            (shared.len(), shared.capacity(), shared.rate()),
            (alone.len(), alone.capacity(), alone.rate())
        );
        assert_eq!(shared.info(), alone.info());
        assert!(!shared.is_empty());
        assert_eq!(shared.into_inner().expect("memory"), alone);
    }
    let empty = Seesaw::builder(Size::Bits(320)).capacity(1).create();
    assert!(SharedSeesaw::new(empty.expect("sound")).is_empty());
}

#[test]
fn digests_of_another_hashing_are_errors() {
    let builder = Seesaw::builder(Size::Bits(640)).functions(2).adaptive();
    let mut alone = builder.create().expect("sound");
    let shared = SharedSeesaw::new(alone.clone());
    let foreign = Digests::of(Hashing::Xxh3 { seed: 1 }, ["ant"]);
    assert!(alone.insert_digests(&foreign).is_err() && shared.insert_digests(&foreign).is_err());
    assert!(alone.remove_digests(&foreign).is_err() && shared.remove_digests(&foreign).is_err());
    assert!(alone.guard_digests(&foreign).is_err() && shared.guard_digests(&foreign).is_err());
    assert_eq!(alone, builder.create().expect("sound"));
    assert_eq!(shared.into_inner().expect("memory"), alone);
}

#[test]
fn refused_removals_deny_no_member() {
    // So small that refused keys share counters with members.
    let builder = Seesaw::builder(Size::BitsPerKey(12.0)).capacity(200);
    let mut alone = builder.create().expect("sound");
    alone.extend(0..200u64);
    let refused = |key: &u64| !alone.clone().remove(key);
    let absent: Vec<u64> = (1000..).filter(refused).take(50).collect();
    let shared = SharedSeesaw::new(alone.clone());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut removals = absent.iter().cycle().take(50_000);
                assert!(removals.all(|key| !shared.remove(key)));
            });
        }
        for _ in 0..500 {
            assert!((0..200).all(|key| shared.contains(key)));
            let copy = shared.snapshot().expect("memory");
            assert_eq!(copy.to_bytes(), alone.to_bytes());
        }
    });
}
