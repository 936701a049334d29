//! Memory that may not be there: allocations that return an error instead of ending the program.

use crate::error::{Error, Result};

/// What memory is needed for. The error names it and says how to need less.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Need {
    /// The cells of a filter, or what is read with them.
    Cells,
    /// The keys that a filter is built from.
    Keys,
    /// The counters and the names of a learner.
    Learner,
}

impl Need {
    /// The error if this many bytes are not available.
    pub fn refused(self, bytes: u64) -> Error {
        let (what, instead) = match self {
            Need::Cells => ("the cells", "ask for a smaller filter"),
            Need::Keys => ("the keys", "give fewer keys at once, or use more shards"),
            Need::Learner => (
                "the counters of the learner",
                "give the learner less memory",
            ),
        };
        Error::OutOfMemory {
            what,
            bytes,
            instead,
        }
    }
}

/// `count` items of value `zero`. Returns an error if there is not enough memory.
pub(crate) fn zeroed<T: Clone>(count: u64, zero: T, need: Need) -> Result<Vec<T>> {
    let mut items = Vec::new();
    reserve(&mut items, count, need)?;
    // That many items were reserved, so the cast is exact.
    items.resize(count as usize, zero);
    Ok(items)
}

/// Reserves room for `count` items. Returns an error if there is not enough memory.
pub(crate) fn reserve<T>(items: &mut Vec<T>, count: u64, need: Need) -> Result<()> {
    let refused = || need.refused(count.saturating_mul(size_of::<T>() as u64));
    let count = usize::try_from(count).map_err(|_| refused())?;
    items.try_reserve_exact(count).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_the_memory_was_for() {
        for (need, what) in [
            (Need::Cells, "the cells need 16 bytes; ask for a smaller"),
            (Need::Keys, "the keys need 16 bytes; give fewer keys"),
            (Need::Learner, "the learner need 16 bytes; give the learner"),
        ] {
            let text = need.refused(16).to_string();
            assert!(text.contains(what), "{text}");
        }
        let refused = zeroed(1 << 62, 0u64, Need::Keys).expect_err("no machine has that much");
        assert!(matches!(refused, Error::OutOfMemory { bytes, .. } if bytes == u64::MAX));
    }
}
