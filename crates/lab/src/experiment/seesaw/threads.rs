//! Two threads on one filter beside one: nine queries, an insertion and a removal, over and over. What is denied is counted by
//! all threads, and ends the run.
//!
//! By the clock, in turns. Two threads on a filter each, in the same round, are the ceiling: they have nothing to agree about, and
//! whatever keeps them from twice the work is the machine.

use crate::experiment::timing::median;
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::workload::user;
use anyhow::{Result, ensure};
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{Digest, Filter, Hashing, KeySets, Seesaw, Size};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

const ROUNDS: usize = 9;

/// Steps of a thread; each is eleven operations.
const STEPS: u64 = 200_000;

/// Someone to ask and to change from several threads.
trait Shared: Sync {
    fn contains(&self, digest: Digest) -> bool;
    fn insert(&self, digest: Digest);
    fn remove(&self, digest: Digest) -> bool;
}

impl Shared for SharedSeesaw {
    fn contains(&self, digest: Digest) -> bool {
        self.contains_digest(digest)
    }
    fn insert(&self, digest: Digest) {
        self.insert_digest(digest);
    }
    fn remove(&self, digest: Digest) -> bool {
        self.remove_digest(digest)
    }
}

/// The filter behind one lock, as one would have it otherwise.
impl Shared for Mutex<Seesaw> {
    fn contains(&self, digest: Digest) -> bool {
        locked(self).contains_digest(digest)
    }
    fn insert(&self, digest: Digest) {
        locked(self).insert_digest(digest);
    }
    fn remove(&self, digest: Digest) -> bool {
        locked(self).remove_digest(digest)
    }
}

/// A thread that failed leaves the filter as it is; what it denies is counted anyway.
fn locked(filter: &Mutex<Seesaw>) -> MutexGuard<'_, Seesaw> {
    filter.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Operations per microsecond of so many threads, each on one of these filters in turn. `members` stay in the set; each thread
/// has keys of its own that come and go.
fn throughput<F: Shared>(
    filters: &[&F],
    members: &[Digest],
    others: &[Digest],
    threads: usize,
) -> Result<f64> {
    let steps = others.len() / 2;
    let barrier = Barrier::new(threads + 1);
    let denied = AtomicUsize::new(0);
    let work = |thread: usize| {
        let filter = filters[thread % filters.len()];
        let own = &others[thread * steps..(thread + 1) * steps];
        let start = thread * members.len() / 2;
        let mut wrong = 0;
        barrier.wait();
        for (step, &digest) in own.iter().enumerate() {
            filter.insert(digest);
            for query in 0..4 {
                let member = members[(start + 4 * step + query) % members.len()];
                wrong += usize::from(!filter.contains(member));
                std::hint::black_box(filter.contains(others[(step * 31 + query) % others.len()]));
            }
            wrong += usize::from(!filter.contains(digest) || !filter.remove(digest));
        }
        denied.fetch_add(wrong, Ordering::Relaxed);
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
    let denied = denied.into_inner();
    ensure!(denied == 0, "{denied} members are denied");
    Ok(rate)
}

/// One thread, two on the same filter, and two on a filter each.
fn turns<F: Shared>(both: [&F; 2], members: &[Digest], others: &[Digest]) -> Result<[f64; 3]> {
    let of = |filters, threads| throughput(filters, members, others, threads);
    Ok([of(&both[..1], 1)?, of(&both[..1], 2)?, of(&both[..], 2)?])
}

fn table(keys: u64, steps: u64) -> Result<Table> {
    let digest = |n: u64| Hashing::default().digest(user(n).as_bytes());
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let builder = Seesaw::builder(keys, Size::BitsPerKey(36.0)).adaptive();
    let sets = KeySets::new(members.clone(), Vec::new())?;
    let filter = builder.build(&sets)?;
    let shared = [(); 2].map(|()| SharedSeesaw::new(filter.clone()));
    let locked = [(); 2].map(|()| Mutex::new(filter.clone()));
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        rates[0].push(turns(shared.each_ref(), &members, &others)?);
        rates[1].push(turns(locked.each_ref(), &members, &others)?);
    }
    let title = format!("{keys} keys, 36 bits per key: operations per microsecond, and gain");
    let columns = [
        "filter",
        "one thread",
        "two threads",
        "gain",
        "two threads, a filter each",
        "gain",
    ];
    let mut table = Table::new(title, columns);
    for (name, rates) in [("SharedSeesaw", &rates[0]), ("Mutex<Seesaw>", &rates[1])] {
        let of = |part: &dyn Fn(&[f64; 3]) -> f64| {
            let values: Vec<f64> = rates.iter().map(part).collect();
            Cell::number(median(&values), 2)
        };
        let numbers = [
            of(&|rates| rates[0]),
            of(&|rates| rates[1]),
            of(&|rates| rates[1] / rates[0]),
            of(&|rates| rates[2]),
            of(&|rates| rates[2] / rates[0]),
        ];
        table.row([name.into()].into_iter().chain(numbers));
    }
    Ok(table)
}

/// Both tables.
pub(super) fn run(outcome: &mut Outcome, options: &Options, keys: u64) -> Result<()> {
    let steps = options.scaled(STEPS, 2000);
    outcome.tables.push(table(keys, steps)?);
    outcome.tables.push(table(10 * keys, steps)?);
    Ok(())
}
