//! A guarded filter for each class of keys, with the rates that cost least.
//!
//! # The idea
//!
//! A filter that sees only digests has the same rate on all unseen keys. But keys of a set often look different from other keys. A rule
//! ([`crate::keys::classes`]) divides all keys into classes by their bytes. Where keys of the set are rare and other keys are many, a low rate costs few bits and
//! prevents many errors. Where nearly all keys are in the set, a low rate costs many bits and prevents few. So each class gets the rate that it deserves:
//!
//! ```text
//! class                     keys   known negatives   unseen keys      rate     bits
//! looks like a library        10               900          90 %    0.003 %     152
//! in between                 100                90           9 %    0.27  %     856
//! looks like an ad           890                10           1 %   21     %   1,992
//!
//! together                 1,000             1,000                  0.24  %   3,000      with one rate for all: 15 % with the same bits
//! ```
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `shares` | how the cost of unseen keys is divided among classes |
//! | `allotment` | how the words of a filter are divided among classes |
//! | `cap` | the highest rate of a class |
//! | `solved` | from sets and a size to classes with their bits |
//! | `lookup` | how classes answer |
//!
//! # Invariants
//!
//! *No false negative.* A class is a function of the key's bytes and of the rule, so a query reads the class where the build has put the key. That class
//! accepts its keys in each of its forms:
//!
//! 1. A guarded filter of its keys denies none of them.
//! 2. A guarded filter of its known negatives, whose answers are inverted, is used only if it denies all keys of the class: they are the
//!    known negatives of that filter, and the build counts how many of them are wrong.
//! 3. A class that denies everything has no keys, and a class that accepts everything denies nothing. So does a class that does not exist.
//!
//! *No false positive on a known negative*, if there is room. Forms 1 and 2 are exact on the known negatives of their class by the promises of guarded
//! filters, and the words of all classes together are those of the promises.
//!
//! *No class is worse than the cap*: a class whose filter came out worse is planned again.
//!
//! # Costs
//!
//! A class loses about 600 bits against one filter for all keys, so the number of classes grows with the keys. A query takes the time of a guarded filter and that of the
//! rule. The rule takes its bytes.
//!
//! # Differences from other filters
//!
//! - *Partitioned learned Bloom filters* (Vaidya, Knorr, Mitzenmacher, Kraska, 2021; a faster construction by Sato and Matsui, 2024) divide the scores of a
//!   model into regions, each with a Bloom filter, and find borders and rates by dynamic programming over the distribution of scores. Here regions are guarded filters, which take 30 % fewer
//!   bits than Bloom filters and are exact on known negatives; the bits that exactness takes are part of the optimum; the distribution of unseen keys comes
//!   from negatives that training has not seen; and a cap bounds the damage if it is wrong.
//! - *Ada-BF* (Dai and Shrivastava, 2020) gives keys of a high score fewer functions in one Bloom filter.
//! - *Clubcards* (Schanck, 2025) have a block for each issuer, exact on a known universe. Here unseen keys count too, and small blocks share a class.
//! - *Daisy Bloom filters* (Bercea, Houen, Pagh, 2022) choose a rate for each key from known distributions of keys and queries, and prove what is optimal. The
//!   quadratic equation of `allotment` is their rate for keys of one class, with known negatives added.

mod allotment;
mod cap;
mod lookup;
mod shares;
mod solved;

pub use cap::Cap;
pub use lookup::ClassFilters;
