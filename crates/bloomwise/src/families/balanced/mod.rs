//! Balanced blocked Bloom filters: evenly filled blocks, at little more than one block read per key.
//!
//! # The idea
//!
//! In a blocked filter, some blocks get many keys by chance, and these crowded blocks cause most false positives. Here a key has several
//! candidate blocks. A block accepts keys up to a level and then rejects them. A rejected key tries its next candidate. The few keys that
//! all their candidates reject go to an exact overflow list. If even the list is full, a key goes into its first candidate nevertheless, so
//! a filter never takes more space than planned. A block roughly records which keys it has rejected: it divides keys into a few groups and
//! has one bit per group.
//!
//! Reading blocks costs time. So the question is how evenly a scheme can fill the blocks with, say, 1.2 reads per key.
//! There is a limit that no scheme can beat, and simple schemes reach it. [`theory`] computes the limit and what each
//! scheme needs to reach it. [`Builder::plan`](crate::Builder::plan) searches for the lowest false positive rate. There are three
//! [`Scheme`]s, which differ only in where the candidates of a key are:
//!
//! | scheme | candidates of a key |
//! |---|---|
//! | single | one block; a key that it rejects goes to the list |
//! | sequential | several, each among all blocks; once the read budget is spent, keys go straight to the list |
//! | mht | several, each in its own table; each table is smaller than the one before |
//!
//! # A small example
//!
//! The first table has four blocks, the second has two, and the level is 3. The candidates of "ant" are block 2 of the
//! first table and block 1 of the second:
//!
//! ```text
//! loads       first table 1 2 3 0    second table 0 2
//! insert "ant"
//!   block 2 of the first table has 3 keys, and "ant" loses the coin toss: the block rejects it and records its group
//!   block 1 of the second table has 2 keys and accepts it
//! loads       first table 1 2 3*0    second table 0 3       * has recorded the group of "ant"
//!
//! look up "bee", which was never inserted
//!   block 1 of the first table lacks some of its bits and has not recorded its group: "no", after one read
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* An insertion tries the candidates of the key in order until it ends in one of four ways.
//!   (1) All bits of the key are already set in a block: nothing is added. (2) A block accepts the key and sets its bits.
//!   (3) All candidates reject the key, or the read budget is spent: the digest goes to the list. (4) The list is full as
//!   well: the bits of the key are set in its first candidate, where every lookup begins and finds them.
//!   A lookup tries the same blocks in the same order. It never stops with "no" at a block before the one where the
//!   insertion ended, for two reasons. That block rejected the key and recorded its group, and nothing erases a record.
//!   And its load was then at the level or one above. Loads never fall, so if the load is at the level now, it was at the
//!   level then, and the key lost the coin toss; coin toss and group depend only on the digest and the choice, so the
//!   key loses it again. The lookup may stop early with "yes", which is right. Otherwise it reaches the block of (1) or
//!   (2), where the bits are still set because nothing clears a bit, or it reaches the list. Once the read budget is
//!   spent, every lookup checks the list before it answers "no".
//! - *The size stays.* The list has no more keys than it was planned for, whatever is inserted.
//! - While the read budget lasts, inserting a key again adds nothing: the insertion ends at the same block or earlier.
//! - Blocks and draws depend only on the digest. So a set inserted in the order of its digests always gives the same
//!   bytes. In another order, keys may go to other blocks; they are still found.
//!
//! # Costs
//!
//! Insertions, and lookups of members, read as many blocks on average as planned, and at most [`Plan::choices`]. Lookups
//! of non-members read more, because the state of a full block does not tell exactly which keys it has rejected: 1.35
//! blocks where insertions read 1.2, at 32 bits per key in blocks of 256.
//!
//! The table shows predicted rates for a million keys, list included, compared with `blocked` with its best number of functions.
//! `docs/measurements.md` in the repository has measured rates.
//!
//! | bits per key | blocked, 256 | balanced, 256 | blocked, 512 | balanced, 512 |
//! |---|---|---|---|---|
//! | 10 | 1.11 % | 1.22 % | 0.98 % | 1.04 % |
//! | 16 | 0.128 % | 0.110 % | 0.086 % | 0.084 % |
//! | 20 | 0.038 % | 0.021 % | 0.020 % | 0.015 % |
//! | 24 | 1.3e-4 | 4.2e-5 | 5.5e-5 | 2.6e-5 |
//! | 28 | 4.9e-5 | 8.3e-6 | 1.7e-5 | 4.6e-6 |
//! | 32 | 2.1e-5 | 1.8e-6 | 5.6e-6 | 8.1e-7 |
//!
//! Balancing pays at low rates. At 12 bits per key and below, a second read causes more false positives than it prevents.
//! The plan is then a blocked filter with counters, which is slightly worse than one without.
//!
//! Beyond its capacity the filter still has no false negatives, and its rate rises as in any other filter: full blocks and a
//! full list let further keys crowd their first blocks. [`Filter::info`](crate::Filter::info) shows the keys beyond capacity
//! and the share of keys in the list.
//!
//! # The paper
//!
//! Kanizo, Hay and Keslassy, "Access-efficient balanced Bloom filters". Taken from it: the three schemes (sections V to
//! VII), the bound and its solution (Theorems 1 to 5), the model of the rate (section IX). Differences:
//!
//! 1. A lookup stops at a block that cannot have rejected the key: the block has not recorded the key's group, or its
//!    load is at the level and the key wins the coin toss. The paper stops at loads below the level. The records take one
//!    to three bits of a block, as many as lower the rate. [`theory::lookup::Rule`] has the paper's rule and both
//!    improvements.
//! 2. The coin toss comes from the digest, one for each choice. The paper leaves this open. With one toss for all choices
//!    of a key, the keys that lose it would gather in the second table.
//! 3. SEQUENTIAL puts keys straight into the list once its read budget is spent. The paper's lookup would miss those
//!    keys; here every lookup then checks the list before it answers "no".
//! 4. A block does not count a key whose bits are all set in it already.
//! 5. The size includes the list, at 128 bits per key. The number of functions is the best for the loads, not `ln 2`
//!    times the bits per key.
//! 6. The list has a limit, and keys beyond it go into their first block.
//! 7. Plans keep a margin of five standard deviations to the allowed reads and to the room in the list. The length of the
//!    list varies more than its mean suggests ([`theory::region::overflow_variance`]).
//! 8. The bits of a key are in different words of its block (`kernel/block_bits`), which vector instructions handle at once. The paper puts them
//!    anywhere. The rate of a block accounts for that and for the variance of its fill.
//!
//! | paper | here |
//! |---|---|
//! | B, bits of a block | `block_bits` |
//! | m, n | blocks, keys |
//! | r = n / m | load |
//! | a, d | reads, choices |
//! | gamma | overflow |
//! | h, p | level, coin |
//! | k0, `P_LB` | [`theory::Bound::level`], [`theory::Bound::loads`] |
//! | `p(a)`, overflow fraction of one table | [`theory::region::rejected_share`] |
//! | beta, bits per element | bits per key |
//!
//! # Parts
//!
//! | task | files |
//! |---|---|
//! | insert and query | `filter`, `lookup` (for each kernel), `tables` (candidates of a key), `block_state` (what a block records), `scheme` |
//! | plan | `options` (what the caller sets, and settings), `search_point` (one plan), `plan` (the best plan), `theory` |
//! | build | `builder` |
//! | read and write | `file` |
//! | describe | `inspect` |

mod block_state;
mod builder;
mod file;
mod filter;
mod inspect;
mod lookup;
mod options;
mod plan;
mod scheme;
mod search_point;
mod tables;
pub mod theory;

pub use filter::Balanced;
pub use plan::Plan;
pub use scheme::Scheme;
pub use tables::MAX_CHOICES;
