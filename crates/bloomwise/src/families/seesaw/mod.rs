//! Seesaw counting filters: insert and remove keys, with few false positives on costly non-members.
//!
//! A simpler filter does better: [`crate::cuckoo`] denies all guarded keys at once, in a third of the space, and accepts less than a fortieth
//! of the unseen keys that a seesaw filter of 12 bits per key accepts. The seesaw filter is here for the study of its paper.
//!
//! # The idea
//!
//! A seesaw filter is a counting Bloom filter in which each counter also has a *mark*. To *guard* a non-member is to mark its
//! counters. A member that hashes to a marked counter counts in another counter instead, so few marked counters are in use. All
//! counters of a guarded key are marked, so the filter rarely mistakes it for a member. Other non-members pay the price: marks
//! take one bit in five, and members that moved fill other counters.
//!
//! An example with 10 counters, 2 functions and 2 backup functions. "dog" is guarded at 3 and 8; "ant" and "bee" are inserted:
//!
//! ```text
//! counter           0 1 2 3 4 5 6 7 8 9
//! marks             . . . * . . . . * .
//! ant at 1, 5       . 1 . . . 1 . . . .      no mark: both counters are incremented
//! bee at 3, 5       . 1 . . . 2 . 1 . .      3 is marked; the first backup, 8, is marked too; the second backup is 7
//! query dog         3 and 8 are 0: no
//! query bee         3 is 0 and marked, 5 is not 0, and its stand-in 7 is not 0: yes
//! remove bee        finds 3 marked, 8 marked, 7 unmarked: decrements 7 and 5
//! ```
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `footprint` | the counters of a key; insertion, removal, query |
//! | `cells` | all cells in the words that hold them |
//! | `groups`, `modulator` | what the words mean |
//! | `pending` | guarding: marks that are set at once, and marks that wait |
//! | `filter` | [`Seesaw`] |
//! | `shape` | where the cells of a key are |
//! | `shared` | [`SharedSeesaw`], one filter for many threads |
//! | `plan`, [`theory`] | how the bits are spent; the predicted fill and rates |
//! | `builder` | the options and the construction |
//! | `inspect`, `file` | info; the filter in a file |
//!
//! # No false negatives
//!
//! *After any sequence of insertions, removals of members, and guards, the filter answers "yes" for each member.*
//!
//! 1. The footprint of a key does not change while the key is a member (`footprint` has the rules and the proof). Marks are
//!    never cleared, and a mark is set only on a counter that is 0. No counter of a member's footprint is 0. So a removal
//!    decrements exactly the counters that the insertion incremented.
//! 2. Let `c` be the number of times that members count in a counter. The counter equals `c`, or it reached 15 once and stays
//!    there. This holds at the start. By 1, each insertion and removal changes `c` and a counter that is not stuck by the same
//!    amount. A member makes `c` at least 1 in its footprint, so no counter there is 0. The same holds for the counts of the
//!    modulator.
//! 3. If a key has no marked counter, its footprint is its `k` home counters. None is 0, and the first round answers "yes". If it
//!    has marked counters, then by 2 none of its home counters is 0, except perhaps the first marked one. If that one is not 0,
//!    the first round answers "yes". If it is 0, the key does not count there. So the key counts in the stand-in, which is
//!    unmarked and not 0, and its modulator cell counts it if there is a modulator. By 1 the second round finds the same
//!    stand-in and answers "yes".
//!
//! The proof covers a guard of any key at any time. If the guarded key is a member, its counters are marked after they become 0.
//!
//! *Do not remove a key that is not a member*: this may decrement counters of members. The filter refuses a removal if a counter of
//! the key's footprint is 0, or if the key needs a modulator cell and that cell is empty. It refuses each key for which it answers
//! "no", and some keys for which it answers "yes".
//!
//! # Costs
//!
//! 300,000 keys, one guarded key per twenty keys, as many known negatives as keys, and costs that follow Zipf's law with exponent
//! 1.0, 1.5 and 2.5. The columns show the cost-weighted rate on known negatives, as the mean over all orders of the costs, and the
//! rate on unseen keys (`cargo run --release -p bloomwise-lab -- seesaw`; `crates/lab/results/seesaw.md` in the repository has the deviations). A counting filter
//! ignores costs, so its cost-weighted rate is its plain rate. With exponent 2.5, few guarded keys were false positives, and a
//! single order of the costs can be far from the mean, nearly always below it.
//!
//! | bits per key | 1.0 | 1.5 | 2.5 | unseen | counting, known | unseen |
//! |---|---|---|---|---|---|---|
//! | 20 | 3.6 % | 0.12 % | 0.045 % | 15.8 % | 9.3 % | 9.2 % |
//! | 28 | 1.7 % | 0.036 % | 0.0000020 % | 7.4 % | 3.5 % | 3.5 % |
//! | 36 | 0.79 % | 0.017 % | 0.00000093 % | 3.5 % | 1.4 % | 1.3 % |
//!
//! Prefer [`crate::Counting`] if all costs are similar or if guarded keys are rarely queried. In the same space it has about half
//! the false positives on unseen keys. Insertion and removal take up to 2.1 times as long as in a counting filter. A query takes 1.0
//! to 2.9 times as long: it reads the mark of an empty counter, and for a marked one it reads another counter.
//!
//! # The papers
//!
//! Li, Chen, Dai, Xie, Luo, Gu, Yang and Chen, "Seesaw counting filter: a dynamic filtering framework for vulnerable negative
//! keys", TKDE 2023. Taken from it: marks, one-modulating, the modulator, the adaptive bit, the analysis. Differences:
//!
//! 1. The modulator is optional. The first backup function that leads to an unmarked counter is the same at insertion and at any
//!    time until removal, so the filter need not store it. If the negatives are known, the plan by default omits the modulator
//!    when that lowers the predicted rate, as it usually does, and spends its space on counters. By default an adaptive filter
//!    keeps at least a twentieth of its space for the modulator: marks that are set after insertions would otherwise raise the
//!    rate (see `pending`).
//! 2. Counts stick at their maximum, in counters and in the modulator.
//! 3. Removal is exact. The paper's algorithm 4 skips counters when in doubt; there is no doubt.
//! 4. The second round requires that the empty counter is the first marked one of the key. The paper accepts any.
//! 5. A mark is never set on a counter in use, and the pending bit is cleared when the mark is set.
//! 6. The plan also weighs unseen keys (the option `unseen_share`), and chooses how many keys are guarded.
//! 7. Each key belongs to one segment, and threads lock segments one by one.
//!
//! | paper | here |
//! |---|---|
//! | SCA, positive cell, negative cell | counters, count, mark |
//! | `HashModulator`, `ModulatedCounter`, `ModulatedIndex` | modulator, count, index |
//! | `H_A`, `H_B` | functions, backup functions (`backups`) |
//! | alpha, eta 1, eta 2 | `alpha`, `count_bits`, `index_bits` |
//! | vulnerable keys | guarded keys |
//! | adaptive bit | pending bit |

mod builder;
mod cells;
mod file;
mod filter;
mod footprint;
mod groups;
mod inspect;
mod modulator;
mod options;
mod pending;
mod plan;
mod search;
mod shape;
mod shared;
pub mod theory;

pub use filter::Seesaw;
pub use plan::Plan;
pub use shape::{COUNT_BITS, INDEX_BITS};
pub use shared::SharedSeesaw;

/// The largest share of the space that the modulator can have.
pub const MAX_ALPHA: f64 = 0.5;

/// The maximum number of guarded keys per key of the capacity.
pub const MAX_GUARD: f64 = 100.0;
