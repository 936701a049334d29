//! Writes filters. Damaged cells never get a valid checksum.

use super::Header;
use crate::cells::doubt::Doubt;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Writer};
use std::io;

/// Verifies the cells that have not been verified, and returns an error if they are damaged. Skips parts that are written as they were read.
pub(crate) fn expect_sound<B: Body>(filter: &B) -> Result<()> {
    let mut sink = io::sink();
    let mut writer = Writer::without_sums(&mut sink);
    filter
        .write_payload(&mut writer)
        .expect("an empty sink accepts every write");
    match writer.finish() {
        (_, Some(_)) => Err(Error::Damaged),
        (_, None) => Ok(()),
    }
}

/// Writes header, parameters, payload and checksums. If the cells are damaged, it makes the last checksum wrong and returns the doubt.
pub(super) fn write<B: Body + ?Sized>(
    filter: &B,
    sink: &mut dyn io::Write,
) -> io::Result<Option<Doubt>> {
    write_file(filter, &Header::of(filter), sink)
}

/// Like [`write()`], for a filter whose header is known.
pub(super) fn write_file<B: Body + ?Sized>(
    filter: &B,
    header: &Header,
    sink: &mut dyn io::Write,
) -> io::Result<Option<Doubt>> {
    sink.write_all(&header.to_bytes())?;
    let mut writer = Writer::new(sink);
    filter.write_payload(&mut writer)?;
    let (sums, doubt) = writer.finish();
    let mut table = header.table_of(&sums);
    if doubt.is_some() {
        spoil(&mut table);
    }
    sink.write_all(&table)?;
    sink.flush()?;
    Ok(doubt)
}

/// Makes the last checksum wrong, so that reading detects the damage.
pub(super) fn spoil(bytes: &mut [u8]) {
    if let Some(last) = bytes.last_mut() {
        *last = !*last;
    }
}

/// A sink that keeps only the last eight bytes.
pub(super) struct Last(pub [u8; 8]);

impl io::Write for Last {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let tail = &bytes[bytes.len().saturating_sub(8)..];
        self.0.rotate_left(tail.len());
        self.0[8 - tail.len()..].copy_from_slice(tail);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
