//! `BW.LOAD key bytes [AT offset OF total] [REPLACE]`
//!
//! Loads a filter that was made elsewhere: by the command line, by Python, by Spark, by `BW.DUMP`. A large file comes in chunks, in order, each with
//! its offset. With `REPLACE` the key answers from its old filter until the last byte has come.

use crate::arguments::{Cursor, natural, shown};
use crate::ffi::{Access, Call, Command, Meta};
use crate::incoming::decode;
use crate::reply::Reply;
use crate::value::Value;
use std::cell::Cell;
use valkey_module::ValkeyError;

/// Loads a filter.
pub struct Load;

impl Command for Load {
    const META: Meta = Meta {
        name: "bw.load",
        arity: -3,
        access: Access::Replace,
        fast: false,
        summary: "Loads a filter that was made elsewhere, or a chunk of one",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let chunk = parse(call.rest())?;
        let is_new = Cell::new(false);
        let create = || {
            is_new.set(true);
            Ok(Value::default())
        };
        call.write_or(create, |value| {
            let taken = !is_new.get() && value.arrived().is_some();
            if taken && !chunk.replace && value.incoming().is_none() {
                return Err(ValkeyError::Str("BUSYKEY Target key name already exists."));
            }
            match chunk.place {
                Some((offset, total)) => receive(call, value, offset, Some(total), chunk.bytes),
                None => {
                    value.replace(decode(chunk.bytes, &mut call.budget())?);
                    Ok(true)
                }
            }
        })?;
        call.replicate();
        call.notify("bw.load");
        Ok(Reply::Done)
    }
}

/// Receives a chunk of a file, of `total` bytes if that is known. If the filter is complete and damaged, what has come is forgotten, and
/// replicas have to forget it, too.
///
/// # Errors
///
/// As for [`Value::receive`].
pub fn receive(
    call: &Call<'_>,
    value: &mut Value,
    offset: u64,
    total: Option<u64>,
    bytes: &[u8],
) -> Result<bool, ValkeyError> {
    let had = value.incoming().is_some();
    let received = value.receive(offset, total, bytes, &mut call.budget());
    if received.is_err() && had && value.incoming().is_none() {
        call.replicate();
    }
    received
}

/// A filter, or a chunk of one.
#[derive(Debug, PartialEq)]
struct Chunk<'a> {
    /// The bytes.
    bytes: &'a [u8],
    /// Its offset, and the bytes of the whole; `None` if these are all bytes.
    place: Option<(u64, u64)>,
    /// Whether it may replace a filter.
    replace: bool,
}

/// Reads the arguments behind the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Chunk<'a>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let bytes = cursor.expect()?;
    let (mut offset, mut total, mut replace) = (None, None, false);
    let number = |text: &[u8]| {
        natural(text).ok_or(ValkeyError::Str(
            "ERR AT and OF need whole numbers of bytes",
        ))
    };
    while let Some(next) = cursor.peek() {
        if cursor.skip("AT") {
            offset = Some(number(cursor.expect()?)?);
        } else if cursor.skip("OF") {
            total = Some(number(cursor.expect()?)?);
        } else if cursor.skip("REPLACE") {
            replace = true;
        } else {
            let text = format!(
                "ERR unknown argument '{}'; give AT, OF or REPLACE",
                shown(next)
            );
            return Err(ValkeyError::String(text));
        }
    }
    let place = match (offset, total) {
        (Some(offset), Some(total)) => Some((offset, total)),
        (None, None) => None,
        _ => return Err(ValkeyError::Str("ERR give both AT and OF, or neither")),
    };
    Ok(Chunk {
        bytes,
        place,
        replace,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let chunk = |place, replace| Chunk {
            bytes: b"x",
            place,
            replace,
        };
        let parsed = |text: &'static str| {
            let arguments: Vec<&'static [u8]> = text.split(' ').map(str::as_bytes).collect();
            parse(Vec::leak(arguments)).map_err(|error| error.to_string())
        };
        assert_eq!(parsed("x"), Ok(chunk(None, false)));
        assert_eq!(parsed("x of 9 REPLACE at 4"), Ok(chunk(Some((4, 9)), true)));
        for wrong in ["x AT 4", "x OF 4", "x AT -1 OF 4", "x AT", "x WHAT"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
