//! What every family keeps to: the contracts.
//!
//! | module | contents |
//! |---|---|
//! | [`contract`] | [`Filter`]: queries, in all ways |
//! | [`family`], [`operation`] | the table of families: names, and what each can do |
//! | [`change`] | insertions, removals, guards and unions, in the form that all families share |
//! | [`builder`] | one builder for all families |
//! | [`setting`] | options by name |
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
pub(crate) mod info;
pub(crate) mod operation;
pub(crate) mod profile;
pub(crate) mod setting;
pub mod sizing;

pub use contract::Filter;
