//! The unpacked bytes of a gzip file.
//!
//! A file may have several members, one after the other, and zeros behind the last one, where something (a tape, a disk
//! image) filled up a block. Anything else behind a member has to be another one.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// All members of a file.
pub struct Members<R> {
    /// The one that is being read; none after the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    /// The members of a file that begins with one.
    pub fn new(packed: R) -> Self {
        let member = Some(GzDecoder::new(packed));
        Members { member }
    }
}

impl<R: BufRead> Read for Members<R> {
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

/// Skips zeros and tells whether anything follows them.
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
