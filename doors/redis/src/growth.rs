//! Adding an item to a filter that may grow: the size of the next layer is compared with the limits first.

use crate::limits::{Budget, TooLarge};
use crate::value::memory_of;
use bloomwise::{AnyFilter, Error};

/// Why an item was not added.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum Refused {
    /// The filter refuses it.
    Filter(#[from] Error),
    /// The next layer is too large.
    TooLarge(#[from] TooLarge),
}

/// Adds an item, if the budget allows what the filter grows by, and returns whether the item is new.
///
/// # Errors
///
/// The filter is full or has a fixed set, or the limits do not allow the next layer. The filter is unchanged.
pub fn insert(filter: &mut AnyFilter, item: &[u8], budget: &mut Budget) -> Result<bool, Refused> {
    let bytes = filter.growth(item)? / 8;
    if bytes > 0 {
        budget.take(memory_of(filter) + bytes, bytes)?;
    }
    Ok(filter.insert(item)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Filter, Size, Spec};

    #[test]
    fn growth_beyond_the_budget_is_refused_and_changes_nothing() {
        let spec = Spec::new(Family::Growing).size(Size::Rate(0.001));
        let mut growing = spec.capacity(100).create().expect("sound");
        let (mut item, mut budget) = (0u32, Budget::unlimited());
        while growing.len() < 100 {
            item += 1;
            insert(&mut growing, &item.to_le_bytes(), &mut budget).expect("unlimited");
        }
        let before = growing.clone();
        budget.spend(u64::MAX - 10).expect("so much");
        let refused = insert(&mut growing, b"one more", &mut budget);
        assert!(matches!(refused, Err(Refused::TooLarge(_))), "{refused:?}");
        assert_eq!(growing, before);
        let again = insert(&mut growing, &1u32.to_le_bytes(), &mut budget);
        assert!(!again.expect("known"));
        let mut enough = Budget::unlimited();
        assert!(insert(&mut growing, b"one more", &mut enough).expect("room"));
    }
}
