//! The contenders on a million 8-byte keys, for a quick check of a change. For ratios that can be quoted, run the lab's
//! `peers`, where all filters are timed in turns.

use bloomwise::{Blocked, Bloom, Guarded};
use bloomwise_lab::baseline::crates::{FastbloomDefault, FastbloomFoldhash, Fuse, Sbbf};
use bloomwise_lab::contender::Contender;
use bloomwise_lab::workload::{members, non_members};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const KEYS: u64 = 1_000_000;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 20, types = [Bloom, FastbloomDefault, FastbloomFoldhash, Blocked, Sbbf, Guarded, Fuse])]
fn build<C: Contender<u64>>(bencher: Bencher) {
    let keys = members::<u64>(KEYS);
    bencher
        .counter(ItemsCount::new(keys.len()))
        .bench_local(|| C::build(black_box(&keys)));
}

#[divan::bench(sample_count = 20, types = [Bloom, FastbloomDefault, FastbloomFoldhash, Blocked, Sbbf, Guarded, Fuse])]
fn contains_member<C: Contender<u64>>(bencher: Bencher) {
    let keys = members::<u64>(KEYS);
    let filter: C = filter(&keys);
    query(bencher, &filter, &keys);
}

#[divan::bench(sample_count = 20, types = [Bloom, FastbloomDefault, FastbloomFoldhash, Blocked, Sbbf, Guarded, Fuse])]
fn contains_non_member<C: Contender<u64>>(bencher: Bencher) {
    let filter: C = filter(&members(KEYS));
    query(bencher, &filter, &non_members::<u64>(KEYS));
}

fn filter<C: Contender<u64>>(keys: &[u64]) -> C {
    C::build(keys).expect("a valid size")
}

fn query<C: Contender<u64>>(bencher: Bencher, filter: &C, keys: &[u64]) {
    bencher
        .counter(ItemsCount::new(keys.len()))
        .bench_local(|| {
            black_box(keys)
                .iter()
                .filter(|key| filter.contains(key))
                .count()
        });
}
