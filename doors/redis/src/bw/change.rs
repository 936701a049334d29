//! `BW.ADD key item [item ...]` and `BW.REM key item [item ...]`

use super::NOT_FOUND;
use crate::ffi::{Access, Call, Command, Meta};
use crate::growth::insert;
use crate::limits::Budget;
use crate::reply::Reply;
use bloomwise::{AnyFilter, Filter, Operation};
use valkey_module::ValkeyError;

/// Adds items.
pub struct Add;

impl Command for Add {
    const META: Meta = Meta {
        name: "bw.add",
        arity: -3,
        access: Access::Insert,
        fast: false,
        summary: "Adds items to a filter and says which are new",
        complexity: "O(items)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        change_all(call, Operation::Insert, "bw.add", add)
    }
}

/// Adds an item and returns what the answer is and whether the filter has changed.
fn add(
    filter: &mut AnyFilter,
    item: &[u8],
    budget: &mut Budget,
) -> Result<(bool, bool), ValkeyError> {
    let before = filter.len();
    let new = insert(filter, item, budget)?;
    Ok((new, new || filter.len() != before))
}

/// Removes items.
pub struct Remove;

impl Command for Remove {
    const META: Meta = Meta {
        name: "bw.rem",
        arity: -3,
        access: Access::Update,
        fast: false,
        summary: "Removes items that were added to a filter",
        complexity: "O(items)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        change_all(call, Operation::Remove, "bw.rem", |filter, item, _| {
            let removed = filter.remove(item)?;
            Ok((removed, removed))
        })
    }
}

/// Changes the filter with each item in turn. An item that fails answers with its error, and the others go on. Replicates the items that did not fail.
fn change_all(
    call: &Call<'_>,
    operation: Operation,
    event: &str,
    change: impl Fn(&mut AnyFilter, &[u8], &mut Budget) -> Result<(bool, bool), ValkeyError>,
) -> Result<Reply, ValkeyError> {
    let items = call.rest();
    let (mut replies, mut changed) = (Vec::with_capacity(items.len()), false);
    let mut accepted = Vec::with_capacity(items.len());
    let mut run = |filter: &mut AnyFilter, budget: &mut Budget| {
        filter.check_operation(operation)?;
        for item in items {
            replies.push(match change(filter, item, budget) {
                Ok((answer, changes)) => {
                    changed |= changes;
                    accepted.push(*item);
                    Reply::Bool(answer)
                }
                Err(error) => Reply::Error(error.to_string()),
            });
        }
        Ok(())
    };
    call.write_or(
        |_| Err(NOT_FOUND),
        |target| target.value.change(|filter| run(filter, target.budget)),
    )?;
    if changed {
        call.replicate_items(event, &accepted, items.len());
        call.notify(event);
    }
    Ok(Reply::one_or_many(items.len() == 1, replies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Size, Spec};

    #[test]
    fn adding_tells_new_items_from_changes() {
        let spec = |family| Spec::new(family).size(Size::BitsPerKey(40.0)).capacity(100);
        let mut budget = Budget::unlimited();
        // A counting filter counts an item twice, a growing one does not.
        for (family, again) in [(Family::Counting, true), (Family::Growing, false)] {
            let mut filter = spec(family).create().expect("sound");
            assert_eq!(
                add(&mut filter, b"a", &mut budget).expect("room"),
                (true, true)
            );
            assert_eq!(
                add(&mut filter, b"a", &mut budget).expect("room"),
                (false, again)
            );
        }
    }
}
