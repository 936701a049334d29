//! One exact model: a filter and an exact multiset of its keys, through a random life.
//!
//! A life makes a random filter ([`Case`]) and takes random steps ([`Step`]): alone or in shards, patched or not, through bytes, files, mapped files and
//! the short form, with threads, and by the command line's `update`. After every step, every promise is checked. Choices come from a seed or from the bytes
//! of a fuzzer ([`Draw`]), so one model serves three drivers:
//!
//! | driver | lives |
//! |---|---|
//! | `crates/bloomwise/tests/laws`, `crates/cli/tests/cli/lives.rs` | a fixed number, from fixed seeds, in tiny filters; part of `cargo test` |
//! | `fuzz/fuzz_targets/operations.rs` | from the bytes of the fuzzer |
//! | `bloomwise-lab soak`, by [`Soak`] | filters of all sizes, for minutes or for a number of operations |
//!
//! # The promises
//!
//! | promise | checked |
//! |---|---|
//! | no member is denied | after every step, against the exact multiset |
//! | keys are counted exactly; `growing` counts those that were new | after every step |
//! | where answers on known negatives are exact, none is accepted: `guarded`, patched filters | after every step |
//! | a filter takes at most the bits that were asked for, all shards together; the smallest filter of a family may be larger | after every step |
//! | small filters answer what the naive model of their family answers ([`naive`]) | after every step |
//! | all ways to query agree: by key, in a batch, hashed, by digests, into a bitmap | `queries` |
//! | all ways to insert give the same filter; a clone is independent of its original; a full filter is unchanged | `changes` |
//! | a refused removal changes nothing | `changes` |
//! | what is read equals what was written, answers alike and has the same bytes | `reload` |
//! | a report counts the known negatives that the filter accepts | `start` |
//! | the same keys in another order, by another builder, or as shards made apart give the same bytes | `start` |
//! | a forecast keeps the size or the rate that was asked for; a size that no filter can have is an error | `start` |
//! | a filter says about itself what was asked for; unseen keys are accepted at the rate that it predicts | `inspect` |
//! | a patch adds, removes and denies what it says, and leaves its base as it is | `patch` |
//! | the command's `update` gives the same bytes as the library | `update` |
//! | a filter that threads share loses no key, at no moment, and its snapshots neither | `threads` |
//!
//! A broken promise is a [`Finding`], with the case and the fewest steps that show it. A panic counts as one.
//!
//! [`fault`] puts a fault between filter and set, so that tests can show that it is noticed.

mod case;
mod changes;
mod costs;
mod draw;
pub mod fault;
mod given;
mod inspect;
mod keys;
mod life;
pub mod naive;
mod patch;
mod queries;
mod reload;
mod round;
mod settings;
mod shared;
mod soak;
mod start;
mod step;
mod tally;
mod threads;
mod typed;
mod update;
mod world;

pub use case::{Case, Scale, Start};
pub use draw::Draw;
pub use fault::Fault;
pub use round::{Finding, live};
pub use soak::{Found, Soak};
pub use step::Step;
pub use tally::{Tallies, Tally, grouped};
pub use world::World;
