//! `BW.LOAD key bytes [AT offset OF total] [REPLACE]` and `BW.LOAD key "" ABORT`
//!
//! Loads a filter that was made elsewhere: by the command line, by Python, by Spark, by `BW.DUMP`. A large file comes in chunks, in order, each with
//! its offset. With `REPLACE` the key answers from its old filter until the last byte was received. `ABORT` forgets the chunks of a filter that is not
//! complete; it is what replicas get if the last chunk shows that the filter is damaged.

use crate::arguments::{Cursor, natural, shown};
use crate::ffi::{Access, Call, Command, Meta};
use crate::incoming::{decode, receive};
use crate::reply::Reply;
use crate::value::Value;
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
        call.write_or(
            |_| Ok(Value::default()),
            |target| {
                let starts = !matches!(chunk.place, Place::At(1.., _) | Place::Nowhere);
                if starts && target.value.arrived().is_some() && !chunk.replace {
                    return Err(ValkeyError::Str("BUSYKEY Target key name already exists."));
                }
                match chunk.place {
                    Place::At(at, of) => receive(call, target, at, Some(of), chunk.bytes)?,
                    Place::Whole => target.value.replace(decode(chunk.bytes, target.budget)?),
                    Place::Nowhere if !target.value.abort() => return Err(NOTHING_TO_ABORT),
                    Place::Nowhere => {}
                }
                Ok(())
            },
        )?;
        call.replicate();
        call.notify("bw.load");
        Ok(Reply::Done)
    }
}

/// The error for `ABORT` if there is nothing to forget.
const NOTHING_TO_ABORT: ValkeyError =
    ValkeyError::Str("ERR no filter is arriving; there is nothing to abort");

/// A filter, or a chunk of one.
#[derive(Debug, PartialEq)]
struct Chunk<'a> {
    /// The bytes.
    bytes: &'a [u8],
    /// Where they belong.
    place: Place,
    /// Whether it may replace a filter.
    replace: bool,
}

/// Where bytes belong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// They are the whole file.
    Whole,
    /// They are part of a file: their offset in it, and its length.
    At(u64, u64),
    /// There are none: what was received is to be forgotten.
    Nowhere,
}

/// Reads the arguments after the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Chunk<'a>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let bytes = cursor.expect()?;
    let (mut offset, mut total, mut replace, mut abort) = (None, None, false, false);
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
        } else if cursor.skip("ABORT") {
            abort = true;
        } else {
            let text = format!(
                "ERR unknown argument '{}'; give AT, OF, REPLACE or ABORT",
                shown(next)
            );
            return Err(ValkeyError::String(text));
        }
    }
    let place = match (offset, total) {
        (None, None) if abort && bytes.is_empty() && !replace => Place::Nowhere,
        _ if abort => return Err(ValkeyError::Str("ERR give ABORT alone, and no bytes")),
        (Some(offset), Some(total)) => Place::At(offset, total),
        (None, None) => Place::Whole,
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
        assert_eq!(parsed("x"), Ok(chunk(Place::Whole, false)));
        assert_eq!(
            parsed("x of 9 REPLACE at 4"),
            Ok(chunk(Place::At(4, 9), true))
        );
        let aborted = parsed(" abort").map(|chunk| (chunk.bytes, chunk.place));
        assert_eq!(aborted, Ok((&b""[..], Place::Nowhere)));
        for wrong in [
            "x AT 4",
            "x OF 4",
            "x AT -1 OF 4",
            "x AT",
            "x WHAT",
            "x ABORT",
            " ABORT REPLACE",
            " ABORT AT 0 OF 9",
        ] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
