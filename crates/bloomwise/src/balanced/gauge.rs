//! The few bits of a block that say how full it is, and whom it has turned away.
//!
//! A block takes keys while its load is below the level `h`. At the level it takes a key that wins the coin, and one
//! above it none. Those that it turns away it notes: every key belongs to one of `g` groups, and the block has a note for
//! each group of which it has turned away a key. A lookup goes on to the next block only if the group of its key is noted.
//!
//! Only blocks at the level or above have notes, so that load and notes together are one of `h + 2 * 2^g` states. They are
//! numbered so that taking a key always adds one, and noting group `i` adds `2 * 2^i`. With level 3 and two groups:
//!
//! ```text
//! state    0  1  2  3  4  5  6  7  8  9 10
//! load     0  1  2  3  4  3  4  3  4  3  4
//! notes    -  -  -  -  -  0  0  1  1  01 01
//! ```
//!
//! The paper counts loads alone, in `ceil(log2(h + 2))` bits. One more bit or two for notes pay, because strangers then read
//! fewer blocks and are mistaken less often; how many is part of the plan.

use super::tables::Candidate;

/// What the states of a block mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gauge {
    /// The load from which on keys are turned away.
    level: u32,
    /// A key wins if it draws less, out of 65536.
    coin: u32,
    /// Groups of keys that have a note each.
    groups: u32,
    /// The bits that a state takes; follows from level and groups.
    bits: u32,
}

impl Gauge {
    /// The highest level: more keys than any block can tell apart.
    pub(super) const MAX_LEVEL: u32 = 1020;

    /// The most groups.
    pub(super) const MAX_GROUPS: u32 = 12;

    /// What all draws are below.
    pub(super) const CERTAIN: u32 = 1 << 16;

    /// The gauge of this level and coin, with notes for so many groups, of which there is at least one.
    pub(super) fn new(level: u32, coin: u32, groups: u32) -> Self {
        let highest = level + (2 << groups) - 1;
        Gauge {
            level,
            coin,
            groups,
            bits: u32::BITS - highest.leading_zeros(),
        }
    }

    /// The most groups that a state of so many bits can note; 0 if there are none.
    pub(super) fn groups_in(level: u32, bits: u32) -> u32 {
        let states = (1u32 << bits).saturating_sub(level);
        states
            .checked_ilog2()
            .map_or(0, |log| log.saturating_sub(1))
            .min(Self::MAX_GROUPS)
    }

    /// The load from which on keys are turned away.
    pub(super) fn level(self) -> u32 {
        self.level
    }

    /// A key wins if it draws less, out of 65536.
    pub(super) fn coin(self) -> u32 {
        self.coin
    }

    /// Groups of keys that have a note each.
    pub(super) fn groups(self) -> u32 {
        self.groups
    }

    /// How likely a key loses the coin.
    pub(super) fn unlucky(self) -> f64 {
        1.0 - f64::from(self.coin) / f64::from(Self::CERTAIN)
    }

    /// The bits that a state takes.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.bits
    }

    /// The highest state.
    pub(super) fn highest(self) -> u64 {
        u64::from(self.level) + (2 << self.groups) - 1
    }

    /// The load of a block.
    #[inline]
    pub(super) fn load(self, state: u64) -> u64 {
        let level = u64::from(self.level);
        if state < level {
            state
        } else {
            level + (state - level) % 2
        }
    }

    /// The groups that a block has noted, a bit for each.
    #[inline]
    pub(super) fn notes(self, state: u64) -> u64 {
        state.saturating_sub(u64::from(self.level)) / 2
    }

    /// The state of a block after a key has come to it, and whether the block takes the key.
    #[inline]
    pub(super) fn after(self, state: u64, key: Candidate) -> (u64, bool) {
        let (load, level) = (self.load(state), u64::from(self.level));
        if load < level || load == level && key.draw < self.coin {
            return (state + 1, true);
        }
        let note = 1 << self.group(key);
        let noted = self.notes(state) & note != 0;
        (if noted { state } else { state + 2 * note }, false)
    }

    /// Whether a block in this state may have turned away a key: its group is noted, and it would not have been taken.
    #[inline]
    pub(super) fn may_have_turned_away(self, state: u64, key: Candidate) -> bool {
        let noted = self.notes(state) >> self.group(key) & 1 == 1;
        noted & (self.load(state) > u64::from(self.level) || key.draw >= self.coin)
    }

    /// The group of a key.
    #[inline]
    fn group(self, key: Candidate) -> u32 {
        (key.lot * self.groups) >> 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_count_and_never_forgets_whom_it_turned_away(
            level in 0u32..20,
            coin in 0u32..=Gauge::CERTAIN,
            groups in 1u32..=Gauge::MAX_GROUPS,
            keys in prop::collection::vec((0u32..Gauge::CERTAIN, 0u32..1 << 16), 0..40),
        ) {
            let gauge = Gauge::new(level, coin, groups);
            let (mut state, mut load) = (0, 0);
            let mut turned_away = Vec::new();
            for (draw, lot) in keys {
                let key = Candidate { block: 0, draw, lot };
                let takes = load < level || load == level && draw < coin;
                let (next, taken) = gauge.after(state, key);
                prop_assert_eq!(taken, takes);
                state = next;
                match takes {
                    true => load += 1,
                    false => turned_away.push(key),
                }
                prop_assert_eq!(gauge.load(state), u64::from(load));
                prop_assert!(state <= gauge.highest() && gauge.highest() < 1 << gauge.bits());
                prop_assert!(turned_away.iter().all(|&key| gauge.may_have_turned_away(state, key)));
                let noted: BTreeSet<u32> = turned_away.iter().map(|&key| gauge.group(key)).collect();
                let notes: u64 = noted.iter().map(|group| 1 << group).sum();
                prop_assert_eq!(gauge.notes(state), notes);
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
            assert_eq!(Gauge::new(level, 0, groups).bits(), bits, "{level}");
            assert!(Gauge::groups_in(level, bits) >= groups);
        }
        assert_eq!(Gauge::groups_in(8, 3), 0);
        assert_eq!(Gauge::groups_in(7, 3), 0);
        assert_eq!(Gauge::groups_in(8, 4), 2);
    }
}
