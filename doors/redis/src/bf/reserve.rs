//! `BF.RESERVE key error_rate capacity [EXPANSION expansion] [NONSCALING] [HASH hashing]`
//!
//! `HASH` is ours: it says the secret of the filter to replicas.

use super::options::Options;
use crate::arguments::{Cursor, is, real, shown, whole};
use crate::configuration::{CAPACITIES, EXPANSION, EXPANSIONS};
use crate::ffi::{Access, Call, Command, Meta};
use crate::hashing::Secret;
use crate::reply::Reply;
use std::sync::atomic::Ordering;
use valkey_module::ValkeyError;

/// Creates an empty filter.
pub struct Reserve;

impl Command for Reserve {
    const META: Meta = Meta {
        name: "bf.reserve",
        arity: -4,
        access: Access::Insert,
        fast: true,
        summary: "Creates an empty Bloom filter",
        complexity: "O(1)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let (options, hashing) = parse(call.rest())?;
        let secret = Secret::given(hashing)?;
        call.write_or(
            |budget| options.create(call, budget, &secret),
            |target| match target.is_new {
                true => Ok(Reply::Done),
                false => Err(ValkeyError::Str("ERR item exists")),
            },
        )
    }
}

/// Reads the arguments after the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<(Options, Option<&'a [u8]>), ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let mut options = Options::configured();
    let rate = real(cursor.expect()?).ok_or(ValkeyError::Str("ERR bad error rate"))?;
    if !(rate > 0.0 && rate < 1.0) {
        return Err(ValkeyError::Str(
            "ERR error rate must be in the range (0.000000, 1.000000)",
        ));
    }
    options.set_rate(rate);
    let capacity = whole(cursor.expect()?).ok_or(ValkeyError::Str("ERR bad capacity"))?;
    if !CAPACITIES.contains(&capacity) {
        return Err(out_of("capacity", &CAPACITIES));
    }
    options.capacity = capacity.unsigned_abs();
    let (mut expansion, mut fixed, mut hashing) = (None, false, None);
    while let Some(argument) = cursor.next() {
        if is(argument, "NONSCALING") {
            fixed = true;
        } else if is(argument, "EXPANSION") {
            expansion = Some(cursor.next().ok_or(ValkeyError::Str("ERR no expansion"))?);
        } else if is(argument, "HASH") {
            hashing = Some(cursor.expect()?);
        } else {
            let text = format!("ERR unknown argument '{}'", shown(argument));
            return Err(ValkeyError::String(text));
        }
    }
    fixed |= expansion.is_none() && EXPANSION.load(Ordering::Relaxed) == 0;
    options.expansion = match expansion {
        None if fixed => 0,
        None => options.expansion,
        Some(text) => {
            let expansion = whole(text).ok_or(ValkeyError::Str("ERR bad expansion"))?;
            if fixed && expansion != 0 {
                return Err(ValkeyError::Str("Nonscaling filters cannot expand"));
            }
            if !EXPANSIONS.contains(&expansion) {
                return Err(out_of("expansion", &EXPANSIONS));
            }
            expansion.unsigned_abs() as u32
        }
    };
    Ok((options, hashing))
}

/// The error for a number that is out of range.
fn out_of(name: &str, range: &std::ops::RangeInclusive<i64>) -> ValkeyError {
    let (least, most) = (range.start(), range.end());
    ValkeyError::String(format!("ERR {name} must be in the range [{least}, {most}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Options, String> {
        let arguments: Vec<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        parse(&arguments)
            .map(|(options, _)| options)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_of_redisbloom_are_read() {
        let options = |rate, capacity, expansion| {
            Ok(Options {
                rate,
                capacity,
                expansion,
            })
        };
        assert_eq!(parsed("0.01 100"), options(0.01, 100, 2));
        assert_eq!(parsed("1e-3 1 expansion 4"), options(0.001, 1, 4));
        assert_eq!(parsed("0.01 100 NonScaling"), options(0.01, 100, 0));
        assert_eq!(parsed("0.01 100 EXPANSION 0"), options(0.01, 100, 0));
        assert_eq!(
            parsed("0.01 100 NONSCALING EXPANSION 0"),
            options(0.01, 100, 0)
        );
        assert_eq!(parsed("0.9 100"), options(0.25, 100, 2));
    }

    #[test]
    fn errors_are_those_of_redisbloom() {
        let cases = [
            ("x 100", "ERR bad error rate"),
            ("nan 100", "ERR bad error rate"),
            (
                "0 100",
                "ERR error rate must be in the range (0.000000, 1.000000)",
            ),
            (
                "1 100",
                "ERR error rate must be in the range (0.000000, 1.000000)",
            ),
            (
                "-1 100",
                "ERR error rate must be in the range (0.000000, 1.000000)",
            ),
            ("0.1 x", "ERR bad capacity"),
            ("0.1 0.5", "ERR bad capacity"),
            ("0.1 0", "ERR capacity must be in the range [1, 1073741824]"),
            (
                "0.01 1000000000000",
                "ERR capacity must be in the range [1, 1073741824]",
            ),
            ("0.1 9 EXPANSION", "ERR no expansion"),
            ("0.1 9 EXPANSION x", "ERR bad expansion"),
            (
                "0.1 9 EXPANSION -1",
                "ERR expansion must be in the range [0, 32768]",
            ),
            (
                "0.1 9 EXPANSION 32769",
                "ERR expansion must be in the range [0, 32768]",
            ),
            (
                "0.1 9 NONSCALING EXPANSION 2",
                "Nonscaling filters cannot expand",
            ),
            (
                "0.1 9 EXPANSION 2 NONSCALING",
                "Nonscaling filters cannot expand",
            ),
            ("0.1 9 WHAT", "ERR unknown argument 'WHAT'"),
        ];
        for (text, error) in cases {
            assert_eq!(parsed(text), Err(error.to_string()), "{text}");
        }
    }
}
