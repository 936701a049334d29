//! The solver's ground: how few reads balance how well, as functions of numbers alone.
//!
//! # The idea
//!
//! Keys are balls, blocks are bins. A scheme may read `a` blocks for a key on average and `d` at most, and may leave a
//! share `gamma` of the keys to a list. Every read is one arrival at a random block, so a block of a filter with `r` keys
//! for each of its blocks sees a Poisson number of [`Arrivals`] of mean `a * r`. Nothing but a choice of which arrivals
//! to keep is left to the scheme. Keeping those that came to the emptiest blocks is the best anybody could do, even
//! with hindsight: [`Bound`] is that limit, and it does not depend on what a crowded block costs.
//!
//! A block that keeps its first `h` arrivals, one more with probability `p`, and no others, ends with two loads where the
//! limit has two loads, `h` and `h + 1`. [`Threshold`] finds the `h` and `p` that make them equal. What is left is how large
//! the list has to be for that, [`region`], and what a lookup then costs, [`lookup`].
//!
//! # A small example
//!
//! Eight keys for a block, 1.2 reads, 3 choices:
//!
//! ```
//! use bloomwise::balanced::theory::{Threshold, region};
//!
//! let turned_away = region::turned_away(1.2, 3);
//! let overflow = region::mht_overflow(1.2, 3);
//! let threshold = Threshold::solve(1.2, 8.0, overflow);
//! assert!((turned_away - 0.170820).abs() < 1e-6);
//! assert!((overflow - 0.0049845).abs() < 1e-7);
//! assert_eq!(threshold.level, 8);
//! assert!((threshold.coin - 0.53381).abs() < 1e-5);
//! ```
//!
//! # Costs
//!
//! Everything is a sum of positive terms over the loads a block can have, which are about `r` and some multiples of its
//! root. The closed forms of the paper subtract numbers that are almost the same: with 24 keys for a block and a coin of
//! 0.95, or with 100 and 0.62, no digit of them is right. The sums keep nine digits or more for `r` from 1 to 200, which
//! the tests check.
//!
//! # The paper
//!
//! | here | paper |
//! |---|---|
//! | [`Bound`] | Theorem 1, Figure 2 |
//! | [`Threshold::solve`] | the fixed points of Theorems 3, 4 and 5, which are one equation |
//! | [`region`] | the optimality regions of Theorems 4 and 5, Figure 3 |
//! | [`lookup`] | section IX, Figure 4 |

mod arrivals;
mod bound;
pub mod lookup;
pub mod region;
mod threshold;

pub use arrivals::Arrivals;
pub use bound::Bound;
pub use threshold::{Loads, Threshold};

/// The number between `low` and `high` at which a test that holds for small numbers ceases to hold. Each step halves the
/// interval; after [`ALL_DIGITS`] it is as small as a double can tell.
fn bisect(mut low: f64, mut high: f64, steps: u32, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..steps {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Steps of [`bisect`] for a number as exact as can be.
const ALL_DIGITS: u32 = 60;
