//! The few bits of a block that say how full it is, and whether it has turned anybody away.
//!
//! A block takes keys while its load is below the level `h`. At the level it takes a key that wins the coin, and one
//! above it none. So there are `h + 4` states, and they are numbered so that taking a key always adds one, and turning the
//! first key away adds two:
//!
//! ```text
//! state              0   1  ...  h-1    h   h+1    h+2   h+3
//! load               0   1  ...  h-1    h   h+1     h    h+1
//! turned away                                      yes   yes
//! ```
//!
//! The paper counts loads alone, in `ceil(log2(h + 2))` bits. The other two states cost nothing unless `h` is 1 or 2 below a
//! power of two less two, and a lookup can stop at every block that has turned nobody away.

/// What the states of a block mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gauge {
    /// The load from which on keys are turned away.
    level: u32,
    /// A key wins if it draws less, out of 65536.
    coin: u32,
    /// The bits that a state takes; follows from the level.
    bits: u32,
}

impl Gauge {
    /// The highest level: more keys than any block can tell apart.
    pub(super) const MAX_LEVEL: u32 = 1020;

    /// What all draws are below.
    pub(super) const CERTAIN: u32 = 1 << 16;

    /// The gauge of this level and coin.
    pub(super) fn new(level: u32, coin: u32) -> Self {
        let bits = u32::BITS - (level + 3).leading_zeros();
        Gauge { level, coin, bits }
    }

    /// The load from which on keys are turned away.
    pub(super) fn level(self) -> u32 {
        self.level
    }

    /// A key wins if it draws less, out of 65536.
    pub(super) fn coin(self) -> u32 {
        self.coin
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

    /// Whether there is such a state.
    pub(super) fn knows(self, state: u64) -> bool {
        state <= u64::from(self.level) + 3
    }

    /// The load of a block.
    pub(super) fn load(self, state: u64) -> u64 {
        match self.has_turned_away(state) {
            true => state - 2,
            false => state,
        }
    }

    /// Whether a block has turned a key away.
    #[inline]
    pub(super) fn has_turned_away(self, state: u64) -> bool {
        state > u64::from(self.level) + 1
    }

    /// The state of a block after a key has come to it that has drawn this, and whether the block takes the key.
    #[inline]
    pub(super) fn after(self, state: u64, draw: u32) -> (u64, bool) {
        let load = self.load(state);
        let level = u64::from(self.level);
        if load < level || load == level && draw < self.coin {
            (state + 1, true)
        } else if self.has_turned_away(state) {
            (state, false)
        } else {
            (state + 2, false)
        }
    }

    /// Whether a block in this state may have turned away a key that has drawn this.
    #[inline]
    pub(super) fn may_have_turned_away(self, state: u64, draw: u32) -> bool {
        let level = u64::from(self.level);
        state == level + 3 || state == level + 2 && draw >= self.coin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_count_and_never_forgets_whom_it_turned_away(
            level in 0u32..20,
            coin in 0u32..=Gauge::CERTAIN,
            draws in prop::collection::vec(0u32..Gauge::CERTAIN, 0..40),
        ) {
            let gauge = Gauge::new(level, coin);
            let (mut state, mut load) = (0, 0);
            let mut turned_away = Vec::new();
            for draw in draws {
                let takes = load < level || load == level && draw < coin;
                let (next, taken) = gauge.after(state, draw);
                prop_assert_eq!(taken, takes);
                state = next;
                match takes {
                    true => load += 1,
                    false => turned_away.push(draw),
                }
                prop_assert_eq!(gauge.load(state), u64::from(load));
                prop_assert_eq!(gauge.has_turned_away(state), !turned_away.is_empty());
                prop_assert!(gauge.knows(state) && state < 1 << gauge.bits());
                prop_assert!(turned_away.iter().all(|&draw| gauge.may_have_turned_away(state, draw)));
            }
        }
    }

    #[test]
    fn states_take_as_many_bits_as_they_need() {
        for (level, bits) in [
            (0, 2),
            (1, 3),
            (4, 3),
            (5, 4),
            (8, 4),
            (12, 4),
            (13, 5),
            (1020, 10),
        ] {
            assert_eq!(Gauge::new(level, 0).bits(), bits, "{level}");
        }
    }
}
