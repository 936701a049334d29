//! `BW.EXISTS key item [item ...] [WITHSTAMP]`
//!
//! A stamp says when the filter was asked. `BW.MISS ... SINCE stamp` needs it: see there. If the last argument is `WITHSTAMP` and items come before
//! it, it is the option and not an item.

use super::NOT_FOUND;
use crate::arguments::is;
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use bloomwise::{AnyFilter, Filter, Operation};
use valkey_module::ValkeyError;

/// Whether items may be in the set.
pub struct Exists;

impl Command for Exists {
    const META: Meta = Meta {
        name: "bw.exists",
        arity: -3,
        access: Access::Read,
        fast: false,
        summary: "Whether items may be in the set of a filter",
        complexity: "O(items)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let (items, stamped) = parse(call.rest());
        call.read(|value| {
            let filter = value.ok_or(NOT_FOUND)?.filter()?;
            let answers = match items {
                [item] => vec![Reply::Bool(filter.contains(item))],
                items => filter
                    .contains_batch(items)
                    .into_iter()
                    .map(Reply::Bool)
                    .collect(),
            };
            let answers = Reply::one_or_many(items.len() == 1, answers);
            match stamped {
                true => Ok(Reply::List(vec![answers, stamp(filter)?])),
                false => Ok(answers),
            }
        })
    }
}

/// The items, and whether a stamp is asked for.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> (&'a [&'a [u8]], bool) {
    match arguments {
        [items @ .., last] if !items.is_empty() && is(last, "WITHSTAMP") => (items, true),
        items => (items, false),
    }
}

/// The stamp of kinds for which a late report of a miss is harmless.
pub const ANY_TIME: &str = "*";

/// The error for a filter that guards items and has no stamps: one of several shards.
pub const NO_STAMPS: ValkeyError = ValkeyError::Str(
    "ERR a filter of several shards has no stamps; use BW.GUARD if nobody inserts items meanwhile",
);

/// A stamp of this moment.
fn stamp(filter: &AnyFilter) -> Result<Reply, ValkeyError> {
    filter.check_operation(Operation::Guard)?;
    Ok(match filter {
        AnyFilter::Cuckoo(filter) => Reply::text(filter.stamp()),
        AnyFilter::Seesaw(_) => Reply::text(ANY_TIME),
        _ => return Err(NO_STAMPS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_argument_may_ask_for_a_stamp() {
        let arguments: [&[u8]; 3] = [b"a", b"b", b"withstamp"];
        assert_eq!(parse(&arguments), (&arguments[..2], true));
        assert_eq!(parse(&arguments[..2]), (&arguments[..2], false));
        assert_eq!(
            parse(&arguments[2..]),
            (&arguments[2..], false),
            "an item of this name"
        );
    }
}
