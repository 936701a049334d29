//! A filter that grows with its set, for sets of unknown size.
//!
//! # The idea
//!
//! A chain of Bloom filters, called layers. Keys go into the newest layer. When it is at capacity, a larger layer is added. A query answers
//! "yes" if one of the layers does. So the false positives of all layers add up, and each layer has half the rate of the one before:
//!
//! ```text
//! layer            1      2      3      4
//! keys          1000   2000   4000   8000      expansion 2
//! rate         0.5 %  0.25 %  0.125 % 0.0625 %   together less than 1 %, however many layers follow
//! ```
//!
//! An insertion first looks the key up. If a layer accepts it, it is not new, and nothing changes. So a key that is inserted many times
//! takes room once.
//!
//! # Invariants
//!
//! - *No false negative.* After its insertion, a key is in a layer, or all its bits were already set in one. Bits are never cleared, and
//!   layers are never dropped. [`Growing::compact`] replaces the chain by a filter of the keys that its caller gives.
//! - *Bounded rate.* Let `p` be the rate of the first layer at its capacity. Layer `i` holds at most its capacity, so its rate is
//!   at most `p / 2^(i-1)`, and the rates of all layers add up to less than `2 p`. A filter for a rate `r` starts with `p = r / 2`.
//!   No layer has a rate below 1e-18, so 64 layers may exceed `r` by 6e-17.
//! - If there is no memory for another layer, keys go into the newest one beyond its capacity. No key is lost, but the rate rises, as
//!   [`crate::Filter::rate`] shows.
//!
//! # Costs
//!
//! Each layer needs 1.44 bits per key more than the one before. A query for a key outside of the set reads all layers, newest first. A
//! larger expansion makes fewer layers, but the newest may be mostly empty. `docs/measurements.md` in the repository has measurements. A filter
//! for a known number of keys, [`crate::Bloom`], is smaller and faster.
//!
//! # Differences from the paper
//!
//! The paper's filters are divided into slices, one for each function, they grow by any factor, and their rates fall by any ratio. Here each layer
//! is a [`crate::Bloom`], the factor is a whole number, and the ratio is one half. After 32 layers, each has at least twice the
//! capacity of the one before, so there are at most 64 layers even for expansion 1.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `filter` | the filter |
//! | `options`, `builder` | its options and settings; how it is built, and its forecast |
//! | `schedule` | what each layer is planned for |
//! | `file` | the filter in a file |
//!
//! # Papers
//!
//! Almeida, Baquero, Preguiça, Hutchison, "Scalable Bloom Filters", 2007: the structure and the bound.

mod builder;
mod file;
mod filter;
mod options;
mod schedule;

pub use filter::Growing;

/// The largest number of layers.
const MAX_LAYERS: usize = 64;
