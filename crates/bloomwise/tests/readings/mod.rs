//! What a file holds, read in every way that there is.

use bloomwise::{Check, Persist};
use std::fmt::Debug;
use std::path::Path;

/// Saves `saved` to `path`, and returns what each way of reading makes of it. All are equal to it.
pub fn every_reading<T: Persist + PartialEq + Debug>(saved: &T, path: &Path) -> Vec<T> {
    let bytes = saved.to_bytes();
    assert_eq!(bytes.len() as u64, saved.encoded_len());
    assert_eq!(bytes[bytes.len() - 8..], saved.checksum().to_le_bytes());
    saved.save(path).expect("the folder can be written");
    let read = [
        T::from_bytes(&bytes),
        T::from_bytes(&saved.to_short_bytes()),
        T::read_from(&bytes[..]),
        T::load(path),
        T::open(path, Check::Whole),
        T::open(path, Check::Header),
        T::open(path, Check::FirstUse),
    ];
    let read = read.map(|read| read.expect("it was just written"));
    for read in &read {
        assert_eq!(read, saved);
        assert!(read.to_bytes() == bytes);
    }
    read.into()
}
