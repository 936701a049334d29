//! A soak: random operations on random filters of every kind, compared with exact sets.
//!
//! `cargo run --release -p bloomwise-lab -- soak --minutes 10` runs it, and `soak --help` lists its options. It prints one
//! line a minute and a table by kind at the end. At the first broken promise it stops, prints what is broken, the filter,
//! its steps so far and the command that repeats it, and exits with code 1. A panic counts as a broken promise.
//!
//! # A round
//!
//! A round has a seed, and the seed determines everything: a family, a size, settings, a hashing, keys and costs
//! (`case`), how the filter is made (`start`), and up to 50 steps (`step`). Filters have 0 to 100,000 keys at the
//! start, and every order of magnitude is equally likely. Rounds run on all processors, one in each thread.
//!
//! An *operation* is one key inserted, removed, guarded or queried.
//!
//! # The promises
//!
//! | promise | checked |
//! |---|---|
//! | no member is denied | after every step, against the exact multiset |
//! | all ways to query agree: by key, in a batch, hashed, by digests, into a bitmap | `queries` |
//! | all ways to insert give the same filter; a clone is independent of its original | `changes` |
//! | a refused removal changes nothing | `changes` |
//! | what is read equals what was written, answers alike and has the same bytes: whole and short form, copied, borrowed, with the header verified first, from a stream and from a file | `reload` |
//! | a guarded filter that reports no false positive on known negatives has none | after every step |
//! | a report counts the known negatives that the filter accepts | `start` |
//! | a filter takes at most the bits that were asked for; the smallest filter of a family may be larger | after every step |
//! | the same keys in another order, or through another builder, give the same bytes | `start` |
//! | a forecast keeps the size or the rate that was asked for | `start` |
//! | a filter says about itself what was asked for | `inspect` |
//! | a seesaw or cuckoo filter that threads share loses no key | `share` |
//!
//! # Files
//!
//! | file | contents |
//! |---|---|
//! | `case`, `settings`, `costs`, `keys`, `given` | what a round is about |
//! | `start`, `typed` | the filter, made in several ways |
//! | `step`, `life` | the steps, and the filter beside the exact set |
//! | `changes`, `queries`, `reload`, `inspect`, `share` | what each step does |
//! | `round`, `run`, `options`, `tally` | one round, all rounds, and what they did |
//! | `random` | random numbers |
//! | `fault` | faults that tests inject, to see that the soak notices |

mod case;
mod changes;
mod costs;
mod fault;
mod given;
mod inspect;
mod keys;
mod life;
mod options;
mod queries;
mod random;
mod reload;
mod round;
mod run;
mod settings;
mod share;
mod shared;
mod start;
mod step;
mod tally;
mod typed;

pub use case::{Case, Start};
pub use costs::Costs;
pub use fault::Fault;
pub use keys::Form;
pub use options::Options;
pub use round::{Finding, run as run_round};
pub use run::run;
pub use tally::{Tallies, Tally};
