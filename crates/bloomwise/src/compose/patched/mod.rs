//! Fixed sets that change: a filter, and a patch with the changes since it was built.
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
//! A patch is made for the base, never for another patch. A new patch replaces the last one, so a query looks into at most three filters,
//! however many days have passed.
//!
//! # A worked example
//!
//! The base holds ant, bee and cow, and accepts elk and fox by mistake. Today, bee is removed, dog and elk are added, and fox is a known negative.
//!
//! ```text
//!        base  added  denied  answer
//! ant    yes   -      no      yes      stays: a known negative of "denied"
//! bee    yes   no     yes     no       removed: a key of "denied", a known negative of "added"
//! dog    no    yes    -       yes      new: a key of "added"
//! elk    yes   -      no      yes      new, but the base accepts it already: it counts as staying, and "added" does not need it
//! fox    yes   no     yes     no       a known negative that the base accepts: a key of "denied"
//! ```
//!
//! # Invariants
//!
//! *No false negative.* The base accepts or denies each of today's keys.
//!
//! 1. If the base denies it, it is a key of "added", which has no false negatives. The answer is yes.
//! 2. If the base accepts it, it is a known negative of "denied", which is exact. So "denied" says no, and the answer is yes.
//!
//! The proof does not depend on how the base computes its answers. So the base may be of any family, and the patch does not need
//! yesterday's keys for the proof. It does require that the base never changes. A patch contains the checksum of its base, and a patched
//! filter has no operation that changes the base.
//!
//! *No false positive on known negatives and removed keys.* All of them are known negatives of "added", which is exact and says no. If the base
//! says no too, the answer is no. If the base says yes, the key is a key of "denied", which has no false negatives, so the answer is no.
//!
//! *Exactness is checked.* An inexact "denied" would cause a false negative. So a build does not rely on forecasts or
//! counts. It queries both filters for every one of their known negatives, and enlarges a filter that is wrong about one of them.
//!
//! *Empty parts.* A filter without keys is not stored. It says no.
//!
//! # Costs
//!
//! By the information limit ([`crate::guarded::theory`]), a filter that is exact on `r` known negatives per key and errs on a share `e` of other
//! keys takes at least `log2(1 / e) + r log2(1 / (1 - e))` bits per key.
//!
//! - A false positive of "denied" on an unseen key is harmless: it corrects a false positive of the base. So "denied" has the
//!   `e` that takes the fewest bits, `1 / (1 + r)`. That is about `log2(r) + 1.44` bits per denied key, where `r` is the number of staying keys
//!   per denied one.
//! - A false positive of "added" is a false positive of the whole. "Added" has 0.15 times the rate of the base, so the whole has at most 1.15
//!   times that rate. This takes 2.7 bits more per key than in the base.
//!
//! If 1 % of the keys are replaced and the base takes 8.44 bits per key, a denied key takes 8.1 bits and an added one 11.2. Together that
//! is 2.3 % of the base. The page on measurements has measured sizes, and the share of changes above which a new filter is the smaller
//! download.
//!
//! A query for a key that the base denies also reads "added". A query for a key that the base accepts also reads "denied". Building a patch
//! takes 48 bytes of memory for each key that stays, on top of the sets and of what building the two filters needs.
//!
//! # Files
//!
//! A patch is a file with the parameters and cells of both filters after one header. A patched filter is a file that contains two complete files,
//! its base and the patch.
//!
//! # Papers
//!
//! `CRLite` (2017) publishes daily differences between two cascades of filters. Mozilla's *stashes* are exact lists of new keys, and its
//! delta filters are like "added" here. Neither removes keys. [`crate::guide::papers`] has more.

mod build;
mod file;
mod filter;
mod patch;

pub use filter::Patched;
pub use patch::Patch;
