//! Files of learners: forged ones with a right checksum, and everything that a caller can do with what is read from them.

use crate::check_error;
use crate::memory::within;
use bloomwise::learn::Learner;
use bloomwise::{Error, Hashing};
use std::io::Cursor;
use xxhash_rust::xxh3::xxh3_64;

/// The memory of a learner.
const MEMORY: usize = Learner::MIN_MEMORY;

/// The memory that reading takes beside the learner.
const READING: usize = 1 << 18;

/// The bytes of magic and fields.
const FIELDS: usize = 80;

/// The bytes of the registers that follow.
const REGISTERS: usize = 4096;

/// Sums of costs above this may be too large to be saved again.
const LARGE: f64 = 1e190;

/// A file of a learner: an empty one, changed by the first bytes in its fields, with the other bytes as counters.
pub fn forge(bytes: &[u8]) -> Vec<u8> {
    let empty = Learner::new(Hashing::default(), MEMORY).expect("memory");
    let mut file = empty.to_bytes();
    file.truncate(FIELDS + REGISTERS);
    let (fields, counters) = bytes.split_at(bytes.len().min(FIELDS - 8));
    for (byte, change) in file[8..].iter_mut().zip(fields) {
        *byte ^= change;
    }
    file.extend_from_slice(counters);
    file.extend(xxh3_64(&file).to_le_bytes());
    file
}

/// Reads a learner in all ways. If the bytes hold one, it keeps its promises.
pub fn read(file: &[u8]) {
    let learner = match within(MEMORY + READING, || Learner::from_bytes(file, MEMORY)) {
        Ok(learner) => learner,
        Err(error) => return check_error(&error),
    };
    assert!(learner.error_bound() <= learner.certain_above());
    let list = learner.top(usize::MAX);
    assert!(list.is_sorted_by(|one, other| one.cost >= other.cost));
    let costliest = list.first().map_or(0.0, |learned| learned.cost);
    let large = [learner.total(), learner.certain_above(), costliest];
    if large.into_iter().all(|cost| cost <= LARGE) {
        let again = Learner::from_bytes(&learner.to_bytes(), MEMORY).expect("it was just written");
        assert_eq!(again.top(usize::MAX), list);
        assert!(again.certain_above() <= learner.certain_above());
    }
    let mut other = Learner::new(learner.hashing(), MEMORY).expect("memory");
    other.record("ant");
    match other.merge_from(Cursor::new(file)) {
        Ok(time) => assert_eq!(time, learner.time()),
        Err(error) => panic!("read, but not merged: {error}"),
    }
    assert_eq!(other.events(), learner.events().saturating_add(1));
    // A learner that hashes differently takes nothing.
    let mut different = Learner::new(Hashing::SipHash { key: 1 }, MEMORY).expect("memory");
    if learner.hashing() != different.hashing() {
        let merged = different.merge_from(Cursor::new(file));
        assert!(matches!(merged, Err(Error::Mismatch { .. })));
        assert_eq!(different.events(), 0);
    }
}
