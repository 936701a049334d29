//! A fixed set that changes: a filter, and a patch that says what changed since it was built.
//!
//! # The idea
//!
//! A publisher has yesterday's and today's keys, and clients have yesterday's filter, the *base*. A [`Patch`] holds two small guarded
//! filters ([`crate::guarded`]):
//!
//! - *added*: today's keys that the base denies. Its known negatives are today's known negatives and the removed keys.
//! - *denied*: the removed keys, and today's known negatives that the base accepts. Its known negatives are *all keys that stay*: today's keys
//!   that the base accepts.
//!
//! A [`Patched`] filter has a base and a patch, and answers
//!
//! ```text
//! yes, if added says yes;
//! yes, if the base says yes and denied says no;
//! no otherwise.
//! ```
//!
//! A patch is made against the base, never against another patch. The next patch takes the place of the last one, so a query asks three filters
//! at most, however many days have gone by.
//!
//! # A worked example
//!
//! The base holds ant, bee and cow, and accepts elk and fox by mistake. Today bee has gone, dog and elk have come, and fox is a known negative.
//!
//! ```text
//!        base  added  denied  answer
//! ant    yes   -      no      yes      stays: a known negative of "denied"
//! bee    yes   no     yes     no       removed: a key of "denied", a known negative of "added"
//! dog    no    yes    -       yes      new: a key of "added"
//! elk    yes   -      no      yes      new, but the base accepts it already: it stays, and "added" has no need of it
//! fox    yes   no     yes     no       a known negative that the base gets wrong: a key of "denied"
//! ```
//!
//! # Invariants
//!
//! *No false negative.* Each of today's keys is accepted or denied by the base.
//!
//! 1. If the base denies it, it is a key of "added", which has no false negatives. The answer is yes.
//! 2. If the base accepts it, it is a known negative of "denied", which is exact. So "denied" says no, and the answer is yes.
//!
//! The proof does not ask how the base came to its answers, so the base may be of any family, and yesterday's keys need not be known for it. It
//! does ask that the base stays as it is. A patch knows the checksum of its base, and a patched filter has no operation that changes it.
//!
//! *No false positive on known negatives and removed keys.* All of them are known negatives of "added", which is exact and says no. If the base
//! says no, the answer is no. If it says yes, the key is a key of "denied", which has no false negatives. The answer is no.
//!
//! *Exactness is checked.* The first part of the proof makes an inexact "denied" a false negative. So a build does not rely on forecasts or
//! counts: it asks both filters about every one of their known negatives, and gives a filter that is wrong about one of them more bits.
//!
//! *Empty parts.* A filter without keys is not stored, and says no.
//!
//! # Costs
//!
//! By the information limit ([`crate::guarded::theory`]), a filter that is right on `r` known negatives per key and errs on a share `e` of other
//! keys takes `log2(1 / e) + r log2(1 / (1 - e))` bits per key.
//!
//! - A false positive of "denied" on an unseen key does no harm: it turns a false positive of the base into a right answer. So "denied" has the
//!   `e` that takes the fewest bits, `1 / (1 + r)`. That is about `log2(r) + 1.44` bits per denied key, where `r` is the number of keys that stay
//!   per denied one.
//! - A false positive of "added" is one of the whole. "Added" has a rate of 0.15 times the rate of the base, so that the whole has at most 1.15
//!   times that rate. This takes 2.7 bits more than a key takes in the base.
//!
//! If 1 % of the keys are replaced, a denied key takes 8.1 bits and an added one 11.2 where the base takes 8.44: 2.3 % of the base. The page on
//! measurements has what is reached, and from where on a fresh filter is the better download.
//!
//! A query for a key that the base denies reads "added" too; one for a key that the base accepts reads "denied". While it is built, a patch
//! takes 48 bytes for each key that stays, beside the sets and what building the two filters takes.
//!
//! # Files
//!
//! A patch is a file of its own, with the parameters and cells of both filters behind one header. A patched filter is a file with two files
//! inside: its base, and the patch, byte for byte.
//!
//! # Papers
//!
//! `CRLite` (2017) publishes daily deltas from one cascade of filters to the next. Mozilla's *stashes* are exact lists of new keys, its delta filters
//! are what "added" is here; neither takes a key back. [`crate::guide::papers`] has more.

mod build;
mod file;
mod filter;
mod patch;

pub use filter::Patched;
pub use patch::Patch;
