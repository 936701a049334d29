//! What every family keeps to: the contracts.
//!
//! | module | contents |
//! |---|---|
//! | [`contract`] | [`Filter`]: queries, in all ways |
//! | [`family`], [`operation`] | the table of families: names, and what each can do |
//! | [`insert`], [`remove`] | [`Insert`] and [`Remove`]: changes that every family does in its own way, and offers in the same |
//! | [`change`] | insertions, removals, guards and unions, in the form that all families share |
//! | [`builder`] | one builder for all families |
//! | [`setting`], [`knob`] | options by name; the setter of the builder that each stands for |
//! | [`sizing`] | sizes, and the formulas of rates |
//! | [`forecast`] | what a filter will do, before it is built |
//! | [`info`] | what a filter is, and what a build did |
//! | [`profile`] | what every filter keeps beside its cells |
//! | [`codec`] | how the cells of a family are written and read |
//! | [`bisect`], [`closest`] | where a test stops holding; the name that was meant |

pub(crate) mod bisect;
pub(crate) mod builder;
pub(crate) mod change;
pub(crate) mod closest;
pub(crate) mod codec;
pub(crate) mod contract;
pub(crate) mod family;
pub(crate) mod forecast;
pub mod info;
pub(crate) mod insert;
pub(crate) mod knob;
pub(crate) mod operation;
pub(crate) mod profile;
pub(crate) mod remove;
pub mod setting;
pub mod sizing;

pub use contract::Filter;
pub use insert::Insert;
pub use remove::Remove;
