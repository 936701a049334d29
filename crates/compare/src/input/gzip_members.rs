//! Decompresses gzip files.
//!
//! A file may consist of several gzip members, one after the other. Zeros after a member are padding (tapes and disk images
//! fill up their blocks) and are skipped. Anything else after a member must be another member.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// The decompressed bytes of all members of a file.
pub struct GzipMembers<R> {
    /// The member that is being read; `None` after the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    /// Decompresses `compressed`, which must begin with a member.
    pub fn new(compressed: R) -> Self {
        let member = Some(GzDecoder::new(compressed));
        GzipMembers { member }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let more = skip_zeros(member.get_mut())?;
            let rest = self.member.take().filter(|_| more);
            self.member = rest.map(|member| GzDecoder::new(member.into_inner()));
        }
        Ok(0)
    }
}

/// Skips zeros. Returns whether anything follows them.
fn skip_zeros(bytes: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let part = bytes.fill_buf()?;
        if part.is_empty() {
            return Ok(false);
        }
        let zeros = part.iter().take_while(|&&byte| byte == 0).count();
        let more = zeros < part.len();
        bytes.consume(zeros);
        if more {
            return Ok(true);
        }
    }
}
