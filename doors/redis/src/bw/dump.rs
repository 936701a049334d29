//! `BW.DUMP key [AT offset [COUNT bytes]]`
//!
//! The filter as a file, or a part of it. `BW.LOAD`, the command line, Python and the library read it.

use super::NOT_FOUND;
use crate::arguments::{Cursor, natural, shown};
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use bloomwise::Persist;
use valkey_module::ValkeyError;

/// The bytes of a part, unless `COUNT` says otherwise.
const COUNT: u64 = 4 << 20;

/// The bytes of a filter.
pub struct Dump;

impl Command for Dump {
    const META: Meta = Meta {
        name: "bw.dump",
        arity: -2,
        access: Access::Read,
        fast: false,
        summary: "The filter as a file, or a part of it",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let (from, most) = parse(call.rest())?;
        call.read(|value| {
            let filter = value.ok_or(NOT_FOUND)?.filter()?;
            let bytes = filter.encoded_len().saturating_sub(from).min(most);
            // A file is a little longer than its filter, which may be as large as the limit.
            call.budget().spend(bytes.min(filter_bytes(filter)))?;
            Ok(Reply::Bytes(filter.part(from, most)))
        })
    }
}

/// The bytes of the cells of a filter.
fn filter_bytes(filter: &bloomwise::AnyFilter) -> u64 {
    bloomwise::Filter::size_in_bits(filter) / 8
}

/// Where the part starts, and the most bytes that it has.
fn parse(arguments: &[&[u8]]) -> Result<(u64, u64), ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let mut number = |keyword: &str| match cursor.skip(keyword) {
        false => Ok(None),
        true => natural(cursor.expect()?).map(Some).ok_or(ValkeyError::Str(
            "ERR AT and COUNT need whole numbers of bytes",
        )),
    };
    let from = number("AT")?;
    let most = number("COUNT")?;
    match (cursor.next(), from, most) {
        (Some(next), ..) => {
            let text = format!(
                "ERR unknown argument '{}'; give AT and then COUNT",
                shown(next)
            );
            Err(ValkeyError::String(text))
        }
        (None, None, None) => Ok((0, u64::MAX)),
        (None, from, most) => Ok((from.unwrap_or(0), most.unwrap_or(COUNT))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_file_or_a_part_is_asked_for() {
        let parsed = |text: &str| {
            let arguments: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
            parse(&arguments).ok()
        };
        assert_eq!(parsed(""), Some((0, u64::MAX)));
        assert_eq!(parsed("AT 7"), Some((7, COUNT)));
        assert_eq!(parsed("at 7 count 9"), Some((7, 9)));
        assert_eq!(parsed("COUNT 9"), Some((0, 9)));
        for wrong in ["AT", "AT x", "7", "AT 7 9", "COUNT -1"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
