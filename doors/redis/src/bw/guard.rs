//! `BW.GUARD key item [COST cost] [item [COST cost] ...]`
//!
//! The client vouches that the items are not in the set. A `cuckoo` filter denies them from now on; `seesaw-adaptive` makes them less likely to be
//! false positives. Use `BW.MISS` for items that were just looked up while others insert.

use super::NOT_FOUND;
use crate::arguments::{Cursor, real, shown};
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use bloomwise::{Filter, Operation};
use valkey_module::ValkeyError;

/// Guards items that are not in the set.
pub struct Guard;

impl Command for Guard {
    const META: Meta = Meta {
        name: "bw.guard",
        arity: -3,
        access: Access::Update,
        fast: false,
        summary: "Protects items that are not in the set from being false positives",
        complexity: "O(items)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let items = parse(call.rest())?;
        let answers = call.write_or(
            |_| Err(NOT_FOUND),
            |target| {
                target.value.change(|filter| {
                    filter.check_operation(Operation::Guard)?;
                    let mut answers = Vec::with_capacity(items.len());
                    for &(item, cost) in &items {
                        filter.guard(item, cost)?;
                        answers.push(Reply::Bool(!filter.contains(item)));
                    }
                    Ok(answers)
                })
            },
        )?;
        call.replicate();
        call.notify("bw.guard");
        Ok(Reply::one_or_many(items.len() == 1, answers))
    }
}

/// Reads items and their costs; an item without one costs 1.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Vec<(&'a [u8], f64)>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let mut items = Vec::with_capacity(arguments.len());
    while let Some(item) = cursor.next() {
        let cost = match cursor.skip("COST") {
            true => cost(cursor.expect()?)?,
            false => 1.0,
        };
        items.push((item, cost));
    }
    Ok(items)
}

/// Reads a cost.
pub fn cost(text: &[u8]) -> Result<f64, ValkeyError> {
    let cost = real(text).filter(|cost| cost.is_finite() && *cost >= 0.0);
    cost.ok_or_else(|| {
        let text = format!(
            "ERR the cost is {}, expected a finite number of at least 0",
            shown(text)
        );
        ValkeyError::String(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_costs() {
        let arguments: [&[u8]; 6] = [b"a", b"cost", b"2.5", b"b", b"c", b"x"];
        let items = parse(&arguments).expect("sound");
        assert_eq!(
            items,
            [(&b"a"[..], 2.5), (b"b", 1.0), (b"c", 1.0), (b"x", 1.0)]
        );
        assert!(parse(&[b"a", b"COST"]).is_err());
        for wrong in ["-1", "inf", "nan", "x", ""] {
            let error = cost(wrong.as_bytes()).expect_err(wrong).to_string();
            assert!(error.contains("a finite number of at least 0"), "{error}");
        }
    }
}
