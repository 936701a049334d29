//! Many threads on one filter: what each of them put in is there until it takes it out, whatever the others do.

use super::{equal_negatives, numbers};
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{Digest, Filter, KeySets, Persist, Seesaw, Size};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const THREADS: u64 = 4;
const KEYS: u64 = 300;
const ROUNDS: u64 = 60;

/// Threads that insert and remove keys of their own, one that guards, and one that asks for keys which stay, on a filter so
/// small that all of them meet in the same counters.
fn stress(segments: u64, alpha: f64) {
    let builder = Seesaw::builder(THREADS * KEYS, Size::BitsPerKey(12.0))
        .segments(segments)
        .alpha(alpha)
        .adaptive();
    let filter = builder
        .build(&equal_negatives(1_000_000..1_000_100))
        .expect("sound");
    let shared = SharedSeesaw::new(filter);
    let stay: Vec<Digest> = numbers(500_000..500_200).collect();
    stay.iter().for_each(|&digest| shared.insert_digest(digest));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let shared = &shared;
                scope.spawn(move || {
                    let own: Vec<Digest> = numbers(thread * KEYS..(thread + 1) * KEYS).collect();
                    for round in 0..ROUNDS {
                        for &digest in &own {
                            shared.insert_digest(digest);
                            assert!(shared.contains_digest(digest), "denied at once");
                        }
                        assert!(own.iter().all(|&digest| shared.contains_digest(digest)));
                        // In the last round they stay.
                        for &digest in own.iter().filter(|_| round + 1 < ROUNDS) {
                            assert!(shared.remove_digest(digest), "it is there");
                        }
                    }
                })
            })
            .collect();
        let (shared, done, stay) = (&shared, &done, &stay);
        scope.spawn(move || {
            for guarded in (2_000_000..).take_while(|_| !done.load(Ordering::Relaxed)) {
                // Some hundred different ones, over and over.
                let digest = numbers(guarded % 300..guarded % 300 + 1).next();
                let digest = digest.expect("one number");
                shared
                    .guard_digest(Digest {
                        low: !digest.low,
                        ..digest
                    })
                    .expect("adaptive");
            }
        });
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                assert!(
                    stay.iter().all(|&digest| shared.contains_digest(digest)),
                    "denied"
                );
                let mut answers = Vec::new();
                shared.contains_digests(stay, &mut answers);
                assert!(answers.iter().all(|&yes| yes), "denied in a batch");
            }
        });
        for worker in workers {
            let result = worker.join();
            done.store(true, Ordering::Relaxed);
            result.expect("no key is denied");
        }
    });
    assert_eq!(shared.len(), THREADS * KEYS + stay.len() as u64);
    assert_eq!(shared.info().keys, shared.len());
    let mut filter = shared.into_inner();
    assert_eq!(filter.len(), THREADS * KEYS + stay.len() as u64);
    // The counts of all are right: what is left can be taken out one by one.
    for digest in numbers(0..THREADS * KEYS).chain(stay) {
        assert!(filter.contains_digest(digest) && filter.remove_digest(digest));
    }
    assert!(filter.is_empty());
}

#[test]
fn no_thread_is_denied_its_keys_in_one_segment() {
    stress(1, 0.0);
    stress(1, 0.2);
}

#[test]
fn no_thread_is_denied_its_keys_in_many_segments() {
    stress(16, 0.0);
    stress(16, 0.2);
}

/// A removal that is refused lowers counters and raises them again. Whoever reads in between and does not find out denies a key.
#[test]
fn refused_removals_are_not_seen_by_readers() {
    let builder = Seesaw::builder(50, Size::Bits(1280)).functions(6);
    let shared = SharedSeesaw::new(builder.build(&KeySets::default()).expect("sound"));
    let stay: Vec<Digest> = numbers(0..30).collect();
    shared.insert_digests(&stay);
    let denied: Vec<Digest> = numbers(1000..3000)
        .filter(|&digest| !shared.contains_digest(digest))
        .collect();
    assert!(denied.len() > 1000, "{}", denied.len());
    let done = AtomicBool::new(false);
    let (asked, wrong) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut asked, mut wrong) = (0u64, 0u64);
            while !done.load(Ordering::Relaxed) {
                let no = stay
                    .iter()
                    .filter(|&&digest| !shared.contains_digest(digest));
                wrong += no.count() as u64;
                asked += stay.len() as u64;
            }
            (asked, wrong)
        });
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            let removed = denied
                .iter()
                .filter(|&&digest| shared.remove_digest(digest));
            assert_eq!(removed.count(), 0, "denied, so refused");
        }
        done.store(true, Ordering::Relaxed);
        reader.join().expect("no panic")
    });
    assert!(asked > 0 && wrong == 0, "{wrong} of {asked}");
}

/// Copies taken beside threads that change the filter are filters: they hold what stays, and can be emptied.
#[test]
fn a_snapshot_is_a_filter_that_was() {
    let builder = Seesaw::builder(1200, Size::BitsPerKey(30.0))
        .segments(8)
        .adaptive();
    let shared = SharedSeesaw::new(builder.build(&KeySets::default()).expect("sound"));
    let stay: Vec<Digest> = numbers(0..1000).collect();
    shared.insert_digests(&stay);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for digest in numbers(5000..5200).collect::<Vec<_>>().into_iter().cycle() {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                shared.insert_digest(digest);
                shared
                    .guard_digest(Digest {
                        low: !digest.low,
                        ..digest
                    })
                    .expect("adaptive");
                assert!(shared.remove_digest(digest));
            }
        });
        for _ in 0..200 {
            let mut copy = shared.snapshot().expect("memory");
            let bytes = copy.to_bytes();
            assert_eq!(Seesaw::from_bytes(&bytes).expect("sound"), copy);
            // In each segment one key of the other thread may have been there.
            assert!((1000..=1008).contains(&copy.len()), "{}", copy.len());
            let gone = stay.iter().filter(|&&digest| copy.remove_digest(digest));
            assert_eq!(gone.count(), stay.len());
        }
        done.store(true, Ordering::Relaxed);
    });
    let copy = shared.snapshot().expect("memory");
    assert_eq!(copy, shared.into_inner());
}

#[test]
fn nothing_is_counted_out_of_an_empty_filter() {
    // One key so often that its counters stick, and out again: it is still taken for a member, and there is nothing to count.
    let builder = Seesaw::builder(10, Size::Bits(640)).functions(2);
    let mut alone = builder.build(&KeySets::default()).expect("sound");
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
    assert_eq!(shared.into_inner(), alone);
}

#[test]
fn shared_and_alone_are_the_same_filter() {
    for adaptive in [false, true] {
        let builder = Seesaw::builder(2000, Size::BitsPerKey(30.0)).segments(3);
        let builder = if adaptive {
            builder.adaptive()
        } else {
            builder
        };
        let mut alone = builder
            .build(&equal_negatives(9_000..9_200))
            .expect("sound");
        let shared = SharedSeesaw::new(alone.clone());
        for digest in numbers(0..2000) {
            alone.insert_digest(digest);
            shared.insert_digest(digest);
        }
        for digest in numbers(500..2500) {
            assert_eq!(alone.remove_digest(digest), shared.remove_digest(digest));
        }
        for key in [b"ant", b"bee"] {
            assert_eq!(alone.guard(key).is_ok(), adaptive);
            assert_eq!(shared.guard(key).is_ok(), adaptive);
        }
        assert_eq!(shared.size_in_bits(), alone.size_in_bits());
        assert!(!shared.is_empty());
        assert_eq!(shared.into_inner(), alone);
    }
    let empty = Seesaw::builder(1, Size::Bits(320)).build(&KeySets::default());
    assert!(SharedSeesaw::new(empty.expect("sound")).is_empty());
}
