//! Guarded filters: no false positive on any known negative, near the information limit.
//!
//! # The idea
//!
//! A fixed set can be stored as a system of equations over bits. A key reads about half of the rows of a *window* of 64
//! rows, and the XOR of these rows must be the key's fingerprint. A non-member satisfies its equation only by chance. Known
//! negatives are equations too. One more column of bits, the *guard*, is solved for the positives and for the *survivors*:
//! the known negatives that match the fingerprint by chance. For a survivor, the guard holds the opposite of the bit that
//! a positive would have.
//!
//! Here is an example with a fingerprint of one bit and windows of four rows. "ant" and "bee" are in the set, "dog" is a known
//! negative:
//!
//! ```text
//! row             0   1   2   3
//! column 1        1   0   0   0         the fingerprint
//! column 0        0   1   0   1         the guard
//!
//! "ant"  rows 0, 2      1 ^ 0 = 1       and 0 ^ 0 = 0        its fingerprint is 1, its guard bit 0: yes
//! "bee"  rows 1, 2      0 ^ 0 = 0       and 1 ^ 0 = 1        its fingerprint is 0, its guard bit 1: yes
//! "dog"  rows 0, 1, 3   1 ^ 0 ^ 0 = 1   and 0 ^ 1 ^ 1 = 0    its fingerprint is 1 by chance, but its guard bit would be 1: no
//! ```
//!
//! With `f` columns of fingerprint, one known negative in `2^f` survives. So the guard has only a few more equations than
//! the fingerprint. For an unseen key, the guard is one more bit of fingerprint. Hence exactness costs almost nothing.
//!
//! Windows make the system a narrow band, which is solved row by row, with about as many rows as keys (*ribbon*). A layer
//! has slightly fewer rows than keys, so almost no row stays empty. Keys that find no place are *bumped* to the next
//! layer, which is much smaller. *Thresholds*, two bits for each bucket of 128 rows, say which keys were bumped.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `filter` | the filter, and what it says about itself |
//! | `equation`, `shape`, `layer` | a key as an equation; rows and columns; which keys a layer holds |
//! | `reader`, `lookup` | reading a layer fast; how a filter answers one key, many keys, and the known negatives of its build |
//! | `builder` | the options; one attempt after the other |
//! | `plan`, `rows` | how the bits are spent, and whether the filter will be exact; how many rows a layer gets |
//! | `solved` | fingerprint, survivors and guard, solved by a plan |
//! | `chain`, `parts`, `elimination`, `system` | from many to few: a chain of layers, the parts of a layer, the equations of a part, any system of equations |
//! | `file` | the form in a file |
//! | [`theory`] | the information limit |
//!
//! | symbol | name |
//! |---|---|
//! | S, O | positives, known negatives |
//! | r | negatives per key |
//! | m, w | rows, rows of a window |
//! | f | columns of the fingerprint |
//! | mu | `unseen_share` |
//!
//! # Invariants
//!
//! *No false negative.* The filter says "yes" to a positive if the first layer that holds it accepts it, in the fingerprint
//! and in the guard.
//!
//! 1. *A query and the build agree on that layer.* A layer holds the keys whose offset in their bucket is at least the
//!    threshold of the bucket; a woven guard (below) also leaves out keys by a byte of their digest. Both are read from the
//!    filter and from the digest in that layer. Each layer has a salt in the file, so the digests are the same too. The last
//!    layer of a chain has no thresholds and holds all that are left.
//! 2. *That layer has its equation.* The build inserts the equation of every key that is not bumped. Elimination never changes
//!    the set of solutions (`system`), and keys below a threshold lose their equation before any later bucket is
//!    inserted. An equation that contradicts the others is bumped with its bucket, or in a last layer ends the attempt.
//! 3. *Every solution of the system is the same to a query.* Back substitution gives rows that satisfy all equations, column by
//!    column. A column whose row does not exist in a narrow block is not read by keys that start there.
//!
//! *No false positive on a known negative*, if none is wrong. A negative that does not survive differs from its fingerprint in
//! a column that solving the guard does not change: fingerprint and guard are different columns, or different layers. A
//! survivor has an equation in the guard, with the opposite bit, by the same argument as above. The build counts the
//! known negatives that are still false positives, and the filter keeps that number ([`Guarded::wrong`]).
//!
//! *Exact means exact.* If a forecast says that no known negative will be wrong, none is (`plan` has the room for chance, and
//! the builder tries again). Only keys chosen by someone who knows the seed can break this promise. The numbers in the
//! filter and in the report are counted, so they hold for any keys. If the size has no room for all survivors, the costliest are guarded, and the report says how
//! many are wrong, what they cost, and how many bits per key are enough.
//!
//! # Costs
//!
//! With 1.5 million keys of each kind and 8.44 bits per key, there is no false positive on known negatives, and the rate
//! on other keys is 0.315 %, 1.09 times the limit. A Bloom filter has 1.7 % on both. A query reads 16 bytes per column, side by
//! side, and a threshold. One key in 20 reads another layer.
//!
//! Any size is possible. Below one bit per key some keys have no row, and the answer for them is always "yes". A filter has
//! at most 32 columns. With as many negatives as keys and 7 bits per key or more, building takes less than 24 bytes per key of
//! both sets, their digests included; near 2 bits per key, where most negatives survive, it takes up to 60. The set is
//! fixed: keys cannot be inserted or removed.
//!
//! # Differences from the papers
//!
//! 1. The guard: a column with equations, thresholds and later layers of its own. If survivors are at most as many as keys it is
//!    *woven* into the rows of the first layer, so that reading it costs a query nothing. Otherwise, and in small filters, it has layers
//!    *apart*. Cascades (`CRLite`) store the false positives of a filter in the next filter. Clubcards have an approximate and an
//!    exact system, which is the form apart.
//! 2. Blocks of two widths, so every bit of the size is used.
//! 3. Large layers are solved in parts, which lose 64 rows between two of them. Parts are solved in parallel, and two at a
//!    time on one core (`elimination`).
//! 4. If there are too many negatives for the size, costly ones are guarded first.
//!
//! # Papers
//!
//! Dillinger, Hübschle-Schneider, Sanders, Walzer, "Fast Succinct Retrieval and Approximate Membership Using Ribbon", 2022:
//! the band, bumping with thresholds (`BuRR`), columns interleaved in blocks. Larisch et al., "`CRLite`", 2017, and Schanck,
//! "Clubcards for the `WebPKI`", 2025: exactness on a known universe.

mod builder;
mod chain;
mod elimination;
mod equation;
mod file;
mod filter;
mod layer;
mod lookup;
mod options;
mod parts;
mod plan;
mod reader;
mod rows;
mod shape;
mod solved;
mod system;

pub use crate::filter::limit as theory;
pub use filter::Guarded;
pub(in crate::families) use lookup::{Layers, View, run_with};
pub(in crate::families) use plan::ExactSizes;
pub(in crate::families) use reader::{Grouping, Place};
