//! Joins shards that belong together.

use super::MAX_SHARDS;
use super::filter::Sharded;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result, expect_equal};
use crate::filter::Filter;
use crate::filter::family::Operation;
use std::ops::Range;

impl Sharded {
    /// Joins shards that belong together, in any order, to one filter.
    ///
    /// # Errors
    ///
    /// They have different plans, a shard is missing, or a shard occurs twice; or no shard has keys or a capacity, and the family accepts keys
    /// later ([`Error::NoCapacity`]).
    pub fn join(ranges: Vec<Self>) -> Result<AnyFilter> {
        let shards = Self::joined(ranges)?;
        // Some shards may be empty, but not all.
        let has_plan = !shards.is_empty() || shards.capacity().is_some();
        if !has_plan && shards.family().can(Operation::Insert) {
            return Err(Error::NoCapacity);
        }
        Ok(AnyFilter::Sharded(shards))
    }

    /// The shards of all ranges.
    fn joined(mut ranges: Vec<Self>) -> Result<Self> {
        ranges.sort_by_key(|range| range.first);
        let wrong = |got: String| {
            let expected = "each shard once";
            Err(Error::parameter("the list of parts", got, expected))
        };
        let Some(head) = ranges.first() else {
            return wrong("none".to_string());
        };
        let (plan, of, mut next) = (head.plan, head.of, 0);
        for range in &ranges {
            expect_equal("number of shards", of, range.of)?;
            let (first, count) = range.range();
            if range.plan != plan {
                let last = first + count - 1;
                return wrong(format!(
                    "with shards {first} to {last}, built with another kind, size or setting than shard {}",
                    head.first
                ));
            }
            if first > next {
                return wrong(format!("without shard {next}"));
            }
            if first < next {
                return wrong(format!("with shard {first} twice"));
            }
            next += count;
        }
        if next < of {
            return wrong(format!("without shard {next}"));
        }
        let sound = ranges
            .iter()
            .flat_map(|range| range.sound.clone())
            .collect();
        let parts = ranges.into_iter().flat_map(|range| range.parts).collect();
        Ok(Sharded {
            sound,
            ..Self::over(plan, of, 0, parts)?
        })
    }
}

/// Returns an error unless the range is not empty and ends within `of` shards, and `of` is an allowed number.
pub(crate) fn check_range(of: u64, range: &Range<u64>) -> Result<()> {
    if !(1..=MAX_SHARDS).contains(&of) {
        let expected = format!("a number from 1 to {MAX_SHARDS}");
        return Err(Error::parameter("the number of shards", of, expected));
    }
    if range.is_empty() || range.end > of {
        let count = range.end.saturating_sub(range.start);
        let got = format!("{count} starting at number {}", range.start);
        let expected = format!("at least one, and those of a filter of {of}");
        return Err(Error::parameter("the range of shards", got, expected));
    }
    Ok(())
}
