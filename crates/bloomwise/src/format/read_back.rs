//! Reads a file back before it gets its name.
//!
//! A file that cannot be read must not replace one that can. The new file is mapped and verified as [`Check::Whole`](super::Check::Whole)
//! does, without copying its cells. If it cannot be mapped, its header, length and checksums are verified as a stream.

use super::{Header, read_padding};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, CHUNK, Sums, read_exact};
use std::fs::File;
use std::io::{self, Seek};

/// Returns an error unless `file` holds exactly one filter of this type. Moves the position in the file.
pub(super) fn read_back<B: Body>(file: &mut File) -> io::Result<()> {
    verify::<B>(file).map_err(|error| {
        let text =
            format!("what was written cannot be read again, so nothing was replaced ({error})");
        io::Error::new(io::ErrorKind::InvalidData, text)
    })
}

fn verify<B: Body>(file: &mut File) -> Result<()> {
    let length = file.metadata().map_err(Error::reading)?.len();
    #[cfg(all(feature = "mmap", not(miri)))]
    {
        use super::{Check, Persist, mapped};
        // A process may have less address space than the file needs.
        if let Ok(pages) = mapped::map_own(file, Check::Whole) {
            return B::from_owner(pages, Check::Whole).map(|_| ());
        }
    }
    verify_stream(file, length)
}

/// Returns an error unless a file of this length has the header, length and checksums of a filter.
fn verify_stream(file: &mut File, length: u64) -> Result<()> {
    file.rewind().map_err(Error::reading)?;
    let header = Header::read(&mut *file)?;
    header.expect_file_len(length)?;
    read_padding(&header, file)?;
    let (mut sums, mut chunk) = (Sums::default(), vec![0; CHUNK]);
    let (payload, mut got) = (8 * header.payload_words(), 0);
    while got < payload {
        let part = &mut chunk[..(payload - got).min(CHUNK as u64) as usize];
        read_exact(file, part, "the payload", payload, &mut got)?;
        sums.update(part);
    }
    header.check_sums(sums, file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Persist;
    use crate::{Bloom, Size};
    use std::io::Write;

    #[test]
    #[cfg_attr(miri, ignore = "Miri is slow")]
    fn damage_is_found_in_a_stream_wherever_it_is() {
        let filter = Bloom::builder(Size::BitsPerKey(12.0)).build_from_keys(0..100u64);
        let bytes = filter.expect("sound").to_bytes();
        let found = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(bytes).expect("room");
            verify_stream(&mut file, bytes.len() as u64)
        };
        found(&bytes).expect("sound");
        assert!(found(&bytes[..bytes.len() - 1]).is_err());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(found(&damaged).is_err(), "byte {at}");
        }
    }
}
