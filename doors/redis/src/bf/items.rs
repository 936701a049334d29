//! Adding items.

use crate::ffi::{Call, Target};
use crate::growth::insert;
use crate::limits::Budget;
use crate::reply::Reply;
use bloomwise::{AnyFilter, Filter, Insert};
use valkey_module::ValkeyError;

/// Why an item was not added.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A filter that does not grow holds as many items as it was made for.
    #[error("ERR non scaling filter is full")]
    Full,
    /// The next layer is too large.
    #[error("ERR problem inserting into filter: {0}")]
    Growth(String),
    /// The key holds a filter of another kind.
    #[error("ERR the key holds a {0} filter; use BW.ADD")]
    Kind(&'static str),
}

/// Adds an item and returns whether it is new.
///
/// # Errors
///
/// The filter is full, may not grow, or is of another kind. It is unchanged.
pub fn add(filter: &mut AnyFilter, item: &[u8], budget: &mut Budget) -> Result<bool, Refused> {
    match filter {
        AnyFilter::Growing(_) => {
            insert(filter, item, budget).map_err(|error| Refused::Growth(error.to_string()))
        }
        AnyFilter::Bloom(filter) => {
            if filter.contains(item) {
                return Ok(false);
            }
            match filter.capacity() {
                Some(capacity) if filter.len() >= capacity => Err(Refused::Full),
                _ => Ok(filter.insert(item)),
            }
        }
        other => Err(Refused::Kind(other.family().name())),
    }
}

/// Adds items, answers for each, and replicates those that were accepted if one was new. After the first item that a full filter refuses, no
/// further ones are tried.
///
/// # Errors
///
/// The key holds something else or is being loaded.
pub fn add_all(
    call: &Call<'_>,
    target: Target<'_>,
    items: &[&[u8]],
) -> Result<Vec<Reply>, ValkeyError> {
    let mut replies = Vec::with_capacity(items.len());
    let (mut accepted, mut changed) = (Vec::with_capacity(items.len()), false);
    let Target { value, budget, .. } = target;
    value.change(|filter| {
        for item in items {
            let added = add(filter, item, budget);
            changed |= added == Ok(true);
            accepted.extend(added.is_ok().then_some(*item));
            let last = matches!(added, Err(Refused::Full | Refused::Kind(_)));
            replies.push(match added {
                Ok(new) => Reply::Bool(new),
                Err(refused) => Reply::Error(refused.to_string()),
            });
            if last {
                break;
            }
        }
        Ok(())
    })?;
    if changed {
        call.replicate_items("bf.madd", &accepted, items.len());
        call.notify("bf.add");
    }
    Ok(replies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Size, Spec};

    fn filter(family: Family, capacity: u64) -> AnyFilter {
        let spec = Spec::new(family).size(Size::Rate(0.001)).capacity(capacity);
        spec.create().expect("sound")
    }

    #[test]
    fn filter_that_does_not_grow_is_full_at_its_capacity() {
        let mut fixed = filter(Family::Bloom, 3);
        let mut budget = Budget::unlimited();
        for item in ["a", "b", "c"] {
            assert_eq!(add(&mut fixed, item.as_bytes(), &mut budget), Ok(true));
            assert_eq!(
                add(&mut fixed, item.as_bytes(), &mut budget),
                Ok(false),
                "known"
            );
        }
        assert_eq!(add(&mut fixed, b"d", &mut budget), Err(Refused::Full));
        assert_eq!(add(&mut fixed, b"a", &mut budget), Ok(false), "still known");
        assert_eq!(fixed.len(), 3);
    }

    #[test]
    fn other_kinds_are_refused() {
        let refused = add(
            &mut filter(Family::Cuckoo, 10),
            b"a",
            &mut Budget::unlimited(),
        );
        assert_eq!(refused, Err(Refused::Kind("cuckoo")));
    }
}
