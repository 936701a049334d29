//! A part of the bytes of a filter, without building all of them.
//!
//! The filter is written to a sink that keeps only the requested part and ends the writing after it. Checksums are at the end of the file,
//! so they are computed only for a part that contains some.

use super::{Header, write_file};
use crate::filter::codec::{Body, Writer};
use std::io::{self, Write};

/// At most `most` bytes of the file of a filter, starting at byte `from`; empty if the file ends before.
pub(super) fn byte_range<B: Body>(filter: &B, from: u64, most: u64) -> Vec<u8> {
    let header = Header::of(filter);
    let keep = header.encoded_len().saturating_sub(from).min(most);
    let mut window = Window {
        skip: from,
        keep,
        bytes: Vec::with_capacity(keep as usize),
    };
    let payload_end = header.payload_start() + 8 * header.payload_words();
    // Both end with an error at the end of the part.
    _ = match keep {
        0 => Ok(()),
        _ if from + keep > payload_end => write_file(filter, &header, &mut window).map(|_| ()),
        _ => write_start(filter, &header, &mut window),
    };
    window.bytes
}

/// Writes header and payload without checksums.
fn write_start<B: Body>(filter: &B, header: &Header, sink: &mut dyn Write) -> io::Result<()> {
    sink.write_all(&header.to_bytes())?;
    filter.write_payload(&mut Writer::without_sums(sink))
}

/// A sink that keeps a part.
struct Window {
    /// The bytes before the part that have not been written yet.
    skip: u64,
    /// The bytes of the part that have not been written yet.
    keep: u64,
    /// The part so far.
    bytes: Vec<u8>,
}

impl Write for Window {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.keep == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let skipped = self.skip.min(bytes.len() as u64);
        let rest = &bytes[skipped as usize..];
        let kept = self.keep.min(rest.len() as u64);
        self.bytes.extend_from_slice(&rest[..kept as usize]);
        self.skip -= skipped;
        self.keep -= kept;
        Ok((skipped + kept) as usize)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::format::Persist;
    use crate::{Cuckoo, Size};

    #[test]
    fn parts_together_are_the_file() {
        let keys: u64 = if cfg!(miri) { 400 } else { 5000 };
        let filter = Cuckoo::builder(Size::BitsPerKey(12.0)).build_from_keys(0..keys);
        let filter = filter.expect("sound");
        let bytes = filter.to_bytes();
        for most in [1, 7, 4096, 1 << 20] {
            let mut all = Vec::new();
            while let next = filter.part(all.len() as u64, most)
                && !next.is_empty()
            {
                assert!(next.len() as u64 <= most);
                all.extend(next);
                if most == 1 && all.len() == 300 {
                    break;
                }
            }
            assert_eq!(all, bytes[..all.len()]);
            assert!(most == 1 || all.len() == bytes.len());
        }
        let end = bytes.len() as u64;
        assert_eq!(filter.part(17, 5), bytes[17..22]);
        // Around the end of the payload, where the checksums start.
        for from in end - 100..end {
            assert_eq!(
                filter.part(from, 90),
                bytes[from as usize..][..90.min((end - from) as usize)]
            );
        }
        assert!(filter.part(end, 100).is_empty() && filter.part(u64::MAX, 9).is_empty());
    }
}
