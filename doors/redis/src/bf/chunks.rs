//! `BF.SCANDUMP key iterator` and `BF.LOADCHUNK key iterator data`
//!
//! A client asks with iterator 0 first, then with the iterator that it got, until that is 0. To load, it sends each chunk with the iterator that
//! came with it. In between the filter should not change; if it does, the last chunk is refused.
//!
//! Iterator 1 stands for the header, the first 4096 bytes of the file. Iterator `1 + n` stands for the `n` bytes that follow it.

use crate::arguments::whole;
use crate::ffi::{Access, Call, Command, Meta};
use crate::incoming::receive;
use crate::limits::Budget;
use crate::reply::Reply;
use crate::value::Value;
use bloomwise::Persist;
use bloomwise::format::Header;
use valkey_module::ValkeyError;

/// The bytes of the first chunk.
const HEADER: u64 = Header::MAX_LEN as u64;

/// The most bytes of a chunk.
const CHUNK: u64 = 16 << 20;

/// The next chunk of a filter.
pub struct ScanDump;

impl Command for ScanDump {
    const META: Meta = Meta {
        name: "bf.scandump",
        arity: 3,
        access: Access::Read,
        fast: false,
        summary: "The next chunk of a filter, and the iterator of the one that follows",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let iterator = call.rest().first().and_then(|text| whole(text));
        call.read(|value| {
            let value = value.ok_or(ValkeyError::Str("ERR not found"))?;
            let filter = value.filter()?;
            let iterator = iterator.ok_or(ValkeyError::Str("Second argument must be numeric"))?;
            let (next, chunk) = match u64::try_from(iterator) {
                Ok(0) => (1, filter.part(0, HEADER)),
                Ok(iterator) => {
                    let from = (iterator - 1).saturating_add(HEADER);
                    let chunk = filter.part(from, CHUNK);
                    match chunk.len() as u64 {
                        0 => (0, chunk),
                        length => (iterator + length, chunk),
                    }
                }
                Err(_) => (0, Vec::new()),
            };
            Ok(Reply::List(vec![Reply::Whole(next), Reply::Bytes(chunk)]))
        })
    }
}

/// Loads a chunk of a filter.
pub struct LoadChunk;

impl Command for LoadChunk {
    const META: Meta = Meta {
        name: "bf.loadchunk",
        arity: 4,
        access: Access::Insert,
        fast: false,
        summary: "Loads a chunk that BF.SCANDUMP has returned",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let &[iterator, chunk] = call.rest() else {
            return Err(ValkeyError::WrongArity);
        };
        let iterator =
            whole(iterator).ok_or(ValkeyError::Str("ERR Second argument must be numeric"))?;
        let create = |_: &mut Budget| match iterator {
            1 => Ok(Value::default()),
            _ => Err(ValkeyError::Str("ERR not found")),
        };
        call.write_or(create, |target| {
            let offset = match target.is_new {
                true => 0,
                false => offset(iterator, chunk.len() as u64)?,
            };
            let (received, total) = match target.value.incoming() {
                Some(incoming) => (incoming.received(), incoming.total()),
                None => (0, u64::MAX),
            };
            if received != offset {
                return Err(ValkeyError::Str("ERR invalid offset - no link found"));
            }
            if total - offset < chunk.len() as u64 {
                return Err(ValkeyError::Str(
                    "ERR invalid chunk - Too big for current filter",
                ));
            }
            receive(call, target, offset, None, chunk)
                .map_err(|_| ValkeyError::Str("ERR received bad data"))
        })?;
        call.replicate();
        call.notify("bf.loadchunk");
        Ok(Reply::Done)
    }
}

/// Where in the file a chunk of this length starts that came with this iterator.
fn offset(iterator: i64, length: u64) -> Result<u64, ValkeyError> {
    let end = iterator
        .checked_sub(1)
        .and_then(|end| u64::try_from(end).ok());
    let start = end.and_then(|end| end.checked_sub(length));
    let start = start.ok_or(ValkeyError::Str("ERR received bad data"))?;
    Ok(start + HEADER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_follows_from_the_iterator() {
        assert_eq!(offset(1 + 100, 100).expect("the first"), HEADER);
        assert_eq!(offset(1 + 300, 200).expect("the next"), HEADER + 100);
        for (iterator, length) in [(0, 0), (-5, 1), (4, 38), (i64::MIN + 1, 1)] {
            assert!(offset(iterator, length).is_err(), "{iterator}");
        }
    }
}
