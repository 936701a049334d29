//! The rejecting variant: keys that would collide too much go to an exact list.
//!
//! # The idea
//!
//! A walk that meets `t` set slots in a row collides a lot. Inserting its key would set few bits, but would still fill the
//! filter a little more. So the key is rejected: it sets no bit, and its digest goes to a list ([`crate::cells::stash`]). A query
//! walks first, and looks into the list if the walk ends at an empty slot.
//!
//! # Invariants
//!
//! - *No false negative.* An insertion ends in one of three ways: the filter already said "yes", the digest is in the list,
//!   or all slots of the walk are set. No bit is ever cleared and no digest leaves the list, so all three last.
//! - The list has a limit. When it is full, keys are inserted into the slots even if they collide.
//! - The list is a part of the size: the slots get the bits that its limit leaves.
//!
//! # Costs
//!
//! A rejected key takes 128 bits, and an inserted key takes about ten. Rejecting saves only the few bits that the walk would
//! have set. With the default threshold, one less than the length of a walk, that does not pay; `docs/measurements.md` in the repository has the
//! rates. The variant is here because the paper has it.

mod builder;
mod file;
mod filter;
mod options;

pub use filter::PersonalizedRejecting;
