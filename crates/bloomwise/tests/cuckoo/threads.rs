//! One filter, many threads.

use crate::changes::whole;
use bloomwise::cuckoo::SharedCuckoo;
use bloomwise::{Cuckoo, Filter, Persist, Remove, Size};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn empty(bits: f64, capacity: u64) -> SharedCuckoo {
    let builder = Cuckoo::builder(Size::BitsPerKey(bits)).capacity(capacity);
    SharedCuckoo::new(builder.create().expect("sound"))
}

#[test]
fn keys_of_all_threads_are_there_and_leave_again() {
    let (threads, each) = (4, 20_000u64);
    let shared = empty(11.0, threads * each);
    let denied = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (shared, denied) = (&shared, &denied);
            scope.spawn(move || {
                let own = |key: u64| thread * each + key;
                for key in 0..each {
                    assert!(shared.insert(own(key)).is_ok());
                    let earlier = own(key.saturating_sub(key % 97));
                    denied.fetch_add(u64::from(!shared.contains(earlier)), Ordering::Relaxed);
                }
                for key in 0..each / 2 {
                    assert!(shared.remove(own(key)));
                }
                let rest = (each / 2..each).filter(|&key| !shared.contains(own(key)));
                denied.fetch_add(rest.count() as u64, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(denied.into_inner(), 0, "no key is denied");
    assert_eq!(shared.len(), threads * each / 2);
    let inner = shared.into_inner().expect("memory");
    assert_eq!(Cuckoo::from_bytes(&inner.to_bytes()).expect("sound"), inner);
    assert!((inner.info().fill - 0.475).abs() < 0.01);
}

#[test]
fn full_filter_loses_no_key() {
    let shared = empty(12.0, 2000);
    let inserted: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let insert = |thread: u64| {
            let shared = &shared;
            move || {
                let own = (0..1500).map(|key| 10_000 * thread + key);
                own.filter(|&key| shared.insert(key).is_ok()).collect()
            }
        };
        let handles: Vec<_> = (0..2).map(|thread| scope.spawn(insert(thread))).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    let all: Vec<u64> = inserted.concat();
    assert!(all.len() >= 2000 && all.len() < 3000 && whole(&shared, "extras") > 0);
    assert_eq!(shared.len(), all.len() as u64);
    assert!(all.iter().all(|key| shared.contains(key)));
    let (half, rest) = all.split_at(all.len() / 2);
    std::thread::scope(|scope| {
        let shared = &shared;
        scope.spawn(move || assert!(half.iter().all(|key| shared.remove(key))));
        scope.spawn(move || assert!((0..20).all(|_| rest.iter().all(|key| shared.contains(key)))));
    });
    assert!(rest.iter().all(|key| shared.contains(key)));
}

#[test]
fn report_of_a_miss_never_denies_a_key_that_another_thread_inserts() {
    let reported: u64 = (0..4).map(|_| race()).sum();
    assert!(reported > 4, "{reported} reports were in time");
}

/// A store of keys, and a filter in front of it. One thread stores keys and inserts them; another one looks them up, and reports what it does not
/// find. The filter accepts one key in thirty. The first thread waits before every 32nd key, so that some reports are in time. Returns how many were taken.
fn race() -> u64 {
    let keys = 3000u64;
    let builder = Cuckoo::builder(Size::Bits(400_000)).fingerprint(7);
    let shared = SharedCuckoo::new(builder.capacity(2 * keys).create().expect("sound"));
    let others = (0..keys).map(|key| (1 << 40) + key);
    shared.extend(others).expect("room");
    let stored: Vec<AtomicBool> = (0..keys).map(|_| AtomicBool::new(false)).collect();
    let (written, looked_up) = (AtomicU64::new(0), AtomicU64::new(0));
    let reported = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let (shared, stored, written) = (&shared, &stored, &written);
        let (looked_up, reported) = (&looked_up, &reported);
        scope.spawn(move || {
            for (key, place) in stored.iter().enumerate() {
                while key % 32 == 0 && looked_up.load(Ordering::SeqCst) <= key as u64 {
                    std::thread::yield_now();
                }
                place.store(true, Ordering::SeqCst);
                shared.insert(key as u64).expect("room");
                written.store(key as u64 + 1, Ordering::SeqCst);
            }
        });
        // Just ahead of the writer, who may overtake it at any moment.
        scope.spawn(move || {
            for round in 0u64.. {
                let next = written.load(Ordering::SeqCst);
                if next == keys {
                    return;
                }
                let key = (next + round % 4).min(keys - 1);
                let (found, stamp) = shared.contains_stamped(key);
                if found && !stored[key as usize].load(Ordering::SeqCst) {
                    let guarded = shared.guard_since(key, 1.0, stamp).expect("a cost");
                    reported.fetch_add(u64::from(guarded), Ordering::Relaxed);
                }
                if key == next {
                    looked_up.store(key + 1, Ordering::SeqCst);
                }
            }
        });
    });
    assert!(
        (0..keys).all(|key| shared.contains(key)),
        "no key is denied"
    );
    reported.into_inner()
}

#[test]
fn snapshot_has_the_keys_from_before_while_others_come_and_go() {
    let keys = 20_000u64;
    let shared = empty(12.0, 2 * keys);
    shared.extend(0..keys).expect("room");
    shared.guard(1u64 << 50, 9.0).expect("a cost");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (shared, stop) = (&shared, &stop);
        scope.spawn(move || {
            for round in 0u64.. {
                let own = (1 << 40) + round % keys;
                shared.insert(own).expect("room");
                assert!(shared.remove(own));
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        for _ in 0..20 {
            let copy = shared.snapshot().expect("memory");
            assert!((0..keys).all(|key| copy.contains(key)));
            assert!(copy.len().abs_diff(keys) <= 1 && !copy.contains(1u64 << 50));
            assert_eq!(Cuckoo::from_bytes(&copy.to_bytes()).expect("sound"), copy);
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn refused_removals_deny_no_member() {
    let shared = empty(11.0, 200);
    assert!((0..200u64).all(|key| shared.insert(key).is_ok()));
    let alone = shared.snapshot().expect("memory");
    let refused = |key: &u64| !alone.clone().remove(key);
    let absent: Vec<u64> = (1000..).filter(refused).take(50).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut removals = absent.iter().cycle().take(50_000);
                assert!(removals.all(|key| !shared.remove(key)));
            });
        }
        for _ in 0..500 {
            assert!((0..200u64).all(|key| shared.contains(key)));
            let copy = shared.snapshot().expect("memory");
            assert_eq!(copy.to_bytes(), alone.to_bytes());
        }
    });
}
