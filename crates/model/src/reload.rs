//! Saving and loading: what is read back equals what was written, answers alike, and is written to the same bytes.

use super::life::Life;
use super::step::{Form, Load};
use anyhow::{Context, Result, ensure};
use bloomwise::format::{Arriving, Check, Header};
use bloomwise::{AnyFilter, Filter, Persist};
use std::path::Path;

impl Life<'_> {
    /// Writes the filter, reads it back, and continues with what was read.
    pub fn reload(&mut self, form: Form, load: Load) -> Result<()> {
        let bytes = self.written(form)?;
        self.tally.saves += 1;
        let read = match load {
            Load::Copied => AnyFilter::from_bytes(&bytes)?,
            Load::Borrowed => AnyFilter::from_owner(bytes.clone(), Check::Whole)?,
            Load::HeaderFirst => {
                let read = AnyFilter::from_owner(bytes.clone(), Check::Header)?;
                let verified = AnyFilter::from_owner(bytes.clone(), Check::Whole);
                verified.context("the bytes cannot be verified")?;
                read
            }
            Load::FirstUse => AnyFilter::from_owner(bytes.clone(), Check::FirstUse)?,
            Load::Chunks => {
                let mut arriving = Arriving::new(Header::read(&bytes[..])?)?;
                let length = self.draw.count(bytes.len());
                bytes
                    .chunks(length)
                    .try_for_each(|chunk| arriving.push(chunk))?;
                arriving.finish()?
            }
            Load::Stream => {
                let mut stream: &[u8] = &[&bytes[..], b"more"].concat();
                let read = AnyFilter::read_from(&mut stream)?;
                ensure!(stream == b"more", "a stream was read beyond its filter");
                read
            }
            Load::File | Load::Mapped => match self.through_a_file(form, load, &bytes)? {
                Some(read) => read,
                None => return Ok(()),
            },
        };
        self.tally.reloads += 1;
        ensure!(read == self.filter, "the filter that was read differs");
        let part = self.part();
        let before = self.query(part.clone())?;
        self.filter = read;
        let after = self.query(part)?;
        ensure!(
            after == before,
            "the filter that was read gives other answers"
        );
        ensure!(
            self.written(form)? == bytes,
            "the filter that was read has other bytes"
        );
        Ok(())
    }

    /// The filter in this form. The header of the whole form says what was asked for.
    fn written(&self, form: Form) -> Result<Vec<u8>> {
        let filter = &self.filter;
        if form == Form::Short {
            return Ok(filter.to_short_bytes());
        }
        let bytes = filter.to_bytes();
        let header = Header::read(&bytes[..])?;
        let (len, expected) = (bytes.len() as u64, filter.encoded_len());
        // Parts have headers of their own.
        let in_parts = matches!(filter, AnyFilter::Sharded(_) | AnyFilter::Patched(_));
        ensure!(
            len == expected && len == header.encoded_len(),
            "the file has {len} bytes, {expected} were announced"
        );
        ensure!(
            (header.family(), header.hashing()) == (self.case.family, self.case.hashing)
                && (header.keys(), header.capacity()) == (self.total, filter.capacity())
                && (header.size_in_bits() == filter.size_in_bits()
                    || in_parts && header.size_in_bits() > filter.size_in_bits()),
            "the header says {header:?}"
        );
        Ok(bytes)
    }

    /// Writes the filter to a file and reads or maps it. `None` if the life has no folder, or cannot map files.
    fn through_a_file(
        &mut self,
        form: Form,
        load: Load,
        bytes: &[u8],
    ) -> Result<Option<AnyFilter>> {
        let read: fn(&Path) -> bloomwise::Result<AnyFilter> = match (load, self.world.open) {
            (Load::Mapped, Some(open)) => open,
            (Load::Mapped, None) => return Ok(None),
            _ => |path| AnyFilter::load(path),
        };
        let Some(folder) = self.world.folder else {
            return Ok(None);
        };
        let path = folder.join(format!("{:016x}.bloomwise", self.draw.bits()));
        match form {
            Form::Whole => self.filter.save(&path)?,
            Form::Short => std::fs::write(&path, bytes)?,
        }
        let read = read(&path)?;
        // A mapping outlives the name.
        std::fs::remove_file(&path)?;
        Ok(Some(read))
    }
}
