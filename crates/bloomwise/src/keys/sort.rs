//! Sorts items by digest. Digests are uniform, so two bucket passes leave almost nothing to compare.
//!
//! 1. Distribute the items in place into buckets that fit into a core's cache, by the uppermost bits of their digests.
//! 2. Distribute each bucket, through a copy, into bins of one item on average, by the next bits.
//! 3. Sort the bucket by insertion. Most items are in their place, the others at most a few places away.
//!
//! Buckets are sorted in parallel. Items that are not uniform are sorted correctly too: a bucket with a large bin is sorted by the standard library.

use crate::keys::hash::{Digest, reduce};
use crate::machine::parallel;
use crate::machine::prefetch;

/// The mean number of items in a bucket. With its copy, a bucket fits into a cache of 1 MB.
const BUCKET: usize = 1 << 14;

/// How far ahead of the next free place of a bucket items are prefetched: two or three cache lines.
const ITEMS_AHEAD: usize = 16;

/// The mean number of items in a bin.
const BIN: usize = 1;

/// A bucket with a larger bin is not sorted by insertion.
const LARGE_BIN: u32 = 24;

/// Sorts digests.
pub(crate) fn digests(digests: &mut [Digest]) {
    by_digest(digests, |digest| *digest);
}

/// Sorts items by their digests.
pub(crate) fn by_digest<T: Copy + Send>(items: &mut [T], digest: impl Fn(&T) -> Digest + Sync) {
    let buckets = (items.len() / BUCKET).next_power_of_two() as u64;
    let ends = distribute(items, buckets, &digest);
    let (mut slices, mut rest, mut start) = (Vec::new(), items, 0);
    for end in ends {
        let (bucket, others) = rest.split_at_mut(end - start);
        slices.push(bucket);
        (rest, start) = (others, end);
    }
    parallel::for_each_with(slices, Vec::new, |copy, bucket| {
        sort_bucket(bucket, buckets, copy, &digest);
    });
}

/// Moves items into buckets by the uppermost bits of their digests. Returns the end of each bucket.
fn distribute<T: Copy>(
    items: &mut [T],
    buckets: u64,
    digest: &impl Fn(&T) -> Digest,
) -> Vec<usize> {
    let bucket = |item: &T| reduce(digest(item).high, buckets) as usize;
    // First the number of items of each bucket, later the next place to fill in it.
    let mut next = vec![0; buckets as usize];
    items.iter().for_each(|item| next[bucket(item)] += 1);
    let ends: Vec<usize> = (next.iter_mut())
        .scan(0, |end, next| {
            let start = *end;
            *end += *next;
            *next = start;
            Some(*end)
        })
        .collect();
    for current in 0..ends.len() {
        while next[current] < ends[current] {
            // Swap the item with the one at the next place of its bucket, until an item of this bucket turns up.
            let mut item = items[next[current]];
            loop {
                let home = bucket(&item);
                let place = next[home];
                next[home] += 1;
                // The next bucket is known only after the item has been read, too late to hide the latency of its memory.
                prefetch::fetch(items, place + ITEMS_AHEAD);
                std::mem::swap(&mut item, &mut items[place]);
                if home == current {
                    break;
                }
            }
        }
    }
    ends
}

/// Sorts one of `buckets` buckets; `copy` is a buffer.
fn sort_bucket<T: Copy>(
    items: &mut [T],
    buckets: u64,
    copy: &mut Vec<T>,
    digest: &impl Fn(&T) -> Digest,
) {
    let bins = (items.len() / BIN).next_power_of_two() as u64;
    // All items of the bucket have the same uppermost bits. The multiplication shifts them out.
    let bin = |item: &T| reduce(digest(item).high.wrapping_mul(buckets), bins) as usize;
    copy.clear();
    copy.extend_from_slice(items);
    let mut next = vec![0u32; bins as usize];
    copy.iter().for_each(|item| next[bin(item)] += 1);
    let (mut total, mut largest) = (0, 0);
    for next in &mut next {
        largest = largest.max(*next);
        total += *next;
        *next = total - *next;
    }
    for item in copy.iter() {
        let place = &mut next[bin(item)];
        items[*place as usize] = *item;
        *place += 1;
    }
    if largest > LARGE_BIN {
        items.sort_unstable_by_key(digest);
    } else {
        insertion_sort(items, digest);
    }
}

/// Sorts items that are at most a few places away from their final ones.
fn insertion_sort<T: Copy>(items: &mut [T], digest: &impl Fn(&T) -> Digest) {
    for at in 1..items.len() {
        let item = items[at];
        let mut hole = at;
        while hole > 0 && digest(&items[hole - 1]) > digest(&item) {
            items[hole] = items[hole - 1];
            hole -= 1;
        }
        items[hole] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    fn check(mut digests: Vec<Digest>) {
        let mut expected = digests.clone();
        expected.sort_unstable();
        super::digests(&mut digests);
        assert!(digests == expected);
    }

    #[test]
    fn uniform_and_skewed_digests_are_sorted() {
        let uniform = |n: u64| Hashing::default().digest(n);
        for count in [0, 1, 2, 5, 100, 1000, 20_000, 100_000, 500_000] {
            check((0..count).map(uniform).collect());
            check((0..count).map(|n| uniform(n % 7)).collect());
            check(
                (0..count)
                    .rev()
                    .map(|n| Digest { high: n, low: n })
                    .collect(),
            );
            check(
                (0..count)
                    .map(|n| Digest {
                        high: u64::MAX - n / 3,
                        low: n,
                    })
                    .collect(),
            );
        }
    }
}
