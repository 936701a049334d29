//! Adding items.

use crate::ffi::Call;
use crate::limits::Budget;
use crate::reply::Reply;
use crate::value::{Value, memory_of};
use bloomwise::{AnyFilter, Filter};
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
    let memory = memory_of(filter);
    match filter {
        AnyFilter::Growing(filter) => {
            let growth = filter
                .growth()
                .map_err(|error| Refused::Growth(error.to_string()))?;
            if growth > 0 {
                if filter.contains(item) {
                    return Ok(false);
                }
                let bytes = growth / 8;
                budget.take(memory + bytes, bytes).map_err(|error| {
                    crate::census::TOO_LARGE.add(1);
                    Refused::Growth(error.to_string())
                })?;
            }
            Ok(filter.insert(item))
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

/// Adds items, answers for each, and replicates the call if one was new. Behind the first item that a full filter refuses, no
/// further ones are tried.
///
/// # Errors
///
/// The key holds something else or is being loaded.
pub fn add_all(
    call: &Call<'_>,
    value: &mut Value,
    items: &[&[u8]],
    budget: &mut Budget,
) -> Result<Vec<Reply>, ValkeyError> {
    let mut replies = Vec::with_capacity(items.len());
    let mut changed = false;
    value.change(|filter| {
        for item in items {
            let added = add(filter, item, budget);
            changed |= added == Ok(true);
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
        call.replicate();
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
    fn growth_beyond_the_budget_is_refused_and_changes_nothing() {
        let mut growing = filter(Family::Growing, 100);
        let mut item = 0u32;
        let mut budget = Budget::unlimited();
        while growing.len() < 100 {
            item += 1;
            add(&mut growing, &item.to_le_bytes(), &mut budget).expect("unlimited");
        }
        let before = growing.clone();
        budget.take_for_reply(u64::MAX - 10).expect("so much");
        let refused = add(&mut growing, b"one more", &mut budget);
        assert!(matches!(refused, Err(Refused::Growth(_))), "{refused:?}");
        assert_eq!(growing, before);
        assert_eq!(
            add(&mut growing, &1u32.to_le_bytes(), &mut budget),
            Ok(false),
            "known"
        );
        assert_eq!(
            add(&mut growing, b"one more", &mut Budget::unlimited()),
            Ok(true)
        );
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
