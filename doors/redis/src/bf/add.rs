//! `BF.ADD key item` and `BF.MADD key item [item ...]`

use super::items::add_all;
use super::options::Options;
use crate::ffi::{Access, Call, Command, Meta};
use crate::hashing::Secret;
use crate::reply::Reply;
use valkey_module::ValkeyError;

/// Adds an item.
pub struct Add;

impl Command for Add {
    const META: Meta = Meta {
        name: "bf.add",
        arity: 3,
        access: Access::Insert,
        fast: true,
        summary: "Adds an item to a Bloom filter, which is created if there is none",
        complexity: "O(layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        Ok(Reply::one_or_many(true, add(call)?))
    }
}

/// Adds items.
pub struct AddMany;

impl Command for AddMany {
    const META: Meta = Meta {
        name: "bf.madd",
        arity: -3,
        access: Access::Insert,
        fast: false,
        summary: "Adds items to a Bloom filter, which is created if there is none",
        complexity: "O(items * layers)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        Ok(Reply::one_or_many(false, add(call)?))
    }
}

/// Adds all items of a call.
fn add(call: &Call<'_>) -> Result<Vec<Reply>, ValkeyError> {
    call.write_or(
        |budget| Options::configured().create(call, budget, &Secret::new()?),
        |target| add_all(call, target, call.rest()),
    )
}
