//! Hash adaptive Bloom filters (HABF, f-HABF and c-HABF), for sets with known, costly negatives.
//!
//! # The idea
//!
//! A Bloom filter returns a false positive when the bits of other keys happen to cover the queried key. If we know that
//! key in advance, we can prevent the error: one of those other keys gives up one of its hash functions and takes
//! another, so that one of the covering bits becomes 0. In addition to the bits, a small table, the expressor, records which
//! keys use functions other than the initial ones.
//!
//! An example with 8 bits and 2 functions from a pool of 3: "ant" sets bits 1 and 6, "bee" sets bits 3 and 6. The known
//! negative "dog" maps to bits 1 and 3 and would be a false positive. Only "bee" owns bit 3, and its third function
//! leads to bit 1, which is already set. So "bee" switches to that function, and the expressor stores its new
//! functions:
//!
//! ```text
//! position    0 1 2 3 4 5 6 7
//! before      . 1 . 1 . . 1 .      "dog" reads bits 1 and 3: yes, a false positive
//! after       . 1 . . . . 1 .      "dog": bit 3 is 0, no.  "bee": bit 3 is 0, but its chain names bits 6 and 1: yes
//! ```
//!
//! A query has two rounds. First round: if the bits of all initial functions are 1, the answer is yes. Second round:
//! the chain that the key reads from the expressor may name other functions. If the bits of those are all 1, the answer
//! is yes; otherwise it is no.
//!
//! # Parts
//!
//! | file | contents | paper |
//! |---|---|---|
//! | `filter`, `tables`, `lookup` | insertions and the two-round query | section III-E |
//! | `shape` | where the bits and cells of a key are; the three kinds | `H`, `f`; c-HABF in the appendix |
//! | `expressor` | chains of functions in shared cells | `HashExpressor`, `C` |
//! | `options`, `empty_bits`, `plan` | options and settings, the shape chosen from them, forecasts | |
//! | `builder`, `segment`, `tpjo`, `owners`, `repair_stats` | the optimiser and its results | TPJO, collision queue `CQ`; `V`, `Gamma` |
//! | `file`, `inspect` | the filter in a file; info | |
//! | `model` | predicts rates and chooses parameters; [`theory`] is its chance that a set bit has a single owner | section IV, equation 3 |
//!
//! # Invariants
//!
//! *No false negatives.* `segment` proves this for the built filter. Later insertions only set bits, and setting bits
//! never turns a "yes" into a "no". In the first round, more bits are 1. In the second round, fewer of the initial bits
//! are 0 than before; if none is left, the first round has already answered yes.
//!
//! The strict second round requires that the chain names exactly the initial functions whose bits are 1, and one other
//! function. An adjusted key passes: at most the bit of the function that it gave up is 0, and its chain names all of
//! its other initial functions.
//!
//! # Insertions
//!
//! Keys can be inserted after the build; they use the initial functions. An insertion may set bits that protect known
//! negatives. Those negatives are then no better protected than other keys with the same number of 0 bits. To measure
//! the effect, run `bloomwise eval` with the known negatives.
//!
//! # Costs
//!
//! At 8.44 bits per key, with as many negatives as positives, one known negative in 6,400 is a false positive; for a
//! Bloom filter it is one in 58. In exchange, the rate on unseen keys is 2.9 % instead of 1.7 % (`docs/measurements.md` in the repository).
//! Building keeps the digests of both sets in memory, 16 bytes per positive and 24 bytes per negative, and little else.
//! A query takes 1.3 to 1.5 times as long as a Bloom filter's; one non-member in five or six also reads a chain.
//!
//! # Differences from the paper
//!
//! 1. The second round is strict, and the optimiser takes it into account (`tables`, `tpjo`). [`paper`](crate::Builder::paper)
//!    turns this off.
//! 2. Parameters depend on the budget and the negatives (`model`).
//! 3. All bits and cells of a key are in one segment of the filter, so that segments are built in cache and in
//!    parallel.
//! 4. A bit that loses all but one of its owners counts as having a single owner again; the paper's flag forgets which
//!    owner is left. Where no single owner helps, the optimiser may adjust both owners of a bit, which repairs more
//!    than half of the remaining collisions.
//! 5. Owners and watchers are kept only for bits that a pass may need.
//! 6. The optimiser takes the first move onto a set bit that can be stored, and stores it in the order that needs the
//!    fewest new cells. The paper compares the orders of all moves, which takes longer and repairs little more.
//! 7. Negatives harmed by a move are queued in the next pass, not at the tail of the current queue.
//! 8. f-HABF accepts moves onto empty bits without checking. A rule that never sets an empty bit leaves four times as
//!    many false positives.
//! 9. In c-HABF any block of bits can use any line of cells; the paper's analysis gives each block its own line.
//!
//! # Papers
//!
//! Xie, Li, Miao, Gu, Huang, Dai, Chen, "Hash Adaptive Bloom Filter", ICDE 2021: the structure, the optimiser, the
//! bounds. Its appendix: c-HABF.

mod builder;
mod empty_bits;
mod expressor;
mod file;
mod filter;
mod inspect;
mod lookup;
mod model;
mod options;
mod owners;
mod plan;
mod repair_stats;
mod segment;
mod shape;
mod tables;
mod tpjo;

pub use empty_bits::EmptyBits;
pub use filter::Habf;
pub use model::owners as theory;
