//! The slow model of a cuckoo filter: a list for each bucket, a map for the exact table.

use super::{halves, scale};
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Filter};
use std::collections::BTreeMap;

/// What the exact table knows.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Exception(f64),
    Extra(u32),
}

#[derive(Clone)]
pub struct CuckooModel {
    bits: u32,
    segments: u128,
    /// The slots of all buckets; 0 is free.
    buckets: Vec<[u64; 4]>,
    table: BTreeMap<u128, Entry>,
    /// The places of the table.
    places: u64,
    keys: f64,
}

/// A key: its segment, its buckets there, its fingerprint.
type Place = (usize, [usize; 2], u64);

impl CuckooModel {
    /// The model of a filter without keys.
    pub fn of(filter: &AnyFilter) -> Option<Self> {
        let info = filter.info();
        let whole = |name: &str| match info.parameter(name) {
            Some(Value::Whole(value)) => Some(*value),
            _ => None,
        };
        let (bits, buckets) = (whole("fingerprint")?, whole("buckets")?);
        let segments = whole("segments")?;
        assert!(filter.is_empty());
        // The words that are left are the table: 2.5 for each place.
        let words = segments * (4 * bits * buckets / segments).div_ceil(64);
        let rest = filter.size_in_bits() / 64 - words;
        let places = (0..rest).rev().find(|n| 2 * n + n.div_ceil(2) <= rest);
        Some(CuckooModel {
            bits: bits as u32,
            segments: u128::from(segments),
            buckets: vec![[0; 4]; buckets as usize],
            table: BTreeMap::new(),
            places: places.expect("some"),
            keys: 0.0,
        })
    }

    fn place(&self, digest: Digest) -> Place {
        let (high, low) = halves(digest);
        let product = u128::from(high) * self.segments;
        let first = scale(product as u64, self.per_segment()) as usize;
        let fingerprint = 1 + scale(low >> 32 << 32, (1 << self.bits) - 1) as u64;
        let second = self.other(first, fingerprint);
        ((product >> 64) as usize, [first, second], fingerprint)
    }

    fn per_segment(&self) -> u128 {
        self.buckets.len() as u128 / self.segments
    }

    fn other(&self, bucket: usize, fingerprint: u64) -> usize {
        let per_segment = self.per_segment();
        let spread = fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let sum = scale(spread, per_segment) + per_segment;
        ((sum - bucket as u128) % per_segment) as usize
    }

    fn bucket(&mut self, segment: usize, bucket: usize) -> &mut [u64; 4] {
        let start = segment * self.per_segment() as usize;
        &mut self.buckets[start + bucket]
    }

    fn accepts(&self, digest: Digest) -> bool {
        let (segment, buckets, fingerprint) = self.place(digest);
        let start = segment * self.per_segment() as usize;
        let has = |bucket: &usize| self.buckets[start + bucket].contains(&fingerprint);
        buckets.iter().any(has)
    }

    /// Puts a fingerprint into a free slot of a bucket, if there is one.
    fn put(&mut self, segment: usize, bucket: usize, fingerprint: u64) -> bool {
        let free = self
            .bucket(segment, bucket)
            .iter_mut()
            .find(|slot| **slot == 0);
        free.map(|slot| *slot = fingerprint).is_some()
    }

    /// Puts a key into the buckets. If there is no room, nothing changes.
    fn add(&mut self, digest: Digest) -> bool {
        let (segment, buckets, fingerprint) = self.place(digest);
        if buckets
            .into_iter()
            .any(|bucket| self.put(segment, bucket, fingerprint))
        {
            return true;
        }
        let before = self.buckets.clone();
        let choices = halves(digest).1.rotate_left(32);
        let (mut random, mut carried) = (choices | 1, fingerprint);
        let mut bucket = buckets[(choices >> 63) as usize];
        for _ in 0..100 {
            for slot in 0..4 {
                let moved = self.bucket(segment, bucket)[slot];
                let other = self.other(bucket, moved);
                if self.put(segment, other, moved) {
                    self.bucket(segment, bucket)[slot] = carried;
                    return true;
                }
            }
            random = random.wrapping_mul(0xd134_2543_de82_ef95);
            let slot = &mut self.bucket(segment, bucket)[(random >> 62) as usize];
            carried = std::mem::replace(slot, carried);
            bucket = self.other(bucket, carried);
        }
        self.buckets = before;
        false
    }

    /// Whether there is a gap for one more digest. The tables of the laws are short, so they are sorted lists.
    fn has_gap(&self) -> bool {
        assert!(self.places <= 32, "a longer table has homes");
        (self.table.len() as u64) < self.places
    }

    fn rate(&self) -> f64 {
        let load = (self.keys / (4.0 * self.buckets.len() as f64)).min(1.0);
        let values = (2f64.powi(self.bits as i32)) - 1.0;
        1.0 - (1.0 - 1.0 / values).powf(8.0 * load)
    }

    fn score(&self, digest: u128, cost: f64, rate: f64) -> f64 {
        match self.accepts(Digest::from(digest)) {
            true => cost,
            false => cost * 0.1 * rate,
        }
    }

    /// The exception with the lowest score. Of several, the first one from the place on that the lower half of `from` chooses.
    fn lowest(&self, from: Digest, rate: f64) -> Option<(u128, f64)> {
        let start = scale(halves(from).1, u128::from(self.places)) as usize;
        let entries = self.table.iter().enumerate();
        let exceptions = entries.filter_map(|(place, (&digest, &entry))| match entry {
            Entry::Exception(cost) => Some((place < start, digest, self.score(digest, cost, rate))),
            Entry::Extra(_) => None,
        });
        let (mut turned, mut lowest) = (exceptions.collect::<Vec<_>>(), None);
        turned.sort_by_key(|&(before, ..)| before);
        for (_, digest, score) in turned {
            if lowest.is_none_or(|(_, least)| score < least) {
                lowest = Some((digest, score));
            }
        }
        lowest
    }

    /// Adds a key. `false`, and nothing changes, if there is no room for it.
    pub fn insert(&mut self, digest: Digest) -> bool {
        let id = u128::from(digest);
        let entry = self.table.get(&id).copied();
        if self.add(digest) {
            if let Some(Entry::Exception(_)) = entry {
                self.table.remove(&id);
            }
        } else {
            let count = match entry {
                Some(Entry::Extra(count)) => count,
                _ => 0,
            };
            if entry.is_none() && !self.has_gap() {
                // Keys in reserve go first.
                let Some((lowest, _)) = self.lowest(digest, 0.0) else {
                    return false;
                };
                self.table.remove(&lowest);
            }
            self.table.insert(id, Entry::Extra(count + 1));
        }
        self.keys += 1.0;
        true
    }

    /// Removes a key that is in the set.
    pub fn remove(&mut self, digest: Digest) {
        self.keys -= 1.0;
        if self.take_extra(digest) {
            return;
        }
        let (segment, buckets, fingerprint) = self.place(digest);
        for bucket in buckets {
            let bucket = self.bucket(segment, bucket);
            if let Some(slot) = bucket.iter_mut().find(|slot| **slot == fingerprint) {
                *slot = 0;
                break;
            }
        }
        let extras: Vec<u128> = (self.table.iter())
            .filter(|(_, entry)| matches!(entry, Entry::Extra(_)))
            .map(|(&digest, _)| digest)
            .collect();
        for extra in extras.into_iter().take(16).map(Digest::from) {
            let (its_segment, its_buckets, _) = self.place(extra);
            let meets = its_buckets.iter().any(|bucket| buckets.contains(bucket));
            if its_segment == segment && meets && self.add(extra) {
                self.take_extra(extra);
                return;
            }
        }
    }

    fn take_extra(&mut self, digest: Digest) -> bool {
        let id = u128::from(digest);
        let Some(Entry::Extra(count)) = self.table.get(&id).copied() else {
            return false;
        };
        match count {
            1 => self.table.remove(&id),
            _ => self.table.insert(id, Entry::Extra(count - 1)),
        };
        true
    }

    /// Guards a key that is not in the set, with cost 1.
    pub fn guard(&mut self, digest: Digest) {
        let id = u128::from(digest);
        if let Some(Entry::Exception(cost)) = self.table.get(&id).copied() {
            self.table.insert(id, Entry::Exception(cost + 1.0));
            return;
        }
        let rate = self.rate();
        let score = self.score(id, 1.0, rate);
        // A key in reserve leaves a sixth of the room to mistakes.
        let room = match self.accepts(digest) {
            true => self.places,
            false => self.places - self.places / 6,
        };
        if self.table.len() as u64 >= room {
            match self.lowest(digest, rate) {
                Some((lowest, least)) if least < score => self.table.remove(&lowest),
                _ => return,
            };
        }
        self.table.insert(id, Entry::Exception(1.0));
    }

    pub fn contains(&self, digest: Digest) -> bool {
        match self.table.get(&u128::from(digest)) {
            Some(Entry::Extra(_)) => true,
            Some(Entry::Exception(_)) => false,
            None => self.accepts(digest),
        }
    }
}
