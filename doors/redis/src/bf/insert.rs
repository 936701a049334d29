//! `BF.INSERT key [CAPACITY capacity] [ERROR error] [EXPANSION expansion] [NOCREATE] [NONSCALING] ITEMS item [item ...]`

use super::items::add_all;
use super::options::Options;
use crate::arguments::{Cursor, real, whole};
use crate::configuration::{CAPACITIES, EXPANSIONS};
use crate::ffi::{Access, Call, Command, Meta};
use crate::hashing::Secret;
use crate::limits::Budget;
use crate::reply::Reply;
use valkey_module::ValkeyError;

/// Adds items, and says what the filter is like if there is none.
pub struct Insert;

impl Command for Insert {
    const META: Meta = Meta {
        name: "bf.insert",
        arity: -4,
        access: Access::Insert,
        fast: false,
        summary: "Adds items to a Bloom filter, which is created as the options say if there is none",
        complexity: "O(items * layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let parsed = parse(call.rest())?;
        let create = |budget: &mut Budget| match &parsed.options {
            Some(options) => options.create(call, budget, &Secret::new()?),
            None => Err(ValkeyError::Str("ERR not found")),
        };
        let replies = call.write_or(create, |target| add_all(call, target, parsed.items))?;
        Ok(Reply::List(replies))
    }
}

/// The arguments after the key.
#[derive(Debug)]
struct Parsed<'a> {
    /// What a new filter is like; `None` if there must be none.
    options: Option<Options>,
    /// The items; at least one.
    items: &'a [&'a [u8]],
}

/// Reads the arguments after the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Parsed<'a>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let mut options = Options::configured();
    let (mut fixed, mut create) = (false, true);
    while !cursor.skip("ITEMS") {
        if cursor.skip("ERROR") {
            match real(cursor.expect()?) {
                Some(rate) if rate > 0.0 && rate < 1.0 => options.set_rate(rate),
                _ => return Err(ValkeyError::Str("Bad error rate")),
            }
        } else if cursor.skip("EXPANSION") {
            match whole(cursor.expect()?) {
                Some(expansion) if EXPANSIONS.contains(&expansion) => {
                    options.expansion = expansion.unsigned_abs() as u32;
                }
                _ => return Err(ValkeyError::Str("Bad expansion")),
            }
        } else if cursor.skip("CAPACITY") {
            match whole(cursor.expect()?) {
                Some(capacity) if CAPACITIES.contains(&capacity) => {
                    options.capacity = capacity.unsigned_abs();
                }
                _ => return Err(ValkeyError::Str("Bad capacity")),
            }
        } else if cursor.skip("NOCREATE") {
            create = false;
        } else if cursor.skip("NONSCALING") {
            fixed = true;
        } else {
            cursor.expect()?;
            return Err(ValkeyError::Str("Unknown argument received"));
        }
    }
    if fixed {
        options.expansion = 0;
    }
    let items = cursor.rest();
    if items.is_empty() {
        return Err(ValkeyError::WrongArity);
    }
    let options = create.then_some(options);
    Ok(Parsed { options, items })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<&[u8]> {
        text.split(' ').map(str::as_bytes).collect()
    }

    #[test]
    fn arguments_of_redisbloom_are_read() {
        let all = arguments("capacity 7 ERROR 0.5 EXPANSION 3 items CAPACITY b");
        let parsed = parse(&all).expect("sound");
        let options = Options {
            rate: 0.25,
            capacity: 7,
            expansion: 3,
        };
        assert_eq!(parsed.options, Some(options));
        assert_eq!(parsed.items, [&b"CAPACITY"[..], b"b"]);
        let all = arguments("NOCREATE NONSCALING ITEMS a");
        assert_eq!(parse(&all).expect("sound").options, None);
        let all = arguments("NONSCALING EXPANSION 3 ITEMS a");
        let options = parse(&all).expect("sound").options;
        assert_eq!(options.map(|options| options.expansion), Some(0));
    }

    #[test]
    fn errors_are_those_of_redisbloom() {
        let cases = [
            ("ERROR x ITEMS a", "Bad error rate"),
            ("ERROR 1 ITEMS a", "Bad error rate"),
            ("EXPANSION -1 ITEMS a", "Bad expansion"),
            ("EXPANSION x", "Bad expansion"),
            ("CAPACITY 0.3", "Bad capacity"),
            ("CAPACITY 0 ITEMS a", "Bad capacity"),
            ("WHAT ITEMS a", "Unknown argument received"),
            ("ERROR", "Wrong Arity"),
            ("NOCREATE CAPACITY", "Wrong Arity"),
            ("NOCREATE ITEMS", "Wrong Arity"),
            ("NOCREATE", "Wrong Arity"),
        ];
        for (text, error) in cases {
            let found = parse(&arguments(text)).expect_err(text);
            assert_eq!(found.to_string(), error, "{text}");
        }
    }
}
