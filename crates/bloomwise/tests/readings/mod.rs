//! What a file holds, read in every way that there is.

use bloomwise::Persist;
use bloomwise::format::{Check, MapFile};
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
        open(path, Check::Whole),
        open(path, Check::Header),
        open(path, Check::FirstUse),
    ];
    let read = read.map(|read| read.expect("it was just written"));
    for read in &read {
        assert_eq!(read, saved);
        assert!(read.to_bytes() == bytes);
    }
    read.into()
}

/// Maps a file.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
fn open<T: Persist>(path: &Path, check: Check) -> bloomwise::Result<T> {
    // SAFETY: the file is in a folder of the test, which does not change it in place.
    unsafe { T::open(path, check) }
}
