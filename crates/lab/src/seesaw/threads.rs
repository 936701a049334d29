//! Two threads on one filter beside one: eight queries, an insertion and a removal, over and over.

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

/// Operations per microsecond of so many threads. `members` stay in the set; each thread has keys of its own that come
/// and go.
fn throughput<F: Shared>(filter: &F, members: &[Digest], others: &[Digest], threads: usize) -> f64 {
    let steps = others.len() / 2;
    let barrier = Barrier::new(threads + 1);
    let work = |thread: usize| {
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
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        barrier.wait();
        let start = Instant::now();
        barrier.wait();
        (threads * steps * 11) as f64 / start.elapsed().as_micros() as f64
    })
}

fn table(keys: u64, steps: u64) -> Table {
    let digest = |n: u64| Hashing::default().digest(user(n).as_bytes());
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let builder = Seesaw::builder(keys, Size::BitsPerKey(36.0)).adaptive();
    let sets = KeySets::new(members.clone(), Vec::new()).expect("no costs");
    let filter = builder.build(&sets).expect("sound");
    let (shared, locked) = (SharedSeesaw::new(filter.clone()), Mutex::new(filter));
    let mut rates = vec![Vec::new(); 4];
    for _ in 0..ROUNDS {
        for threads in [1, 2] {
            rates[threads - 1].push(throughput(&shared, &members, &others, threads));
            rates[1 + threads].push(throughput(&locked, &members, &others, threads));
        }
    }
    let title = format!("{keys} keys, 36 bits per key: operations per microsecond");
    let mut table = Table::new(title, ["filter", "one thread", "two threads", "gain"]);
    for (name, at) in [("SharedSeesaw", 0), ("Mutex<Seesaw>", 2)] {
        let (one, two) = (&rates[at], &rates[at + 1]);
        let gain = median(two.iter().zip(one).map(|(two, one)| two / one));
        let of = |values: &[f64]| Cell::from(median(values.iter().copied()));
        table.row([name.into(), of(one), of(two), gain.into()]);
    }
    table
}

/// Both tables.
pub(super) fn run(outcome: &mut Outcome, options: &Options, keys: u64) {
    let steps = options.scaled(STEPS, 2000);
    outcome.tables.push(table(keys, steps));
    outcome.tables.push(table(10 * keys, steps));
}
