//! Seesaw counting filters: keys come and go, and costly keys outside of the set stay guarded.
//!
//! # The idea
//!
//! A counting Bloom filter in which every counter has a *mark*. The counters of the keys to be guarded are marked. A key of
//! the set that would count in a marked counter gives that one up and counts elsewhere, so that few marked counters are ever
//! in use; and a guarded key, all of whose counters are marked, is hardly ever taken for one of the set. The price is paid by
//! other keys outside of the set: marks take a bit of five, and the keys that moved fill other counters.
//!
//! With 10 counters, 2 functions and 2 in reserve; "dog" is guarded at 3 and 8, and "ant" and "bee" come:
//!
//! ```text
//! counter           0 1 2 3 4 5 6 7 8 9
//! marks             . . . * . . . . * .
//! ant at 1, 5       . 1 . . . 1 . . . .      no mark, no change
//! bee at 3, 5       . 1 . . . 2 . 1 . .      3 is marked: the first in reserve, 8, is marked too, the second is 7
//! query dog         3 and 8 are 0: no
//! query bee         3 is 0 and marked, 5 is not 0, and 7, where it would be, is not 0: yes
//! remove bee        finds 3 marked, 8 marked, 7: lowers 7 and 5
//! ```
//!
//! # Parts
//!
//! | file | what |
//! |---|---|
//! | `footprint` | in which counters a key counts; insertion, removal, query |
//! | `counters`, `modulator`, `words` | the cells, and the words they are in |
//! | `ada` | marks that are set at once, and marks that wait |
//! | `shape` | where the cells of a key are |
//! | `shared` | [`SharedSeesaw`], one filter for many threads |
//! | `plan`, [`theory`] | how the bits are spent; how full things get, and the rates |
//! | `filter`, `builder`, `inspect`, `file` | [`Seesaw`], its wishes, what it tells, its file |
//!
//! # No false negatives
//!
//! *Under any sequence of insertions, removals of keys that are in the set, and guards, a key of the set is answered with
//! "yes".*
//!
//! 1. While a key is in the set, its footprint stands still (proved in `footprint`, where the rules are): marks are never taken
//!    away, and come only to counters that are 0, which no counter of its footprint is. So a removal lowers exactly what the
//!    insertion has raised.
//! 2. Let `c` be the number of times that keys of the set count in a counter. The counter is `c`, or it has been 15 once and
//!    stays there. This holds at the start, and by 1 every insertion and removal changes `c` and a counter that is not stuck
//!    alike. A key of the set makes `c` at least 1 in its footprint; no counter there is 0. The same goes for the counts of
//!    the modulator.
//! 3. If a key has no marks, its footprint is its `k` counters, none is 0, and the first round says "yes". If it has, then by
//!    2 none of its counters is 0 but perhaps the first marked one. If that is not 0, the first round says "yes". If it is, the key
//!    is not counted there, so it is in the counter that stands in for it, which is unmarked and not 0; its modulator cell, where there
//!    is a modulator, counts it. The second round finds the same counter, by 1, and says "yes".
//!
//! Guards of any key at any time are covered: also of keys in the set, whose counters get their marks after they have left.
//!
//! *Removing a key that is not in the set* is the caller's debt: it may lower counters of others. It is refused if a counter of
//! the footprint that the key would have is 0, or its modulator cell is empty. That is so for every key that the filter denies,
//! and for some that it does not.
//!
//! # Costs
//!
//! 300,000 keys, one guarded for twenty, costs by Zipf's law with exponent 1.0, 1.5 and 2.5 over as many negatives; the rate by cost
//! on known negatives, the mean over all orders of the costs, and the rate on unseen keys (`cargo run --release -p bloomwise-lab --
//! seesaw`; spreads in `docs/choosing.md`). A counting filter is blind to costs, so that its rate by cost is its plain one. At 2.5
//! few guarded keys passed that could be counted, and single orders are far from the mean, nearly always below it:
//!
//! | bits per key | 1.0 | 1.5 | 2.5 | unseen | counting, known | unseen |
//! |---|---|---|---|---|---|---|
//! | 20 | 3.6 % | 0.13 % | 0.052 % | 15.8 % | 9.1 % | 9.2 % |
//! | 28 | 1.7 % | 0.039 % | 0.0027 % | 7.4 % | 3.5 % | 3.5 % |
//! | 36 | 0.80 % | 0.020 % | 0.0027 % | 3.5 % | 1.3 % | 1.3 % |
//!
//! Where costs are even, or hardly anybody asks for the guarded keys, [`crate::Counting`] is the better filter: in the same space it
//! errs half as often on unseen keys. Insertion and removal take about as long as there, queries longer: a key that misses one
//! counter has its mark looked at, and a key that meets a mark another counter.
//!
//! # The papers
//!
//! Li, Chen, Dai, Xie, Luo, Gu, Yang and Chen, "Seesaw counting filter: a dynamic filtering framework for vulnerable negative
//! keys", TKDE 2023. Taken: marks, one-modulating, the modulator, the adaptive bit, the analysis. Differences, numbered:
//!
//! 1. The modulator can be left out. The first function in reserve that leads to an unmarked counter is the same at insertion and
//!    at any time until removal, so that nothing need be written down. By default the plan of a filter whose negatives are known
//!    leaves it out where that is better, which is mostly so, and its space goes to counters. An adaptive filter keeps at least a
//!    twentieth of its space for it: with marks that come after the keys it is the modulator that keeps guarding from doing harm
//!    (see `ada`).
//! 2. Counts stick, in counters and in the modulator.
//! 3. Removal is exact. The paper's algorithm 4 skips counters when in doubt; there is no doubt.
//! 4. The second round asks that the empty counter be the first marked one, and none before it marked. The paper takes any.
//! 5. A mark is never set under a counter in use, and the pending bit is cleared once the mark is set.
//! 6. The plan weighs unseen keys too ([`SeesawBuilder::unseen_share`]), and chooses how many keys are guarded.
//! 7. Keys live in segments, which threads lock one by one.
//!
//! | paper | here |
//! |---|---|
//! | SCA, positive cell, negative cell | counters, count, mark |
//! | `HashModulator`, `ModulatedCounter`, `ModulatedIndex` | modulator, count, index |
//! | `H_A`, `H_B` | functions, functions in reserve (`backups`) |
//! | alpha, eta 1, eta 2 | `alpha`, `count_bits`, `index_bits` |
//! | vulnerable keys | guarded keys |
//! | adaptive bit | pending bit |

mod ada;
mod builder;
mod counters;
mod file;
mod filter;
mod footprint;
mod inspect;
mod modulator;
mod plan;
mod shape;
mod shared;
pub mod theory;
mod words;

pub use builder::SeesawBuilder;
pub use filter::Seesaw;
pub use plan::Plan;
pub use shape::{COUNT_BITS, INDEX_BITS};
pub use shared::SharedSeesaw;

/// The largest share of the space that a modulator can have.
pub const MAX_ALPHA: f64 = 0.5;

/// The most guarded keys for each key of the capacity.
pub const MAX_GUARD: f64 = 100.0;
