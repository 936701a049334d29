//! `BF.EXISTS key item` and `BF.MEXISTS key item [item ...]`

use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use bloomwise::Filter;
use valkey_module::ValkeyError;

/// Whether an item may have been added.
pub struct Exists;

impl Command for Exists {
    const META: Meta = Meta {
        name: "bf.exists",
        arity: 3,
        access: Access::Read,
        fast: true,
        summary: "Whether an item may have been added to a Bloom filter",
        complexity: "O(layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let item = call.rest().first().copied().unwrap_or_default();
        look_up(
            call,
            || Reply::Bool(false),
            |filter| Reply::Bool(filter.contains(item)),
        )
    }
}

/// Whether items may have been added.
pub struct ExistsMany;

impl Command for ExistsMany {
    const META: Meta = Meta {
        name: "bf.mexists",
        arity: -3,
        access: Access::Read,
        fast: false,
        summary: "Whether items may have been added to a Bloom filter",
        complexity: "O(items * layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let items = call.rest();
        let list = |answers: Vec<bool>| Reply::List(answers.into_iter().map(Reply::Bool).collect());
        look_up(
            call,
            || list(vec![false; items.len()]),
            |filter| list(filter.contains_batch(items)),
        )
    }
}

/// Asks the filter. As in RedisBloom, a key that does not exist or holds something else has no items.
fn look_up(
    call: &Call<'_>,
    missing: impl Fn() -> Reply,
    ask: impl FnOnce(&bloomwise::AnyFilter) -> Reply,
) -> Result<Reply, ValkeyError> {
    let asked = call.read(|value| match value {
        Some(value) => Ok(ask(value.filter()?)),
        None => Ok(missing()),
    });
    match asked {
        Err(ValkeyError::WrongType) => Ok(missing()),
        other => other,
    }
}
