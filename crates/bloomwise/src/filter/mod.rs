//! The contracts that every family follows.
//!
//! | module | contents |
//! |---|---|
//! | [`contract`] | [`Filter`]: all kinds of queries |
//! | [`family`], [`operation`] | the table of families: names, and what each can do |
//! | [`insert`], [`remove`] | [`Insert`] and [`Remove`]: changes that each family makes in its own way and offers in the same form |
//! | [`change`] | insertions, removals, guards and unions, in one form for all families |
//! | [`builder`] | one builder for all families |
//! | [`setting`], [`knob`] | options by name, and the setter of the builder for each |
//! | [`sizing`] | sizes, and formulas for rates |
//! | [`limit`] | the information limit: the lowest rates that any filter can have |
//! | [`forecast`] | predictions for a filter before it is built |
//! | [`info`], [`known`] | facts about a filter, and the report of a build; how a filter answers its known negatives |
//! | [`profile`] | hashing, number of keys, and what the filter was planned for |
//! | [`codec`] | how the cells of a family are written and read |
//! | [`debug`] | filters printed in one line |
//! | [`bisect`], [`did_you_mean`] | bisection; suggestions for mistyped names |

pub(crate) mod bisect;
pub(crate) mod builder;
pub(crate) mod change;
pub(crate) mod codec;
pub(crate) mod contract;
pub(crate) mod debug;
pub(crate) mod did_you_mean;
pub(crate) mod family;
pub(crate) mod forecast;
pub mod info;
pub(crate) mod insert;
pub(crate) mod knob;
pub(crate) mod known;
pub mod limit;
pub(crate) mod operation;
pub(crate) mod profile;
pub(crate) mod remove;
pub mod setting;
pub mod sizing;

pub use contract::Filter;
pub use insert::Insert;
pub use remove::Remove;
