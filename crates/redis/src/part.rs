//! A part of the bytes of a filter: what `BW.DUMP` and `BF.SCANDUMP` send.
//!
//! The filter is written to a sink that keeps only the part that was asked for, and stops the writing after it. What comes before it is
//! still put into checksums, at some 10 GB a second; what comes after it is not.

use bloomwise::{AnyFilter, Persist};
use std::io::{self, Write};

/// At most `most` bytes of the file of a filter, from byte `from` on; none if the file ends before.
pub fn part(filter: &AnyFilter, from: u64, most: u64) -> Vec<u8> {
    let length = filter.encoded_len();
    let keep = length.saturating_sub(from).min(most);
    let mut window = Window {
        skip: from,
        keep,
        bytes: Vec::with_capacity(keep as usize),
    };
    if keep > 0 {
        // It ends with an error where the part ends.
        _ = filter.write_to(&mut window);
    }
    window.bytes
}

/// A sink that keeps a part.
struct Window {
    /// The bytes before the part that are still to come.
    skip: u64,
    /// The bytes of the part that are still to come.
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
    use super::*;
    use bloomwise::{Family, Size, Spec};

    #[test]
    fn parts_together_are_the_file() {
        let spec = Spec::new(Family::Cuckoo).size(Size::BitsPerKey(12.0));
        let filter = spec.build_from_keys(0..5000u64).expect("sound");
        let bytes = filter.to_bytes();
        for most in [1, 7, 4096, 1 << 20] {
            let mut all = Vec::new();
            while let next = part(&filter, all.len() as u64, most)
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
        assert_eq!(part(&filter, 17, 5), bytes[17..22]);
        assert_eq!(part(&filter, end - 1, 100), bytes[bytes.len() - 1..]);
        assert!(part(&filter, end, 100).is_empty() && part(&filter, u64::MAX, 9).is_empty());
    }
}
