//! Two threads on one filter against one thread: nine queries, an insertion and a removal, repeated. All threads count
//! false negatives; any ends the run.
//!
//! Times are wall-clock times, in turns. Two threads with a filter each, in the same round, are the upper limit: they
//! share nothing, so whatever keeps them from twice the work is the machine.

use crate::prelude::*;
use bloomwise::unstable::Lookup;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How often all filters take turns.
const ROUNDS: usize = 9;

/// Steps per thread; each is eleven operations.
pub const STEPS: u64 = 200_000;

/// A filter that several threads query and change.
pub trait Shared: Sync {
    fn contains(&self, digest: Digest) -> bool;
    /// Returns whether the key was inserted.
    fn insert(&self, digest: Digest) -> bool;
    /// Returns whether the key was removed.
    fn remove(&self, digest: Digest) -> bool;
}

/// A filter behind one lock, the usual alternative.
impl Shared for Mutex<AnyFilter> {
    fn contains(&self, digest: Digest) -> bool {
        locked(self).query(digest)
    }
    fn insert(&self, digest: Digest) -> bool {
        let mut filter = locked(self);
        filter.insert_digests(&as_digests(&[digest])).is_ok()
    }
    fn remove(&self, digest: Digest) -> bool {
        let removed = locked(self).remove_digests(&as_digests(&[digest]));
        removed.is_ok_and(|removed| removed == 1)
    }
}

/// A failed thread leaves the filter as it is; false negatives are counted anyway.
fn locked(filter: &Mutex<AnyFilter>) -> MutexGuard<'_, AnyFilter> {
    filter.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Operations per microsecond of `threads` threads, which use `filters` in turn. `members` stay in the set; each thread
/// also inserts and removes keys of its own.
fn throughput<F: Shared>(
    filters: &[&F],
    members: &[Digest],
    others: &[Digest],
    threads: usize,
) -> Result<f64> {
    let steps = others.len() / 2;
    let barrier = Barrier::new(threads + 1);
    let false_negatives = AtomicUsize::new(0);
    let work = |thread: usize| {
        let filter = filters[thread % filters.len()];
        let own = &others[thread * steps..(thread + 1) * steps];
        let start = thread * members.len() / 2;
        let mut wrong = 0;
        barrier.wait();
        for (step, &digest) in own.iter().enumerate() {
            wrong += usize::from(!filter.insert(digest));
            for query in 0..4 {
                let member = members[(start + 4 * step + query) % members.len()];
                wrong += usize::from(!filter.contains(member));
                black_box(filter.contains(others[(step * 31 + query) % others.len()]));
            }
            wrong += usize::from(!filter.contains(digest) || !filter.remove(digest));
        }
        false_negatives.fetch_add(wrong, Ordering::Relaxed);
        barrier.wait();
    };
    let operations = (threads * steps * 11) as f64;
    let rate = std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        barrier.wait();
        let start = Instant::now();
        barrier.wait();
        operations / start.elapsed().as_micros() as f64
    });
    let false_negatives = false_negatives.into_inner();
    ensure!(
        false_negatives == 0,
        "the filter does not find {false_negatives} of its keys"
    );
    Ok(rate)
}

/// Throughput of one thread, of two on the same filter, and of two with a filter each.
fn turns<F: Shared>(both: [&F; 2], members: &[Digest], others: &[Digest]) -> Result<[f64; 3]> {
    let of = |filters, threads| throughput(filters, members, others, threads);
    Ok([of(&both[..1], 1)?, of(&both[..1], 2)?, of(&both[..], 2)?])
}

/// A table of two filters that threads share, and of the same filter behind one lock. `filter` holds the YCSB keys below `keys`.
pub fn compare<F, S: Shared>(
    title: String,
    names: [&str; 2],
    filter: &F,
    share: fn(F) -> S,
    [keys, steps]: [u64; 2],
) -> Result<Table>
where
    F: Clone + Into<AnyFilter>,
{
    let digest = |n: u64| Hashing::default().digest(user(n));
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let shared = [(); 2].map(|()| share(filter.clone()));
    let locked = [(); 2].map(|()| Mutex::new(filter.clone().into()));
    let turns = Turns::take(ROUNDS, 2, |number| match number {
        0 => turns(shared.each_ref(), &members, &others),
        _ => turns(locked.each_ref(), &members, &others),
    })?;
    let columns = "filter | one thread {2} | two threads {2} | gain {2} | two threads, a filter each {2} | gain {2}";
    let mut table = Table::new(title, columns);
    for (number, name) in names.into_iter().enumerate() {
        let [one, two, each] = turns.medians(number);
        let [gain, gain_each] = [1, 2].map(|part| turns.of_parts(number, part, 0));
        table.row((name, [one, two, gain, each, gain_each]));
    }
    Ok(table)
}
