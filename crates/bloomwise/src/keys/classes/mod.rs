//! Classes: a small number that a *rule* computes from the bytes of a key.
//!
//! Keys of a set often look different from other keys: host names that are blocked from popular ones, certificates of one issuer from those of another. A
//! filter that sees only digests cannot use that. With classes, it can give each kind of keys the rate that it deserves.
//!
//! ```text
//! "ads17.example.biz" --measure--> cell 203 --table--> class 27          keys of the set mostly, few other keys
//! "library.example"   --measure--> cell  31 --table--> class  2          other keys mostly
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `sample` | the keys that a rule is made from |
//! | `model`, `training` | the score of a key, and how its weights are found |
//! | `measure` | what a rule reads from a key: its score, a part of it, or its length |
//! | `grouping` | from cells of keys to classes |
//! | `rule` | a measure and its classes |
//! | `file` | a rule in a file |
//! | `exponential` | functions that round alike on every machine |
//!
//! # Invariants
//!
//! - *One class per key.* A class depends only on the bytes of the key and on the rule. So a filter finds a key where its build has put
//!   it, whatever the rule is. A rule that was learned badly, or forged, costs errors on keys outside of the set and never denies one inside.
//! - *One rule per set of keys.* It depends on the keys of the sample, not on their order.
//!
//! The class of a key is in its digest: the lowest byte of the upper half. Families compute positions from all 128 bits, and the other 120 are enough.

pub(crate) mod exponential;
mod file;
mod grouping;
mod measure;
mod model;
mod rule;
mod sample;
mod training;

pub use rule::{Reads, Rule};
pub use sample::Sample;
pub(crate) use sample::is_held_out;
