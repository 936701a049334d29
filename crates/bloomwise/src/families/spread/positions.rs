//! The positions of a key in code that is compiled for a layout and a number of functions.

use super::pairs::{next, pair};
use crate::families::probe;
use crate::keys::hash::Digest;
use crate::machine::prefetch;

/// A key walks: each position determines the next.
pub(super) const WALK: usize = 0;

/// Positions are anywhere in a small array.
pub(super) const SMALL: usize = 1;

/// Positions are in pairs that share a cache line.
pub(super) const LARGE: usize = 2;

/// The positions of `K` functions in one of these layouts. If `K` is 0, the number of functions is known only at run time.
#[derive(Clone, Copy)]
pub(crate) struct Positions<const LAYOUT: usize, const K: usize, const LOG: u32> {
    /// The number of cells.
    pub(super) cells: u64,
    /// The number of functions.
    pub(super) functions: u32,
}

impl<const LAYOUT: usize, const K: usize, const LOG: u32> Positions<LAYOUT, K, LOG> {
    /// Whether the array is in a core's own cache, so prefetching would cost more than it saves.
    #[inline(always)]
    pub(super) fn are_near(self) -> bool {
        self.cells << LOG <= prefetch::NEAR
    }

    #[inline(always)]
    fn functions(self) -> u32 {
        if K == 0 { self.functions } else { K as u32 }
    }

    /// The positions of a key that walks.
    #[inline(always)]
    fn walk(self, digest: Digest) -> impl Iterator<Item = usize> {
        probe::walk(digest, self.functions(), self.cells)
    }

    /// Calls `act` with each position of a key.
    #[inline(always)]
    pub(super) fn each(self, digest: Digest, mut act: impl FnMut(usize)) {
        if LAYOUT == WALK {
            return self.walk(digest).for_each(act);
        }
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            let [first, second] = pair::<LAYOUT, LOG>(number, self.cells);
            act(first);
            if function + 1 < self.functions() {
                act(second);
            }
            number = next(number, digest);
            function += 2;
        }
    }

    /// Calls `act` with a position on each line that a key reads.
    #[inline(always)]
    pub(super) fn each_line(self, digest: Digest, mut act: impl FnMut(usize)) {
        if LAYOUT != LARGE {
            return self.each(digest, act);
        }
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            act(pair::<LAYOUT, LOG>(number, self.cells)[0]);
            number = next(number, digest);
            function += 2;
        }
    }

    /// Whether `test` gives an odd number at all positions of a key. It tests all positions without a branch, unless the key walks: then the next
    /// position costs more than a branch.
    #[inline(always)]
    pub(super) fn all(self, digest: Digest, test: impl Fn(usize) -> u64) -> bool {
        if LAYOUT == WALK {
            return self.all_or_stop(digest, test);
        }
        let mut odd = 1;
        self.each(digest, |position| odd &= test(position));
        odd & 1 == 1
    }

    /// Whether `test` gives an odd number at all positions of a key. It stops after the first pair of positions that fails: three
    /// non-members in four fail at the first pair. If the key walks, it stops after the first position that fails.
    #[inline(always)]
    pub(crate) fn all_or_stop(self, digest: Digest, test: impl Fn(usize) -> u64) -> bool {
        if LAYOUT == WALK {
            return self.walk(digest).all(|position| test(position) & 1 == 1);
        }
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            let [first, second] = pair::<LAYOUT, LOG>(number, self.cells);
            let mut odd = test(first);
            if function + 1 < self.functions() {
                odd &= test(second);
            }
            if odd & 1 == 0 {
                return false;
            }
            number = next(number, digest);
            function += 2;
        }
        true
    }
}
