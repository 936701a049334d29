//! Two threads on one filter beside one: nine queries, an insertion and a removal, over and over.
//!
//! Two gains are shown. By the clock it is what callers see, if nothing else runs. By processor time it is what they would
//! see with a core for each thread, waiting for locks left aside; this holds on a busy machine too.

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

/// The time that this thread has spent on a core, in microseconds, where the operating system tells.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = told
        .split(' ')
        .next()
        .and_then(|time| time.parse::<f64>().ok());
    first.map_or(f64::NAN, |nanoseconds| nanoseconds / 1000.0)
}

/// Operations per microsecond of so many threads: by the clock, and by processor time. `members` stay in the set; each thread
/// has keys of its own that come and go.
fn throughput<F: Shared>(
    filter: &F,
    members: &[Digest],
    others: &[Digest],
    threads: usize,
) -> (f64, f64) {
    let steps = others.len() / 2;
    let barrier = Barrier::new(threads + 1);
    let busy = Mutex::new(0.0);
    let work = |thread: usize| {
        let own = &others[thread * steps..(thread + 1) * steps];
        let start = thread * members.len() / 2;
        barrier.wait();
        let before = processor_time();
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
        *busy.lock().expect("no panic") += processor_time() - before;
        barrier.wait();
    };
    let operations = (threads * steps * 11) as f64;
    let by_clock = std::thread::scope(|scope| {
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(thread));
        }
        barrier.wait();
        let start = Instant::now();
        barrier.wait();
        operations / start.elapsed().as_micros() as f64
    });
    let busy = *busy.lock().expect("no panic") / threads as f64;
    (by_clock, operations / busy)
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
    let title = format!(
        "{keys} keys, 36 bits per key: operations per microsecond, by the clock and by processor time"
    );
    let parts = ["one thread", "two threads", "gain"];
    let mut table = Table::new(title, ["filter"].into_iter().chain(parts).chain(parts));
    for (name, at) in [("SharedSeesaw", 0), ("Mutex<Seesaw>", 2)] {
        let cells = [|rate: &(f64, f64)| rate.0, |rate: &(f64, f64)| rate.1].map(|which| {
            let (one, two) = (rates[at].iter().map(which), rates[at + 1].iter().map(which));
            let gain = median(two.clone().zip(one.clone()).map(|(two, one)| two / one));
            [median(one), median(two), gain].map(Cell::from)
        });
        table.row([name.into()].into_iter().chain(cells.into_iter().flatten()));
    }
    table
}

/// Both tables.
pub(super) fn run(outcome: &mut Outcome, options: &Options, keys: u64) {
    let steps = options.scaled(STEPS, 2000);
    outcome.tables.push(table(keys, steps));
    outcome.tables.push(table(10 * keys, steps));
}
