//! Reads filters from files and streams.

use super::{Header, Persist, header};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Parameters, Payload, Source, read_exact};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Reads a file that holds exactly one filter. The caller adds the path to its errors.
pub(super) fn load<B: Body>(path: &Path) -> Result<B> {
    let mut file = File::open(path).map_err(Error::reading)?;
    let metadata = file.metadata().map_err(Error::reading)?;
    let header = match Header::read(&mut file) {
        Err(Error::ShortForm) if metadata.is_file() => {
            // Rewind the open file instead of opening the path again: the name may belong to another file by now. Short forms are small, so
            // a file of another kind that starts alike is not read to its end.
            file.rewind().map_err(Error::reading)?;
            let bytes = read_up_to(file, metadata.len().min(MAX_SHORT))?;
            return B::from_bytes(&bytes);
        }
        header => header?,
    };
    // A pipe has no length. Reading checks its end instead.
    if metadata.is_file() {
        header.expect_file_len(metadata.len())?;
        return read_body(&header, &mut file);
    }
    let filter = read_body(&header, &mut file)?;
    let more = io::copy(&mut file.take(1), &mut io::sink()).map_err(Error::reading)?;
    header.expect_file_len(header.encoded_len() + more)?;
    Ok(filter)
}

/// The most bytes of a short form that [`Persist::load`] reads.
const MAX_SHORT: u64 = 1 << 24;

/// The first `len` bytes of a file.
pub(super) fn read_up_to(file: File, len: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(len)
        .read_to_end(&mut bytes)
        .map_err(Error::reading)?;
    Ok(bytes)
}

/// Reads all that follows the header and the parameters.
pub(super) fn read_body<B: Body>(header: &Header, source: &mut dyn Read) -> Result<B> {
    read_padding(header, source)?;
    let (filter, source) = read_payload::<B>(header, Source::Stream(source, Box::default()))?;
    if let Source::Stream(source, sums) = source {
        header.check_sums(*sums, source)?;
    }
    filter.check()?;
    Ok(filter)
}

/// Reads the zeros before the payload.
pub(super) fn read_padding(header: &Header, source: &mut dyn Read) -> Result<()> {
    let mut padding = [0; header::ALIGNMENT as usize];
    let padding = &mut padding[..header.padding() as usize];
    let expected = padding.len() as u64;
    read_exact(source, padding, "the padding", expected, &mut 0)?;
    header::expect_zeros(padding)
}

/// The filter of a header and a payload, and the rest of the source.
pub(super) fn read_payload<'a, B: Body>(
    header: &Header,
    source: Source<'a>,
) -> Result<(B, Source<'a>)> {
    let mut parameters = Parameters::new(header.parameters());
    let mut payload = Payload::new(source, header.payload_words());
    let filter = B::read(&header.head(), &mut parameters, &mut payload)?;
    parameters.finish()?;
    let source = payload.finish()?;
    Ok((filter, source))
}
