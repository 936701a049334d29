//! Two threads on one filter beside one: nine queries, an insertion and a removal, over and over.
//!
//! By the clock, in turns. Two threads on a filter each, in the same round, are the ceiling: they have nothing to agree about, and
//! whatever keeps them from twice the work is the machine.

use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::median;
use crate::workload::user;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{Digest, Filter, Hashing, KeySets, Seesaw, Size};
use std::sync::{Barrier, Mutex};
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
        self.lock().expect("no panic").contains_digest(digest)
    }
    fn insert(&self, digest: Digest) {
        self.lock().expect("no panic").insert_digest(digest);
    }
    fn remove(&self, digest: Digest) -> bool {
        self.lock().expect("no panic").remove_digest(digest)
    }
}

/// Operations per microsecond of so many threads, each on one of these filters in turn. `members` stay in the set; each thread
/// has keys of its own that come and go.
fn throughput<F: Shared>(
    filters: &[&F],
    members: &[Digest],
    others: &[Digest],
    threads: usize,
) -> f64 {
    let steps = others.len() / 2;
    let barrier = Barrier::new(threads + 1);
    let work = |thread: usize| {
        let filter = filters[thread % filters.len()];
        let own = &others[thread * steps..(thread + 1) * steps];
        let start = thread * members.len() / 2;
        barrier.wait();
        for (step, &digest) in own.iter().enumerate() {
            filter.insert(digest);
            for query in 0..4 {
                let member = members[(start + 4 * step + query) % members.len()];
                assert!(filter.contains(member), "a false negative");
                std::hint::black_box(filter.contains(others[(step * 31 + query) % others.len()]));
            }
            assert!(
                filter.contains(digest) && filter.remove(digest),
                "a false negative"
            );
        }
        barrier.wait();
    };
    let operations = (threads * steps * 11) as f64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        barrier.wait();
        let start = Instant::now();
        barrier.wait();
        operations / start.elapsed().as_micros() as f64
    })
}

/// One thread, two on the same filter, and two on a filter each.
fn turns<F: Shared>(both: [&F; 2], members: &[Digest], others: &[Digest]) -> [f64; 3] {
    [(&both[..1], 1), (&both[..1], 2), (&both[..], 2)]
        .map(|(filters, threads)| throughput(filters, members, others, threads))
}

fn table(keys: u64, steps: u64) -> Table {
    let digest = |n: u64| Hashing::default().digest(user(n).as_bytes());
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let builder = Seesaw::builder(keys, Size::BitsPerKey(36.0)).adaptive();
    let sets = KeySets::new(members.clone(), Vec::new()).expect("no costs");
    let filter = builder.build(&sets).expect("sound");
    let shared = [(); 2].map(|()| SharedSeesaw::new(filter.clone()));
    let locked = [(); 2].map(|()| Mutex::new(filter.clone()));
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        rates[0].push(turns(shared.each_ref(), &members, &others));
        rates[1].push(turns(locked.each_ref(), &members, &others));
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
        let [one, same, own] = [0, 1, 2].map(|at| median(rates.iter().map(|rates| rates[at])));
        let [gain, ceiling] =
            [1, 2].map(|at| median(rates.iter().map(|rates| rates[at] / rates[0])));
        let numbers = [one, same, gain, own, ceiling].map(Cell::from);
        table.row([name.into()].into_iter().chain(numbers));
    }
    table
}

/// Both tables.
pub(super) fn run(outcome: &mut Outcome, options: &Options, keys: u64) {
    let steps = options.scaled(STEPS, 2000);
    outcome.tables.push(table(keys, steps));
    outcome.tables.push(table(10 * keys, steps));
}
