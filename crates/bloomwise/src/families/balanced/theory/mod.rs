//! The theory of balanced filters: how evenly a number of reads can fill the blocks, as pure functions of numbers.
//!
//! # The idea
//!
//! Keys are balls, blocks are bins. A scheme may read `a` blocks per key on average and `d` at most, and may put a share
//! `gamma` of the keys into a list. Every read is one arrival at a random block. So in a filter with `r` keys per block, a
//! block sees a Poisson number of [`Arrivals`] with mean `a * r`. The scheme only chooses which arrivals to keep. The best
//! choice, even with hindsight, keeps the arrivals at the emptiest blocks. [`Bound`] is that limit. It does not depend on
//! what a crowded block costs.
//!
//! Under the limit the highest loads are `h` and `h + 1`. A block that keeps its first `h` arrivals, then one more with
//! probability `p`, and no others, has the same highest loads. [`Threshold`] finds the `h` and `p` that make their shares
//! equal to those of the limit. [`region`] computes how long the list must be for that, and [`lookup`] what a lookup then
//! costs.
//!
//! # A small example
//!
//! Eight keys per block, 1.2 reads, 3 choices:
//!
//! ```
//! use bloomwise::balanced::theory::{Threshold, region};
//!
//! let rejected_share = region::rejected_share(1.2, 3);
//! let overflow = region::mht_overflow(1.2, 3);
//! let threshold = Threshold::solve(1.2, 8.0, overflow);
//! assert!((rejected_share - 0.170820).abs() < 1e-6);
//! assert!((overflow - 0.0049845).abs() < 1e-7);
//! assert_eq!(threshold.level, 8);
//! assert!((threshold.coin - 0.53381).abs() < 1e-5);
//! ```
//!
//! # Costs
//!
//! Every value is a sum of positive terms over the likely loads of a block: `r`, give or take a few times its square root.
//! The paper's closed forms subtract nearly equal numbers. With 24 keys per block and a coin of 0.95, or with 100 keys and
//! a coin of 0.62, they have no correct digit. The sums have at least nine correct digits for `r` from 1 to 200; the tests
//! check this.
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

use crate::filter::bisect::bisect;

/// The share up to which `holds` is true, with the full precision of a double.
fn last_share(holds: impl Fn(f64) -> bool) -> f64 {
    let (low, high) = bisect((0.0, 1.0), 60, f64::midpoint, holds);
    f64::midpoint(low, high)
}
