//! The state of a block: a few bits that say how full it is and which groups of keys it has rejected.
//!
//! A block accepts keys while its load is below the level `h`. At the level it accepts a key that wins the coin toss. One
//! above the level it accepts none. Every key belongs to one of `g` groups. When a block rejects a key, it records the
//! key's group. A lookup continues to the next block only if the block has recorded the group of its key.
//!
//! Only blocks at the level or above have records, so load and records together are one of `h + 2 * 2^g` states. The
//! numbering makes accepting a key always add one, and recording group `i` add `2 * 2^i`. With level 3 and two groups:
//!
//! ```text
//! state      0  1  2  3  4  5  6  7  8  9 10
//! load       0  1  2  3  4  3  4  3  4  3  4
//! recorded   -  -  -  -  -  0  0  1  1  01 01
//! ```
//!
//! The paper stores only the load, in `ceil(log2(h + 2))` bits. One or two more bits for records pay: non-members then
//! read fewer blocks and cause fewer false positives. The plan chooses the number of groups.

use super::tables::Candidate;

/// How the state of a block encodes its load and the groups it has rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockState {
    /// The load from which a block rejects keys.
    level: u32,
    /// A key wins the coin toss if its draw is below this, out of [`BlockState::DRAWS`].
    coin: u32,
    /// The number of groups of keys; a block has a record for each.
    groups: u32,
    /// The bits of a state; follows from `level` and `groups`.
    bits: u32,
}

impl BlockState {
    /// The highest level: more keys than a block of 512 bits can usefully hold.
    pub(super) const MAX_LEVEL: u32 = 1020;

    /// The largest number of groups.
    pub(super) const MAX_GROUPS: u32 = 12;

    /// The number of values that a draw can have; all draws are below it.
    pub(super) const DRAWS: u32 = 1 << 16;

    /// The encoding for this `level` and `coin`, with records for `groups` groups, at least one.
    pub(super) fn new(level: u32, coin: u32, groups: u32) -> Self {
        let highest = level + (2 << groups) - 1;
        BlockState {
            level,
            coin,
            groups,
            bits: u32::BITS - highest.leading_zeros(),
        }
    }

    /// The largest number of groups that a state of `bits` bits has records for; 0 if it has room for none.
    pub(super) fn groups_in(level: u32, bits: u32) -> u32 {
        let states = (1u32 << bits).saturating_sub(level);
        states
            .checked_ilog2()
            .map_or(0, |log| log.saturating_sub(1))
            .min(Self::MAX_GROUPS)
    }

    /// The load from which a block rejects keys.
    pub(super) fn level(self) -> u32 {
        self.level
    }

    /// A key wins the coin toss if its draw is below this, out of [`BlockState::DRAWS`].
    pub(super) fn coin(self) -> u32 {
        self.coin
    }

    /// The number of groups of keys.
    pub(super) fn groups(self) -> u32 {
        self.groups
    }

    /// The probability that a key loses the coin toss.
    pub(super) fn losing_chance(self) -> f64 {
        1.0 - f64::from(self.coin) / f64::from(Self::DRAWS)
    }

    /// The number of bits of a state.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.bits
    }

    /// The highest state that exists.
    pub(super) fn highest(self) -> u64 {
        u64::from(self.level) + (2 << self.groups) - 1
    }

    /// The load of a block in this state.
    #[inline]
    pub(super) fn load(self, state: u64) -> u64 {
        let level = u64::from(self.level);
        if state < level {
            state
        } else {
            level + (state - level) % 2
        }
    }

    /// The groups that a block in this state has rejected a key of, one bit per group.
    #[inline]
    pub(super) fn recorded(self, state: u64) -> u64 {
        state.saturating_sub(u64::from(self.level)) / 2
    }

    /// The state of a block after it was offered a key, and whether the block accepts the key.
    #[inline]
    pub(super) fn after(self, state: u64, key: Candidate) -> (u64, bool) {
        let (load, level) = (self.load(state), u64::from(self.level));
        if load < level || load == level && key.coin_draw < self.coin {
            return (state + 1, true);
        }
        let record = 1 << self.group(key);
        let is_recorded = self.recorded(state) & record != 0;
        let next = if is_recorded {
            state
        } else {
            state + 2 * record
        };
        (next, false)
    }

    /// Whether a block in this state may have rejected a key: it has recorded the key's group, and load and coin toss do
    /// not rule a rejection out.
    #[inline]
    pub(super) fn may_have_rejected(self, state: u64, key: Candidate) -> bool {
        // 0 below the level, else the load above the level in the lowest bit and the records in the others.
        let above = state.saturating_sub(u64::from(self.level));
        let is_recorded = above >> self.group(key) >> 1;
        let can_reject = above | u64::from(key.coin_draw >= self.coin);
        is_recorded & can_reject & 1 == 1
    }

    /// The group of a key at this block.
    #[inline]
    fn group(self, key: Candidate) -> u32 {
        (key.group_draw * self.groups) >> 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn load_is_counted_and_every_rejected_group_stays_recorded(
            level in 0u32..20,
            coin in 0u32..=BlockState::DRAWS,
            groups in 1u32..=BlockState::MAX_GROUPS,
            keys in prop::collection::vec((0u32..BlockState::DRAWS, 0u32..1 << 16), 0..40),
        ) {
            let block_state = BlockState::new(level, coin, groups);
            let (mut state, mut load) = (0, 0);
            let mut rejected = Vec::new();
            for (coin_draw, group_draw) in keys {
                let key = Candidate { block: 0, coin_draw, group_draw };
                let accepts = load < level || load == level && coin_draw < coin;
                let (next, accepted) = block_state.after(state, key);
                prop_assert_eq!(accepted, accepts);
                state = next;
                if accepts {
                    load += 1;
                } else {
                    rejected.push(key);
                }
                prop_assert_eq!(block_state.load(state), u64::from(load));
                prop_assert!(state <= block_state.highest() && block_state.highest() < 1 << block_state.bits());
                prop_assert!(rejected.iter().all(|&key| block_state.may_have_rejected(state, key)));
                let groups: BTreeSet<u32> = rejected.iter().map(|&key| block_state.group(key)).collect();
                let recorded: u64 = groups.iter().map(|group| 1 << group).sum();
                prop_assert_eq!(block_state.recorded(state), recorded);
            }
        }
    }

    #[test]
    fn states_take_as_many_bits_as_they_need() {
        for (level, groups, bits) in [
            (0, 1, 2),
            (1, 1, 3),
            (4, 1, 3),
            (5, 1, 4),
            (8, 2, 4),
            (8, 3, 5),
            (1020, 1, 10),
        ] {
            assert_eq!(BlockState::new(level, 0, groups).bits(), bits, "{level}");
            assert!(BlockState::groups_in(level, bits) >= groups);
        }
        assert_eq!(BlockState::groups_in(8, 3), 0);
        assert_eq!(BlockState::groups_in(7, 3), 0);
        assert_eq!(BlockState::groups_in(8, 4), 2);
    }
}
