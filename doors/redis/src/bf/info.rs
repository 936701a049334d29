//! `BF.INFO key [CAPACITY | SIZE | FILTERS | ITEMS | EXPANSION]` and `BF.CARD key`

use crate::arguments::is;
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use crate::value::Value;
use bloomwise::{AnyFilter, Filter};
use valkey_module::ValkeyError;

/// What a filter is like.
pub struct Info;

impl Command for Info {
    const META: Meta = Meta {
        name: "bf.info",
        arity: -2,
        access: Access::Read,
        fast: true,
        summary: "Capacity, size and number of items of a Bloom filter",
        complexity: "O(layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let wanted = match call.rest() {
            [] => None,
            [field] => Some(*field),
            _ => return Err(ValkeyError::WrongArity),
        };
        call.read(|value| {
            let value = value.ok_or(ValkeyError::Str("ERR not found"))?;
            let fields = fields(value)?;
            let Some(wanted) = wanted else {
                let all = fields.into_iter().map(|(_, name, field)| (name, field));
                return Ok(Reply::Map(all.collect()));
            };
            let mut fields = fields.into_iter();
            let found = fields.find(|(keyword, ..)| is(wanted, keyword));
            let (_, name, field) = found.ok_or(ValkeyError::Str("Invalid information value"))?;
            Ok(Reply::Field(name, Box::new(field)))
        })
    }
}

/// The keyword, name and value of each field.
fn fields(value: &Value) -> Result<[(&'static str, &'static str, Reply); 5], ValkeyError> {
    let (filter, layers, expansion) = match value.filter()? {
        filter @ AnyFilter::Growing(growing) => {
            let expansion = Reply::Whole(growing.expansion().into());
            (filter, growing.layers() as u64, expansion)
        }
        filter @ AnyFilter::Bloom(_) => (filter, 1, Reply::Null),
        other => {
            let kind = other.family().name();
            let text = format!("ERR the key holds a {kind} filter; use BW.INFO");
            return Err(ValkeyError::String(text));
        }
    };
    let capacity = filter.capacity().unwrap_or(0);
    Ok([
        ("CAPACITY", "Capacity", Reply::Whole(capacity)),
        ("SIZE", "Size", Reply::Whole(value.memory())),
        ("FILTERS", "Number of filters", Reply::Whole(layers)),
        (
            "ITEMS",
            "Number of items inserted",
            Reply::Whole(filter.len()),
        ),
        ("EXPANSION", "Expansion rate", expansion),
    ])
}

/// The number of items.
pub struct Card;

impl Command for Card {
    const META: Meta = Meta {
        name: "bf.card",
        arity: 2,
        access: Access::Read,
        fast: true,
        summary: "The number of items that were added to a Bloom filter",
        complexity: "O(1)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        call.read(|value| match value {
            Some(value) => Ok(Reply::Whole(value.filter()?.len())),
            None => Ok(Reply::Whole(0)),
        })
    }
}
