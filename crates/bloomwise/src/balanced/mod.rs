//! Balanced blocked Bloom filters: blocks that are filled evenly, at little more than one read for a key.
//!
//! # The idea
//!
//! In a blocked filter chance decides how many keys a block gets, and the crowded blocks make most of the mistakes. Here a
//! key has a second choice, and a third. A block takes keys up to a level; then it turns them away, and they try the next
//! block of theirs. The few that all of their blocks turn away go to an exact list ([`crate::stash`]). A block notes whom it
//! has turned away, roughly: keys are in some groups, and it has a bit for each.
//!
//! Reading blocks costs time, so the question is how evenly the blocks can be filled with, say, 1.2 reads for a key. That
//! has an answer that no scheme can beat, and simple schemes reach it: [`theory`] has the limit and what the schemes need
//! for it, [`BalancedBuilder::plan`] searches it for the lowest rate. Three [`Scheme`]s, which differ in nothing but
//! where the choices of a key may lie:
//!
//! | scheme | choices of a key |
//! |---|---|
//! | single | one block; what it turns away is in the list |
//! | sequential | several, each among all blocks; once the reads are used up, keys go to the list unread |
//! | mht | several, each in a table of its own, and each table smaller than the one before |
//!
//! # A small example
//!
//! Four blocks in a first table, two in a second, level 3. "ant" may go to block 2 of the first table or to block 1 of the
//! second:
//!
//! ```text
//! loads       first table 1 2 3 0    second table 0 2
//! "ant" comes to block 2, which has 3 keys, and loses the coin: it is turned away, and the block notes its group
//!             goes to block 1 of the second table, which has 2 keys and takes it
//! afterwards  first table 1 2 3*0    second table 0 3       * has noted the group of "ant"
//!
//! "bee", which was never inserted, comes to block 1 of the first table:
//!             not all of its bits are set, and its group is not noted: no, after one read
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* When a key is inserted, its blocks are tried in order until one of three things happens. (1) All
//!   its bits are set in a block already: nothing is added. (2) A block takes it, and its bits are set there. (3) All
//!   blocks have turned it away, or there are no reads left: its digest is in the list.
//!   A lookup tries the same blocks in the same order. It passes by every block before the one in which the insertion
//!   ended: that block has turned the key away and has noted its group, and the note lasts; its load was then at the level
//!   or one above, and loads never fall, so if it is at the level now it was then, and the key had lost the coin. Coin
//!   and group depend on nothing but digest and choice. So the lookup comes to the block of (1) or (2), where the bits are
//!   still set, since nothing clears a bit, unless it has found all bits set before, which is a "yes" too; or it comes to
//!   the list. When there are no reads left, lookups ask the list before every "no".
//! - A key that is inserted again ends where it ended before or earlier, and adds nothing, as long as there are reads left.
//! - Blocks and draws depend on the digest alone, so a set, inserted in the order of its digests, gives the same bytes.
//!   Keys in another order may go to other blocks; the answers for them are the same.
//!
//! # Costs
//!
//! An insertion, and the lookup of a key that is there, read as many blocks on average as was planned, at most
//! [`Plan::choices`]. The lookup of a key that is not there reads more, because a full block cannot quite tell a key that
//! it has turned away from one that never came: 1.35 where insertions read 1.2, at 32 bits per key in blocks of 256.
//!
//! The predicted rates of a million keys, list included, against `blocked` with its best number of functions;
//! `docs/choosing.md` has what was measured:
//!
//! | bits per key | blocked, 256 | balanced, 256 | blocked, 512 | balanced, 512 |
//! |---|---|---|---|---|
//! | 10 | 1.09 % | 1.20 % | 0.97 % | 1.03 % |
//! | 16 | 0.126 % | 0.107 % | 0.084 % | 0.082 % |
//! | 20 | 0.037 % | 0.020 % | 0.020 % | 0.015 % |
//! | 24 | 1.3e-4 | 4.0e-5 | 5.3e-5 | 2.5e-5 |
//! | 28 | 4.8e-5 | 8.0e-6 | 1.6e-5 | 4.3e-6 |
//! | 32 | 2.0e-5 | 1.7e-6 | 5.3e-6 | 7.6e-7 |
//!
//! Evenness pays where mistakes are rare. At 12 bits per key and below a second read costs more mistakes than it prevents,
//! and the plan comes down to a blocked filter with counters, which is a little worse than one without.
//!
//! Beyond its capacity the filter goes on answering right. Full blocks take no more, so that soon the list grows by 128
//! bits for a key, while the rate rises a few times over, as strangers read more blocks, and then stays.
//! [`Filter::info`](crate::Filter::info) shows keys beyond capacity and the share in the list.
//!
//! # The paper
//!
//! Kanizo, Hay and Keslassy, "Access-efficient balanced Bloom filters". Taken: the three schemes (sections V to VII), the
//! bound and its solution (Theorems 1 to 5), the model of the rate (section IX). Differences, numbered:
//!
//! 1. A lookup stops at a block that cannot have turned the key away: because the block has not noted its group, or because
//!    its load is at the level and the key wins the coin. The paper stops at loads below the level. The notes take a bit or
//!    three of a block, as many as lower the rate ([`theory::lookup::Rule`] has the paper's rule and both steps from it).
//! 2. The coin comes from the digest, one for each choice. The paper leaves it open; with one coin for all choices of a
//!    key, those that lose it would gather in the second table.
//! 3. SEQUENTIAL puts keys into the list unread once its reads are used up. The lookup that the paper describes would deny
//!    those; here lookups then ask the list before every "no".
//! 4. A key whose bits are all set in one of its blocks is not counted there.
//! 5. The list is inside the size, 128 bits a key, and the number of functions is the best for the loads, not `ln 2` times
//!    the bits per key.
//! 6. Plans keep a distance of five standard deviations from the reads that were allowed and from the end of the list. The
//!    list varies more than its length suggests ([`theory::region::overflow_variance`]).
//! 7. The rate of a block takes the spread of its fill into account ([`theory::lookup::block_rate`]).
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
//! | `p(a)`, overflow fraction of one table | [`theory::region::turned_away`] |
//! | beta, bits per element | bits per key |

mod builder;
mod file;
mod filter;
mod gauge;
mod inspect;
mod plan;
mod scheme;
mod setup;
mod tables;
pub mod theory;
mod wishes;

pub use builder::BalancedBuilder;
pub use filter::Balanced;
pub use plan::Plan;
pub use scheme::Scheme;
pub use tables::MAX_CHOICES;
